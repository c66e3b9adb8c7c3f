// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.client;

/** Where things stand in a manifest's file, for messages. Asked only when something is wrong. */
public interface ManifestPlaces {

  /** Name of the file. */
  String source();

  /**
   * The place of the path of one read.
   *
   * @param job name of the job
   * @param read index of the read in the job
   */
  String path(String job, int read);

  /** Returns the places of a manifest that has no file. */
  static ManifestPlaces of(String source) {
    return new ManifestPlaces() {
      @Override
      public String source() {
        return source;
      }

      @Override
      public String path(String job, int read) {
        return source + ": job " + job + ", read " + (read + 1);
      }
    };
  }
}
