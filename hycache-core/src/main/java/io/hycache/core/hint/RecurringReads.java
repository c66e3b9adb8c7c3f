// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.hint;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Learns from a record of opened files which workflows run again and again.
 *
 * <p>What is learned is by directory, since names of files seldom stay: {@code /logs/2026-11-25}
 * and {@code /logs/2026-11-26} are one directory whose date moves. A directory recurs if a user has
 * read it at least as often as is asked for, and the times between are multiples of one period,
 * within {@link #tolerance}. Two occurrences make a period only of an hour, a day or a week.
 * Directories of one user with one period, each read within {@link #SAME_RUN_MILLIS} of the one
 * before, are one workflow. Of a run that goes on, the run before it counts: otherwise what it has
 * not read yet would look like a workflow of its own.
 *
 * <p>Events must come in the order of time. Dates and periods are in UTC. Not thread-safe; O(1) an
 * event, O(n log n) to learn from n directories. At most {@link #MAX_DIRECTORIES} directories that
 * were read: then those read once and not again within {@link #FORGET_MILLIS} are forgotten, at
 * most once in half an hour, and further ones are left out.
 */
public final class RecurringReads {
  static final int MAX_DIRECTORIES = 500_000;

  /** Longer than a week and its tolerance, so that what is read each week is kept. */
  static final long FORGET_MILLIS = TimeUnit.DAYS.toMillis(8);

  private static final long SAME_RUN_MILLIS = TimeUnit.MINUTES.toMillis(30);
  private static final long MIN_TOLERANCE_MILLIS = TimeUnit.MINUTES.toMillis(20);

  /** Otherwise most times that have no period at all would be multiples of an hour. */
  private static final int PERIODS_A_MAX_TOLERANCE = 6;

  /** A nightly workflow that begins up to two hours early or late recurs. */
  private static final int PERIODS_A_TOLERANCE = 12;

  /** Of the times between occurrences, the least share that must be multiples of the period. */
  private static final double REGULAR_SHARE = 0.75;

  /** Of the runs that were due with a period, more than this share must have been seen. */
  private static final double SEEN_SHARE = 0.5;

  /** The directory, in that of the output, from which files are moved when a job commits. */
  private static final Pattern UNCOMMITTED =
      Pattern.compile("/(?:_temporary(?=/)|\\.hive-staging|\\.spark-staging)");

  private static final long[] USUAL_PERIODS_MILLIS = {
    TimeUnit.HOURS.toMillis(1), TimeUnit.DAYS.toMillis(1), TimeUnit.DAYS.toMillis(7)
  };

  /** A directory of a user that recurs. */
  static final class Recurring {
    final String template;
    final DirectoryUse use;
    final long periodMillis;

    /** In the last run that is over. */
    final DirectoryUse.Occurrence last;

    Recurring(String template, DirectoryUse use, long periodMillis, DirectoryUse.Occurrence last) {
      this.template = template;
      this.use = use;
      this.periodMillis = periodMillis;
      this.last = last;
    }

    String path(LocalDate day, List<Integer> offsets) {
      return use.path(template, day, offsets);
    }

    /** Start of the last run, also of one that goes on. */
    long lastStartMillis() {
      return lastRun(use.occurrences(), periodMillis).startMillis;
    }

    /** The same directory in the run before; this one if there is none. */
    Recurring before() {
      List<DirectoryUse.Occurrence> all = use.occurrences();
      List<DirectoryUse.Occurrence> earlier = all.subList(0, all.indexOf(last));
      return earlier.isEmpty()
          ? this
          : new Recurring(template, use, periodMillis, lastRun(earlier, periodMillis));
    }
  }

  /** Directories that were read within one run, in the order of their starts; not empty. */
  private static final class Group {
    final List<Recurring> directories = new ArrayList<>();

    /** When the last read of one of them was. */
    long endMillis;

    void add(Recurring directory) {
      directories.add(directory);
      endMillis = Math.max(endMillis, directory.last.endMillis);
    }

    Recurring first() {
      return directories.get(0);
    }
  }

  /** By user, then by template of the directory. */
  private final Map<String, Map<String, DirectoryUse>> users = new LinkedHashMap<>();

  /** Those whose last occurrence may go on, so that it has names of files. */
  private final Set<DirectoryUse> reading = new HashSet<>();

  /** When occurrences are ended next. */
  private long nextEndMillis;

  private final RecentCreates creates;
  private final int maxDirectories;
  private int directories;

  /** When directories may be forgotten again. */
  private long nextForgetMillis;

  private long leftOut;
  private long endMillis;

  /** Creates an instance that knows nothing. */
  public RecurringReads() {
    this(MAX_DIRECTORIES);
  }

  RecurringReads(int maxDirectories) {
    this.maxDirectories = maxDirectories;
    this.creates = new RecentCreates(maxDirectories);
  }

  /**
   * Records an operation of an audit log, if it opened or created a file.
   *
   * @return false if it did neither, was not allowed, names no user, or is a look-up of HyCache
   */
  public boolean add(AuditLine operation) {
    String user = operation.user();
    if (user == null || !operation.isAllowed() || operation.isLookUp()) {
      return false;
    }
    switch (operation.command()) {
      case "open":
        opened(operation.timeMillis(), user, operation.job(), operation.source());
        return true;
      case "create":
        created(operation.timeMillis(), user, operation.source());
        return true;
      default:
        return false;
    }
  }

  /**
   * Records that a file was opened for reading.
   *
   * @param timeMillis since 1970
   * @param job name of the job that opened it; null if it is not known
   * @param path absolute
   */
  public void opened(long timeMillis, String user, @Nullable String job, String path) {
    reaches(timeMillis);
    DatedPath directory = DatedPath.of(parent(path));
    DirectoryUse use = use(user, directory.template());
    if (use != null && use.opened(timeMillis, job, directory, path)) {
      reading.add(use);
      DatedPath written = creates.find(timeMillis, user, directory.template());
      if (written != null) {
        use.written(written);
      }
    }
  }

  /** Records that a file was created; parameters as {@link #opened}. */
  public void created(long timeMillis, String user, String path) {
    reaches(timeMillis);
    Matcher uncommitted = UNCOMMITTED.matcher(path);
    String file = uncommitted.find() ? path.substring(0, uncommitted.end()) : path;
    creates.add(timeMillis, user, DatedPath.of(parent(file)));
  }

  /** Notes that the record reaches to a time, without an event. */
  public void reaches(long timeMillis) {
    endMillis = Math.max(endMillis, timeMillis);
    if (endMillis >= nextEndMillis) {
      nextEndMillis = endMillis + DirectoryUse.GAP_MILLIS;
      reading.removeIf(use -> use.endIfOver(endMillis));
    }
  }

  /** The number of names of files that are kept. */
  int files() {
    return reading.stream().mapToInt(use -> use.last().files.size()).sum();
  }

  /** Returns the number of reads in directories beyond the limit. */
  public long leftOut() {
    return leftOut;
  }

  /** The template of the directory of a file. */
  static String template(String path) {
    return DatedPath.of(parent(path)).template();
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  private @Nullable DirectoryUse use(String user, String template) {
    Map<String, DirectoryUse> of = users.computeIfAbsent(user, u -> new LinkedHashMap<>());
    DirectoryUse use = of.get(template);
    if (use == null) {
      if (directories == maxDirectories && endMillis >= nextForgetMillis) {
        nextForgetMillis = endMillis + DirectoryUse.GAP_MILLIS;
        forget();
      }
      if (directories == maxDirectories) {
        leftOut++;
        return null;
      }
      directories++;
      use = new DirectoryUse();
      of.put(template, use);
    }
    return use;
  }

  private void forget() {
    for (Map<String, DirectoryUse> of : users.values()) {
      int before = of.size();
      of.values()
          .removeIf(
              use ->
                  use.occurrences().size() == 1
                      && endMillis - use.last().endMillis >= FORGET_MILLIS);
      directories -= before - of.size();
    }
  }

  /**
   * Returns the workflows that recur, those of one user together, by time of their last start.
   *
   * @param minRuns occurrences that a directory must have, &gt;= 2
   */
  public List<RecurringWorkflow> learn(int minRuns) {
    List<RecurringWorkflow> out = new ArrayList<>();
    users.forEach(
        (user, directoriesOfUser) -> {
          List<Recurring> recurring = new ArrayList<>();
          directoriesOfUser.forEach(
              (template, use) -> {
                if (use.seen() >= Math.max(2, minRuns)) {
                  period(use)
                      .ifPresent(
                          period ->
                              recurring.add(
                                  new Recurring(
                                      template, use, period, lastRun(use.occurrences(), period))));
                }
              });
          add(user, groups(withoutRunsThatGoOn(recurring)), out);
        });
    return out;
  }

  /** Puts the run before in place of a run that goes on. */
  private List<Recurring> withoutRunsThatGoOn(List<Recurring> recurring) {
    List<Recurring> out = new ArrayList<>();
    for (Group group : groups(recurring)) {
      boolean goesOn = endMillis - group.endMillis < SAME_RUN_MILLIS;
      group.directories.forEach(directory -> out.add(goesOn ? directory.before() : directory));
    }
    return out;
  }

  /** Splits directories into runs, by the start of each. */
  private static List<Group> groups(List<Recurring> recurring) {
    List<Recurring> sorted = new ArrayList<>(recurring);
    sorted.sort(
        Comparator.<Recurring>comparingLong(r -> r.last.startMillis)
            .thenComparing(r -> r.template));
    List<Group> groups = new ArrayList<>();
    // Those that a directory can join still: starts are in order. Few, as their periods differ.
    List<Group> open = new ArrayList<>();
    for (Recurring next : sorted) {
      open.removeIf(group -> next.last.startMillis - group.endMillis >= SAME_RUN_MILLIS);
      Group joined = null;
      for (Group each : open) {
        long period = each.first().periodMillis;
        if (Math.abs(period - next.periodMillis) <= tolerance(period)) {
          joined = each;
        }
      }
      if (joined == null) {
        joined = new Group();
        groups.add(joined);
        open.add(joined);
      }
      joined.add(next);
    }
    return groups;
  }

  private void add(String user, List<Group> groups, List<RecurringWorkflow> out) {
    groups.sort(Comparator.comparingLong(group -> group.first().lastStartMillis()));
    UniqueNames names = new UniqueNames();
    for (Group group : groups) {
      String name = names.of(user + "-" + DatedPath.words(group.first().template));
      out.add(new RecurringWorkflow(user, name, group.directories, endMillis));
    }
  }

  /**
   * The last occurrence that is a run of a period, not the repetition of one. What comes before a
   * period is over is a repetition, unless it is at the usual time and the run before was not.
   *
   * @param all not empty
   */
  private static DirectoryUse.Occurrence lastRun(List<DirectoryUse.Occurrence> all, long period) {
    DirectoryUse.Occurrence run = all.get(0);
    DirectoryUse.Occurrence before = run;
    for (DirectoryUse.Occurrence each : all) {
      if (each.startMillis - run.startMillis >= period - tolerance(period)) {
        before = run;
        run = each;
      } else if (isRegular(each.startMillis - before.startMillis, period)
          && !isRegular(run.startMillis - before.startMillis, period)) {
        run = each;
      }
    }
    return run;
  }

  /** Whether a time is a multiple of a period, within its tolerance. */
  private static boolean isRegular(long millis, long period) {
    long periods = Math.round((double) millis / period);
    return Math.abs(millis - periods * period) <= tolerance(period);
  }

  static long tolerance(long periodMillis) {
    return Math.min(
        periodMillis / PERIODS_A_MAX_TOLERANCE,
        Math.max(MIN_TOLERANCE_MILLIS, periodMillis / PERIODS_A_TOLERANCE));
  }

  /**
   * The period of a directory; empty if it does not recur. Of the usual periods and the median time
   * between occurrences it is the one of which most of the runs due were seen, so that a run that
   * was repeated does not make a shorter one. Where half of the runs or more are missing with each
   * of these, it is the shortest time.
   */
  private static OptionalLong period(DirectoryUse use) {
    List<DirectoryUse.Occurrence> all = use.occurrences();
    long[] between = new long[all.size() - 1];
    for (int i = 0; i < between.length; i++) {
      between[i] = all.get(i + 1).startMillis - all.get(i).startMillis;
    }
    Arrays.sort(between);
    OptionalLong shortest = usual(between[0]);
    if (between.length == 1) {
      return shortest;
    }
    long median = between[between.length / 2];
    long[] candidates = Arrays.copyOf(USUAL_PERIODS_MILLIS, USUAL_PERIODS_MILLIS.length + 1);
    candidates[USUAL_PERIODS_MILLIS.length] = usual(median).orElse(median);
    OptionalLong best = OptionalLong.empty();
    double bestSeen = SEEN_SHARE;
    for (long candidate : candidates) {
      double seen = seen(all, candidate);
      if (seen > bestSeen) {
        best = OptionalLong.of(candidate);
        bestSeen = seen;
      }
    }
    if (best.isPresent()) {
      return best;
    }
    return seen(all, between[0]) > 0
        ? OptionalLong.of(shortest.orElse(between[0]))
        : OptionalLong.empty();
  }

  /** The usual period that a time is within its tolerance; empty if there is none. */
  private static OptionalLong usual(long millis) {
    return Arrays.stream(USUAL_PERIODS_MILLIS)
        .filter(usual -> Math.abs(millis - usual) <= tolerance(usual))
        .findFirst();
  }

  /**
   * Of the runs that were due with a period, the share that was seen; 0 if the times between are
   * not regular. What comes before a period is over is passed over, and is not regular.
   */
  private static double seen(List<DirectoryUse.Occurrence> all, long period) {
    long first = all.get(0).startMillis;
    long before = first;
    int regular = 0;
    for (DirectoryUse.Occurrence each : all.subList(1, all.size())) {
      long since = each.startMillis - before;
      if (since >= period - tolerance(period)) {
        regular += isRegular(since, period) ? 1 : 0;
        before = each.startMillis;
      }
    }
    long due = 1 + Math.round((double) (all.get(all.size() - 1).startMillis - first) / period);
    return regular < REGULAR_SHARE * (all.size() - 1) ? 0 : (double) (regular + 1) / due;
  }
}
