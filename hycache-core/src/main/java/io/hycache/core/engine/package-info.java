/** The engine: takes events, decides, and has blocks moved. */
@NullMarked
package io.hycache.core.engine;

import org.jspecify.annotations.NullMarked;
