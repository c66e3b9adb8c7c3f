/** Tests of queue and throttle. */
@NullMarked
package io.hycache.core.move;

import org.jspecify.annotations.NullMarked;
