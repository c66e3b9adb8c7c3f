/** Hint and status protocol between clients and DataNodes: wire form, server, client stub. */
@NullMarked
package io.hycache.hdfs.rpc;

import org.jspecify.annotations.NullMarked;
