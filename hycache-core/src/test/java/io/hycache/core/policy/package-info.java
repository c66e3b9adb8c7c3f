@NullMarked
package io.hycache.core.policy;

import org.jspecify.annotations.NullMarked;
