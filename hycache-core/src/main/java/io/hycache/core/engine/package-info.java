/** The front door: events in, decisions and moves out. */
@NullMarked
package io.hycache.core.engine;

import org.jspecify.annotations.NullMarked;
