/** Which volume of a type takes the next replica. */
@NullMarked
package io.hycache.hdfs.volume;

import org.jspecify.annotations.NullMarked;
