/**
 * Temp directories of jobs: one tree on the SSD, and behind links what does not fit. Stands beside
 * {@code engine}.
 */
@NullMarked
package io.hycache.core.localdir;

import org.jspecify.annotations.NullMarked;
