// Copyright 2026 The HyCache for HDFS authors
// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import javax.management.MBeanInfo;
import javax.management.NotCompliantMBeanException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.metrics.FSDatasetMBean;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.util.MBeans;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's dataset under its own name in metrics2 and JMX. HDFS names the metrics record of a dataset
 * after its class, {@code DataNodeMetricHelper}, from which {@code /prom} makes the names of 13
 * metrics, and JMX shows the class of the {@code FSDatasetState-UUID} bean: a subclass would rename
 * them all.
 */
abstract class HyCacheNamedDataset extends FsDatasetImpl {
  private static final String PLAIN = FsDatasetImpl.class.getName();

  /** Set while HDFS constructs the dataset: an initial value here would replace it. */
  private @Nullable ObjectName mbean;

  HyCacheNamedDataset(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    super(datanode, storage, conf);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    super.getMetrics(new AsPlain(collector, getClass().getName()), all);
  }

  /** Registers the bean as HDFS does, with the class that it has there. */
  @Override
  void registerMBean(String datanodeUuid) {
    try {
      mbean = MBeans.register("DataNode", "FSDatasetState-" + datanodeUuid, new PlainBean(this));
    } catch (NotCompliantMBeanException e) {
      super.registerMBean(datanodeUuid);
    }
  }

  @Override
  public void shutdown() {
    try {
      MBeans.unregister(mbean);
      mbean = null;
    } finally {
      super.shutdown();
    }
  }

  /** Passes records on; that with the name of the subclass gets the name of HDFS's own class. */
  private static final class AsPlain implements MetricsCollector {
    private final MetricsCollector collector;
    private final String renamed;

    AsPlain(MetricsCollector collector, String renamed) {
      this.collector = collector;
      this.renamed = renamed;
    }

    @Override
    public MetricsRecordBuilder addRecord(String name) {
      return collector.addRecord(name.equals(renamed) ? PLAIN : name);
    }

    @Override
    public MetricsRecordBuilder addRecord(MetricsInfo info) {
      return collector.addRecord(info);
    }
  }

  /** The bean of a dataset, which JMX shows as one of HDFS's own class. */
  private static final class PlainBean extends StandardMBean {
    PlainBean(FsDatasetImpl dataset) throws NotCompliantMBeanException {
      super(dataset, FSDatasetMBean.class);
    }

    @Override
    protected String getClassName(MBeanInfo info) {
      return PLAIN;
    }
  }
}
