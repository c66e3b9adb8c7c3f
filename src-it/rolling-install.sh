#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# rolling-install.sh: the plugin is installed and removed, one DataNode after the other, under load (needs root).
#
#   rolling-install.sh [options]
#     --nodes N      DataNodes                                  5
#     --settle S     seconds of load with the plugin on all    60
#     --seed N       of the clients                             1
#     --out DIR      logs and results         results/rolling-install-<date and time>
#     -D KEY=VALUE   a property of the cluster; repeatable
#
# DataNodes as separate processes start as plain HDFS without the JAR. Clients (bench/Steady.java, HDFS's default settings) write,
# read and delete all the time, and compare every byte. Each DataNode in turn is shut down for an upgrade and started with the
# plugin; after a while, each in turn is shut down and started without. The next one follows when the NameNode has the last one
# back and fsck is HEALTHY.
# Reported: errors of clients (0 expected); lines that each DataNode logged, by level, as plain HDFS, with the plugin, and after;
# names of metrics on /jmx and /prom before, with the plugin, and after; fsck; the MD5 of files written before.
# Ends with 0 only if no client had an error, no byte was wrong, no name of before is gone with the plugin or after it, none of ours
# is left after it, the plugin worked and counted no failure, and all is HEALTHY. Names of Hadoop's own that were not there before
# come with what they count, and are reported. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

DATANODES=5 SETTLE=60 SEED=1 PROPERTIES=()
OUT=$(new_results rolling-install)
read_options --nodes=DATANODES --settle=SETTLE --seed=SEED --out=OUT -D=PROPERTIES+ -- "$@"
export HYC_DATANODES=$DATANODES
need_root
need jq java curl

CLIENTS=''
at_end cluster_down
at_end end_process CLIENTS

hadoop_home
begin_results run.jsonl
FAILED=0
HYCACHE='hy_cache_|HyCache'

start() { # SETUP
  local options=() property
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  "$IT_DIR/cluster.sh" start --setup "$1" --dn-heap 256 -D hadoop.prometheus.endpoint.enabled=true -D dfs.replication=3 \
    -D dfs.blocksize=4194304 -D hycache.write.min-block-size=1MB -D hycache.policy=lru "${options[@]}"
}
check() { # WHAT COMMAND...
  local what=$1 result=ok
  shift
  "$@" >>"$OUT/checks.log" 2>&1 || { result=FAILED && FAILED=1; }
  printf '%-58s %s\n' "$what" "$result" | tee -a "$OUT/table.txt"
}
healthy() { "$IT_DIR/cluster.sh" fsck / >"$OUT/fsck.txt"; }

# ---------------------------------------------------------------- logs

# mark_log I PHASE: what dn$I logs from here on belongs to the phase.
mark_log() { echo "$1 $2 $(wc -l <"$LOGS/dn$1.log") $(date +%s)" >>"$OUT/phases"; }
# log_lines: a line for each DataNode and phase: seconds, lines by level, others (stack traces).
log_lines() {
  local i
  printf '%-6s %-8s %8s %6s %6s %6s %6s\n' node phase seconds INFO WARN ERROR other
  for i in $(seq "$DATANODES"); do
    awk -v node="dn$i" -v me="$i" -v end="$(date +%s)" '
      FNR == NR { if ($1 == me) { n++; phase[n] = $2; from[n] = $3; time[n] = $4 } next }
      { while (at < n && FNR > from[at + 1]) at++
        level = $3; if (level !~ /^(INFO|WARN|ERROR)$/) level = "other"
        count[at, level]++ }
      END { time[n + 1] = end
        for (p = 1; p <= n; p++)
          printf "%-6s %-8s %8d %6d %6d %6d %6d\n", node, phase[p], time[p + 1] - time[p], count[p, "INFO"], count[p, "WARN"], count[p, "ERROR"], count[p, "other"] }
      ' "$OUT/phases" "$LOGS/dn$i.log"
  done
}

# ---------------------------------------------------------------- names of metrics

# names I WHEN: the names that dn$I shows on /jmx and /prom, without what differs between two runs.
names() {
  local web http
  http=$(dn_port "$1" 2)
  web=http://127.0.0.1:$http
  curl -sf "$web/prom" | grep -v '^#' | sed 's/ [^ ]*$//; s/[0-9]\+/#/g' | sort -u >"$OUT/dn$1-$2.prom"
  curl -sf "$web/jmx" | jq -r '.beans[] | .name as $bean | keys[] | "\($bean) \(.)"' | sed 's/[0-9]\+/#/g' | sort -u >"$OUT/dn$1-$2.jmx"
}
# gone I WHEN: names of before that are not there. Some come only when what they count has happened.
gone_names() {
  names "$1" "$2"
  comm -23 "$OUT/dn$1-before.prom" "$OUT/dn$1-$2.prom"
  comm -23 "$OUT/dn$1-before.jmx" "$OUT/dn$1-$2.jmx"
}
added_names() {
  comm -13 "$OUT/dn$1-before.prom" "$OUT/dn$1-$2.prom"
  comm -13 "$OUT/dn$1-before.jmx" "$OUT/dn$1-$2.jmx"
}
none_gone() { [ -z "$(gone_names "$1" "$2")" ]; }
# compare_names WHEN: a line for each DataNode, and the names themselves in a file.
compare_names() {
  local i ours others
  for i in $(seq "$DATANODES"); do
    wait_for 60 "the names of before on dn$i" none_gone "$i" "$1" || FAILED=1
    gone_names "$i" "$1" >"$OUT/dn$i-$1.gone"
    added_names "$i" "$1" >"$OUT/dn$i-$1.added"
    ours=$(grep -cE "$HYCACHE" "$OUT/dn$i-$1.added") || true
    others=$(grep -cvE "$HYCACHE" "$OUT/dn$i-$1.added") || true
    printf 'names, %-12s dn%s: before %s, gone %s, ours %s, others %s\n' "$1" "$i" \
      "$(cat "$OUT/dn$i-before".{prom,jmx} | wc -l)" "$(wc -l <"$OUT/dn$i-$1.gone")" "$ours" "$others" | tee -a "$OUT/table.txt"
    record part=names when="$1" node="dn$i" gone:="$(wc -l <"$OUT/dn$i-$1.gone")" ours:="$ours" others:="$others"
    [ "$1" != after ] || [ "$ours" = 0 ] || FAILED=1
  done
}

# ---------------------------------------------------------------- one DataNode after the other

dn_stopped() { ! alive "dn$1"; }
# registered I: dn$I has a heartbeat with the NameNode.
registered() {
  jmx "$(dn_port "$1" 2)" 'Hadoop:service=DataNode,name=DataNodeInfo' |
    jq -e '.beans[0].BPServiceActorInfo | fromjson | .[0] | .ActorState == "RUNNING" and (.LastHeartbeat | tonumber) <= 3' >/dev/null
}
roll() { # SETUP PHASE
  local i begun
  for i in $(seq "$DATANODES"); do
    begun=$(now_ns)
    hadoop org.apache.hadoop.hdfs.tools.DFSAdmin -shutdownDatanode "127.0.0.1:$(dn_port "$i" 1)" upgrade >>"$OUT/admin.log" 2>&1
    wait_for 60 "dn$i to stop" dn_stopped "$i"
    mark_log "$i" "$2"
    "$IT_DIR/cluster.sh" restart-dn "$i" "$1"
    wait_for 60 "dn$i at the NameNode" registered "$i"
    wait_for 120 "a healthy file system" healthy || FAILED=1
    note "dn$i: $2, $(seconds_since "$begun") s"
  done
}

fresh_devices --ssd-size 640M --hdd-size 3G --dirty 0
: >"$OUT/phases"
start plain
for i in $(seq "$DATANODES"); do echo "$i plain 0 $(date +%s)" >>"$OUT/phases"; done
bench write --path /before --files 12 --size $((10 << 20)) --block 4194304 --seed "$SEED" --manifest "$OUT/before.md5" >/dev/null
client Steady --until "$OUT/over" --seed "$SEED" >"$OUT/clients.json" 2>"$OUT/clients.log" &
CLIENTS=$!
sleep 40
for i in $(seq "$DATANODES"); do names "$i" before; done
roll hycache plugin
sleep "$SETTLE"
compare_names plugin
hycache status --json >"$OUT/status.json"
for name in SsdBlocksWrite SsdBlocksDemoted SsdBlocksPromoted SsdBlocksReadHits Failures; do
  printf 'with the plugin: %s=%s\n' "$name" "$(hyc_total "$name")" | tee -a "$OUT/table.txt"
done
at_least SsdBlocksReadHits 1 || FAILED=1
[ "$(hyc_sum Failures)" = 0 ] || FAILED=1
roll plain after
sleep 40
compare_names after
touch "$OUT/over"
check 'clients: no error, no wrong byte' wait "$CLIENTS"
CLIENTS=''
tee -a "$OUT/table.txt" <"$OUT/clients.json"
record part=clients "$(cat "$OUT/clients.json")"
"$IT_DIR/cluster.sh" settle
check 'fsck: HEALTHY' healthy
check 'files of before: every byte' bench verify --manifest "$OUT/before.md5"
log_lines | tee -a "$OUT/table.txt"
mkdir -p "$OUT/log" && cp "$LOGS"/*.log "$OUT/log/"
exit $FAILED
