package io.hycache.core.cost;

/**
 * What flash memory needs to take in a page when a share of it is kept free for its garbage
 * collector.
 *
 * <p>Idea: pages are written once and whole blocks are erased. To win free pages the collector
 * takes the block with the fewest valid pages, copies those, and erases it. The fuller the device,
 * the more there is to copy: with a share u of all pages valid, the block that is collected has a
 * share u' of valid pages, and
 *
 * <pre>
 *   u        = (u' - 1) / ln u'                        LRU-like cleaning under even updates
 *   C_GC(u)  = u' N_P C_CP + C_E                       one block collected
 *   C_PW(u)  = C_GC(u) / ((1 - u') N_P) + C_PROG       one page written
 * </pre>
 *
 * <p>The utilisation in C_GC and C_PW is u', that of the block being collected; the source writes u
 * for both. Immutable; each call O(1).
 *
 * <p>Source: Y. Oh, J. Choi, D. Lee, S. Noh, "Caching less for better performance: balancing cache
 * size and update cost of flash memory cache in hybrid storage systems" (FAST'12), section 3; u'
 * after J. Menon, "A performance comparison of RAID-5 and log-structured arrays" (HPDC'95).
 */
public final class FlashModel {
  /** Pages of 4 KiB, 128 a block; program 300 us, read 50 us, copy 350 us, erase 2 ms. */
  public static final FlashModel DEFAULT =
      new FlashModel(4096, 128, 0.000_300, 0.000_050, 0.000_350, 0.002);

  /**
   * An SSD as HDFS uses it, in MiB: 500 MB/s to write, 550 to read, 250 to copy; erase blocks of
   * 128 MiB over all its chips, 20 ms.
   */
  public static final FlashModel STREAMED =
      new FlashModel(1 << 20, 128, 0.002_1, 0.001_9, 0.004_2, 0.020);

  private static final double ALMOST_ONE = 1 - 1e-12;
  private static final double ALMOST_ZERO = 1e-300;
  private static final int BISECTIONS = 200;

  private final int pageBytes;
  private final int pagesPerBlock;
  private final double programSeconds;
  private final double readSeconds;
  private final double copySeconds;
  private final double eraseSeconds;

  /**
   * @param pageBytes &gt; 0
   * @param pagesPerBlock &gt; 0
   * @param programSeconds C_PROG, of a page
   * @param readSeconds of a page
   * @param copySeconds C_CP, of a valid page to another block
   * @param eraseSeconds C_E, of a block
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
          "pageBytes=" + pageBytes + " pagesPerBlock=" + pagesPerBlock + "; allowed: > 0");
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
   * u' of u.
   *
   * @param u share of all pages that are valid, 0 to below 1
   */
  public static double utilisationOfVictim(double u) {
    checkShare(u);
    double low = ALMOST_ZERO;
    double high = ALMOST_ONE;
    // (u' - 1) / ln u' rises from 0 to 1 with u'.
    for (int i = 0; i < BISECTIONS; i++) {
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
      throw new IllegalArgumentException("u=" + u + "; allowed: 0 to below 1");
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
