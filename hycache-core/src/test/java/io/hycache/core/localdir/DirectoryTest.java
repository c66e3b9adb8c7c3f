// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Held directories and files, with each way of looking them up. */
class DirectoryTest {
  private static final byte[] FIRST = {1, 2, 3};
  private static final byte[] SECOND = {4, 5, 6, 7};
  private static final int ROUNDS = 500;

  /** How paths below a directory are looked up. */
  enum Way {
    OPENAT2,
    NAME_BY_NAME,
    PATHS;

    Caller caller() throws Exception {
      return Caller.of(this == PATHS ? null : calls(this == NAME_BY_NAME));
    }

    private static LinuxCalls calls(boolean nameByName) {
      return Objects.requireNonNull(LinuxCalls.load(nameByName), "JNA is missing");
    }

    /** Whether a held directory stays the same when its path changes. */
    boolean holds() {
      return this != PATHS;
    }
  }

  @TempDir Path root;

  private Directory open(Way way) throws Exception {
    root = root.toRealPath();
    Files.createDirectories(root.resolve("a/b/c"));
    Files.write(root.resolve("a/b/x"), FIRST);
    Files.createDirectories(root.resolve("away/b/c"));
    Files.write(root.resolve("away/b/x"), SECOND);
    return Directory.open(root, way.caller());
  }

  private static byte[] bytes(HeldFile file) throws Exception {
    try (FileChannel channel = Objects.requireNonNull(file.open())) {
      return Channels.newInputStream(channel).readAllBytes();
    }
  }

  @ParameterizedTest
  @EnumSource
  void below_plainPath_leadsThere(Way way) throws Exception {
    try (Directory top = open(way);
        Directory self = top.below(Directory.SELF);
        Directory b = top.below(Path.of("a", "b"))) {
      assertNotNull(self);
      assertNotNull(b);
      assertTrue(self.mark().sameInode(FileMark.of(root)));
      assertTrue(b.mark().sameInode(FileMark.of(root.resolve("a/b"))));
      assertEquals(root.resolve("a/b"), b.path());
      Set<Path> names = new HashSet<>(b.names());
      assertEquals(Set.of(Path.of("c"), Path.of("x")), names);
    }
  }

  @ParameterizedTest
  @EnumSource
  void below_linkOrFileOrNothingOnTheWay_isNull(Way way) throws Exception {
    try (Directory top = open(way)) {
      Files.createSymbolicLink(root.resolve("link"), Path.of("a"));
      Files.createSymbolicLink(root.resolve("a/loop"), Path.of("loop"));
      for (String path :
          List.of("link", "link/b", "a/loop", "a/b/x", "a/b/x/y", "none", "a/none/c")) {
        try (Directory below = top.below(Path.of(path))) {
          assertNull(below, path);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void below_pathThatLeadsUpOrAway_isNull(Way way) throws Exception {
    try (Directory top = open(way);
        Directory a = top.below(Path.of("a"))) {
      assertNotNull(a);
      for (Path path : List.of(Path.of(".."), Path.of("b", "..", ".."), root.resolve("away"))) {
        try (Directory below = a.below(path)) {
          assertNull(below, path.toString());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void open_link_isRefused(Way way) throws Exception {
    open(way).close();
    Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("a"));
    assertThrows(NotDirectoryException.class, () -> Directory.open(link, way.caller()));
    assertThrows(
        NotDirectoryException.class, () -> Directory.open(root.resolve("a/b/x"), way.caller()));
  }

  @ParameterizedTest
  @EnumSource(names = "PATHS", mode = EnumSource.Mode.EXCLUDE)
  void names_pathLeadsElsewhereNow_areThoseOfTheDirectory(Way way) throws Exception {
    try (Directory top = open(way);
        Directory b = top.below(Path.of("a", "b"))) {
      assertNotNull(b);
      Files.move(root.resolve("a"), root.resolve("old"), StandardCopyOption.ATOMIC_MOVE);
      Files.createSymbolicLink(root.resolve("a"), root.resolve("away"));
      assertArrayEquals(FIRST, Files.readAllBytes(b.at("x")));
      assertArrayEquals(SECOND, Files.readAllBytes(root.resolve("a/b/x")));
      Files.createFile(b.at("new"));
      assertTrue(Files.exists(root.resolve("old/b/new")));
      assertTrue(b.make(Path.of("made")));
      assertFalse(b.make(Path.of("made")));
      assertTrue(Files.isDirectory(root.resolve("old/b/made")));
      assertEquals("700", FileMark.of(root.resolve("old/b/made")).rightsText());
      Files.delete(b.at("x"));
      assertFalse(Files.exists(root.resolve("old/b/x")));
      assertTrue(Files.exists(root.resolve("away/b/x")));
    }
  }

  @ParameterizedTest
  @EnumSource(names = "PATHS", mode = EnumSource.Mode.EXCLUDE)
  void heldFile_nameIsAnothersNow_isStillTheFile(Way way) throws Exception {
    try (Directory top = open(way);
        Directory b = top.below(Path.of("a", "b"));
        HeldFile x = hold(b, "x")) {
      Files.move(
          root.resolve("away/b/x"), root.resolve("a/b/x"), StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(FIRST, bytes(x));
      assertTrue(x.isGone());
      assertFalse(x.isUnchanged());
      assertArrayEquals(SECOND, Files.readAllBytes(root.resolve("a/b/x")));
    }
  }

  private static HeldFile hold(@Nullable Directory directory, String name) throws Exception {
    HeldFile held = directory == null ? null : directory.hold(Path.of(name));
    return Objects.requireNonNull(held);
  }

  @ParameterizedTest
  @EnumSource
  void heldFile_untouched_isUnchangedAndTakesNames(Way way) throws Exception {
    try (Directory top = open(way);
        Directory b = top.below(Path.of("a", "b"));
        HeldFile x = hold(b, "x")) {
      assertNotNull(b);
      assertTrue(x.mark.isFile());
      assertTrue(x.isUnchanged());
      assertFalse(x.isGone());
      assertArrayEquals(FIRST, bytes(x));
      x.linkTo(b.at("y"));
      assertTrue(FileMark.of(root.resolve("a/b/y")).sameInode(x.mark));
      assertThrows(FileAlreadyExistsException.class, () -> x.linkTo(b.at("y")));
      assertNull(b.hold(Path.of("none")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void heldFile_linkOrPipe_isItselfAndNotOpened(Way way) throws Exception {
    try (Directory top = open(way)) {
      Files.createSymbolicLink(root.resolve("link"), root.resolve("a/b/x"));
      assertEquals(
          0, new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start().waitFor());
      try (HeldFile link = hold(top, "link");
          HeldFile pipe = hold(top, "pipe")) {
        assertTrue(link.mark.isLink());
        assertFalse(pipe.mark.isFile() || pipe.mark.isDirectory() || pipe.mark.isLink());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void text_ofAHeldLink_isItsOwnWhateverHasItsName(Way way) throws Exception {
    try (Directory top = open(way)) {
      for (String text : List.of("/a/b c", "a/%41/b", "../x//y/", "/", "a\tb", "/a/./..//b")) {
        Path link = Files.createSymbolicLink(root.resolve("link"), Path.of(text));
        try (HeldFile held = hold(top, "link")) {
          if (way.holds()) {
            Files.delete(link);
            Files.createSymbolicLink(link, Path.of("other"));
          }
          assertEquals(Path.of(text), held.text());
        }
        Files.delete(link);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void at_moreThanOneName_isRefused(Way way) throws Exception {
    try (Directory top = open(way)) {
      for (String name : List.of("", ".", "..", "a/b", "/a", "../a")) {
        assertThrows(IllegalArgumentException.class, () -> top.at(name), name);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_laterCalls_areRefusedAndNoDescriptorStays(Way way) throws Exception {
    Directory top = open(way);
    top.close();
    top.close();
    assertThrows(ClosedChannelException.class, () -> top.at("x"));
    assertThrows(ClosedChannelException.class, top::names);
    if (way.holds()) {
      assertThrows(ClosedChannelException.class, () -> top.below(Directory.SELF));
    }
    long before = descriptors();
    Caller caller = way.caller();
    for (int i = 0; i < ROUNDS; i++) {
      try (Directory again = Directory.open(root, caller);
          Directory b = again.below(Path.of("a", "b"));
          Directory none = again.below(Path.of("a", "b", "x", "none"));
          HeldFile x = hold(b, "x")) {
        assertTrue(x.mark.isFile() && none == null);
      }
    }
    assertTrue(descriptors() < before + ROUNDS / 2, "descriptors are left open");
  }

  /** Errors of a kernel before 5.6 and of a system call filter. */
  @ParameterizedTest
  @ValueSource(ints = {38, 1})
  void below_kernelRefusesOpenat2_goesNameByName(int errno) throws Exception {
    ActingAs.assumeRoot();
    open(Way.NAME_BY_NAME).close();
    Files.createSymbolicLink(root.resolve("link"), Path.of("a"));
    LinuxCalls calls = Way.calls(false);
    assertFalse(calls.isNameByName());
    ActingAs.call(
        0,
        () -> {
          ActingAs.refuse(437, errno);
          Caller caller = Caller.of(calls);
          try (Directory top = Directory.open(root, caller);
              Directory b = top.below(Path.of("a", "b"));
              Directory link = top.below(Path.of("link", "b"));
              HeldFile x = hold(b, "x")) {
            assertArrayEquals(FIRST, bytes(x));
            assertNull(link);
          }
          return 0;
        });
    assertTrue(calls.isNameByName());
  }

  private static long descriptors() throws Exception {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
