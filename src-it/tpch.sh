#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# tpch.sh: queries of TPC-H with Spark SQL, without a line of manifest, on real processes and emulated devices (needs root;
# Spark and the generator of the data from PyPI).
#
#   tpch.sh [options]
#     --setups LIST   of those below                           plain,lru,automatic,all_ssd
#     --scale N       scale factor of TPC-H; 1 is about 300 MB of Parquet in the tables that are read     4
#     --ssd N         size of the SSDs, % of the data, all DataNodes together; all_ssd has as much as it needs     30
#     --queries LIST  of 1, 3, 6, 12, 18; each pass runs them in this order      1,3,6,12,18
#     --passes N      passes of a set-up, one after the other; the copies on SSD stay      2
#     --policy NAME   policy of automatic                                   adaptive
#     --reps N        repetitions, in alternating order; medians are reported      1
#     -D KEY=VALUE    a property for the set-ups with the plugin; repeatable
#     --generate      only generate the data, and say where it is
#     --keep          leave devices and data at the end, for a later run with --reuse
#     --reuse         the data that an earlier run kept
#     --out DIR       results                                         results/tpch-<date and time>
#
# The data: customer, orders and lineitem, Parquet in eight files a table, replication 2, all replicas on DISK, blocks of
# 32 MB. HDDs of 25 MB/s with one head (disk.py), SSDs of 110 MB/s and 5,000 IOPS, on three DataNodes whose hosts have
# different names; a Spark worker of one core on each. Each set-up starts the daemons, each pass a Spark application. The page
# cache is dropped before each query.
#   plain      plain HDFS, Spark without HyCache
#   lru        hycache.policy=lru; Spark has HyCacheFileSystem, and spark.hycache.hints=off
#   automatic  --policy; Spark has HyCacheFileSystem and, as PySpark needs it, spark.sql.extensions; no manifest
#   all_ssd    plain HDFS, a copy of the data with the policy ALL_SSD
# Reported for each pass: seconds of the queries, together and one by one; MB (2^20) that the HDDs and the SSDs were read;
# queries hinted, replaced after a change of plan, and failed; the time that threads of Spark spent on the hints, all
# together and the longest. The results of all set-ups must be equal. Environment: as cluster.sh; PYSPARK, the version of
# Spark (3.5.3).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib-spark.sh"

SETUPS=plain,lru,automatic,all_ssd SCALE=4 SSD=30 QUERIES=1,3,6,12,18 PASSES=2 POLICY=adaptive REPS=1 PROPERTIES=()
GENERATE=0 KEEP=0 REUSE=0
OUT=$(new_results tpch)
read_options --setups=SETUPS --scale=SCALE --ssd=SSD --queries=QUERIES --passes=PASSES --policy=POLICY --reps=REPS --out=OUT \
  -D=PROPERTIES+ --generate=GENERATE! --keep=KEEP! --reuse=REUSE! -- "$@"
for s in ${SETUPS//,/ }; do
  has "$s" plain,lru,automatic,all_ssd || expected "--setups of plain, lru, automatic, all_ssd" "'$s'"
done
for s in ${QUERIES//,/ }; do has "$s" 1,3,6,12,18 || expected "--queries of 1, 3, 6, 12, 18" "'$s'"; done
[[ $SCALE =~ ^[0-9]+(\.[0-9]+)?$ ]] || expected "--scale with a number" "'$SCALE'"
need python3

BLOCK=$((32 << 20))
if [ "$GENERATE" = 1 ]; then
  DATA=$(tpch_data "$SCALE")
  du -sm "$DATA"/*
  exit
fi

need_root
need jq java curl
finish() { if [ "$KEEP" = 1 ]; then "$IT_DIR/cluster.sh" stop; else cluster_down; fi; }
at_end finish
# ---------------------------------------------------------------- data

start() { "$IT_DIR/cluster.sh" stop; "$IT_DIR/cluster.sh" start --hosts -D dfs.blocksize=$BLOCK --setup "$@"; }
data_bytes() { du -sbc "$DATA"/*/ | tail -1 | cut -f1; }

prepare() {
  # Room for two replicas of a copy on SSD, however they are spread, on each DataNode.
  local gigabytes=$((($(data_bytes) * 2 / DATANODES >> 30) + 2))
  fresh_devices --one-head yes --hdd-mbps 25 --ssd-mbps 110 --ssd-iops 5000 --ssd-size ${gigabytes}G --hdd-size $((gigabytes + 1))G
  start disk -D dfs.replication=2
  hdfs_dfs -mkdir -p /tpch
  hdfs_dfs -Ddfs.replication=2 -put "$DATA"/*/ /tpch
  "$IT_DIR/cluster.sh" settle
}

# ---------------------------------------------------------------- Spark

# pass SETUP PATH OPTIONS...: an application that runs the queries; what they and their hints took, as JSON.
pass() {
  local log=$OUT/spark-$1-$REP-$PASS path=$2 hints
  spark_submit --master "spark://127.0.0.1:$SPARK_PORT" --driver-memory 1g --executor-memory 1g --executor-cores 1 \
    --conf spark.sql.shuffle.partitions=6 \
    "${@:3}" "$IT_DIR/bench/tpch.py" "hdfs://127.0.0.1:$NN_RPC$path" "$QUERIES" >"$log.out" 2>"$log.log" ||
    { tail -5 "$log.log" >&2; die "Spark failed, see $log.log"; }
  # The extension's last line: name=number ...
  hints=$(sed -n 's/.*Hints of the queries of [^:]*: //p' "$log.log" | tail -1 | tr ' ' '\n' |
    jq -cRn '[inputs | select(test("=")) | split("=") | {key: .[0], value: (.[1] | tonumber)}] | from_entries')
  jq -cn --argjson queries "$(tpch_queries "$log.out")" --argjson hints "$hints" \
    '{queries: $queries, hints: $hints, seconds: ([$queries[].seconds] | add)}'
}

# measured SETUP POLICY PATH OPTIONS...: all passes, and what each cost.
measured() {
  local devices result
  for PASS in $(seq "$PASSES"); do
    drop_caches
    devices=$(device_counters)
    result=$(pass "$1" "${@:3}")
    sync_volumes
    record setup="$1" policy="$2" pass:="$PASS" rep:="$REP" scale:="$SCALE" ssdPercent:="$SSD" dataBytes:="$(data_bytes)" commit="$COMMIT" "$result" \
      "$(minus "$(device_counters)" "$devices")"
    note "$1 pass $PASS: $(tail -1 "$OUT/run.jsonl" | jq -c '[.seconds, (.hddBytesRead, .ssdBytesRead | . / 1048576 | floor), .hints]')"
  done
}

# ---------------------------------------------------------------- set-ups

# with_plugin SETUP POLICY HINTS
with_plugin() {
  local property options=() jar
  jar=$(plugin_jar)
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  "$IT_DIR/cluster.sh" stop
  empty_cache
  start hycache -D hycache.policy="$2" -D hycache.ssd.capacity=$(($(data_bytes) * SSD / 100 / DATANODES)) "${options[@]}"
  wait_for 60 "checksum files on SSD" quiet
  measured "$1" "$2" /tpch --conf spark.driver.extraClassPath="$jar" --conf spark.executor.extraClassPath="$jar" \
    --conf spark.hadoop.fs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem \
    --conf spark.sql.extensions=io.hycache.hdfs.spark.HyCacheSparkExtension --conf spark.hycache.hints="$3"
}
# Checksum files are copied ahead by themselves: that is not what is measured.
quiet() {
  local now
  now=$(hyc_sum checksumBytes) || return 1
  [ "$now" != 0 ] && [ "$now" = "${QUIET_BEFORE:-}" ] && idle && return
  QUIET_BEFORE=$now
  return 1
}
plain() {
  start disk
  measured plain - /tpch
}
lru() { with_plugin lru lru off; }
automatic() { with_plugin automatic "$POLICY" auto; }
all_ssd() {
  start disk
  hdfs_dfs -mkdir -p /ssd
  hadoop org.apache.hadoop.hdfs.tools.StoragePolicyAdmin -setStoragePolicy -path /ssd -policy ALL_SSD >/dev/null
  hdfs_dfs -Ddfs.replication=2 -put "$DATA"/*/ /ssd
  measured all_ssd - /ssd
  hdfs_dfs -rm -r -f -skipTrash /ssd >/dev/null
  "$IT_DIR/cluster.sh" settle
}

hadoop_home
plugin_jar >/dev/null
begin_results run.jsonl
spark_home
DATA=$(tpch_data "$SCALE")
[ "$REUSE" = 1 ] || prepare
spark_up 1200m
for REP in $(seq "$REPS"); do
  for s in $(in_turn "$SETUPS" "$REP"); do "$s"; done
done
report tpch "$OUT/run.jsonl" | tee "$OUT/table.md"
