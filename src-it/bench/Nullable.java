// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * May be null. The compiler's check knows it by its name; clients bring no library of annotations.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@interface Nullable {}
