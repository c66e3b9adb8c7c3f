// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdministratorsTest {
  private final Configuration conf = new Configuration(false);

  @ParameterizedTest
  @EnumSource(names = {"SIMPLE", "KERBEROS", "TOKEN"})
  void namedAdministrator_isOneUnlessByABlockToken(AuthMethod by) throws Exception {
    conf.set(DFSConfigKeys.DFS_ADMIN, "ops");
    Administrators administrators = new Administrators(conf);
    boolean included = administrators.include(UserGroupInformation.createRemoteUser("ops", by));
    assertEquals(by != AuthMethod.TOKEN, included);
    assertFalse(administrators.include(UserGroupInformation.createRemoteUser("alice", by)));
  }

  @Test
  void memberOfTheSuperGroup_isOneUnlessByABlockToken() throws Exception {
    Administrators administrators = new Administrators(conf);
    UserGroupInformation user =
        UserGroupInformation.createUserForTesting("root2", new String[] {"supergroup"});
    assertTrue(administrators.include(user));
    user.setAuthenticationMethod(AuthMethod.TOKEN);
    assertFalse(administrators.include(user));
  }
}
