// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hycache.core.model.BlockKey;
import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuestsTest {
  @TempDir Path dir;

  private final Guests guests = new Guests();

  @BeforeEach
  void marksWorkHere() throws Exception {
    assumeTrue(Files.getFileStore(dir).supportsFileAttributeView("user"));
  }

  @AfterEach
  void endFaults() {
    FileOperation.observe(null);
  }

  private ReplicaView view(long id, boolean onSsd) throws Exception {
    File data = dir.resolve("blk_" + id).toFile();
    Files.writeString(data.toPath(), "x");
    return new ReplicaView(
        new Replica(new BlockKey("BP-1", id), 1, 1), onSsd, dir.toFile(), data, data);
  }

  /** Another process looks at the same file. */
  private static Home afterRestart(ReplicaView view) throws IOException {
    return new Guests().home(view);
  }

  @Test
  void placed_isAGuestAlsoAfterARestart_othersAreTheirOwners() throws Exception {
    ReplicaView ours = view(1, true);
    ReplicaView theirs = view(2, true);
    guests.placed(ours.replica().block(), ours.data());
    assertEquals(Home.SSD_GUEST, guests.home(ours));
    assertEquals(Home.SSD_GUEST, guests.home(ours), "asked again");
    assertEquals(Home.SSD_GUEST, afterRestart(ours));
    assertEquals(Home.SSD_OWNER, guests.home(theirs));
    assertEquals(Home.DISK, guests.home(view(3, false)));
  }

  /** As on a file system without extended attributes. */
  @Test
  void placed_fileCannotBeMarked_isAGuestUntilItLeaves() throws Exception {
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.MARK) {
            throw new IOException("injected");
          }
        });
    ReplicaView ours = view(1, true);
    guests.placed(ours.replica().block(), ours.data());
    assertEquals(Home.SSD_GUEST, guests.home(ours));
    assertEquals(Home.SSD_GUEST, guests.home(ours), "asked again");
    FileOperation.observe(null);
    assertEquals(Home.SSD_GUEST, guests.home(ours));
    assertEquals(Home.SSD_GUEST, afterRestart(ours), "marked as soon as that was possible");
  }

  @Test
  void home_markCannotBeRead_isNotAnOwners() throws Exception {
    ReplicaView ours = view(1, true);
    guests.placed(ours.replica().block(), ours.data());
    FileOperation.observe(
        (operation, file) -> {
          if (operation == FileOperation.MARKED) {
            throw new IOException("Too many open files");
          }
        });
    assertThrows(IOException.class, () -> guests.home(ours));
    FileOperation.observe(null);
    assertEquals(Home.SSD_GUEST, guests.home(ours));
  }

  @Test
  void changed_newFileIsMarkedToo() throws Exception {
    ReplicaView ours = view(1, true);
    guests.placed(ours.replica().block(), ours.data());
    guests.home(ours);
    guests.changing(ours);
    Files.delete(ours.data().toPath());
    ReplicaView copied = view(1, true);
    assertEquals(Home.SSD_GUEST, guests.home(copied));
    assertEquals(Home.SSD_GUEST, afterRestart(copied));
  }

  @Test
  void copied_partOfAGuestIsAGuest_partOfAnOwnersIsNot() throws Exception {
    ReplicaView ours = view(1, true);
    guests.placed(ours.replica().block(), ours.data());
    guests.copied(ours, new BlockKey("BP-1", 2));
    assertEquals(Home.SSD_GUEST, guests.home(view(2, true)));
    guests.copied(view(3, true), new BlockKey("BP-1", 4));
    assertEquals(Home.SSD_OWNER, guests.home(view(4, true)));
  }

  @Test
  void movedToDisk_orGone_isForgotten() throws Exception {
    ReplicaView ours = view(1, true);
    guests.placed(ours.replica().block(), ours.data());
    guests.changing(ours);
    Files.delete(ours.data().toPath());
    assertEquals(Home.DISK, guests.home(view(1, false)));
    assertEquals(Home.SSD_OWNER, guests.home(view(1, true)), "the NameNode moved it back");
    guests.placed(new BlockKey("BP-1", 5), view(6, true).data());
    guests.gone(new BlockKey("BP-1", 5));
    assertEquals(Home.SSD_OWNER, guests.home(view(5, true)));
  }
}
