package io.hycache.core.localdir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the things of one tree are.
 *
 * <pre>
 *  SSD/...                  the tree as jobs see it: files, and links to files on an HDD
 *  SSD/.hycache/id          the tree's name, drawn once
 *  SSD/.hycache/lock        held by the one daemon that serves the tree
 *  SSD/.hycache/status.json what {@link LocalDirStatus#read} reads
 *  SSD/.hycache/ballast     room for links on a full SSD, {@link Ballast}
 *  SSD/.hycache/staging/    what is about to be exchanged, or was, with a {@link MoveRecord} each
 *  SSD/.hycache/kept/       what a crash or a race left and nobody can tell whether it is needed
 *  HDD/(id)/...             files that are down, by their path in the tree
 *  HDD/(id)/.staging/       half copies
 * </pre>
 *
 * All paths are real ones, so that a link's text tells whether it leads to an HDD of the tree.
 */
final class TreeLayout {
  private static final String HIDDEN = ".hycache";
  private static final String STAGING = "staging";
  private static final String KEPT = "kept";
  private static final String ID = "id";
  private static final String BALLAST = "ballast";
  private static final Pattern ID_TEXT = Pattern.compile("hycache-[0-9a-f]{32}");
  private static final Pattern SUFFIX = Pattern.compile("\\.~[0-9]+~$");

  private final Path ssd;
  private final String id;
  private final List<HddRoot> hdds;

  private TreeLayout(Path ssd, String id, List<HddRoot> hdds) {
    this.ssd = ssd;
    this.id = id;
    this.hdds = List.copyOf(hdds);
  }

  /** A file on an HDD that a link in the tree leads to. */
  static final class Target {
    final HddRoot hdd;
    final Path path;

    private Target(HddRoot hdd, Path path) {
      this.hdd = hdd;
      this.path = path;
    }

    /** Its path on the HDD. */
    Path relative() {
      return hdd.home().relativize(path);
    }
  }

  /** The corner that has to exist before the tree can be locked. */
  static Path prepareHidden(Path ssd) throws IOException {
    Path real = usable("ssd", ssd);
    Path hidden = hidden(real);
    makeDirectory(hidden, "rwxr-xr-x");
    makeDirectory(hidden.resolve(STAGING), "rwx------");
    makeDirectory(hidden.resolve(KEPT), "rwx------");
    return hidden;
  }

  /**
   * Finds or makes everything; the tree must be locked.
   *
   * @throws IOException that says which directory is not usable and what to do
   */
  static TreeLayout open(LocalDirConfig config) throws IOException {
    Path hidden = prepareHidden(config.ssd());
    Path ssd = hidden.getParent();
    if (ssd == null) {
      throw new IOException("ssd=" + config.ssd() + " has no name");
    }
    String id = id(hidden.resolve(ID));
    FileMark top = FileMark.of(ssd);
    List<HddRoot> hdds = new ArrayList<>();
    for (Path configured : config.hdds()) {
      Path root = usable("hdd", configured);
      if (overlap(root, ssd)) {
        throw new IOException(
            "hdd=" + configured + " is " + root + ", which overlaps ssd=" + ssd + "; name another");
      }
      HddRoot hdd = new HddRoot(root, id, config.bandwidthBytesPerSec());
      makeDirectory(hdd.home(), "rwxr-xr-x");
      Attributes.owner(hdd.home(), top);
      Attributes.rights(hdd.home(), top);
      makeDirectory(hdd.staging(), "rwx------");
      hdds.add(hdd);
    }
    return new TreeLayout(ssd, id, hdds);
  }

  /** True if one of them is or holds the other. */
  static boolean overlap(Path a, Path b) {
    return a.startsWith(b) || b.startsWith(a);
  }

  private static Path usable(String what, Path configured) throws IOException {
    Path real;
    try {
      real = configured.toRealPath();
    } catch (NoSuchFileException e) {
      throw new IOException(
          what + "=" + configured + " does not exist; create the directory or mount its device", e);
    }
    if (!Files.isDirectory(real)) {
      throw new IOException(what + "=" + configured + " is no directory; name one");
    }
    if (!Files.isWritable(real)) {
      throw new IOException(
          what
              + "="
              + configured
              + " is not writable for "
              + System.getProperty("user.name")
              + "; give it the rights, or check whether its device became read-only");
    }
    return real;
  }

  private static void makeDirectory(Path directory, String rights) throws IOException {
    try {
      Files.createDirectory(directory);
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(rights));
    } catch (FileAlreadyExistsException e) {
      if (!FileMark.of(directory).isDirectory()) {
        throw new IOException(directory + " is in the way; it has to be a directory", e);
      }
    }
  }

  private static String id(Path file) throws IOException {
    try {
      String id = Files.readString(file, StandardCharsets.US_ASCII).trim();
      if (!ID_TEXT.matcher(id).matches()) {
        throw new IOException(
            file
                + " holds no tree id; restore it: it is the name of this tree's directory on each"
                + " HDD (hycache- and 32 digits)");
      }
      return id;
    } catch (NoSuchFileException e) {
      String id = "hycache-" + UUID.randomUUID().toString().replace("-", "");
      Path fresh = file.resolveSibling("id.new");
      Files.writeString(fresh, id + "\n", StandardCharsets.US_ASCII);
      FileCopier.sync(fresh);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      Path parent = file.getParent();
      if (parent != null) {
        FileCopier.sync(parent);
      }
      return id;
    }
  }

  Path ssd() {
    return ssd;
  }

  String id() {
    return id;
  }

  List<HddRoot> hdds() {
    return hdds;
  }

  /**
   * Checks that it is still this tree that lies at its root, and not the empty directory on which
   * its file system was mounted.
   *
   * @throws IOException if it is not
   */
  void checkPresent() throws IOException {
    Path file = hidden().resolve(ID);
    if (!Files.exists(file) || !id(file).equals(id)) {
      throw new IOException(
          "ssd=" + ssd + " holds another tree or none; is its device mounted? Restart to go on");
    }
  }

  /** Directories on the HDDs that are named like a tree's and not this one's. */
  List<Path> otherTrees() {
    List<Path> others = new ArrayList<>();
    for (HddRoot hdd : hdds) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(hdd.root(), "hycache-*")) {
        for (Path entry : entries) {
          String name = String.valueOf(entry.getFileName());
          if (ID_TEXT.matcher(name).matches() && !name.equals(id)) {
            others.add(entry);
          }
        }
      } catch (IOException | DirectoryIteratorException e) {
        // Whoever uses the HDD finds out what is wrong with it.
      }
    }
    return others;
  }

  /** Files that are kept because nobody can tell whether they are needed; 0 if that is unknown. */
  long keptFiles() {
    try (Stream<Path> files = Files.list(kept())) {
      return files.count();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  private Path hidden() {
    return hidden(ssd);
  }

  /** The corner of the tree under this root that jobs don't see. */
  static Path hidden(Path ssd) {
    return ssd.resolve(HIDDEN);
  }

  Path staging() {
    return hidden().resolve(STAGING);
  }

  Path kept() {
    return hidden().resolve(KEPT);
  }

  Path ballast() {
    return hidden().resolve(BALLAST);
  }

  /** The path below the root. */
  Path relative(Path path) {
    return ssd.relativize(path);
  }

  /** True of the corner that jobs don't see. */
  boolean hides(Path path) {
    return path.startsWith(hidden());
  }

  /** The text of a link as an absolute path, null if the name is no link or not there. */
  static @Nullable Path text(Path link) throws IOException {
    try {
      Path text = Files.readSymbolicLink(link);
      Path parent = link.getParent();
      return (parent == null ? text : parent.resolve(text)).normalize();
    } catch (NoSuchFileException | NotLinkException e) {
      return null;
    } catch (FileSystemException e) {
      if (FileMark.isNoDirectory(e)) {
        return null;
      }
      throw e;
    }
  }

  /** Where a link leads, null if the name is no link to an HDD of this tree. */
  @Nullable Target target(Path link) throws IOException {
    Path text = text(link);
    return text == null ? null : targetOf(text);
  }

  /** The same of a link's text. */
  @Nullable Target targetOf(Path text) {
    for (HddRoot hdd : hdds) {
      if (text.startsWith(hdd.home())
          && !text.equals(hdd.home())
          && !text.startsWith(hdd.staging())) {
        return new Target(hdd, text);
      }
    }
    return null;
  }

  /** True if a file on an HDD lies where its path in the tree wants it. */
  boolean isAtHome(Path path, Target target) {
    return plain(relative(path)).equals(plain(target.relative()));
  }

  /** A relative path without the suffixes that evade names that were taken. */
  static Path plain(Path relative) {
    Path plain = Path.of("");
    for (Path name : relative) {
      String text = name.toString();
      plain =
          text.endsWith("~")
              ? plain.resolve(SUFFIX.matcher(text).replaceFirst(""))
              : plain.resolve(name);
    }
    return plain;
  }

  /** A name beside one that is taken. */
  static Path evade(Path path, int attempt) {
    return attempt == 0 ? path : path.resolveSibling(path.getFileName() + ".~" + attempt + "~");
  }
}
