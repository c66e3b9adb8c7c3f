/** Interfaces that the host implements and that users may implement. */
@NullMarked
package io.hycache.core.spi;

import org.jspecify.annotations.NullMarked;
