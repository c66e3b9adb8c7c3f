// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.core.cost;

/**
 * Time that flash memory needs to write a page, depending on the share kept free for garbage
 * collection.
 *
 * <p>Idea: pages are written once, and only whole blocks are erased. To regain free pages, the
 * collector takes the block with the fewest valid pages, copies those, and erases it. The fuller
 * the device, the more it copies. With a share u of all pages valid, the collected block has a
 * share u' of valid pages, and
 *
 * <pre>
 *   u        = (u' - 1) / ln u'                        LRU-like cleaning under even updates
 *   C_GC(u)  = u' N_P C_CP + C_E                       one block collected
 *   C_PW(u)  = C_GC(u) / ((1 - u') N_P) + C_PROG       one page written
 * </pre>
 *
 * <p>The utilisation in C_GC and C_PW is u', that of the block being collected; the source writes u
 * for both. Immutable; each call is O(1).
 *
 * <p>Source: Y. Oh, J. Choi, D. Lee, S. Noh, "Caching less for better performance: balancing cache
 * size and update cost of flash memory cache in hybrid storage systems" (FAST'12), section 3; u'
 * after J. Menon, "A performance comparison of RAID-5 and log-structured arrays" (HPDC'95).
 */
public final class FlashModel {
  /** Pages of 4 KiB, 128 per block; program 300 us, read 50 us, copy 350 us, erase 2 ms. */
  public static final FlashModel DEFAULT =
      new FlashModel(4096, 128, 0.000_300, 0.000_050, 0.000_350, 0.002);

  /**
   * An SSD under HDFS's large requests, with pages of 1 MiB: 500 MB/s write, 550 read, 250 copy;
   * erase blocks of 128 MiB across all chips, 20 ms.
   */
  public static final FlashModel STREAMED =
      new FlashModel(1 << 20, 128, 0.002_1, 0.001_9, 0.004_2, 0.020);

  private static final double MAX_SEARCHED_SHARE = 1 - 1e-12;
  private static final double MIN_SEARCHED_SHARE = 1e-300;
  private static final int BISECTION_STEPS = 200;

  private final int pageBytes;
  private final int pagesPerBlock;
  private final double programSeconds;
  private final double readSeconds;
  private final double copySeconds;
  private final double eraseSeconds;

  /**
   * @param pageBytes &gt; 0
   * @param pagesPerBlock &gt; 0
   * @param programSeconds C_PROG, per page
   * @param readSeconds per page
   * @param copySeconds C_CP, per valid page copied to another block
   * @param eraseSeconds C_E, per block
   */
  public FlashModel(
      int pageBytes,
      int pagesPerBlock,
      double programSeconds,
      double readSeconds,
      double copySeconds,
      double eraseSeconds) {
    if (pageBytes <= 0 || pagesPerBlock <= 0) {
      throw new IllegalArgumentException(
          "expected values above 0, found pageBytes="
              + pageBytes
              + " pagesPerBlock="
              + pagesPerBlock);
    }
    this.pageBytes = pageBytes;
    this.pagesPerBlock = pagesPerBlock;
    this.programSeconds = programSeconds;
    this.readSeconds = readSeconds;
    this.copySeconds = copySeconds;
    this.eraseSeconds = eraseSeconds;
  }

  public int pageBytes() {
    return pageBytes;
  }

  /**
   * u' as a function of u.
   *
   * @param u share of all pages that are valid, 0 to below 1
   */
  public static double utilisationOfVictim(double u) {
    checkShare(u);
    double low = MIN_SEARCHED_SHARE;
    double high = MAX_SEARCHED_SHARE;
    // (u' - 1) / ln u' increases from 0 to 1 with u'.
    for (int i = 0; i < BISECTION_STEPS; i++) {
      double middle = (low + high) / 2;
      if ((middle - 1) / Math.log(middle) < u) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return u == 0 ? 0 : (low + high) / 2;
  }

  private static void checkShare(double u) {
    if (!(u >= 0 && u < 1)) {
      throw new IllegalArgumentException("u: expected 0 to below 1, found " + u);
    }
  }

  /** C_GC, in seconds. */
  public double collectSeconds(double u) {
    return collectVictimSeconds(utilisationOfVictim(u));
  }

  private double collectVictimSeconds(double victim) {
    return victim * pagesPerBlock * copySeconds + eraseSeconds;
  }

  /** C_PW, in seconds. */
  public double writePageSeconds(double u) {
    double victim = utilisationOfVictim(u);
    return collectVictimSeconds(victim) / ((1 - victim) * pagesPerBlock) + programSeconds;
  }

  public double readPageSeconds() {
    return readSeconds;
  }
}
