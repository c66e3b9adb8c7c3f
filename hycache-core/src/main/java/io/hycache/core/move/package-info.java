/** Carries out decisions: queue, throttles, supervision. */
@NullMarked
package io.hycache.core.move;

import org.jspecify.annotations.NullMarked;
