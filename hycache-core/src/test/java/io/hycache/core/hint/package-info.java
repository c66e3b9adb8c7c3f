@NullMarked
package io.hycache.core.hint;

import org.jspecify.annotations.NullMarked;
