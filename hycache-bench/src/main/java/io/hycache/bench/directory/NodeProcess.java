// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.directory;

import com.fasterxml.jackson.databind.JsonNode;
import io.hycache.core.directory.Member;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/*
 * The conversation, a line each. The process says {"address"} when it is up. Then it gets
 *
 *   {"do":"join", "members":[{"id", "address"}]}   answers {} when it is ready
 *   {"do":"prepare", "phase":{}}                   answers {}
 *   {"do":"run"}                                   runs what was prepared, answers a PhaseResult
 *   {"do":"appended", "phase":"label"}             answers {"appended", "again"}
 *
 * What fails is answered {"error"}. It ends with its standard input.
 */
/** The main class of the processes that an experiment starts. */
final class NodeProcess {
  private final Part part;
  private final Lines parent;
  private List<Workload> workloads = List.of();
  private Phase phase = new Phase(Phase.Operation.CREATE, "", 1, 1, 0, 0, 0);

  private NodeProcess(Part part, Lines parent) {
    this.part = part;
    this.parent = parent;
  }

  /** Arguments: the role, a name, and the replicas, the NameNode's directory or its address. */
  private static Part part(String role, String name, String more) throws IOException {
    switch (role) {
      case "member":
        return new DirectoryPart(name, Integer.parseInt(more), true, true);
      case "server":
        return new DirectoryPart(name, Integer.parseInt(more), true, false);
      case "client":
        return new DirectoryPart(name, Integer.parseInt(more), false, true);
      case "namenode":
        return new NameNodePart(Path.of(more));
      case "hdfs-client":
        return new HdfsClientPart(name, more);
      default:
        throw new IllegalArgumentException("role: expected a role of the launcher, found " + role);
    }
  }

  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    System.setOut(System.err);
    Lines parent = new Lines(System.in, out, () -> Runtime.getRuntime().halt(0));
    try {
      new NodeProcess(part(args[0], args[1], args[2]), parent).serve();
    } catch (Exception e) {
      e.printStackTrace();
      parent.send(Lines.object().put("error", e.toString()));
      Runtime.getRuntime().halt(1);
    }
  }

  private void serve() throws Exception {
    parent.send(Lines.object().put("address", part.address()));
    while (true) {
      JsonNode request = parent.receive(TimeUnit.DAYS.toSeconds(1));
      if (request == null) {
        continue;
      }
      JsonNode answer;
      try {
        answer = answer(request);
      } catch (Exception e) {
        e.printStackTrace();
        answer = Lines.object().put("error", e.toString());
      }
      parent.send(answer);
    }
  }

  private JsonNode answer(JsonNode request) throws Exception {
    switch (request.path("do").asText()) {
      case "join":
        List<Member> members = new ArrayList<>();
        for (JsonNode one : request.path("members")) {
          members.add(new Member(one.path("id").asText(), one.path("address").asText()));
        }
        part.join(members);
        return Lines.object();
      case "prepare":
        phase = Lines.JSON.treeToValue(request.path("phase"), Phase.class);
        workloads = part.workloads(phase);
        for (Workload workload : workloads) {
          workload.prepare();
        }
        return Lines.object();
      case "run":
        return Lines.JSON.valueToTree(new Load(phase).run(workloads));
      case "appended":
        AppendedNames names = part.appended(request.path("phase").asText());
        return Lines.object().put("appended", names.different()).put("again", names.again());
      default:
        throw new IllegalArgumentException("expected a request of the launcher, found " + request);
    }
  }
}
