// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import io.hycache.hdfs.conf.HyCacheConf;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The completion of bash, made of the list of commands. */
final class Completion {
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])(--[a-z][a-z-]*|-f)(?![\\w-])");

  private Completion() {}

  /** The options that a command's usage and details name, sorted. */
  static Set<String> options(Command command) {
    Set<String> options = new TreeSet<>();
    Matcher matcher = OPTION.matcher(command.usage() + "\n" + command.details());
    while (matcher.find()) {
      options.add(matcher.group());
    }
    options.add("--help");
    options.add("--wide");
    return options;
  }

  /** A script to source, or to install below {@code bash-completion/completions}. */
  static String script(List<Command> commands) {
    String names = commands.stream().map(Command::name).collect(Collectors.joining(" ")) + " help";
    StringBuilder cases = new StringBuilder();
    for (Command command : commands) {
      cases
          .append("    ")
          .append(command.name())
          .append(") words='")
          .append(String.join(" ", options(command)));
      if (command.name().equals(SettingsCommand.NAME)) {
        cases.append(' ').append(String.join(" ", HyCacheConf.CHANGEABLE));
      }
      cases.append("' ;;\n");
    }
    return "# bash completion for hycache. Made by: hycache help --completion\n"
        + "_hycache() {\n"
        + "  local cur=${COMP_WORDS[COMP_CWORD]} command='' words='' i\n"
        + "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
        + "    case ${COMP_WORDS[i]} in\n"
        + "      -conf | -D | -fs | -jt | -files | -libjars | -archives) ((i++)) ;;\n"
        + "      -*) ;;\n"
        + "      *)\n"
        + "        command=${COMP_WORDS[i]}\n"
        + "        break\n"
        + "        ;;\n"
        + "    esac\n"
        + "  done\n"
        + "  case $command in\n"
        + "    '') words='"
        + names
        + " --help -conf -D -fs' ;;\n"
        + "    help) words='"
        + names
        + "' ;;\n"
        + cases
        + "  esac\n"
        + "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
        + "}\n"
        + "complete -o default -F _hycache hycache\n";
  }
}
