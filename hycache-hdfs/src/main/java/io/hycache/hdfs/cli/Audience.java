// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.hdfs.client.DataNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.rpc.ErrorText;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.security.AccessControlException;

/** Which DataNodes a command asks. */
final class Audience {
  private Audience() {}

  /**
   * The holders of what is at the paths, with a warning of what is left out; without paths all live
   * DataNodes, which the NameNode lists to superusers only: for others as its web server shows
   * them.
   *
   * @param hint what others can do instead
   * @throws FileNotFoundException if there is nothing at any of the paths
   */
  static List<DataNode> of(HyCacheClient client, List<String> paths, String hint, Console console)
      throws IOException {
    return paths.isEmpty() ? live(client, hint) : holders(client, paths, false, console);
  }

  /**
   * As {@link #of}, for a change that is to be made for all of the paths or for none.
   *
   * @throws FileNotFoundException if there is nothing at one of the paths
   */
  static List<DataNode> ofEach(
      HyCacheClient client, List<String> paths, String hint, Console console) throws IOException {
    return paths.isEmpty() ? live(client, hint) : holders(client, paths, true, console);
  }

  private static List<DataNode> holders(
      HyCacheClient client, List<String> paths, boolean each, Console console) throws IOException {
    TreeSet<DataNode> out = new TreeSet<>();
    List<String> notes = new ArrayList<>();
    int missing = 0;
    for (String path : paths) {
      try {
        out.addAll(client.holders(path, notes::add));
      } catch (FileNotFoundException e) {
        if (each || ++missing == paths.size()) {
          throw e;
        }
        console.warn(ErrorText.of(e) + ": its DataNodes are not asked");
      }
    }
    if (!notes.isEmpty()) {
      int others = notes.size() - 1;
      console.warn(notes.get(0) + (others == 0 ? "" : " (and " + Text.count(others) + " more)"));
    }
    return List.copyOf(out);
  }

  private static List<DataNode> live(HyCacheClient client, String hint) throws IOException {
    try {
      return client.liveNodes();
    } catch (AccessControlException e) {
      try {
        return client.shownNodes();
      } catch (IOException pages) {
        throw new AccessControlException(
            "the NameNode lists its DataNodes to HDFS superusers only, and its web server does not"
                + " show them ("
                + ErrorText.of(pages)
                + "); "
                + hint);
      }
    }
  }
}
