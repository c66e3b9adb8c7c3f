/** What a host supplies and what a user may plug in. */
@NullMarked
package io.hycache.core.spi;

import org.jspecify.annotations.NullMarked;
