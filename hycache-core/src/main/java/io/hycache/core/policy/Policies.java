package io.hycache.core.policy;

import io.hycache.core.spi.CachePolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Makes policies from the value of {@code hycache.policy}. */
public final class Policies {
  private static final Map<String, Supplier<CachePolicy>> BY_NAME = byName();

  private Policies() {}

  /**
   * Makes a new policy without residents.
   *
   * @param nameOrClass {@code lru}, {@code lfu}, {@code heuristic}, or the name of a class
   * @throws IllegalArgumentException if there is no such name or class, or it is no policy; the
   *     message says what is allowed
   */
  public static CachePolicy create(String nameOrClass) {
    Supplier<CachePolicy> builtIn = BY_NAME.get(nameOrClass);
    if (builtIn != null) {
      return builtIn.get();
    }
    try {
      return Class.forName(nameOrClass, true, Policies.class.getClassLoader())
          .asSubclass(CachePolicy.class)
          .getConstructor()
          .newInstance();
    } catch (ClassNotFoundException e) {
      throw refused(nameOrClass, "no such class", e);
    } catch (ClassCastException e) {
      throw refused(nameOrClass, "the class does not implement CachePolicy", e);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw refused(nameOrClass, "the class has no public constructor without arguments", e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw refused(nameOrClass, "its constructor failed", e);
    }
  }

  private static IllegalArgumentException refused(String value, String why, Throwable cause) {
    return new IllegalArgumentException(
        "Unknown cache policy: hycache.policy="
            + value
            + " ("
            + why
            + "); allowed: "
            + String.join(", ", BY_NAME.keySet())
            + ", or the name of a public class that implements "
            + CachePolicy.class.getName()
            + " and has a public constructor without arguments",
        cause);
  }

  private static Map<String, Supplier<CachePolicy>> byName() {
    Map<String, Supplier<CachePolicy>> names = new LinkedHashMap<>();
    names.put("lru", LruPolicy::new);
    names.put("lfu", LfuPolicy::new);
    names.put("heuristic", HeuristicPolicy::new);
    return names;
  }
}
