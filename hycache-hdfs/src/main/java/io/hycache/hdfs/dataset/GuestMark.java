package io.hycache.hdfs.dataset;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers on the SSD which replicas HyCache itself placed there, so that after a restart guests
 * are told from replicas that the NameNode asked for on SSD.
 *
 * <p>The mark is an extended attribute of the data file: it lives and dies with the bytes, follows
 * renames between {@code rbw} and {@code finalized}. When HDFS gives a guest another file on SSD (a
 * truncated copy, a broken hard link, the disk balancer), the node marks that one, too. Without the
 * mark a replica is its owner's and is never demoted: losing marks costs SSD space, never data or a
 * promise.
 */
final class GuestMark {
  private static final Logger LOG = LoggerFactory.getLogger(GuestMark.class);
  private static final String NAME = "hycache.guest";

  private volatile boolean complained;

  void set(File data) {
    try {
      FileOperation.MARK.before(data);
      view(data).write(NAME, ByteBuffer.wrap("1".getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException | UnsupportedOperationException e) {
      if (!complained) {
        complained = true;
        LOG.warn(
            "extended attributes do not work on this SSD: after a restart replicas placed there"
                + " count as their owner's and are not demoted: file={}",
            data,
            e);
      }
    }
  }

  boolean isSet(File data) {
    try {
      return view(data).list().contains(NAME);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static UserDefinedFileAttributeView view(File data) throws IOException {
    UserDefinedFileAttributeView view =
        Files.getFileAttributeView(data.toPath(), UserDefinedFileAttributeView.class);
    if (view == null) {
      throw new IOException("no extended attributes: file=" + data);
    }
    return view;
  }
}
