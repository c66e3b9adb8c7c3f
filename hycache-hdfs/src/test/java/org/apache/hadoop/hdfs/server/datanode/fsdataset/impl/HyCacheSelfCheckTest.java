// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.HyCacheReports;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class HyCacheSelfCheckTest {
  @Test
  void problems_onTheHadoopItIsBuiltFor_none() {
    assertEquals(List.of(), HyCacheSelfCheck.problems());
  }

  @Test
  void problems_methodIsGone_named() {
    List<String> problems =
        HyCacheSelfCheck.problems(new Without(DatanodeUtil.class, "idToBlockDir"));

    assertEquals(List.of("no DatanodeUtil.idToBlockDir(Ljava/io/File;J)Ljava/io/File;"), problems);
  }

  @Test
  void problems_inheritedMethodIsGone_named() {
    List<String> problems =
        HyCacheSelfCheck.problems(new Without(LocalReplica.class, "getMetaFile"));

    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.get(0).endsWith(".getMetaFile()Ljava/io/File;"), problems::toString);
  }

  @Test
  void problems_classIsGone_named() {
    List<String> problems = HyCacheSelfCheck.problems(new Without(DatanodeUtil.class, ""));

    assertEquals(List.of("no org.apache.hadoop.hdfs.server.datanode.DatanodeUtil"), problems);
  }

  @Test
  void problems_methodThatOnlyOurReportsNeedIsGone_noneAndReportsAreNotAvailable() {
    Without without = new Without(DataNode.class, "getBPOfferService");

    assertEquals(List.of(), HyCacheSelfCheck.problems(without));
    assertFalse(HyCacheReports.available(without));
    assertTrue(HyCacheReports.available());
  }

  /** The class path without a class, or with the class but without its methods of one name. */
  private static final class Without extends ClassLoader {
    private final String name;
    private final String method;

    Without(Class<?> owner, String method) {
      super(HyCacheSelfCheckTest.class.getClassLoader());
      this.name = owner.getName();
      this.method = method;
    }

    @Override
    protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
      if (!wanted.equals(name)) {
        return super.loadClass(wanted, resolve);
      }
      if (method.isEmpty()) {
        throw new ClassNotFoundException(wanted);
      }
      Class<?> known = findLoadedClass(wanted);
      if (known != null) {
        return known;
      }
      byte[] file = stripped();
      return defineClass(name, file, 0, file.length);
    }

    private byte[] stripped() throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        ClassWriter writer = new ClassWriter(0);
        assertNotNull(in);
        new ClassReader(in)
            .accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                  @Override
                  public @Nullable MethodVisitor visitMethod(
                      int access, String found, String descriptor, String sig, String[] throwing) {
                    return found.equals(method)
                        ? null
                        : super.visitMethod(access, found, descriptor, sig, throwing);
                  }
                },
                0);
        return writer.toByteArray();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
