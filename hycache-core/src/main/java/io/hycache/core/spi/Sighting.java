// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.spi;

import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a DataNode holds of one block at one moment. Immutable. */
public final class Sighting {
  public final Replica replica;
  private final Supplier<@Nullable Home> home;

  /** Fast device that holds the replica; null if the replica is on DISK. */
  public final @Nullable String device;

  /** Fast device that holds a clean copy of the data; null if there is none. */
  public final @Nullable String cleanDevice;

  /** Fast device that holds a clean copy of the checksum file; null if there is none. */
  public final @Nullable String checksumDevice;

  /** Length of the clean copy of the checksum file, in bytes. */
  public final long checksumBytes;

  /**
   * @param home evaluated only when {@link #home} is called, since it may ask the device
   */
  public Sighting(
      Replica replica,
      Supplier<@Nullable Home> home,
      @Nullable String device,
      @Nullable String cleanDevice,
      @Nullable String checksumDevice,
      long checksumBytes) {
    this.replica = replica;
    this.home = home;
    this.device = device;
    this.cleanDevice = cleanDevice;
    this.checksumDevice = checksumDevice;
    this.checksumBytes = checksumBytes;
  }

  /**
   * Where the replica is stored and on whose behalf; null if the fast device that holds it does not
   * answer now. May ask that device, but waits no longer than for a healthy one.
   */
  public @Nullable Home home() {
    return home.get();
  }
}
