// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Checks the references of HyCache's class files to Hadoop against the installed Hadoop.
 *
 * <p>The JVM resolves a reference to a class, method or field when the code that contains it runs
 * for the first time, possibly in the middle of an operation and months after the start. So the
 * constant pools (JVMS 4.4) of HyCache's classes are read, starting at some roots and following
 * references to other HyCache classes, and each reference to Hadoop is looked up in the class files
 * of Hadoop. No class of Hadoop is loaded, as it would stay so: a DataNode does without most of
 * them. Linear in the size of the class files. Not thread-safe.
 */
public final class HadoopReferences {
  private static final String HADOOP = "org/apache/hadoop/";
  private static final String OURS = "io/hycache/";
  private static final String LIBRARIES = "io/hycache/shaded/";
  private static final String BRIDGE = "/HyCache";

  private static final int FIELD = 9;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;
  private static final int CLASS = 7;

  private final ClassLoader loader;
  private final List<String> apart;
  private final Set<String> missing = new TreeSet<>();
  private final Set<String> seen = new HashSet<>();
  private final Deque<String> toRead = new ArrayDeque<>();

  /** By internal name: see {@link #isThere}. */
  private final Map<String, Boolean> there = new HashMap<>();

  /** The classes outside HyCache and the JDK, by internal name. */
  private final Map<String, Parsed> files = new HashMap<>();

  private HadoopReferences(ClassLoader loader, List<String> apart) {
    this.loader = loader;
    this.apart = apart;
  }

  /**
   * Looks up all references.
   *
   * @param loader class loader of HyCache and Hadoop
   * @param roots binary names of HyCache classes
   * @return missing references, sorted: {@code FsVolumeImpl.getTmpDir(Ljava/lang/String;)...}, or a
   *     class name; empty if none is missing
   * @throws UncheckedIOException if a class file can't be read
   */
  public static List<String> missing(ClassLoader loader, List<String> roots) {
    return missing(loader, roots, List.of());
  }

  /**
   * As {@link #missing(ClassLoader, List)}.
   *
   * @param apart binary names of HyCache classes that are not followed, nor their nested classes,
   *     because callers check their availability first
   */
  public static List<String> missing(ClassLoader loader, List<String> roots, List<String> apart) {
    HadoopReferences references = new HadoopReferences(loader, apart);
    roots.forEach(root -> references.meet(root.replace('.', '/')));
    while (!references.toRead.isEmpty()) {
      references.read(references.toRead.remove());
    }
    return List.copyOf(references.missing);
  }

  private static boolean isOurs(String name) {
    return name.startsWith(OURS)
        ? !name.startsWith(LIBRARIES)
        : name.startsWith(HADOOP) && name.contains(BRIDGE);
  }

  private void meet(String name) {
    if (isOurs(name) && !isApart(name) && seen.add(name)) {
      toRead.add(name);
    }
  }

  private boolean isApart(String name) {
    String outer = name.replaceFirst("\\$.*", "").replace('/', '.');
    return apart.contains(outer);
  }

  private @Nullable ClassReader open(String name) {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      return in == null ? null : new ClassReader(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException e) {
      throw new UncheckedIOException(new IOException("can't parse " + name + ".class", e));
    }
  }

  private void read(String name) {
    ClassReader file = open(name);
    if (file == null) {
      throw new UncheckedIOException(
          new IOException("no class file of " + name + ": is the JAR complete?"));
    }
    char[] buffer = new char[file.getMaxStringLength()];
    for (int i = 1; i < file.getItemCount(); i++) {
      int at = file.getItem(i);
      int tag = at == 0 ? 0 : file.readByte(at - 1); // a long takes two indices
      if (tag == CLASS) {
        ofType(Type.getObjectType(file.readUTF8(at, buffer)));
      } else if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
        int member = file.getItem(file.readUnsignedShort(at + 2));
        ofMember(
            file.readClass(at, buffer),
            file.readUTF8(member, buffer),
            file.readUTF8(member + 2, buffer));
      }
    }
  }

  private void ofType(Type type) {
    Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
    if (element.getSort() != Type.OBJECT) {
      return;
    }
    String name = element.getInternalName();
    meet(name);
    if (name.startsWith(HADOOP) && !isOurs(name) && seen.add(name) && !isThere(name)) {
      missing.add(element.getClassName());
    }
  }

  private void ofMember(String owner, String name, String descriptor) {
    if (!owner.startsWith(HADOOP) || isOurs(owner) || !seen.add(owner + name + descriptor)) {
      return;
    }
    if (!isThere(owner)) {
      missing.add(Type.getObjectType(owner).getClassName());
    } else if (!has(owner, name, descriptor)) {
      missing.add(owner.substring(owner.lastIndexOf('/') + 1) + "." + name + descriptor);
    }
  }

  // ---- classes outside HyCache ------------------------------------------------------------------

  /** Whether a class is there, and all that it inherits from. */
  private boolean isThere(String name) {
    Boolean known = there.get(name);
    if (known == null) {
      known = ofJdk(name) != null || isThereAsFile(name);
      there.put(name, known);
    }
    return known;
  }

  private boolean isThereAsFile(String name) {
    ClassReader file = open(name);
    if (file == null) {
      return false;
    }
    Parsed parsed = new Parsed();
    file.accept(parsed, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    files.put(name, parsed);
    return parsed.parents.stream().allMatch(this::isThere);
  }

  private boolean has(String owner, String name, String descriptor) {
    Parsed file = files.get(owner);
    if (file == null) {
      Class<?> ofJdk = ofJdk(owner);
      return ofJdk != null && hasByReflection(ofJdk, name, descriptor);
    }
    return file.members.contains(name + descriptor)
        || file.parents.stream().anyMatch(parent -> has(parent, name, descriptor));
  }

  /** What a class file declares. */
  private static final class Parsed extends ClassVisitor {
    /** Names of fields and methods, each with its descriptor. */
    final Set<String> members = new HashSet<>();

    /** Internal names of the super class and the interfaces; an interface extends Object. */
    final List<String> parents = new ArrayList<>();

    Parsed() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        @Nullable String superName,
        String @Nullable [] interfaces) {
      if (superName != null) {
        parents.add(superName);
      }
      if (interfaces != null) {
        parents.addAll(Arrays.asList(interfaces));
      }
    }

    @Override
    public @Nullable FieldVisitor visitField(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        @Nullable Object value) {
      members.add(name + descriptor);
      return null;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      members.add(name + descriptor);
      return null;
    }
  }

  // ---- the JDK, whose class files may be newer than what can be parsed --------------------------

  /** A class of the JDK; null for another. */
  private static @Nullable Class<?> ofJdk(String name) {
    if (name.startsWith(HADOOP)) {
      return null;
    }
    try {
      return Class.forName(name.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException e) {
      return null; // of a library
    }
  }

  private static boolean hasByReflection(Class<?> owner, String name, String descriptor) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      if (declares(c, name, descriptor)
          || Arrays.stream(c.getInterfaces()).anyMatch(i -> hasByReflection(i, name, descriptor))) {
        return true;
      }
    }
    return false;
  }

  private static boolean declares(Class<?> c, String name, String descriptor) {
    if (!descriptor.startsWith("(")) {
      return Arrays.stream(c.getDeclaredFields())
          .filter(field -> field.getName().equals(name))
          .anyMatch(field -> Type.getDescriptor(field.getType()).equals(descriptor));
    }
    if (name.equals("<init>")) {
      return Arrays.stream(c.getDeclaredConstructors())
          .anyMatch(made -> Type.getConstructorDescriptor(made).equals(descriptor));
    }
    return Arrays.stream(c.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .anyMatch(method -> Type.getMethodDescriptor(method).equals(descriptor));
  }
}
