// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command: options and positional arguments, in any order. What stands behind
 * {@code --} is no option.
 */
final class Args {
  private final Set<String> flags = new LinkedHashSet<>();
  private final Map<String, List<String>> values = new HashMap<>();
  private final List<String> positionals = new ArrayList<>();
  private @Nullable List<String> rest;

  private Args() {}

  /**
   * Parses.
   *
   * @param flags options without a value
   * @param valued options with a value, as {@code --ttl 2h} or {@code --ttl=2h}
   */
  static Args parse(List<String> args, List<String> flags, List<String> valued)
      throws UsageException {
    return parse(args, flags, valued, List.of());
  }

  /**
   * Parses.
   *
   * @param repeated of the options with a value those that may be given more than once
   */
  static Args parse(
      List<String> args, List<String> flags, List<String> valued, List<String> repeated)
      throws UsageException {
    return parse(args, flags, valued, repeated, false);
  }

  /** As {@link #parse(List, List, List)}; what stands behind {@code --} is {@link #rest}. */
  static Args parseWithCommand(List<String> args, List<String> flags, List<String> valued)
      throws UsageException {
    return parse(args, flags, valued, List.of(), true);
  }

  private static Args parse(
      List<String> args,
      List<String> flags,
      List<String> valued,
      List<String> repeated,
      boolean withCommand)
      throws UsageException {
    Args out = new Args();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
      String name = equals < 0 ? arg : arg.substring(0, equals);
      if (arg.equals("--")) {
        List<String> behind = args.subList(i + 1, args.size());
        if (withCommand) {
          out.rest = List.copyOf(behind);
        } else {
          out.positionals.addAll(behind);
        }
        break;
      } else if (!arg.startsWith("-") || arg.length() == 1) {
        out.positionals.add(arg);
      } else if (flags.contains(name) && equals < 0) {
        out.flags.add(name);
      } else if (valued.contains(name)) {
        if (equals < 0 && ++i == args.size()) {
          throw new UsageException(name + ": expected a value, found none");
        }
        List<String> given = out.values.computeIfAbsent(name, n -> new ArrayList<>());
        given.add(equals < 0 ? args.get(i) : arg.substring(equals + 1));
        if (given.size() > 1 && !repeated.contains(name)) {
          throw new UsageException(name + ": expected once, found twice. Fix: leave one out");
        }
      } else {
        List<String> allowed = new ArrayList<>(flags);
        allowed.addAll(valued);
        throw new UsageException(
            arg
                + ": expected "
                + (allowed.isEmpty()
                    ? "no options, found one"
                    : "one of the options "
                        + String.join(", ", allowed)
                        + ", found an unknown option")
                + ". Fix: rename or remove it");
      }
    }
    return out;
  }

  boolean has(String flag) {
    return flags.contains(flag);
  }

  @Nullable String value(String option) {
    List<String> given = values.get(option);
    return given == null ? null : given.get(0);
  }

  /**
   * The value of an option for a whole number.
   *
   * @param otherwise its value if it is not there
   */
  int wholeNumber(String option, int otherwise, int min, int max) throws UsageException {
    String text = value(option);
    if (text == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new UsageException(
        option + ": expected a whole number from " + min + " to " + max + ", found " + text);
  }

  /** All values of an option that may be repeated; none if it is not there. */
  List<String> values(String option) {
    return values.getOrDefault(option, List.of());
  }

  List<String> positionals() {
    return positionals;
  }

  /**
   * The one positional argument.
   *
   * @param what its name in the usage
   */
  String only(String what) throws UsageException {
    if (positionals.size() != 1) {
      throw new UsageException(
          "expected one " + what + ", found " + (positionals.isEmpty() ? "none" : positionals));
    }
    return positionals.get(0);
  }

  /** Refuses positional arguments. */
  void none() throws UsageException {
    if (!positionals.isEmpty()) {
      throw new UsageException("expected options only, found " + positionals);
    }
  }

  /** The command behind {@code --}, if one was parsed with; null if there is none. */
  @Nullable List<String> rest() {
    return rest;
  }
}
