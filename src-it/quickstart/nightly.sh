#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# nightly.sh: the jobs that nightly.json describes. They know nothing of HyCache: "hycache run" puts
# a configuration with HyCacheFileSystem ahead of that in HADOOP_CLASSPATH, which, as JOB_LOG, the
# quick start sets. Stopped by a signal, it takes its job with it.
set -euo pipefail
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
trap 'exit 143' TERM

job() {
  java -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-opens=java.base/java.lang=ALL-UNNAMED \
    -Dquickstart.log="$JOB_LOG" -cp "$HADOOP_CLASSPATH" "org.apache.hadoop.examples.terasort.$1" "${@:2}" >>"$JOB_LOG" &
  wait $!
}

echo '    checksum of the input (TeraChecksum) ...'
job TeraChecksum /tera/in /tera/in-checksum
echo '    sort (TeraSort) ...'
job TeraSort /tera/in /tera/out
echo '    validate the output (TeraValidate) ...'
job TeraValidate /tera/out /tera/report
