@NullMarked
package io.hycache.core.cost;

import org.jspecify.annotations.NullMarked;
