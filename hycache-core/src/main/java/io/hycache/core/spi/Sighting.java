package io.hycache.core.spi;

import io.hycache.core.model.Home;
import io.hycache.core.model.Replica;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a DataNode has of one block at a moment. Immutable. */
public final class Sighting {
  public final Replica replica;
  private final Supplier<Home> home;

  /** Fast device that holds the replica; null for DISK. */
  public final @Nullable String device;

  /** Fast device that holds a clean copy of the data; null if there is none. */
  public final @Nullable String cleanDevice;

  /** Fast device that holds a clean copy of the checksum file; null if there is none. */
  public final @Nullable String checksumDevice;

  /** Length of that copy. */
  public final long checksumBytes;

  /**
   * @param home asked when it is needed: it may take a look at the device
   */
  public Sighting(
      Replica replica,
      Supplier<Home> home,
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

  /** Whose the replica is. May read the fast device that it is on. */
  public Home home() {
    return home.get();
  }
}
