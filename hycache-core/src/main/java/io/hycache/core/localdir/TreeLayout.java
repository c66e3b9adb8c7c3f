package io.hycache.core.localdir;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
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
 *
 * <p>Jobs may make, rename and remove everything in the tree but {@code .hycache}, and nothing on
 * an HDD. So whatever is done for a path in the tree is done to a name in its {@link Directory},
 * which is held from the first look to the last step.
 */
final class TreeLayout implements Closeable {
  private static final String ID = "id";
  private static final String FRESH_ID = "id.new";
  private static final String BALLAST = "ballast";
  private static final String STATUS = "status.json";
  private static final Pattern ID_TEXT = Pattern.compile("hycache-[0-9a-f]{32}");
  private static final Pattern SUFFIX = Pattern.compile("\\.~[0-9]+~$");

  private final Corner corner;
  private final Path ssd;
  private final String id;
  private final List<HddRoot> hdds;

  private TreeLayout(Corner corner, String id, List<HddRoot> hdds) {
    this.corner = corner;
    this.ssd = corner.top().path();
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

  /**
   * Finds or makes everything; the tree must be locked.
   *
   * @param corner of the same tree; is closed with the layout
   * @throws IOException that says which directory is not usable and what to do
   */
  static TreeLayout open(LocalDirConfig config, Corner corner) throws IOException {
    Path ssd = corner.top().path();
    String id = id(corner.own());
    List<HddRoot> hdds = new ArrayList<>();
    for (Path configured : config.hdds()) {
      Path root = Roots.usable("hdd", configured, corner.caller());
      if (overlap(root, ssd)) {
        throw new IOException(
            "hdd=" + configured + " is " + root + ", which overlaps ssd=" + ssd + "; name another");
      }
      HddRoot hdd = new HddRoot(root, id, config.bandwidthBytesPerSec(), corner.caller());
      hdd.prepare(corner.top());
      hdds.add(hdd);
    }
    return new TreeLayout(corner, id, hdds);
  }

  /** True if one of them is or holds the other. */
  static boolean overlap(Path a, Path b) {
    return a.startsWith(b) || b.startsWith(a);
  }

  private static String id(Directory own) throws IOException {
    Path file = own.at(ID);
    try {
      String id = Files.readString(file, StandardCharsets.US_ASCII).trim();
      if (!ID_TEXT.matcher(id).matches()) {
        throw new IOException(
            own.path().resolve(ID)
                + " holds no tree id; restore it: it is the name of this tree's directory on each"
                + " HDD (hycache- and 32 digits)");
      }
      return id;
    } catch (NoSuchFileException e) {
      String id = "hycache-" + UUID.randomUUID().toString().replace("-", "");
      Path fresh = own.at(FRESH_ID);
      Files.writeString(fresh, id + "\n", StandardCharsets.US_ASCII);
      FileCopier.sync(fresh);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      own.sync();
      return id;
    }
  }

  /** As whom the tree is served. */
  Caller caller() {
    return corner.caller();
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
    FileMark now = FileMark.ifAny(ssd);
    if (now == null
        || !now.sameInode(corner.top().mark())
        || !Files.exists(corner.own().at(ID))
        || !id(corner.own()).equals(id)) {
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
    try {
      return corner.kept().names().size();
    } catch (IOException e) {
      return 0;
    }
  }

  /** The corner of the tree under this root that jobs don't see. */
  static Path hidden(Path ssd) {
    return ssd.resolve(Corner.NAME);
  }

  /** Where a tree's status is kept for other processes. */
  static Path status(Path ssd) {
    return hidden(ssd).resolve(STATUS);
  }

  /** What leads to the status for this process. */
  Path status() throws IOException {
    return corner.own().at(STATUS);
  }

  /** What leads to the directory of what is about to be exchanged, or was. */
  Path staging() throws IOException {
    return corner.staging().base();
  }

  /** The directory of what nobody can tell whether it is needed. */
  Directory kept() {
    return corner.kept();
  }

  /** What leads to the ballast. */
  Path ballast() throws IOException {
    return corner.own().at(BALLAST);
  }

  /** Holds a directory of the tree; null if it is not there, or a link is on the way. */
  @Nullable Directory hold(Path relative) throws IOException {
    return corner.top().below(relative);
  }

  /**
   * Holds the directory in which a path of the tree has its last name; null if it is not there, a
   * link is on the way, or the path is not below the root.
   */
  @Nullable Directory holdParent(Path path) throws IOException {
    if (!path.startsWith(ssd) || path.equals(ssd)) {
      return null;
    }
    Path parent = relative(path).getParent();
    return hold(parent == null ? Directory.SELF : parent);
  }

  /** Whether a path of the tree has its directory. */
  boolean hasParent(Path path) throws IOException {
    try (Directory parent = holdParent(path)) {
      return parent != null;
    }
  }

  /** What stands at a path of the tree, null if nothing does. */
  @Nullable FileMark mark(Path path) throws IOException {
    try (Directory parent = holdParent(path)) {
      return parent == null ? null : parent.mark(path.getFileName());
    }
  }

  /** The bytes of a file of the tree, wherever they are; -1 if it is not there. */
  long size(Path path) throws IOException {
    FileMark mark = mark(path);
    if (mark != null && mark.isLink()) {
      Target target = find(path);
      mark = target == null ? null : mark(target);
    }
    return mark == null ? -1 : mark.size;
  }

  /** The path below the root. */
  Path relative(Path path) {
    return ssd.relativize(path);
  }

  /** True of the corner that jobs don't see. */
  boolean hides(Path path) {
    return path.startsWith(hidden(ssd));
  }

  /**
   * The text of a link as an absolute path, null if the name is no link or not there.
   *
   * @param link what leads to it
   * @param parent the directory whose name it is
   */
  private static @Nullable Path text(Path link, Path parent) throws IOException {
    try {
      return parent.resolve(Files.readSymbolicLink(link)).normalize();
    } catch (NoSuchFileException | NotLinkException e) {
      return null;
    } catch (FileSystemException e) {
      if (FileMark.isNoDirectory(e)) {
        return null;
      }
      throw e;
    }
  }

  /** The text of a link as an absolute path, null if the name is no link or not there. */
  static @Nullable Path text(Directory directory, Path name) throws IOException {
    return text(directory.at(name), directory.path());
  }

  /**
   * Where a link leads, null if the name is no link to an HDD of this tree. The path is followed as
   * a plain program would, links on the way too.
   */
  @Nullable Target target(Path link) throws IOException {
    Path parent = link.getParent();
    Path text = parent == null ? null : text(link, parent);
    return text == null ? null : targetOf(text);
  }

  /** Where a link in the tree leads, null if the name is no link to an HDD of this tree. */
  @Nullable Target find(Path path) throws IOException {
    try (Directory parent = holdParent(path)) {
      Path text = parent == null ? null : text(parent, path.getFileName());
      return text == null ? null : targetOf(text);
    }
  }

  /** Where a link's text leads, null if that is no HDD of this tree. */
  @Nullable Target targetOf(Path text) {
    for (HddRoot hdd : hdds) {
      if (text.startsWith(hdd.home())
          && !text.equals(hdd.home())
          && !text.startsWith(hdd.home().resolve(HddRoot.STAGING))) {
        return new Target(hdd, text);
      }
    }
    return null;
  }

  /** Holds a file on an HDD; null if it is not there, or a link is on the way. */
  @Nullable HeldFile hold(Target target) throws IOException {
    try (Directory parent = holdParent(target)) {
      return parent == null ? null : parent.hold(target.path.getFileName());
    }
  }

  /** Holds what stands at a name in a held directory, null if nothing does. */
  @Nullable HeldFile holdAt(Path at) throws IOException {
    return corner.top().holdAt(at);
  }

  /** What stands at a name on an HDD, null if nothing does. */
  @Nullable FileMark mark(Target target) throws IOException {
    try (Directory parent = holdParent(target)) {
      return parent == null ? null : parent.mark(target.path.getFileName());
    }
  }

  private static @Nullable Directory holdParent(Target target) throws IOException {
    Path parent = target.relative().getParent();
    return target.hdd.hold(parent == null ? Directory.SELF : parent);
  }

  /** True if a file on an HDD lies where its path in the tree wants it. */
  boolean isAtHome(Path path, Target target) {
    return plain(relative(path)).equals(plain(target.relative()));
  }

  /** A relative path without the suffixes that evade names that were taken. */
  static Path plain(Path relative) {
    if (relative.toString().indexOf('~') < 0) {
      return relative;
    }
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

  @Override
  public void close() {
    corner.close();
  }
}
