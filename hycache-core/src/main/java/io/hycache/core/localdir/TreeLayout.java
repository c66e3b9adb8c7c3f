// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
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
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of one tree.
 *
 * <pre>
 *  SSD/...                  the tree as jobs see it: files, and links to files on an HDD
 *  SSD/.hycache/id          the tree's unique id, drawn once
 *  SSD/.hycache/lock        held by the one daemon that serves the tree
 *  SSD/.hycache/status.json what {@link LocalDirStatus#read} reads
 *  SSD/.hycache/ballast     room for links on a full SSD, {@link Ballast}
 *  SSD/.hycache/staging/    files before or after an exchange, with a {@link MoveRecord} each
 *  SSD/.hycache/kept/       leftovers of a crash or race for an administrator to inspect
 *  HDD/(id)/...             files that are down, by their path in the tree
 *  HDD/(id)/.staging/       partial copies
 * </pre>
 *
 * All paths are real paths, so that a link's text shows whether it leads to an HDD of the tree.
 *
 * <p>Jobs may create, rename and remove everything in the tree except {@code .hycache}, and nothing
 * on an HDD. Therefore every operation on a path of the tree works on a name in its {@link
 * Directory}, which is held open from the first check to the last step.
 */
final class TreeLayout implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TreeLayout.class);
  private static final String ID = "id";
  private static final String FRESH_ID = "id.new";
  private static final String BALLAST = "ballast";
  private static final String STATUS = "status.json";
  private static final Pattern ID_TEXT = Pattern.compile("hycache-[0-9a-f]{32}");

  /** As {@link #evade} appends it to a name. */
  private static final Pattern SUFFIX = Pattern.compile("(?s)(?<=.)\\.~[0-9]+~$");

  private final Corner corner;
  private final Path ssd;
  private final String id;
  private final List<HddRoot> hdds;
  private final List<Path> unusable;
  private final List<Path> neighbours;

  private TreeLayout(
      Corner corner, String id, List<HddRoot> hdds, List<Path> unusable, List<Path> neighbours) {
    this.corner = corner;
    this.ssd = corner.top().path();
    this.id = id;
    this.hdds = List.copyOf(hdds);
    this.unusable = List.copyOf(unusable);
    this.neighbours = List.copyOf(neighbours);
  }

  /** A file on an HDD to which a link in the tree leads. */
  static final class Target {
    final HddRoot hdd;
    final Path path;

    private Target(HddRoot hdd, Path path) {
      this.hdd = hdd;
      this.path = path;
    }

    /** Its path relative to the HDD's home. */
    Path relative() {
      return hdd.home().relativize(path);
    }
  }

  /**
   * Opens or creates all directories; the tree must be locked. HDDs that are not usable are left
   * out, as long as there is another one: an HDD that failed must not stop the others.
   *
   * @param corner of the same tree; closed with the layout
   * @throws IOException if no HDD is usable; the message names one and the fix
   */
  static TreeLayout open(LocalDirConfig config, Corner corner) throws IOException {
    String id = id(corner.own());
    List<HddRoot> hdds = new ArrayList<>();
    Map<Path, IOException> unusable = new LinkedHashMap<>();
    for (Path configured : config.hdds()) {
      try {
        hdds.add(hdd(configured, id, config, corner));
      } catch (IOException e) {
        unusable.put(configured, e);
      }
    }
    if (hdds.isEmpty()) {
      Iterator<IOException> causes = unusable.values().iterator();
      IOException first = causes.next();
      causes.forEachRemaining(first::addSuppressed);
      throw first;
    }
    unusable.forEach(
        (hdd, cause) ->
            LOG.warn(
                "An HDD is left out until a restart, and links to its files stay as they are:"
                    + " hdd={} ssd={}",
                hdd,
                config.ssd(),
                cause));
    return new TreeLayout(corner, id, hdds, List.copyOf(unusable.keySet()), config.neighbours());
  }

  private static HddRoot hdd(Path configured, String id, LocalDirConfig config, Corner corner)
      throws IOException {
    Path ssd = corner.top().path();
    Path root = Roots.usable("hdd", configured, corner.caller());
    if (overlap(root, ssd)) {
      throw new IOException(
          "hdd="
              + configured
              + " is "
              + root
              + ", which overlaps ssd="
              + ssd
              + ". Fix: configure another directory");
    }
    HddRoot hdd = new HddRoot(root, id, config.bandwidthBytesPerSec(), corner.caller());
    hdd.prepare(corner.top());
    return hdd;
  }

  /** True if the paths are equal or one contains the other. */
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
                + ": expected a tree id, found something else. Fix: restore it; it is the name of"
                + " this tree's directory on each HDD (hycache- and 32 digits)");
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

  /** The user who serves the tree. */
  Caller caller() {
    return corner.caller();
  }

  Path ssd() {
    return ssd;
  }

  String id() {
    return id;
  }

  /** The HDDs in use, at least one. */
  List<HddRoot> hdds() {
    return hdds;
  }

  /** The configured directories on HDDs that were not usable when the tree was opened. */
  List<Path> unusableHdds() {
    return unusable;
  }

  /**
   * Checks that this tree is still at its root, and not the empty mount point of its file system.
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
          "ssd=" + ssd + " holds another tree or none. Fix: mount its device and restart");
    }
  }

  /**
   * Directories of other trees on the HDDs, without those of the neighbours. None if a neighbour's
   * id can't be read, since any of them may be its.
   */
  List<Path> otherTrees() {
    List<Path> others = new ArrayList<>();
    Set<String> known = new HashSet<>(Set.of(id));
    try {
      for (Path neighbour : neighbours) {
        known.add(
            Files.readString(hidden(neighbour).resolve(ID), StandardCharsets.US_ASCII).trim());
      }
    } catch (IOException e) {
      LOG.info("Not looked for files of other trees: ssd={} cause={}", ssd, e.toString());
      return others;
    }
    for (HddRoot hdd : hdds) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(hdd.root(), "hycache-*")) {
        for (Path entry : entries) {
          String name = String.valueOf(entry.getFileName());
          if (ID_TEXT.matcher(name).matches() && !known.contains(name)) {
            others.add(entry);
          }
        }
      } catch (IOException | DirectoryIteratorException e) {
        // Later operations on the HDD report what is wrong with it.
      }
    }
    return others;
  }

  /**
   * Number of files kept because it is unclear whether they are needed; 0 if it can't be
   * determined.
   */
  long keptFiles() {
    try {
      return corner.kept().names().size();
    } catch (IOException e) {
      return 0;
    }
  }

  /** The hidden directory of the tree under this root. */
  static Path hidden(Path ssd) {
    return ssd.resolve(Corner.NAME);
  }

  /** Path of a tree's status file, for other processes. */
  static Path status(Path ssd) {
    return hidden(ssd).resolve(STATUS);
  }

  /** Path of the status file, for this process. */
  Path status() throws IOException {
    return corner.own().at(STATUS);
  }

  /** Path of the staging directory, for this process. */
  Path staging() throws IOException {
    return corner.staging().base();
  }

  /** The directory of files kept because it is unclear whether they are needed. */
  Directory kept() {
    return corner.kept();
  }

  /** Path of the ballast, for this process. */
  Path ballast() throws IOException {
    return corner.own().at(BALLAST);
  }

  /** Opens a directory of the tree; null if it does not exist or the path crosses a link. */
  @Nullable Directory hold(Path relative) throws IOException {
    return corner.top().below(relative);
  }

  /**
   * Opens the directory of a path's last name; null if it does not exist, the path crosses a link,
   * or is not below the root.
   */
  @Nullable Directory holdParent(Path path) throws IOException {
    if (!path.startsWith(ssd) || path.equals(ssd)) {
      return null;
    }
    Path parent = relative(path).getParent();
    return hold(parent == null ? Directory.SELF : parent);
  }

  /** Whether the directory of a path exists in the tree. */
  boolean hasParent(Path path) throws IOException {
    try (Directory parent = holdParent(path)) {
      return parent != null;
    }
  }

  /** The lstat(2) of a path of the tree; null if it does not exist. */
  @Nullable FileMark mark(Path path) throws IOException {
    try (Directory parent = holdParent(path)) {
      return parent == null ? null : parent.mark(path.getFileName());
    }
  }

  /** Size of a file of the tree, wherever its bytes are; -1 if it does not exist. */
  long size(Path path) throws IOException {
    FileMark mark = mark(path);
    if (mark != null && mark.isLink()) {
      Target target = find(path);
      mark = target == null ? null : mark(target);
    }
    return mark == null ? -1 : mark.size;
  }

  /** The path relative to the root. */
  Path relative(Path path) {
    return ssd.relativize(path);
  }

  /** True for paths in the hidden directory. */
  boolean hides(Path path) {
    return path.startsWith(hidden(ssd));
  }

  /**
   * The text of a link as an absolute path; null if the name is no link or does not exist.
   *
   * @param link a path to the link
   * @param parent the directory that contains the name
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

  /** The text of a link as an absolute path; null if the name is no link or does not exist. */
  static @Nullable Path text(Directory directory, Path name) throws IOException {
    return text(directory.at(name), directory.path());
  }

  /**
   * The target of a link; null if the name is no link to an HDD of this tree. The path is followed
   * as by a plain program, including links on the way.
   */
  @Nullable Target target(Path link) throws IOException {
    Path parent = link.getParent();
    return parent == null ? null : target(link, parent);
  }

  /**
   * As {@link #target(Path)}.
   *
   * @param parent the directory from which a relative link leads
   */
  @Nullable Target target(Path link, Path parent) throws IOException {
    Path text = text(link, parent);
    return text == null ? null : targetOf(text);
  }

  /** The target of a link in the tree; null if the name is no link to an HDD of this tree. */
  @Nullable Target find(Path path) throws IOException {
    try (Directory parent = holdParent(path)) {
      Path text = parent == null ? null : text(parent, path.getFileName());
      return text == null ? null : targetOf(text);
    }
  }

  /**
   * The target that a link's text denotes; null if it is on no HDD of this tree, or no file can
   * have its name.
   */
  @Nullable Target targetOf(Path text) {
    for (HddRoot hdd : hdds) {
      if (text.startsWith(hdd.home())
          && !text.equals(hdd.home())
          && !text.startsWith(hdd.home().resolve(HddRoot.STAGING))
          && !PathBytes.hasTooLongName(text)) {
        return new Target(hdd, text);
      }
    }
    return null;
  }

  /** Opens a file on an HDD; null if it does not exist or the path crosses a link. */
  @Nullable HeldFile hold(Target target) throws IOException {
    try (Directory parent = holdParent(target)) {
      return parent == null ? null : parent.hold(target.path.getFileName());
    }
  }

  /** Opens a name in a held directory; null if it does not exist. */
  @Nullable HeldFile holdAt(Path at) throws IOException {
    return corner.top().holdAt(at);
  }

  /** The lstat(2) of a target on an HDD; null if it does not exist. */
  @Nullable FileMark mark(Target target) throws IOException {
    try (Directory parent = holdParent(target)) {
      return parent == null ? null : parent.mark(target.path.getFileName());
    }
  }

  private static @Nullable Directory holdParent(Target target) throws IOException {
    Path parent = target.relative().getParent();
    return target.hdd.hold(parent == null ? Directory.SELF : parent);
  }

  /** True if a file's path on its HDD matches its path in the tree. */
  boolean isAtHome(Path path, Target target) {
    return plain(relative(path)).equals(plain(target.relative()));
  }

  /** A relative path without the suffixes appended to names that were taken. */
  static Path plain(Path relative) {
    if (relative.toString().indexOf('~') < 0) {
      return relative;
    }
    Path plain = Path.of("");
    for (Path name : relative) {
      Matcher suffix = SUFFIX.matcher(name.toString());
      plain = plain.resolve(suffix.find() ? PathBytes.cut(name, suffix.group().length()) : name);
    }
    return plain;
  }

  /** The name with the suffix of an attempt; unchanged for attempt 0. */
  static Path evade(Path path, int attempt) {
    return attempt == 0
        ? path
        : path.resolveSibling(PathBytes.append(path.getFileName(), ".~" + attempt + "~"));
  }

  @Override
  public void close() {
    corner.close();
  }
}
