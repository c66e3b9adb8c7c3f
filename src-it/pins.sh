#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# pins.sh: unmodified jobs on data that cache directives pin, and on data that DataNodes advertise, beside plain HDFS, on
# real processes and emulated devices (needs root; Spark from PyPI).
#
#   pins.sh [options]
#     --setups LIST  of those below                        plain,pinned,advertised
#     --jobs LIST    mapreduce: TeraValidate; spark: a count of lines, on three workers    mapreduce,spark
#     --rows N       rows of 100 bytes of the input      6000000
#     --reps N       repetitions, in alternating order; medians are reported      1
#     -D KEY=VALUE   a property for daemons and jobs, such as Hadoop's dfs.client.read.use.cache.priority=true; repeatable
#     --out DIR      results                                         results/pins-<date and time>
#
# The input: --rows of sorted rows in six files, replication 2, all replicas on DISK. The jobs and their clients know
# nothing of HyCache: no JAR, no fs.hdfs.impl. HDDs of 25 MB/s with one head (disk.py), SSDs of 110 MB/s, on three
# DataNodes whose hosts have different names. The page cache is dropped before each job.
#   plain       plain HDFS
#   pinned      hycache.directives, and `hdfs cacheadmin -addDirective` for the input with replication 2
#   advertised  hycache.advertise.blocks; the input was read some times before by another plain client
# Reported: tasks, those for which the scheduler is given a host of a cached block, those that ran on one; MB (2^20) that the
# HDDs and the SSDs were read; seconds. MapReduce has one NodeManager, whose host has no DataNode's name: its tasks show
# no locality. All clients have the address 127.0.0.1, so that HDFS chooses any of a block's replicas for their reads.
# Environment: as cluster.sh; PYSPARK, the version of Spark (3.5.3).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib-spark.sh"

SETUPS=plain,pinned,advertised JOBS=mapreduce,spark REPS=1 ROWS=6000000 PROPERTIES=()
OUT=$(new_results pins)
read_options --setups=SETUPS --jobs=JOBS --rows=ROWS --reps=REPS --out=OUT -D=PROPERTIES+ -- "$@"
for s in ${SETUPS//,/ }; do has "$s" plain,pinned,advertised || expected "--setups of plain, pinned, advertised" "'$s'"; done
for s in ${JOBS//,/ }; do has "$s" mapreduce,spark || expected "--jobs of mapreduce, spark" "'$s'"; done
need_root
need jq java curl python3

FILES=6 BLOCK=$((32 << 20))
at_end cluster_down
job() { # CLASS ARGS...
  hadoop "org.apache.hadoop.examples.$1" "${@:2}" >>"$OUT/jobs.log" 2>&1 || { tail -5 "$OUT/jobs.log" >&2; die "job $1 failed, see $OUT/jobs.log"; }
}

start() {
  local property options=()
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  "$IT_DIR/cluster.sh" stop
  "$IT_DIR/cluster.sh" start --hosts --yarn -D dfs.blocksize=$BLOCK "${options[@]}" --setup "$@"
}

prepare() {
  fresh_devices --one-head yes --hdd-mbps 25 --ssd-mbps 110 --ssd-iops 5000 --ssd-size 1G --hdd-size 3G
  start disk
  job terasort.TeraGen -Dmapreduce.job.maps=2 -Ddfs.replication=1 "$ROWS" /gen
  job terasort.TeraSort -Dmapreduce.job.reduces=$FILES -Dmapreduce.terasort.output.replication=2 /gen /in
  hdfs_dfs -rm -r -f -skipTrash /gen /in/_partition.lst /in/_SUCCESS >/dev/null
  "$IT_DIR/cluster.sh" settle
}

# ---------------------------------------------------------------- jobs

# The ResourceManager's time of the last job, in seconds.
mapreduce() {
  job terasort.TeraValidate /in "/out/$1"
  curl -sf "http://127.0.0.1:$RM_HTTP/ws/v1/cluster/apps" | jq -c '{jobSeconds: ([.apps.app | sort_by(.startedTime) | .[-1].elapsedTime] | add / 1000)}'
}

spark() {
  local property options=() events=$OUT/events-$1
  for property in "${PROPERTIES[@]}"; do options+=(--conf "spark.hadoop.$property"); done
  mkdir -p "$events"
  spark_submit --master "spark://127.0.0.1:$SPARK_PORT" --driver-memory 600m --executor-memory 512m --executor-cores 1 \
    --conf spark.eventLog.enabled=true --conf "spark.eventLog.dir=file://$events" "${options[@]}" "$IT_DIR/bench/cached_tasks.py" "hdfs://127.0.0.1:$NN_RPC/in" \
    >"$OUT/spark-$1.out" 2>"$OUT/spark-$1.log" || { tail -5 "$OUT/spark-$1.log" >&2; die "Spark failed, see $OUT/spark-$1.log"; }
  # Where each task ran, and whether the host has its block in HDFS's cache.
  cat "$events"/* | jq -cs --argjson result "$(sed -n 's/^RESULT //p' "$OUT/spark-$1.out")" '
    [.[] | select(.Event == "SparkListenerTaskEnd") | .["Task Info"]] as $tasks | $result | .cachedHosts as $hosts |
    .tasksOnCachedHost = ([$tasks[] | . as $t | select($hosts[$t.Index] | index($t.Host))] | length) |
    .tasksLocal = ([$tasks[] | select(.Locality == "NODE_LOCAL" or .Locality == "PROCESS_LOCAL")] | length) | del(.cachedHosts)'
}

# measured SETUP: each job, and what it cost.
measured() {
  local j devices begin seconds result splits
  splits=$(client Splits /in)
  for j in ${JOBS//,/ }; do
    drop_caches
    devices=$(device_counters)
    begin=$(now_ns)
    result=$("$j" "$1-$j-$REP")
    seconds=$(seconds_since "$begin")
    sync_volumes
    record setup="$1" job="$j" rep:="$REP" seconds:="$seconds" inputBytes:=$((ROWS * 100)) commit="$COMMIT" "$splits" "$result" \
      "$(minus "$(device_counters)" "$devices")"
    note "$1 $j: $(tail -1 "$OUT/run.jsonl")"
  done
  hdfs_dfs -rm -r -f -skipTrash /out >/dev/null
  "$IT_DIR/cluster.sh" settle
}

# ---------------------------------------------------------------- set-ups

plain() {
  start disk
  measured plain
}

with_plugin() {
  "$IT_DIR/cluster.sh" stop
  empty_cache
  start hycache -D hycache.directives=true "$@"
}
cached_bytes() { hycache ls /in --json 2>/dev/null | jq '[.files[].cachedBytes] | add'; }

pinned() {
  with_plugin -D hycache.pins.share=0.9
  hadoop org.apache.hadoop.hdfs.tools.CacheAdmin -addPool jobs >/dev/null
  hadoop org.apache.hadoop.hdfs.tools.CacheAdmin -addDirective -path /in -pool jobs -replication 2 >/dev/null
  all_pinned() { at_least pinnedBytes $((ROWS * 200)) && idle; }
  wait_for 240 "pins of all blocks" all_pinned || note "goes on with $(hyc_sum pinnedBytes) bytes pinned"
  hadoop org.apache.hadoop.hdfs.tools.CacheAdmin -listDirectives -stats >>"$OUT/directives.log"
  measured pinned
  hadoop org.apache.hadoop.hdfs.tools.CacheAdmin -removePool jobs >/dev/null
}

advertised() {
  # Both replicas of a block are to have a copy: their readers have no host of their own.
  with_plugin -D hycache.pins.share=0.01 -D hycache.advertise.blocks=1000 -D hycache.policy=lru -D hycache.cooperation.hot-reads=1
  read_all() { hdfs_dfs -cat '/in/part-*' >/dev/null && [ "$(cached_bytes)" = $((ROWS * 100)) ]; }
  wait_for 300 "all blocks advertised" read_all || note "goes on with $(cached_bytes) bytes cached"
  measured advertised
}

hadoop_home
plugin_jar >/dev/null
begin_results run.jsonl
if has spark "$JOBS"; then spark_home; fi
prepare
if has spark "$JOBS"; then spark_up 600m; fi
for REP in $(seq "$REPS"); do
  for s in $(in_turn "$SETUPS" "$REP"); do "$s"; done
done
report pins "$OUT/run.jsonl" | tee "$OUT/table.md"
