#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# hint-failures.sh: what a job with hints of its own sees when the hints fail, beside the same job with Hadoop's own client,
# on real processes and emulated devices (needs root).
#
#   hint-failures.sh [options]
#     --cases LIST   of those below                          none,absent,refused,namenode,datanode,failover
#     --reps N       runs of each client in each case, alternating; medians are reported      3
#     -D KEY=VALUE   a property for all cases; repeatable
#     --out DIR      results                                 results/hint-failures-<date and time>
#
# The job: TeraValidate on YARN, a map for each of six files of 33 MB, two at a time; three DataNodes, replication 2. Once with
# Hadoop's own client (plain), once with HyCacheFileSystem and hycache.client.hints=auto (auto).
#   none       nothing fails
#   absent     no DataNode has the plugin
#   refused    service authorization: hadoop-policy.xml of the DataNodes lets nobody use HyCache's protocol
#   namenode   SIGKILL for the NameNode when the second container begins (the first map), then a start; clients try again
#              (dfs.client.retry.policy.enabled)
#   datanode   SIGKILL for a DataNode at that moment; it comes back after the job
#   failover   two NameNodes: SIGKILL for the active one at that moment, and the other becomes active. The last case, as the
#              namespace keeps two NameNodes
# Reported for each: seconds of the command; WARN and ERROR lines of HyCache's classes in the log of the job's client and in that of
# a container, the most of all; stack traces that HyCache logs, and those of others, such as HDFS's client that finds a DataNode dead, in all
# logs of a run, the most of all; failed runs. Ends with 1 if a run failed with auto and none with plain, if a client or a
# container had more than one such line, or if HyCache logged a stack trace. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

CASES=none,absent,refused,namenode,datanode,failover REPS=3 PROPERTIES=()
OUT=$(new_results hint-failures)
read_options --cases=CASES --reps=REPS --out=OUT -D=PROPERTIES+ -- "$@"
for s in ${CASES//,/ }; do
  has "$s" none,absent,refused,namenode,datanode,failover ||
    expected "--cases of none, absent, refused, namenode, datanode, failover" "'$s'"
done
[[ $CASES != *failover,* ]] || expected "failover as the last of --cases" "'$CASES'"
need_root
need jq java curl python3

EXAMPLES=org.apache.hadoop.examples.terasort
ROWS=2000000 FILES=6 VICTIM=dn1
at_end cluster_down

start() { # SETUP OPTIONS...
  local property options=()
  # With two NameNodes clients try the other one.
  [[ $* == *--ha* ]] || options=(-D dfs.client.retry.policy.enabled=true)
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  "$IT_DIR/cluster.sh" stop
  "$IT_DIR/cluster.sh" start --yarn --setup "$@" -D dfs.blocksize=$((8 << 20)) "${options[@]}"
  # Whole names of classes, and HyCache's lines of INFO.
  sed -i 's/%c{1}/%c/' "$CONF/client/log4j.properties"
  echo log4j.logger.io.hycache=INFO >>"$CONF/client/log4j.properties"
}

prepare() {
  fresh_devices --ssd-size 1G --hdd-size 3G
  start disk
  hadoop $EXAMPLES.TeraGen -Dmapreduce.job.maps=2 -Ddfs.replication=1 -Ddfs.blocksize=$((128 << 20)) $ROWS /gen >>"$OUT/prepare.log" 2>&1
  hadoop $EXAMPLES.TeraSort -Dmapreduce.job.reduces=$FILES -Dmapreduce.terasort.output.replication=2 /gen /in >>"$OUT/prepare.log" 2>&1
  hdfs_dfs -rm -r -f -skipTrash /gen /in/_partition.lst >/dev/null
  "$IT_DIR/cluster.sh" settle
}

# ---------------------------------------------------------------- a run

# job CLIENT NUMBER: its log in $OUT.
job() {
  local classes options=()
  classes=$(hadoop_cp "$CONF/client")
  if [ "$1" = auto ]; then
    classes+=:$(plugin_jar)
    options=(-Dfs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem -Dhycache.client.hints=auto
      "-Dmapreduce.application.classpath=$CONF/client,$HADOOP_HOME_DIR/share,$HADOOP_HOME_DIR/lib/*,$(plugin_jar)")
  fi
  java "${CLI_JVM[@]}" -cp "$classes" $EXAMPLES.TeraValidate "${options[@]}" /in "/out/$2" >"$OUT/$2.log" 2>&1
}

container_logs() { find "$HYC_WORK/nm/log" -path '*/container_*' -type f 2>/dev/null | sort; }
# second_container BEFORE: of an application that was not there before.
second_container() {
  applications | comm -13 "$1" - | grep -q .
}
applications() { find "$HYC_WORK/nm/log" -type d -name 'container_*_000002' 2>/dev/null | sort; }

fail() { # CASE BEFORE
  case $1 in
    namenode | datanode | failover) wait_for 90 "the first map" second_container "$2" || return 0 ;;
    *) return 0 ;;
  esac
  case $1 in
    namenode)
      "$IT_DIR/cluster.sh" kill nn
      "$IT_DIR/cluster.sh" restart-nn
      ;;
    datanode) "$IT_DIR/cluster.sh" kill $VICTIM ;;
    failover)
      "$IT_DIR/cluster.sh" kill nn
      "$IT_DIR/cluster.sh" failover nn2
      ;;
  esac
}

# of_hycache FILE: its lines of warnings and errors.
of_hycache() { grep -cE ' (WARN|ERROR|FATAL) .*io\.hycache' "$1" || true; }
# traces FILE...: stack traces below a line of HyCache, and others.
traces() {
  cat "$@" | awk '/^[0-9-]+ [0-9:,]+ / {hycache = /io\.hycache/; inside = 0}
    /^[ \t]+at [a-z]/ {if (!inside) n[hycache]++; inside = 1} END {print n[1] + 0, n[0] + 0}'
}
most() { local n most=0; for n in "$@"; do [ "$n" -le "$most" ] || most=$n; done; echo "$most"; }

run() { # CASE CLIENT
  local id=$1-$2-$REP begun seconds code=0 failing file counts=() logs=() ours others
  drop_caches
  applications >"$OUT/before"
  container_logs >"$OUT/logs-before"
  fail "$1" "$OUT/before" >>"$OUT/failures.log" 2>&1 &
  failing=$!
  begun=$(now_ns)
  job "$2" "$id" || code=$?
  seconds=$(seconds_since "$begun")
  wait "$failing"
  mapfile -t logs < <(container_logs | comm -13 "$OUT/logs-before" -)
  mkdir -p "$OUT/$id"
  for file in "${logs[@]}"; do
    counts+=("$(of_hycache "$file")")
    cp "$file" "$OUT/$id/$(basename "$(dirname "$file")")-$(basename "$file")"
  done
  cat "$OUT/$id.log" "${logs[@]}" | grep -hE 'io\.hycache' | sed -E 's/^[^a-zA-Z]*//' | sort | uniq -c >"$OUT/$id/hycache-lines" || true
  read -r ours others < <(traces "$OUT/$id.log" "${logs[@]}")
  record case="$1" client="$2" rep:="$REP" seconds:="$seconds" code:="$code" commit="$COMMIT" containers:=${#logs[@]} \
    clientLines:="$(of_hycache "$OUT/$id.log")" containerLines:="$(most "${counts[@]}")" \
    traces:="$ours" otherTraces:="$others"
  note "$id: $(tail -1 "$OUT/run.jsonl" | jq -c '[.seconds, .code, .clientLines, .containerLines, .traces, .otherTraces]')"
  case $1 in
    namenode) wait_for 60 "end of safe mode" safe_mode_off ;;
    datanode) "$IT_DIR/cluster.sh" restart-dn "${VICTIM#dn}" ;;
    failover)
      "$IT_DIR/cluster.sh" restart-nn
      "$IT_DIR/cluster.sh" failover nn
      wait_for 60 "end of safe mode" safe_mode_off
      ;;
  esac
  hdfs_dfs -rm -r -f -skipTrash /out >/dev/null 2>&1
  # After a failover deletions wait for whole block reports.
  [ "$1" = failover ] || "$IT_DIR/cluster.sh" settle
}

refuse() {
  local i
  for i in $(seq "$DATANODES"); do
    site "$CONF/dn$i/hadoop-policy.xml" security.service.authorization.default.acl '*' security.hycache.client.protocol.acl nobody
    "$IT_DIR/cluster.sh" restart-dn "$i"
  done
}

hadoop_home
plugin_jar >/dev/null
begin_results run.jsonl
prepare
for case in ${CASES//,/ }; do
  case $case in
    absent) start disk ;;
    refused)
      start hycache -D hadoop.security.authorization=true
      refuse
      ;;
    failover) start hycache --ha ;;
    *) start hycache ;;
  esac
  REP=0
  job plain "$case-warm-up" # the first job on new daemons is slower
  hdfs_dfs -rm -r -f -skipTrash /out >/dev/null
  for REP in $(seq "$REPS"); do
    order='plain auto'
    [ $((REP % 2)) = 1 ] || order='auto plain'
    for client in $order; do run "$case" "$client"; done
  done
done
report hint-failures "$OUT/run.jsonl" | tee "$OUT/table.md"
