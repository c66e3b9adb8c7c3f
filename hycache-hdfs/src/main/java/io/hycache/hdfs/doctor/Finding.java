// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.doctor;

import java.util.Objects;

/** The result of a check on one machine, or of the cluster. Immutable. */
public final class Finding {
  /** How it is, the least serious first. */
  public enum Result {
    OK("ok"),
    NOT_CHECKED("not checked"),
    WARNING("warning"),
    ERROR("error");

    private final String label;

    Result(String label) {
      this.label = label;
    }

    /** Its name in tables and in JSON; never renamed. */
    public String label() {
      return label;
    }
  }

  private static final String FIX = " Fix: ";

  private final Result result;
  private final Check check;
  private final String node;
  private final String text;
  private final String fix;

  private Finding(Result result, Check check, String node, String text, String fix) {
    this.result = result;
    this.check = check;
    this.node = node;
    this.text = text;
    this.fix = fix;
  }

  static Finding ok(Check check, String text) {
    return of(Result.OK, check, text);
  }

  /**
   * @param message says why; what is to be done begins with "Fix: "
   */
  static Finding notChecked(Check check, String message) {
    return of(Result.NOT_CHECKED, check, message);
  }

  /**
   * @param message what was expected and found; what is to be done begins with "Fix: "
   */
  static Finding warning(Check check, String message) {
    return of(Result.WARNING, check, message);
  }

  /** As {@link #warning}. */
  static Finding error(Check check, String message) {
    return of(Result.ERROR, check, message);
  }

  private static Finding of(Result result, Check check, String message) {
    int fix = message.indexOf(FIX);
    return fix < 0
        ? new Finding(result, check, "", message, "")
        : new Finding(
            result, check, "", message.substring(0, fix), message.substring(fix + FIX.length()));
  }

  /** This finding, of a DataNode. */
  Finding on(String name) {
    return new Finding(result, check, name, text, fix);
  }

  public Result result() {
    return result;
  }

  public Check check() {
    return check;
  }

  /** Name of the DataNode; empty: of the machine that the check ran on, or of the cluster. */
  public String node() {
    return node;
  }

  /** What was found; of a mistake, with what was expected. */
  public String text() {
    return text;
  }

  /** What to do; empty if there is nothing to do. */
  public String fix() {
    return fix;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Finding)) {
      return false;
    }
    Finding that = (Finding) other;
    return result == that.result
        && check == that.check
        && node.equals(that.node)
        && text.equals(that.text)
        && fix.equals(that.fix);
  }

  @Override
  public int hashCode() {
    return Objects.hash(result, check, node, text, fix);
  }

  @Override
  public String toString() {
    return result.label()
        + " "
        + check.label()
        + (node.isEmpty() ? "" : " on " + node)
        + ": "
        + text
        + (fix.isEmpty() ? "" : FIX + fix);
  }
}
