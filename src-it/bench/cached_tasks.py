# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""cached_tasks.py PATH: counts the lines of text files in HDFS with Spark's own reader, on the JVM alone.

Prints a line of JSON: lines, seconds of the job, tasks, and how many partitions Spark knows a host of with
the block in HDFS's cache.
"""
import json
import sys
import time

from pyspark import SparkContext

context = SparkContext(appName="cached-tasks")
lines = context._jsc.textFile(sys.argv[1])
scheduler = context._jsc.sc().dagScheduler()
partitions = lines.rdd().partitions()
wanted = []
for i in range(len(partitions)):
    wanted.append(scheduler.getPreferredLocs(lines.rdd(), i).mkString(",").split(","))
# All executors are there, as they are on a cluster that has run for a while.
while context._jsc.sc().getExecutorMemoryStatus().size() < 4:
    time.sleep(0.1)
begin = time.time()
count = lines.count()
seconds = time.time() - begin
prefix = "hdfs_cache_"
print("RESULT " + json.dumps({
    "lines": count,
    "jobSeconds": round(seconds, 2),
    "tasks": len(wanted),
    "tasksWithCachedHost": sum(any(p.startswith(prefix) for p in one) for one in wanted),
    "cachedHosts": [[p[len(prefix):] for p in one if p.startswith(prefix)] for one in wanted],
}))
context.stop()
