@NullMarked
package io.hycache.bench;

import org.jspecify.annotations.NullMarked;
