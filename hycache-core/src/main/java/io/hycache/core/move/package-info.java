/** Doing what was decided: queue, admission, throttle. */
@NullMarked
package io.hycache.core.move;

import org.jspecify.annotations.NullMarked;
