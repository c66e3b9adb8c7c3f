/** Validated settings. */
@NullMarked
package io.hycache.core.config;

import org.jspecify.annotations.NullMarked;
