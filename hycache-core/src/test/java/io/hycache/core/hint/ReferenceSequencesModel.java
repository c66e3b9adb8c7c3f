package io.hycache.core.hint;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@link References} as plain lists that are searched anew for each answer. */
final class ReferenceSequencesModel implements References {
  private static final class Step {
    final BlockKey block;
    boolean used;

    Step(BlockKey block) {
      this.block = block;
    }
  }

  private static final class Workflow {
    final String name;
    final long expires;
    final List<Step> steps = new ArrayList<>();
    int cursor;

    Workflow(String name, long expires) {
      this.name = name;
      this.expires = expires;
    }

    int left() {
      return (int) steps.stream().filter(s -> !s.used).count();
    }
  }

  private final int maxSteps;
  private final Map<BlockKey, Long> readBytes = new HashMap<>();

  /** In order of submission. */
  private final List<Workflow> workflows = new ArrayList<>();

  /** In order of turns, the next to have its turn first. */
  private final List<Workflow> turns = new ArrayList<>();

  ReferenceSequencesModel(int maxSteps) {
    this.maxSteps = maxSteps;
  }

  @Override
  public int submit(HintBatch batch, long nowMillis) {
    workflows.removeIf(w -> w.name.equals(batch.workflow()));
    turns.removeIf(w -> w.name.equals(batch.workflow()));
    int room = maxSteps - workflows.stream().mapToInt(w -> w.steps.size()).sum();
    Workflow added = new Workflow(batch.workflow(), nowMillis + batch.ttlMillis());
    batch.steps().stream().limit(room).forEach(s -> added.steps.add(new Step(s.block())));
    if (!added.steps.isEmpty()) {
      // The turns go round in order of submission: the new one stands before the first.
      Workflow oldest = workflows.isEmpty() ? null : workflows.get(0);
      turns.add(oldest == null ? 0 : insertionPoint(oldest), added);
      workflows.add(added);
    }
    forgetReadBytes();
    return added.steps.size();
  }

  private int insertionPoint(Workflow oldest) {
    int at = turns.indexOf(oldest);
    return at == 0 ? turns.size() : at;
  }

  @Override
  public int withdraw(String workflow) {
    int left = 0;
    for (Workflow w : List.copyOf(workflows)) {
      if (w.name.equals(workflow)) {
        left += w.left();
        workflows.remove(w);
        turns.remove(w);
      }
    }
    forgetReadBytes();
    return left;
  }

  @Override
  public int expire(long nowMillis) {
    int left = 0;
    for (Workflow w : List.copyOf(workflows)) {
      if (w.expires <= nowMillis) {
        left += withdraw(w.name);
      }
    }
    return left;
  }

  @Override
  public boolean onRead(BlockKey block, long lengthBytes, long bytes) {
    if (remaining(block) == 0) {
      return false;
    }
    long read = readBytes.merge(block, bytes, Long::sum);
    if (read * 10 < lengthBytes * 9) {
      return false;
    }
    readBytes.remove(block);
    Step used =
        workflows.stream()
            .flatMap(w -> w.steps.stream())
            .filter(s -> !s.used && s.block.equals(block))
            .findFirst()
            .orElseThrow();
    used.used = true;
    workflows.removeIf(w -> w.left() == 0);
    turns.removeIf(w -> w.left() == 0);
    forgetReadBytes();
    return true;
  }

  @Override
  public long remaining(BlockKey block) {
    return workflows.stream()
        .flatMap(w -> w.steps.stream())
        .filter(s -> !s.used && s.block.equals(block))
        .count();
  }

  @Override
  public long stepsAhead(BlockKey block) {
    long nearest = Long.MAX_VALUE;
    for (Workflow w : workflows) {
      int used = w.steps.size() - w.left();
      for (int step = 0; step < w.steps.size(); step++) {
        if (!w.steps.get(step).used && w.steps.get(step).block.equals(block)) {
          nearest = Math.min(nearest, Math.max(0, step - used));
          break;
        }
      }
    }
    return nearest;
  }

  @Override
  public void tellAll(Listener listener) {
    workflows.stream()
        .flatMap(w -> w.steps.stream())
        .filter(s -> !s.used)
        .map(s -> s.block)
        .distinct()
        .forEach(block -> listener.onReferences(block, remaining(block)));
  }

  @Override
  public long remaining() {
    return workflows.stream().mapToLong(Workflow::left).sum();
  }

  @Override
  public @Nullable BlockKey next(Predicate<BlockKey> wanted) {
    for (int tried = 0; tried < turns.size(); tried++) {
      Workflow w = turns.remove(0);
      turns.add(w);
      while (w.cursor < w.steps.size()) {
        Step step = w.steps.get(w.cursor++);
        if (!step.used && wanted.test(step.block)) {
          return step.block;
        }
      }
    }
    return null;
  }

  @Override
  public void rewind() {
    workflows.forEach(w -> w.cursor = 0);
  }

  @Override
  public List<String> workflows() {
    return workflows.stream().map(w -> w.name).collect(Collectors.toList());
  }

  private void forgetReadBytes() {
    readBytes.keySet().removeIf(block -> remaining(block) == 0);
  }
}
