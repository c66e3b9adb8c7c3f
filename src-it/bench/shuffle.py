# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""shuffle.py BYTES DIRECTORY: sorts BYTES of incompressible rows, and writes them in order as text.

The same rows in every run. Each takes some work to make, so that they come no faster than a slow disk writes.
"""
import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, sha2

ROW_BYTES = 128

rows = int(sys.argv[1]) // ROW_BYTES
spark = SparkSession.builder.appName("shuffle").getOrCreate()
value = col("id").cast("string")
for _ in range(4):
    value = sha2(value, 512)
spark.range(0, rows, 1, 32).select(value.alias("value")).sort("value").write.text(sys.argv[2])
spark.stop()
