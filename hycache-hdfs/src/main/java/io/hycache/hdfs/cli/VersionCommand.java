// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.hdfs.conf.BuildVersion;
import java.net.URL;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;

/** Which HyCache this is, and on which Hadoop and Java it runs. Asks no cluster. */
final class VersionCommand implements Command {

  @Override
  public String name() {
    return "version";
  }

  @Override
  public String usage() {
    return "[--json]";
  }

  @Override
  public String summary() {
    return "show the versions of HyCache, Hadoop and Java here";
  }

  @Override
  public String details() {
    return "  --json      for scripts\n\n"
        + "Of this process: where its classes come from shows which JAR comes first on the class\n"
        + "path. The DataNodes log theirs when they start.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console) throws UsageException {
    Args parsed = Args.parse(args, List.of("--json"), List.of());
    parsed.none();
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("HyCache", BuildVersion.text());
    versions.put("from", source());
    versions.put("Hadoop", VersionInfo.getVersion());
    versions.put("Java", System.getProperty("java.version", "unknown"));
    if (parsed.has("--json")) {
      ObjectNode root = Json.object();
      versions.forEach((what, version) -> root.put(what.toLowerCase(Locale.ROOT), version));
      Json.print(console, root);
    } else {
      versions.forEach((what, version) -> console.print(what + " " + version));
    }
    return ExitCode.OK;
  }

  /** The JAR or directory of this class. */
  private static String source() {
    CodeSource source = VersionCommand.class.getProtectionDomain().getCodeSource();
    URL url = source == null ? null : source.getLocation();
    return url == null ? "unknown" : url.getPath();
  }
}
