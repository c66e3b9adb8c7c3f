// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hycache.core.config.HyCacheConfig;
import io.hycache.core.cost.DiskTime;
import io.hycache.core.model.Access;
import io.hycache.core.model.CacheKey;
import io.hycache.core.model.Candidate;
import io.hycache.core.model.Decision;
import io.hycache.core.model.Reason;
import io.hycache.core.spi.CachePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoliciesTest {
  private static final String EXPECTED =
      "policy: expected "
          + String.join(", ", Policies.names())
          + ", or the name of a public class that implements"
          + " io.hycache.core.spi.CachePolicy and has a public no-argument constructor, found ";

  @ParameterizedTest
  @CsvSource({"lru, LruPolicy", "lfu, LfuPolicy", "heuristic, HeuristicPolicy"})
  void create_name_makesANewOne(String name, String simpleName) {
    assertEquals(simpleName, Policies.create(name).getClass().getSimpleName());
    assertNotSame(Policies.create(name), Policies.create(name));
  }

  @Test
  void create_className_makesIt() {
    CachePolicy policy = Policies.create(Own.class.getName());

    assertEquals(Own.class, policy.getClass());
  }

  @ParameterizedTest
  @CsvSource({
    "LRU, no such class",
    "'', no such class",
    "java.lang.String, the class does not implement CachePolicy",
    "io.hycache.core.policy.PoliciesTest$NoConstructor,"
        + " the class has no public no-argument constructor",
    "io.hycache.core.spi.CachePolicy, the class has no public no-argument constructor",
    "io.hycache.core.policy.PoliciesTest$Failing, its constructor failed",
  })
  void create_notAPolicy_saysWhyAndWhatIsExpected(String value, String why) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Policies.create(value));

    assertEquals(EXPECTED + value + " (" + why + ")", e.getMessage());
  }

  @Test
  void create_ofSettings_namesTheProperty() {
    HyCacheConfig config = HyCacheConfig.builder().policy("best").build();
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Policies.create(config));

    assertEquals("hycache." + EXPECTED + "best (no such class)", e.getMessage());
  }

  @Test
  void writePrice_ofSettings_reachesThePolicy() {
    Candidate candidate = CachePolicyContract.candidate(1, 1_000_000, 0);
    assertEquals(DiskTime.DEFAULT_WRITE_PRICE, HyCacheConfig.builder().build().writePrice());
    for (double price : new double[] {0, 100}) {
      HyCacheConfig config =
          HyCacheConfig.builder().policy("hit-density").writePrice(price).build();
      boolean admitted =
          Policies.create(config).decide(candidate, 10_000_000, 10_000_000).isAdmit();
      assertEquals(price == 0, admitted, "price " + price);
    }
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> HyCacheConfig.builder().writePrice(-1).build());
    assertEquals("hycache.policy.write-price: expected 0 to 100, found -1.0", e.getMessage());
  }

  /** A custom policy. */
  public static class Own implements CachePolicy {
    @Override
    public void onAccess(Access access) {}

    @Override
    public void onAdmitted(CacheKey block, long sizeBytes, long nowNanos) {}

    @Override
    public void onRemoved(CacheKey block) {}

    @Override
    public Decision decide(Candidate candidate, long freeBytes, long capacityBytes) {
      return Decision.bypass(Reason.NO_ROOM);
    }

    @Override
    public Iterable<CacheKey> evictionOrder() {
      return List.of();
    }

    @Override
    public int residents() {
      return 0;
    }
  }

  /** Has no public no-argument constructor. */
  public static final class NoConstructor extends Own {
    NoConstructor() {}
  }

  /** Throws from its constructor. */
  public static final class Failing extends Own {
    public Failing() {
      throw new IllegalStateException("on purpose");
    }
  }
}
