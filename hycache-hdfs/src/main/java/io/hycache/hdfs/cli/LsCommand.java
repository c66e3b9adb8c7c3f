// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hycache.hdfs.client.HyCacheClient;
import io.hycache.hdfs.client.HyCacheClient.FileOnSsd;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** How much of each file is on SSD, of the directory. */
final class LsCommand implements Command {

  @Override
  public String name() {
    return "ls";
  }

  @Override
  public String usage() {
    return "PATH [--json]";
  }

  @Override
  public String summary() {
    return "show how much of each file is on SSD somewhere";
  }

  @Override
  public String details() {
    return "  PATH        a file, directory or glob that you may read\n"
        + "  --json      for scripts\n\n"
        + "  ON SSD      of the file's bytes, those of blocks that some DataNode has on SSD\n"
        + "  CACHED      of the file's bytes, those of blocks that the NameNode lists as cached:\n"
        + "              cache directives pin them, or DataNodes advertise them\n"
        + "  BLOCKS      of the file's blocks, those that some DataNode has on SSD\n\n"
        + "Blocks that are being written or erasure-coded are left out, with a warning.\n"
        + "The answer is the directory's, which may be some seconds old; the DataNodes are not\n"
        + "asked one by one. For who has a block, and why not: locate.\n";
  }

  @Override
  public int run(Configuration conf, List<String> args, Console console)
      throws UsageException, IOException {
    Args parsed = Args.parse(args, List.of("--json"), List.of());
    String path = parsed.only("PATH");
    HyCacheClient client = new HyCacheClient(conf, new ProgressLine(console, System::nanoTime));
    List<FileOnSsd> files = client.list(path);
    if (parsed.has("--json")) {
      printJson(console, files);
    } else {
      print(console, files);
    }
    files.forEach(file -> file.notes.forEach(console::warn));
    long unknown = files.stream().mapToLong(file -> file.unknownBlocks).sum();
    if (unknown > 0) {
      console.warn("the directory did not answer for " + Text.count(unknown) + " of the blocks");
    }
    return unknown > 0 ? ExitCode.FAILED : ExitCode.OK;
  }

  private static void print(Console console, List<FileOnSsd> files) {
    Table table = new Table(">SIZE", ">ON SSD", ">SHARE", "?>CACHED", "?>BLOCKS", "FILE");
    for (FileOnSsd file : files) {
      table.row(
          Text.bytes(file.bytes),
          Text.bytes(file.ssdBytes),
          Text.share(file.ssdBytes, file.bytes),
          Text.bytes(file.cachedBytes),
          file.ssdBlocks + "/" + file.blocks,
          file.path);
    }
    console.print(table);
  }

  private static void printJson(Console console, List<FileOnSsd> files) {
    ObjectNode root = Json.object();
    ArrayNode array = root.putArray("files");
    for (FileOnSsd file : files) {
      ObjectNode node =
          array
              .addObject()
              .put("path", file.path)
              .put("bytes", file.bytes)
              .put("ssdBytes", file.ssdBytes)
              .put("cachedBytes", file.cachedBytes)
              .put("blocks", file.blocks)
              .put("ssdBlocks", file.ssdBlocks)
              .put("unknownBlocks", file.unknownBlocks);
      Json.put(node, "notes", file.notes);
    }
    Json.print(console, root);
  }
}
