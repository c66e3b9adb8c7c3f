#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# hint-failures.sh: what a job with hints of its own sees when the hints fail, beside the same job with Hadoop's own client,
# on real processes and emulated devices (needs root; Spark and the generator of its data from PyPI).
#
#   hint-failures.sh [options]
#     --cases LIST   of those below                          none,absent,refused,namenode,datanode,failover
#     --clients LIST of those below                          plain,auto
#     --reps N       runs of each client in each case, alternating; medians are reported      3
#     -D KEY=VALUE   a property for all cases; repeatable
#     --out DIR      results                                 results/hint-failures-<date and time>
#
# The job: TeraValidate on YARN, a map for each of six files of 33 MB, two at a time; three DataNodes, replication 2. Once with
# Hadoop's own client (plain), once with HyCacheFileSystem and hycache.client.hints=auto (auto). Or two queries of TPC-H, scale
# factor 0.5, with Spark in one JVM and two threads: with Hadoop's own client (spark-plain), with HyCacheFileSystem and
# spark.sql.extensions (spark-auto), with Hadoop's own client and OpenLineage's listener and our transport (spark-lineage).
#   none       nothing fails
#   absent     no DataNode has the plugin
#   refused    service authorization: hadoop-policy.xml of the DataNodes lets nobody use HyCache's protocol
#   namenode   SIGKILL for the NameNode when the second container begins (the first map), or the first stage of Spark's first query,
#              then a start; clients try again (dfs.client.retry.policy.enabled)
#   datanode   SIGKILL for a DataNode at that moment; it comes back after the job
#   failover   two NameNodes: SIGKILL for the active one at that moment, and the other becomes active. The last case, as the
#              namespace keeps two NameNodes
# Reported for each: seconds of the command; submissions that DataNodes took; WARN and ERROR lines of HyCache's classes in the log of the job's client and in that of
# a container, the most of all; stack traces that HyCache logs, and those of others, such as HDFS's client that finds a DataNode dead, in all
# logs of a run, the most of all; failed runs. Ends with 1 if a run failed with auto and none with plain, if a client or a
# container had more than one such line, if HyCache logged a stack trace, or if a case was not what it says: nothing was killed, hints
# were not taken where nothing fails, or were taken in absent or refused. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib-spark.sh"

CASES=none,absent,refused,namenode,datanode,failover CLIENTS=plain,auto REPS=3 PROPERTIES=()
OUT=$(new_results hint-failures)
read_options --cases=CASES --clients=CLIENTS --reps=REPS --out=OUT -D=PROPERTIES+ -- "$@"
for s in ${CASES//,/ }; do
  has "$s" none,absent,refused,namenode,datanode,failover ||
    expected "--cases of none, absent, refused, namenode, datanode, failover" "'$s'"
done
for s in ${CLIENTS//,/ }; do
  has "$s" plain,auto,spark-plain,spark-auto,spark-lineage || expected "--clients of plain, auto, spark-plain, spark-auto, spark-lineage" "'$s'"
done
[[ $CASES != *failover,* ]] || expected "failover as the last of --cases" "'$CASES'"
need_root
need jq java curl python3 mvn

EXAMPLES=org.apache.hadoop.examples.terasort
ROWS=2000000 FILES=6 VICTIM=dn1 SCALE=0.5
OPENLINEAGE=$(sed -n 's/.*<openlineage.version>\(.*\)<.*/\1/p' "$ROOT_DIR/pom.xml")
LINEAGE_JAR=$IT_DIR/target/openlineage-spark_2.12-$OPENLINEAGE.jar
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

# spark_log: whole names of classes, in Hadoop's format.
spark_log() {
  cat >"$OUT/log4j2.properties" <<EOT
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{yyyy-MM-dd HH:mm:ss,SSS} %p %c: %m%n%ex
EOT
}

prepare() {
  fresh_devices --ssd-size 1G --hdd-size 3G
  start disk
  if [[ $CLIENTS == *spark* ]]; then
    spark_home
    [[ $CLIENTS != *lineage* ]] || [ -e "$LINEAGE_JAR" ] ||
      mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -DoutputDirectory="$IT_DIR/target" \
        -Dartifact="io.openlineage:openlineage-spark_2.12:$OPENLINEAGE" </dev/null >&2
    spark_log
    hdfs_dfs -mkdir -p /tpch
    hdfs_dfs -Ddfs.replication=2 -put "$(tpch_data "$SCALE")"/*/ /tpch
  fi
  hadoop $EXAMPLES.TeraGen -Dmapreduce.job.maps=2 -Ddfs.replication=1 -Ddfs.blocksize=$((128 << 20)) $ROWS /gen >>"$OUT/prepare.log" 2>&1
  hadoop $EXAMPLES.TeraSort -Dmapreduce.job.reduces=$FILES -Dmapreduce.terasort.output.replication=2 /gen /in >>"$OUT/prepare.log" 2>&1
  hdfs_dfs -rm -r -f -skipTrash /gen /in/_partition.lst >/dev/null
  "$IT_DIR/cluster.sh" settle
}

# ---------------------------------------------------------------- a run

# job CLIENT NUMBER: its log in $OUT.
job() { if [[ $1 == spark-* ]]; then spark_job "$@"; else mapreduce_job "$@"; fi; }
mapreduce_job() {
  local classes options=()
  classes=$(hadoop_cp "$CONF/client")
  if [ "$1" = auto ]; then
    classes+=:$(plugin_jar)
    options=(-Dfs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem -Dhycache.client.hints=auto
      "-Dmapreduce.application.classpath=$CONF/client,$HADOOP_HOME_DIR/share,$HADOOP_HOME_DIR/lib/*,$(plugin_jar)")
  fi
  java "${CLI_JVM[@]}" -cp "$classes" $EXAMPLES.TeraValidate "${options[@]}" /in "/out/$2" >"$OUT/$2.log" 2>&1
}

# Fails, too, if a result is not that of other runs.
spark_job() {
  local options=() jar
  jar=$(plugin_jar)
  case $1 in
    spark-auto)
      options=(--driver-class-path "$jar" --conf spark.hadoop.fs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem
        --conf spark.sql.extensions=io.hycache.hdfs.spark.HyCacheSparkExtension)
      ;;
    spark-lineage)
      options=(--driver-class-path "$jar:$LINEAGE_JAR" --conf spark.extraListeners=io.openlineage.spark.agent.OpenLineageSparkListener
        --conf spark.openlineage.transport.type=hycache)
      ;;
  esac
  HADOOP_CONF_DIR=$CONF/client spark_submit --master 'local[2]' --driver-memory 1g --conf spark.sql.shuffle.partitions=2 \
    --driver-java-options "${JVM_OPENS[*]} -Dlog4j2.configurationFile=file:$OUT/log4j2.properties" "${options[@]}" \
    "$IT_DIR/bench/tpch.py" /tpch 6,12 >"$OUT/$2.out" 2>"$OUT/$2.log" || return
  tpch_queries "$OUT/$2.out" | jq -c 'map(.md5)' >"$OUT/$2.md5"
  [ -e "$OUT/md5" ] || cp "$OUT/$2.md5" "$OUT/md5"
  cmp -s "$OUT/$2.md5" "$OUT/md5"
}

container_logs() { find "$HYC_WORK/nm/log" -path '*/container_*' -type f 2>/dev/null | sort; }
# second_container BEFORE: of an application that was not there before.
second_container() {
  applications | comm -13 "$1" - | grep -q .
}
applications() { find "$HYC_WORK/nm/log" -type d -name 'container_*_000002' 2>/dev/null | sort; }

# Stages 0 to 2 read the tables' schemas.
first_query() { grep -q 'Starting task .* in stage 3\.0' "$1" 2>/dev/null; }

# fail CASE ID: 2 if its moment did not come, and nothing was made to fail.
fail() {
  case $1 in
    namenode | datanode | failover) ;;
    *) return 0 ;;
  esac
  if [[ $2 == *spark-* ]]; then
    wait_for 90 "the first query" first_query "$OUT/$2.log" || return 2
  else
    wait_for 90 "the first map" second_container "$OUT/before" || return 2
  fi
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

# submitted: submissions that DataNodes took, by their audit lines. A start of a DataNode begins a new log.
submitted() { cat "$LOGS"/dn*.log | grep -c 'audit: allowed=true.*cmd=submit' || true; }
# traces FILE...: stack traces below a line of HyCache, and others.
traces() {
  cat "$@" | awk '/^[0-9-]+ [0-9:,]+ / {hycache = /io\.hycache/; inside = 0}
    /^[ \t]+at [a-z]/ {if (!inside) n[hycache]++; inside = 1} END {print n[1] + 0, n[0] + 0}'
}
most() { local n most=0; for n in "$@"; do [ "$n" -le "$most" ] || most=$n; done; echo "$most"; }

run() { # CASE CLIENT
  local id=$1-$2-$REP begun seconds code=0 failing injected=true file submissions counts=() logs=() ours others
  drop_caches
  applications >"$OUT/before"
  container_logs >"$OUT/logs-before"
  submissions=$(submitted)
  fail "$1" "$id" >>"$OUT/failures.log" 2>&1 &
  failing=$!
  begun=$(now_ns)
  job "$2" "$id" || code=$?
  seconds=$(seconds_since "$begun")
  wait "$failing" || { [ $? = 2 ] || die "$id: the failure failed, see $OUT/failures.log"; injected=false; }
  mapfile -t logs < <(container_logs | comm -13 "$OUT/logs-before" -)
  mkdir -p "$OUT/$id"
  for file in "${logs[@]}"; do
    counts+=("$(hycache_warnings "$file")")
    cp "$file" "$OUT/$id/$(basename "$(dirname "$file")")-$(basename "$file")"
  done
  cat "$OUT/$id.log" "${logs[@]}" | grep -hE 'io\.hycache' | sed -E 's/^[^a-zA-Z]*//' | sort | uniq -c >"$OUT/$id/hycache-lines" || true
  read -r ours others < <(traces "$OUT/$id.log" "${logs[@]}")
  record case="$1" client="$2" rep:="$REP" seconds:="$seconds" code:="$code" commit="$COMMIT" submissions:=$(($(submitted) - submissions)) containers:=${#logs[@]} \
    clientLines:="$(hycache_warnings "$OUT/$id.log")" containerLines:="$(most "${counts[@]}")" \
    traces:="$ours" otherTraces:="$others" injected:="$injected"
  note "$id: $(tail -1 "$OUT/run.jsonl" | jq -c '[.seconds, .code, .submissions, .clientLines, .containerLines, .traces, .otherTraces]')"
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
  job "${CLIENTS%%,*}" "$case-warm-up" # the first job on new daemons is slower
  hdfs_dfs -rm -r -f -skipTrash /out >/dev/null
  for REP in $(seq "$REPS"); do
    for client in $(in_turn "$CLIENTS" "$REP"); do run "$case" "$client"; done
  done
done
report hint-failures "$OUT/run.jsonl" | tee "$OUT/table.md"
