package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hycache.core.model.BlockKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TurnQueueTest {
  private static List<Resident> all(TurnQueue queue) {
    List<Resident> all = new ArrayList<>();
    for (Resident next = queue.first(); next != null; next = queue.after(next)) {
      all.add(next);
    }
    return all;
  }

  @Test
  void uses_stayInOrder() {
    Random random = new Random(1);
    TurnQueue queue = new TurnQueue();
    List<Resident> model = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(10);
      if (model.isEmpty() || (choice < 2 && model.size() < 300)) {
        Resident added = new Resident(CachePolicyContract.block(step), 1);
        queue.addLast(added);
        model.add(added);
      } else {
        Resident one = model.remove(choice < 4 ? 0 : random.nextInt(model.size()));
        queue.remove(one);
        if (choice > 3) {
          queue.addLast(one);
          model.add(one);
        }
      }
      assertEquals(model.isEmpty() ? null : model.get(0), queue.first());
      if (step % 97 == 0) {
        assertEquals(model, all(queue));
      }
    }
    assertEquals(model, all(queue));
  }

  @Test
  void soonFirst_tellsEachOneOnceAndTheFirstOnesFirst() {
    TurnQueue queue = new TurnQueue();
    List<BlockKey> blocks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Resident added = new Resident(CachePolicyContract.block(i), 1);
      queue.addLast(added);
      blocks.add(added.block);
    }
    BlockKey[] into = new BlockKey[Replay.AHEAD];

    assertEquals(10, queue.soonFirst(into, 10));
    assertEquals(blocks.subList(0, 10), Arrays.asList(into).subList(0, 10));
    assertEquals(10, queue.soonFirst(into, 10));
    assertEquals(blocks.subList(10, 20), Arrays.asList(into).subList(0, 10));
    assertEquals(0, queue.soonFirst(into, 10), "none of them has gone");

    Set<BlockKey> told = new HashSet<>();
    for (Resident first = queue.first(); first != null; first = queue.first()) {
      queue.remove(first);
      int count = queue.soonFirst(into, 10);
      for (int i = 0; i < count; i++) {
        assertTrue(told.add(into[i]), "told twice: " + into[i]);
      }
    }
    assertEquals(80, told.size());
  }
}
