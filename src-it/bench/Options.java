// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.HashMap;
import java.util.Map;

/** The command line of a client: {@code --option value} pairs. */
final class Options {
  private Options() {}

  /** True if nothing but help is wanted. */
  static boolean wantHelp(String[] args) {
    return args.length == 0 || args[0].equals("--help");
  }

  /** The values of the options from an argument on, by their names without the dashes. */
  static Map<String, String> of(String[] args, int from) {
    Map<String, String> options = new HashMap<>();
    for (int i = from; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || i + 1 == args.length) {
        throw new IllegalArgumentException("expected --option value, found " + args[i]);
      }
      options.put(args[i].substring(2), args[i + 1]);
    }
    return options;
  }

  /** The value of an option that has no default. */
  static String needed(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "expected --" + name + " VALUE, found none. Fix: see --help");
    }
    return value;
  }
}
