/** Tests of temp directories of jobs. */
@NullMarked
package io.hycache.core.localdir;

import org.jspecify.annotations.NullMarked;
