/** Counters and immutable snapshots. */
@NullMarked
package io.hycache.core.stats;

import org.jspecify.annotations.NullMarked;
