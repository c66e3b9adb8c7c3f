/** The words everything else speaks: blocks, replicas, decisions. JDK only. */
@NullMarked
package io.hycache.core.model;

import org.jspecify.annotations.NullMarked;
