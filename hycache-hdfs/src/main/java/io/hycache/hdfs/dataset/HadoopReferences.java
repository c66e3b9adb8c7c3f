// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package io.hycache.hdfs.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
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
 * references to other HyCache classes, and each reference to Hadoop is looked up by reflection. No
 * class of Hadoop is initialized or called. Linear in the size of the class files. Not thread-safe.
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
   * @throws UncheckedIOException if a class file of HyCache can't be read
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

  private void read(String name) {
    ClassReader file;
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      if (in == null) {
        throw new IOException("no class file of " + name + ": is the JAR complete?");
      }
      file = new ClassReader(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
    if (name.startsWith(HADOOP) && !isOurs(name) && seen.add(name)) {
      try {
        load(name);
      } catch (ClassNotFoundException | LinkageError e) {
        missing.add(element.getClassName());
      }
    }
  }

  private void ofMember(String owner, String name, String descriptor) {
    if (!owner.startsWith(HADOOP) || isOurs(owner) || !seen.add(owner + name + descriptor)) {
      return;
    }
    try {
      if (!has(load(owner), name, descriptor)) {
        missing.add(owner.substring(owner.lastIndexOf('/') + 1) + "." + name + descriptor);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      missing.add(Type.getObjectType(owner).getClassName());
    }
  }

  private Class<?> load(String internalName) throws ClassNotFoundException {
    return Class.forName(internalName.replace('/', '.'), false, loader);
  }

  private boolean has(Class<?> owner, String name, String descriptor) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      if (declares(c, name, descriptor)
          || Arrays.stream(c.getInterfaces()).anyMatch(i -> has(i, name, descriptor))) {
        return true;
      }
    }
    return owner.isInterface() && declares(Object.class, name, descriptor);
  }

  private boolean declares(Class<?> c, String name, String descriptor) {
    try {
      return declaresByReflection(c, name, descriptor);
    } catch (NoClassDefFoundError e) {
      // Another member refers to a missing class; that member is not used.
      return declaresByFile(c, name, descriptor);
    }
  }

  private boolean declaresByFile(Class<?> c, String name, String descriptor) {
    boolean[] found = new boolean[1];
    try (InputStream in = loader.getResourceAsStream(Type.getInternalName(c) + ".class")) {
      if (in != null) {
        new ClassReader(in)
            .accept(
                new ClassVisitor(Opcodes.ASM9) {
                  @Override
                  public @Nullable FieldVisitor visitField(
                      int access,
                      String field,
                      String type,
                      @Nullable String signature,
                      @Nullable Object value) {
                    found[0] |= field.equals(name) && type.equals(descriptor);
                    return null;
                  }

                  @Override
                  public @Nullable MethodVisitor visitMethod(
                      int access,
                      String method,
                      String type,
                      @Nullable String signature,
                      String @Nullable [] exceptions) {
                    found[0] |= method.equals(name) && type.equals(descriptor);
                    return null;
                  }
                },
                ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found[0];
  }

  private static boolean declaresByReflection(Class<?> c, String name, String descriptor) {
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
