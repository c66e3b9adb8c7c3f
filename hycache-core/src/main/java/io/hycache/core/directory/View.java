package io.hycache.core.directory;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** The members of the directory, as the NameNode told them at some time. Immutable. */
public final class View {
  /** Nobody, told by nobody. */
  public static final View NONE = new View(0, List.of());

  private final long toldMillis;
  private final List<Member> members;

  /**
   * @param toldMillis when it was told, milliseconds since 1970 by the clock of who was told
   */
  public View(long toldMillis, Collection<Member> members) {
    this.toldMillis = toldMillis;
    this.members = List.copyOf(new TreeSet<>(members));
  }

  public long toldMillis() {
    return toldMillis;
  }

  /** In the order of their ids. */
  public List<Member> members() {
    return members;
  }

  /** Whether these are the same members, at the same addresses. */
  boolean sameMembers(View other) {
    return members.equals(other.members) && members.toString().equals(other.members.toString());
  }

  @Override
  public String toString() {
    return "View told=" + toldMillis + " members=" + members;
  }
}
