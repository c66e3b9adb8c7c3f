/** From manifests to located blocks to DataNodes; questions to all DataNodes at once. */
@NullMarked
package io.hycache.hdfs.client;

import org.jspecify.annotations.NullMarked;
