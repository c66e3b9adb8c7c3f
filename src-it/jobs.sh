#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# jobs.sh: what a manifest brings to jobs, on real processes and emulated devices (needs root): from its submission to the
# last byte read, but with prefetched without the fetch, which is over when the clock starts.
#
#   jobs.sh [options]
#     --setups LIST  of those below                    disk,ssd,pagecache,once,prefetched,chain
#     --policy LIST  policies for the set-ups with the plugin                 heuristic
#     --ssd LIST     sizes of the SSDs for chain, % of the input, all DataNodes together      20,40,80
#     --job NAME     validate, which only reads, terasort or sort                         validate
#     --client W     who reads: hycache is fs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem, plain is Hadoop's own    hycache
#     --rows N       rows of 100 bytes of the input                               6000000
#     --chain N      jobs of chain and autochain                                        3
#     --block SIZE   block size of the input, in MB                              32
#     --reps N       repetitions, in alternating order; medians are reported      1
#     -D KEY=VALUE   a property for the set-ups with the plugin; repeatable
#     --keep         leave devices and input at the end, for a later run with --reuse
#     --reuse        the input that an earlier run kept
#     --out DIR      results                                         results/jobs-<date and time>
#
# The input: --rows, replication 2, all replicas on DISK: for validate and terasort sorted rows in six files, for
# sort random records in two. The job: TeraValidate, a map for each file, two at a time; TeraSort, or Hadoop's sort, with
# two reducers and an output of one replica, which goes where the set-up puts new replicas. HDDs of 25 MB/s with one head
# (disk.py), SSDs of 110 MB/s and 5,000 IOPS, on three DataNodes; README's defaults. Each set-up starts the daemons, and the
# page cache is dropped before each job.
#   disk        plain HDFS, input on DISK
#   ssd         plain HDFS, a copy of the input with the policy ALL_SSD
#   pagecache   plain HDFS; while the job starts, one replica of each block is read into the page cache, from all HDDs
#               at once: what a posix_fadvise on the DataNode that has the hint would bring, without the plugin
#   once        `hycache run` with a manifest that is true: the input is read once
#   prefetched  a manifest that promises two reads is submitted; the job starts when all copies are there, and neither
#               the seconds nor the bytes nor the copies of the fetch are in the figures
#   chain       --chain such jobs, one after the other, in one `hycache run` with "repeat" of their number, SSDs of a size of --ssd
#   auto        the job with HyCacheFileSystem and hycache.client.hints=auto, and no manifest
#   autochain   --chain such jobs with hints of their own, one after the other, SSDs of a size of --ssd
# Reported for each: seconds of the commands and, apart, of the jobs as YARN counts them; MB (2^20) that the HDDs and the
# SSDs were read; MB written to the SSDs, as the devices count them, and by the plugin's counters as read-ahead; copies
# made, evicted, and evicted unread. Bytes are exact; seconds are as good as the machine is idle. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SETUPS=disk,ssd,pagecache,once,prefetched,chain POLICIES=heuristic SIZES=20,40,80 JOB=validate CLIENT=hycache BLOCK=32 ROWS=6000000 CHAIN=3
REPS=1 KEEP=0 REUSE=0 INNER=() PROPERTIES=()
OUT=$(new_results jobs)
read_options --setups=SETUPS --policy=POLICIES --ssd=SIZES --job=JOB --client=CLIENT --block=BLOCK --rows=ROWS --chain=CHAIN --reps=REPS --keep=KEEP! \
  --reuse=REUSE! --out=OUT -D=PROPERTIES+ __jobs=INNER* -- "$@"
for s in ${SETUPS//,/ }; do
  has "$s" disk,ssd,pagecache,once,prefetched,chain,auto,autochain ||
    expected "--setups of disk, ssd, pagecache, once, prefetched, chain, auto, autochain" "'$s'"
done
has "$JOB" validate,terasort,sort || expected "--job validate, terasort or sort" "'$JOB'"
has "$CLIENT" hycache,plain || expected "--client hycache or plain" "'$CLIENT'"
need_root
need jq java curl python3

EXAMPLES=org.apache.hadoop.examples
FILES=6 REDUCES=2
INPUT='/in/part-r-*'
[ "$JOB" != sort ] || INPUT='/in/part-m-*'

# job CLASS ARGS...: a job of Hadoop's examples, its log in $OUT.
job() {
  hadoop "$EXAMPLES.$1" "${@:2}" >>"$OUT/jobs.log" 2>&1 || { tail -5 "$OUT/jobs.log" >&2; die "job $1 failed, see $OUT/jobs.log"; }
}

# run_job CLIENT INPUT NUMBER: the job. Runs within `hycache run`, too: jobs.sh --job ... __jobs ...
run_job() {
  local classes class options=()
  classes=$(hadoop_cp "$CONF/client")
  if [ "$1" != plain ]; then
    classes+=:$(plugin_jar)
    options=("-Dhycache.client.hints=$([ "$1" = auto ] && echo auto || echo off)"
      -Dfs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem
      "-Dmapreduce.application.classpath=$CONF/client,$HADOOP_HOME_DIR/share,$HADOOP_HOME_DIR/lib/*,$(plugin_jar)")
  fi
  case "$JOB" in
    validate) class=terasort.TeraValidate ;;
    terasort) class=terasort.TeraSort options+=("-Dmapreduce.job.reduces=$REDUCES" -Dmapreduce.terasort.output.replication=1) ;;
    sort) class=Sort options+=(-Ddfs.replication=1 -r "$REDUCES") ;;
  esac
  java "${CLI_JVM[@]}" -cp "$classes" "$EXAMPLES.$class" "${options[@]}" "$2" "/out/$3" >>"$OUT/jobs.log" 2>&1 ||
    { tail -5 "$OUT/jobs.log" >&2; die "the job failed, see $OUT/jobs.log"; }
}

# chain CLIENT INPUT JOBS: jobs one after the other, the page cache dropped before each; a line with the seconds of each.
chain() {
  local n begin
  for n in $(seq "$3"); do
    drop_caches
    begin=$(now_ns)
    run_job "$1" "$2" "$n"
    seconds_since "$begin" >>"$OUT/seconds"
    echo >>"$OUT/seconds"
  done
}
if [ "${#INNER[@]}" -gt 0 ]; then
  # shellcheck disable=SC2034 # record's, of the script that runs this one
  COMMIT=none
  chain "${INNER[@]}"
  exit
fi

finish() { if [ "$KEEP" = 1 ]; then "$IT_DIR/cluster.sh" stop; else cluster_down; fi; }
at_end finish

# ---------------------------------------------------------------- what is counted

# counters: of all DataNodes together; zeros of plain HDFS.
counters() {
  local status='{"dataNodes": []}'
  [ "$1" = plain ] || status=$(hycache status --json 2>/dev/null) || die "hycache status does not answer"
  jq -c '[.dataNodes[].counters] as $all | {SsdBlocksPromoted: "promoted", SsdBytesPromoted: "promotedBytes", SsdBlocksEvicted: "evicted",
    SsdBlocksEvictedWithoutRead: "evictedUnread", SsdBytesReadAhead: "readAheadBytes", SsdReadAheadEvictedWithoutRead: "readAheadUnread",
    SsdBytesRead: "fromSsdBytes", DiskBytesRead: "fromDiskBytes"} | with_entries({key: .value, value: ([$all[][.key] // 0] | add // 0)})' <<<"$status"
}

# job_seconds JOBS: of the last jobs, as the ResourceManager counts them, the sum.
job_seconds() {
  curl -sf "http://127.0.0.1:$RM_HTTP/ws/v1/cluster/apps" |
    jq --argjson jobs "$1" '[.apps.app | sort_by(.startedTime) | .[-$jobs:][].elapsedTime] | add / 1000'
}

# measured PLUGIN SETUP POLICY SIZE JOBS COMMAND...: runs the command, and records what it cost.
measured() {
  local plugin=$1 setup=$2 policy=$3 size=$4 jobs=$5 devices counted begin seconds
  shift 5
  drop_caches
  : >"$OUT/seconds"
  counted=$(counters "$plugin") devices=$(device_counters)
  begin=$(now_ns)
  "$@"
  seconds=$(seconds_since "$begin")
  sync_volumes
  record job="$JOB" setup="$setup" policy="$policy" ssdPercent:="$size" client="$CLIENT" blockMb:="$BLOCK" rep:="$REP" jobs:="$jobs" \
    seconds:="$seconds" jobSeconds:="$(job_seconds "$jobs")" eachSeconds:="$(jq -cs . "$OUT/seconds")" inputBytes:=$((ROWS * 100)) \
    commit="$COMMIT" "$(minus "$(device_counters)" "$devices")" "$(minus "$(counters "$plugin")" "$counted")"
  note "$setup $policy $size%: $(tail -1 "$OUT/run.jsonl" |
    jq -c '[.seconds, .jobSeconds, (.hddBytesRead, .ssdBytesRead, .ssdBytesWritten | . / 1048576 | floor), .promoted, .evicted, .evictedUnread]')"
  # What a NameNode forgets before it is sent to the DataNodes stays on their volumes: all is sent before the next start.
  hdfs_dfs -rm -r -f -skipTrash /out >/dev/null
  "$IT_DIR/cluster.sh" settle
}

# ---------------------------------------------------------------- set-ups

start() { "$IT_DIR/cluster.sh" stop; "$IT_DIR/cluster.sh" start --yarn --setup "$@"; }

# start_empty POLICY SSD_BYTES: the plugin on SSDs with nothing on them; 0 is the whole device.
start_empty() {
  local property options=()
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  "$IT_DIR/cluster.sh" stop
  empty_cache
  start hycache -D hycache.policy="$1" -D hycache.ssd.capacity="$2" "${options[@]}"
  # Checksum files are copied ahead by themselves: that is not what is measured.
  wait_for 60 "checksum files on SSD" quiet
}
quiet() {
  local now
  now=$(hyc_sum checksumBytes) || return 1
  [ "$now" != 0 ] && [ "$now" = "${QUIET_BEFORE:-}" ] && idle && return
  QUIET_BEFORE=$now
  return 1
}

prepare() {
  fresh_devices --one-head yes --hdd-mbps 25 --ssd-mbps 110 --ssd-iops 5000 --ssd-size 1G --hdd-size 3G
  start disk -D dfs.blocksize=$((BLOCK << 20))
  if [ "$JOB" = sort ]; then
    job RandomWriter -Dmapreduce.randomwriter.mapsperhost=2 -Dmapreduce.randomwriter.bytespermap=$((ROWS * 50)) -Ddfs.replication=2 /in
    "$IT_DIR/cluster.sh" settle
    return
  fi
  job terasort.TeraGen -Dmapreduce.job.maps=2 -Ddfs.replication=1 "$ROWS" /gen
  job terasort.TeraSort -Dmapreduce.job.reduces=$FILES -Dmapreduce.terasort.output.replication=2 /gen /in
  # TeraSort's partitions have ten replicas, which three DataNodes never hold.
  hdfs_dfs -rm -r -f -skipTrash /gen /in/_partition.lst >/dev/null
  "$IT_DIR/cluster.sh" settle
}

# into_page_cache: one replica of each block of the input, as BlockBalancer chooses among its holders.
into_page_cache() {
  find "$VOL"/dn*/hdd -path '*/finalized/*' -name 'blk_*' ! -name '*.meta' -size +1M | python3 -c '
import collections, os, sys
holders = collections.defaultdict(list)
for path in map(str.strip, sys.stdin):
    holders[os.path.basename(path)].append(path)
chosen = collections.defaultdict(list)
for block in sorted(holders):
    path = min(holders[block], key=lambda p: (len(chosen[p.split("/hdd/")[0]]), p))
    chosen[path.split("/hdd/")[0]].append(path)
for paths in chosen.values():
    print(" ".join(paths))' >"$OUT/pagecache"
  local paths
  # shellcheck disable=SC2086 # a word for each file
  while read -r paths; do cat $paths >/dev/null & done <"$OUT/pagecache"
}
ahead_in_page_cache() {
  drop_caches
  local begin
  begin=$(now_ns)
  into_page_cache
  run_job plain /in 1
  seconds_since "$begin" >>"$OUT/seconds"
  echo >>"$OUT/seconds"
}

plain() {
  local s
  for s in disk ssd pagecache; do
    if has "$s" "$SETUPS"; then
      # A job on daemons that have run one is up to 2 s faster: each set-up has its own.
      start disk -D dfs.blocksize=$((BLOCK << 20))
      "plain_$s"
    fi
  done
}
plain_disk() { measured plain disk - 0 1 chain plain /in 1; }
plain_pagecache() { measured plain pagecache - 0 1 ahead_in_page_cache; }
plain_ssd() {
  hdfs_dfs -mkdir -p /ssd
  hadoop org.apache.hadoop.hdfs.tools.StoragePolicyAdmin -setStoragePolicy -path /ssd -policy ALL_SSD >/dev/null
  hdfs_dfs -cp "$INPUT" /ssd
  measured plain ssd - 100 1 chain plain /ssd 1
  hdfs_dfs -rm -r -f -skipTrash /ssd >/dev/null
  "$IT_DIR/cluster.sh" settle
}

# run_jobs JOBS: in `hycache run` with a manifest that is true.
run_jobs() {
  manifest jobs "$1" sequential "$INPUT" >"$OUT/manifest.json"
  hycache run "$OUT/manifest.json" -- "${BASH_SOURCE[0]}" --job "$JOB" --out "$OUT" __jobs "$CLIENT" /in "$1" >>"$OUT/hycache.log" 2>&1 ||
    { tail -5 "$OUT/hycache.log" >&2; die "hycache run failed, see $OUT/hycache.log"; }
}

once() { # POLICY
  start_empty "$1" 0
  measured hycache once "$1" 100 1 run_jobs 1
}

prefetched() { # POLICY
  start_empty "$1" 0
  manifest jobs 2 sequential "$INPUT" >"$OUT/manifest.json"
  hycache submit "$OUT/manifest.json" >>"$OUT/hycache.log" 2>&1
  all_copied() { at_least cleanBytes $((ROWS * 100)) && idle; }
  wait_for 180 "copies of all blocks" all_copied || note "goes on with $(hyc_sum cleanBytes) bytes of copies"
  measured hycache prefetched "$1" 100 1 chain "$CLIENT" /in 1
}

automatic() { # POLICY
  start_empty "$1" 0
  measured hycache auto "$1" 100 1 chain auto /in 1
}

chained() { # SETUP POLICY COMMAND...
  local size
  for size in ${SIZES//,/ }; do
    start_empty "$2" $((ROWS * size / DATANODES))
    measured hycache "$1" "$2" "$size" "$CHAIN" "${@:3}"
  done
}

with_plugin() {
  local policy
  for policy in ${POLICIES//,/ }; do
    if has once "$SETUPS"; then once "$policy"; fi
    if has prefetched "$SETUPS"; then prefetched "$policy"; fi
    if has chain "$SETUPS"; then chained chain "$policy" run_jobs "$CHAIN"; fi
    if has auto "$SETUPS"; then automatic "$policy"; fi
    if has autochain "$SETUPS"; then chained autochain "$policy" chain auto /in "$CHAIN"; fi
  done
}

hadoop_home
plugin_jar >/dev/null
begin_results run.jsonl
[ "$REUSE" = 1 ] || prepare
for REP in $(seq "$REPS"); do
  if [ $((REP % 2)) = 1 ]; then plain; with_plugin; else with_plugin; plain; fi
done
report jobs "$OUT/run.jsonl" | tee "$OUT/table.md"
