/** Models of the devices and what they make of a workload. Pure: no file, thread or clock. */
@NullMarked
package io.hycache.core.cost;

import org.jspecify.annotations.NullMarked;
