/** Tests of the engine and its planner. */
@NullMarked
package io.hycache.core.engine;

import org.jspecify.annotations.NullMarked;
