// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
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
  void problems_inheritedMethodIsGone_namedForEachClass() {
    List<String> problems =
        HyCacheSelfCheck.problems(new Without(LocalReplica.class, "getMetaFile"));

    assertEquals(
        List.of(
            "no LocalReplica.getMetaFile()Ljava/io/File;",
            "no LocalReplicaInPipeline.getMetaFile()Ljava/io/File;"),
        problems);
  }

  @Test
  void problems_classIsGone_named() {
    List<String> problems = HyCacheSelfCheck.problems(new Without(DatanodeUtil.class, ""));

    assertEquals(List.of("no org.apache.hadoop.hdfs.server.datanode.DatanodeUtil"), problems);
  }

  @Test
  void problems_superClassIsGone_itsSubclassesAreNamed() {
    List<String> problems = HyCacheSelfCheck.problems(new Without(LocalReplica.class, ""));

    for (Class<?> gone : List.of(LocalReplica.class, FinalizedReplica.class)) {
      assertTrue(problems.contains("no " + gone.getName()), problems::toString);
    }
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
    private final String file;
    private final String method;

    Without(Class<?> owner, String method) {
      super(HyCacheSelfCheckTest.class.getClassLoader());
      this.file = owner.getName().replace('.', '/') + ".class";
      this.method = method;
    }

    @Override
    protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
      throw new ClassNotFoundException("expected no class to be loaded, found " + wanted);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String wanted) {
      if (!wanted.equals(file)) {
        return super.getResourceAsStream(wanted);
      }
      return method.isEmpty() ? null : new ByteArrayInputStream(stripped());
    }

    private byte[] stripped() {
      try (InputStream in = super.getResourceAsStream(file)) {
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
        throw new UncheckedIOException(e);
      }
    }
  }
}
