// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import java.lang.reflect.Field;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.datanode.web.DatanodeHttpServer;
import org.apache.hadoop.http.HttpServer2;

/**
 * Adds a servlet to a DataNode's web server.
 *
 * <p>A plug-in has no official way to it. {@code hadoop.http.filter.initializers} is one for who
 * starts a web server: it replaces the site's list of filters, and every daemon that reads the
 * property needs its classes. So the server is taken from its field; everything after that is
 * public. Stateless.
 */
public final class HyCacheWeb {
  private HyCacheWeb() {}

  /**
   * Adds a servlet behind the filters of the site, which authenticate users.
   *
   * @param pathSpec paths of the servlet, such as {@code /name/*}
   * @param servlet has a public constructor without parameters
   * @param attribute name and value of an attribute of the servlet's context
   * @throws ReflectiveOperationException if this Hadoop keeps its web server elsewhere
   */
  public static void addServlet(
      DataNode datanode,
      String pathSpec,
      Class<? extends HttpServlet> servlet,
      String attribute,
      Object value)
      throws ReflectiveOperationException {
    DatanodeHttpServer front = (DatanodeHttpServer) value(DataNode.class, "httpServer", datanode);
    HttpServer2 server = (HttpServer2) value(DatanodeHttpServer.class, "infoServer", front);
    server.setAttribute(attribute, value);
    server.addServlet(servlet.getSimpleName(), pathSpec, servlet);
  }

  private static Object value(Class<?> of, String name, Object in)
      throws ReflectiveOperationException {
    Field field = of.getDeclaredField(name);
    field.setAccessible(true);
    Object value = field.get(in);
    if (value == null) {
      throw new NoSuchFieldException(of.getName() + "." + name + " is null");
    }
    return value;
  }

  /**
   * Whether a user may see what Hadoop's own pages for operators show, such as {@code /jmx}. If
   * not, the response is complete.
   */
  public static boolean isAllowed(
      ServletContext context, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    return HttpServer2.isInstrumentationAccessAllowed(context, request, response);
  }
}
