// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;

/** Devices whose reads fail. Stateless. */
final class SickDevices {
  private SickDevices() {}

  /** Reports failed reads of a device until it is out of use. */
  static void failReads(DeviceWatch device) {
    while (!device.sick()) {
      boolean unused = device.readFailed(new IOException("injected"));
    }
  }
}
