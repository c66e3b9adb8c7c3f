// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every {@code {}} of a log statement has an argument, in all sources of the plugin. */
class LogStatementsTest {
  private static final Pattern STATEMENT =
      Pattern.compile("\\b(?:\\w*(?:LOG|[lL]og)|refusals)\\s*\\.(error|warn|info|debug)\\(");

  private static final Pattern CHOICE = Pattern.compile("\\?\\s+\"");

  /** A statement's arguments as they are written. */
  private static List<String> arguments(String source, int from) {
    List<String> arguments = new ArrayList<>();
    StringBuilder argument = new StringBuilder();
    boolean quoted = false;
    int depth = 1;
    for (int i = from; depth > 0; i++) {
      char c = source.charAt(i);
      if (quoted && c == '\\') {
        argument.append(c).append(source.charAt(++i));
        continue;
      }
      quoted ^= c == '"';
      depth += quoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0 || (!quoted && depth == 1 && c == ',')) {
        arguments.add(argument.toString().trim());
        argument.setLength(0);
      } else {
        argument.append(c);
      }
    }
    return arguments;
  }

  /** Returns what is wrong with a statement; empty if nothing is. */
  private static String fault(List<String> arguments) {
    int at = 0;
    while (at < arguments.size() && !arguments.get(at).contains("\"")) {
      at++; // a QuietLog has the cause in front
    }
    if (at == arguments.size()) {
      return ""; // a text that is made elsewhere
    }
    String format = arguments.get(at);
    int places = format.split("\\{\\}", -1).length - 1;
    if (CHOICE.matcher(format).find()) {
      places /= 2; // two texts, of which one is logged
    }
    int values = arguments.size() - at - 1;
    return values == places || values == places + 1 // a cause at the end
        ? ""
        : places + " places, values " + arguments;
  }

  @Test
  void statements_ofAllSources_haveAnArgumentForEachPlace() throws IOException {
    List<String> faults = new ArrayList<>();
    int statements = 0;
    for (String module : List.of("hycache-core", "hycache-hdfs")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
        List<Path> sources =
            files.filter(file -> file.toString().endsWith(".java")).collect(Collectors.toList());
        for (Path source : sources) {
          String text = Files.readString(source);
          Matcher matcher = STATEMENT.matcher(text);
          while (matcher.find()) {
            statements++;
            String fault = fault(arguments(text, matcher.end()));
            if (!fault.isEmpty()) {
              faults.add(source + ": " + fault);
            }
          }
        }
      }
    }
    assertTrue(statements > 100, "statements=" + statements);
    assertEquals(List.of(), faults);
  }
}
