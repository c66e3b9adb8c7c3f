// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.localdir;

import com.google.common.util.concurrent.Uninterruptibles;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** External dependencies of a tree; tests replace them before they open it. */
final class LocalDirPorts {
  LongSupplier nanos = System::nanoTime;
  LongSupplier wallMicros = () -> TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());

  /**
   * Sleeps for nanoseconds while an exchange is watched; an interrupt, by which a tree is closed,
   * does not shorten it.
   */
  LongConsumer park = nanos -> Uninterruptibles.sleepUninterruptibly(nanos, TimeUnit.NANOSECONDS);

  /** Sleeps for nanoseconds after a failed round. */
  LongConsumer rest = LockSupport::parkNanos;

  /** Sleeps for nanoseconds after a sweep. */
  LongConsumer sweepPause = LockSupport::parkNanos;

  Path proc = Path.of("/proc");
  @Nullable LinuxCalls calls = LinuxCalls.load();
  FileCopier copier = new FileCopier();
  FileMoveState.Hook moves = FileMoveState.Hook.NONE;
  Consumer<Path> inventories = directory -> {};

  /** Null: the best that the file system supports. */
  @Nullable FileExchange exchange;
}
