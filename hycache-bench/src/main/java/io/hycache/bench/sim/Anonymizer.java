// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.bench.sim;

import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Replaces names by numbers: the first 63 bits of HMAC-SHA256 with a salt as the key. Equal names
 * get equal numbers; without the salt a number can't be traced back by trying names. Not
 * thread-safe.
 */
final class Anonymizer implements UnaryOperator<String> {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SALT_BYTES = 32;

  /** What a kept name can't hold. */
  private static final Pattern ESCAPED =
      Pattern.compile("[\\s,#%]", Pattern.UNICODE_CHARACTER_CLASS);

  private final Mac mac;

  /**
   * @param salt any text, so that two files agree; null: random, and forgotten
   */
  Anonymizer(@Nullable String salt) {
    byte[] key;
    if (salt == null) {
      key = new byte[SALT_BYTES];
      new SecureRandom().nextBytes(key);
    } else if (salt.isEmpty()) {
      throw new IllegalArgumentException("--salt: expected a text, found an empty one");
    } else {
      key = salt.getBytes(StandardCharsets.UTF_8);
    }
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JVM has no " + ALGORITHM, e);
    }
  }

  @Override
  public String apply(String name) {
    byte[] digest = mac.doFinal(name.getBytes(StandardCharsets.UTF_8));
    return Long.toString(ByteBuffer.wrap(digest).getLong() & Long.MAX_VALUE);
  }

  /**
   * The name itself, with what separates columns, and %, as %XX in UTF-8, so that different names
   * stay different; - for an empty one.
   */
  static String keep(String name) {
    return name.isEmpty() ? "-" : ESCAPED.matcher(name).replaceAll(match -> percent(match.group()));
  }

  private static String percent(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
