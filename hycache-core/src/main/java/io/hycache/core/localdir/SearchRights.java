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
 * Who may pass a directory on an HDD: those who may pass the directory of the tree that it stands
 * for. Only we may make, rename and remove names in it, or see them: it is ours, and the others
 * have the right to search alone. Immutable.
 *
 * <p>The owner of the directory in the tree, if that is not us, gets it by an entry of an access
 * control list, as do the users and groups that have entries there.
 *
 * <p>Idea: rights are a map from a tag and an id, in the order in which acl(5) wants them, to three
 * bits; a directory without a list has the three entries that its mode stands for.
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
   * Those that a directory in the tree asks for.
   *
   * @param uid who we are
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

  /** Whether a directory on an HDD was made for the same users. */
  boolean areFor(Directory onHdd) throws IOException {
    return users(rights).equals(users(read(onHdd, onHdd.mark())));
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
   * Gives them to a directory on an HDD that is ours; no call if it has them.
   *
   * @throws FileSystemException if they take a list and its file system has none
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
            onHdd.toString(), null, "for a directory of another user JNA has to be there");
      }
      calls.attributes.set(onHdd.self(), ATTRIBUTE, bytes());
    }
    if (!list) {
      Files.setAttribute(onHdd.self(), "unix:mode", mode());
    }
  }

  /** The mode that three entries stand for. */
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
