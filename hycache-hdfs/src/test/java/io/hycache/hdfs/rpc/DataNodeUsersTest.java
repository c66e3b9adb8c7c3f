// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is a DataNode where Kerberos is on. */
class DataNodeUsersTest {
  private static final String ANY_HOST = "dn/_HOST@EXAMPLE.COM";
  private static final String ONE = "dn/one@EXAMPLE.COM";

  private final List<InetAddress> lookedUp = new ArrayList<>();

  private boolean isOf(String name, String principal) throws IOException {
    return DataNodeUsers.isOf(
        name,
        principal,
        InetAddress.getLoopbackAddress(),
        (pattern, host) -> {
          lookedUp.add(host);
          return pattern.replace("_HOST", "dn1.example.com");
        });
  }

  @Test
  void isOf_theCallersHost_isADataNode() throws Exception {
    assertTrue(isOf("dn/dn1.example.com@EXAMPLE.COM", ANY_HOST));
    assertFalse(isOf("dn/dn2.example.com@EXAMPLE.COM", ANY_HOST));
    assertTrue(isOf(ONE, ONE));
    assertFalse(isOf("dn/two@EXAMPLE.COM", ONE));
  }

  /** A look-up of a host without a name takes seconds, and holds a handler. */
  @Test
  void isOf_aDataNodeOfNoHost_isRefusedWithoutALookUp() throws Exception {
    for (String name :
        List.of(
            "alice@EXAMPLE.COM",
            "alice",
            "dn@EXAMPLE.COM",
            "alice/dn1.example.com@EXAMPLE.COM",
            "dn/dn1.example.com@ELSEWHERE.COM")) {
      assertFalse(isOf(name, ANY_HOST), name);
    }
    assertEquals(List.of(), lookedUp);
  }
}
