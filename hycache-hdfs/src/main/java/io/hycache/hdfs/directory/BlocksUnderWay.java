// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.directory;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the blocks that are looked up at a time, of all users and of each: the handlers of calls
 * do not, as they do not wait for the answers. Thread-safe.
 */
final class BlocksUnderWay {
  static final int MAX_BLOCKS = 200_000;
  static final int MAX_BLOCKS_OF_USER = 50_000;

  private final Map<String, Integer> ofUsers = new HashMap<>();
  private int all;

  /** Adds blocks, unless there would be too many; returns whether they were added. */
  synchronized boolean add(String user, int blocks) {
    int ofUser = ofUsers.getOrDefault(user, 0);
    if (blocks > MAX_BLOCKS - all || blocks > MAX_BLOCKS_OF_USER - ofUser) {
      return false;
    }
    all += blocks;
    ofUsers.put(user, ofUser + blocks);
    return true;
  }

  /** Removes blocks that were added. */
  synchronized void remove(String user, int blocks) {
    all -= blocks;
    int left = ofUsers.getOrDefault(user, 0) - blocks;
    if (left > 0) {
      ofUsers.put(user, left);
    } else {
      ofUsers.remove(user);
    }
  }
}
