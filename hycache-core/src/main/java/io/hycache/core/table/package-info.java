/** Residency, heat and the space ledger of one DataNode. */
@NullMarked
package io.hycache.core.table;

import org.jspecify.annotations.NullMarked;
