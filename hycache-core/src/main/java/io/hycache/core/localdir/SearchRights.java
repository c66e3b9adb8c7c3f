// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Search rights of a directory on an HDD: users who can search its counterpart in the tree can
 * search it, too. Listing, creating, renaming and removing names in it is reserved to this process,
 * which owns it. Immutable.
 *
 * <p>The owner of the counterpart gets the right by an entry of an access control list, as do the
 * users and groups with entries there.
 *
 * <p>Idea: rights are a map from tag and id, in the order that acl(5) requires, to three bits; a
 * directory without a list has the three entries that its mode represents.
 */
final class SearchRights {
  private static final String ATTRIBUTE = "system.posix_acl_access";
  private static final int VERSION = 2;
  private static final int ENTRY_BYTES = 8;

  private static final int USER_OBJ = 1;
  private static final int USER = 2;
  private static final int GROUP_OBJ = 4;
  private static final int GROUP = 8;
  private static final int MASK = 16;
  private static final int OTHER = 32;

  private static final int NO_ID = -1;
  private static final int ALL = 7;
  private static final int SEARCH = 1;

  private final SortedMap<Long, Integer> rights;
  private final int gid;

  private SearchRights(SortedMap<Long, Integer> rights, int gid) {
    this.rights = rights;
    this.gid = gid;
  }

  /**
   * Derives the rights from a directory in the tree.
   *
   * @param uid the user of this process
   */
  static SearchRights of(Directory inTree, int uid) throws IOException {
    FileMark mark = inTree.mark();
    SortedMap<Long, Integer> there = read(inTree, mark);
    int mask = there.getOrDefault(key(MASK, NO_ID), ALL) & SEARCH;
    SortedMap<Long, Integer> rights = new TreeMap<>();
    rights.put(key(USER_OBJ, NO_ID), ALL);
    there.forEach(
        (key, bits) -> {
          if (tag(key) == OTHER) {
            rights.put(key, bits & SEARCH);
          } else if (tag(key) == GROUP_OBJ || tag(key) == GROUP) {
            rights.put(key, bits & mask);
          } else if (tag(key) == USER && id(key) != uid && id(key) != mark.uid) {
            rights.put(key, bits & mask);
          }
        });
    if (mark.uid != uid) {
      rights.put(key(USER, mark.uid), there.getOrDefault(key(USER_OBJ, NO_ID), 0) & SEARCH);
    }
    if (rights.keySet().stream().anyMatch(key -> tag(key) == USER || tag(key) == GROUP)) {
      rights.put(key(MASK, NO_ID), SEARCH);
    }
    return new SearchRights(rights, mark.gid);
  }

  /** Whether a directory on an HDD was created for the same users. */
  boolean areFor(Directory onHdd) throws IOException {
    return users(rights).equals(users(read(onHdd, onHdd.mark())));
  }

  /** Whether {@link #give} would let users search a directory on an HDD who can't yet. */
  boolean addTo(Directory onHdd) throws IOException {
    SearchRights narrowed = within(onHdd);
    return narrowed.gid != gid || !narrowed.rights.equals(rights);
  }

  /** What both these rights and a directory on an HDD grant, for the groups that it names. */
  SearchRights within(Directory onHdd) throws IOException {
    FileMark mark = onHdd.mark();
    SortedMap<Long, Integer> narrowed = new TreeMap<>();
    read(onHdd, mark)
        .forEach(
            (key, bits) -> {
              boolean otherGroup = tag(key) == GROUP_OBJ && mark.gid != gid;
              narrowed.put(key, otherGroup ? 0 : bits & rights.getOrDefault(key, 0));
            });
    if (narrowed.containsKey(key(MASK, NO_ID))) {
      narrowed.put(key(MASK, NO_ID), SEARCH);
    }
    return new SearchRights(narrowed, mark.gid);
  }

  private static List<Integer> users(SortedMap<Long, Integer> rights) {
    List<Integer> users = new ArrayList<>();
    for (long key : rights.keySet()) {
      if (tag(key) == USER) {
        users.add(id(key));
      }
    }
    return users;
  }

  /**
   * Applies the rights to a directory on an HDD that this process owns; makes no call if it has
   * them.
   *
   * @throws FileSystemException if an access control list is needed and the file system has none
   * @throws IOException if it can't be done
   */
  void give(Directory onHdd) throws IOException {
    FileMark mark = onHdd.mark();
    if (mark.gid != gid) {
      Files.setAttribute(onHdd.self(), "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    }
    boolean list = rights.containsKey(key(MASK, NO_ID));
    SortedMap<Long, Integer> now = read(onHdd, mark);
    if (now.equals(rights) && (list || (mark.mode & 07777) == mode())) {
      return;
    }
    LinuxCalls calls = onHdd.calls();
    if (list || now.containsKey(key(MASK, NO_ID))) {
      if (calls == null) {
        throw new FileSystemException(
            onHdd.toString(),
            null,
            "expected JNA, which a directory of another user needs, found none. Fix: put JNA on the"
                + " class path");
      }
      calls.attributes.set(onHdd.self(), ATTRIBUTE, bytes());
    }
    if (!list) {
      Files.setAttribute(onHdd.self(), "unix:mode", mode());
    }
  }

  /** The mode that three entries represent. */
  private int mode() {
    return (rights.getOrDefault(key(USER_OBJ, NO_ID), 0) << 6)
        | (rights.getOrDefault(key(GROUP_OBJ, NO_ID), 0) << 3)
        | rights.getOrDefault(key(OTHER, NO_ID), 0);
  }

  private static SortedMap<Long, Integer> read(Directory directory, FileMark mark)
      throws IOException {
    LinuxCalls calls = directory.calls();
    byte[] list = calls == null ? null : calls.attributes.get(directory.self(), ATTRIBUTE);
    SortedMap<Long, Integer> rights = new TreeMap<>();
    if (list == null) {
      rights.put(key(USER_OBJ, NO_ID), (mark.mode >> 6) & ALL);
      rights.put(key(GROUP_OBJ, NO_ID), (mark.mode >> 3) & ALL);
      rights.put(key(OTHER, NO_ID), mark.mode & ALL);
      return rights;
    }
    ByteBuffer entries = ByteBuffer.wrap(list).order(ByteOrder.LITTLE_ENDIAN);
    if (list.length < Integer.BYTES || entries.getInt() != VERSION) {
      throw new FileSystemException(directory.toString(), null, ATTRIBUTE + " of another version");
    }
    while (entries.remaining() >= ENTRY_BYTES) {
      int tag = entries.getShort();
      int bits = entries.getShort();
      int id = entries.getInt();
      rights.put(key(tag, tag == USER || tag == GROUP ? id : NO_ID), bits);
    }
    return rights;
  }

  private byte[] bytes() {
    ByteBuffer entries =
        ByteBuffer.allocate(Integer.BYTES + ENTRY_BYTES * rights.size())
            .order(ByteOrder.LITTLE_ENDIAN);
    entries.putInt(VERSION);
    for (Map.Entry<Long, Integer> entry : rights.entrySet()) {
      entries.putShort((short) tag(entry.getKey()));
      entries.putShort(entry.getValue().shortValue());
      entries.putInt(id(entry.getKey()));
    }
    return entries.array();
  }

  private static long key(int tag, int id) {
    return ((long) tag << 32) | Integer.toUnsignedLong(id);
  }

  private static int tag(long key) {
    return (int) (key >>> 32);
  }

  private static int id(long key) {
    return (int) key;
  }
}
