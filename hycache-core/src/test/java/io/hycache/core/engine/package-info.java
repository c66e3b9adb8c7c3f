/** Tests of the planner behind the engine's front door. */
@NullMarked
package io.hycache.core.engine;

import org.jspecify.annotations.NullMarked;
