#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# directory.sh: the directory of what is on which SSD, on real processes and emulated devices (needs root).
#
#   directory.sh [options]
#     --parts LIST   failures, traffic, locality, cooperation      all
#     --reps N       repetitions of locality; medians are reported   3
#     --mb N         input of TeraSort in the part locality       1024
#     --seed N       of contents and places                          1
#     --out DIR      results       results/directory-<date and time>
#
# failures: four DataNodes; all blocks of 64 files are looked up all the time (bench/DirectoryProbe.java) while one
#   DataNode is killed and started again, a fifth comes, two are stopped for good at once, and the NameNode
#   is away for a minute. For each: look-ups that got no answer, and how long until every DataNode's share is whole and
#   the directory says of every block what the DataNodes say of themselves.
# traffic: three DataNodes promote hinted blocks of 64 KB at 100 a second each (hycache.promote.bandwidth; devices
#   without limits): directory calls and bytes per DataNode, and what the NameNode was asked meanwhile.
# locality: TeraSort over input that is on DISK three times over and on SSD once, as its manifest asked
#   (hycache.hints.replicas=1), with hycache.client.locality off and prefer in turn; slow devices as in experiment.sh.
# cooperation: two readers without a manifest read files that are on DISK three times over, six times: plain clients, from
#   any replica, with hycache.cooperation.hot-reads 0 (no cooperation) and 8; then with 8 and HyCacheFileSystem. SSD bytes
#   spent on second copies, and the share of the bytes that came from SSD.
# run.jsonl has a line for each figure. Ends with 0 only if what was looked up is right in the end. Environment: as
# cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PARTS=failures,traffic,locality,cooperation REPS=3 MB=1024 SEED=1
OUT=$(new_results directory)
read_options --parts=PARTS --reps=REPS --mb=MB --seed=SEED --out=OUT -- "$@"
need_root
need jq java curl pkill python3

PROBE=''
at_end cluster_down
at_end end_process PROBE

JAR=$(plugin_jar)
export HYC_CLIENT_CP=$JAR

# dn_metric I NAME: of HyCache on DataNode I; nothing if it doesn't answer.
dn_metric() {
  jmx "$(dn_port "$1" 2)" 'Hadoop:service=DataNode,name=HyCache-*' | jq -r ".beans[0].$2 // empty" 2>/dev/null || true
}
# rpc_ops PORT RPC_PORT SERVICE: JSON of the calls of a daemon's RPC server by method, and its bytes.
rpc_ops() {
  local detailed activity
  detailed=$(jmx "$1" "Hadoop:service=$3,name=RpcDetailedActivityForPort$2")
  activity=$(jmx "$1" "Hadoop:service=$3,name=RpcActivityForPort$2")
  jq -n --argjson d "$detailed" --argjson a "$activity" \
    '($d.beans[0] | with_entries(select(.key | endswith("NumOps")) | .key |= rtrimstr("NumOps"))) +
     {received: $a.beans[0].ReceivedBytes, sent: $a.beans[0].SentBytes}'
}
changed() { minus "$1" "$2" | jq -c 'with_entries(select(.value != 0))'; } # JSON JSON: what differs

whole() { # MEMBERS DN...: these DataNodes know so many members, and have all of their shares
  local members=$1 i
  shift
  for i in "$@"; do
    [ "$(dn_metric "$i" DirectoryMembers)" = "$members" ] && [ "$(dn_metric "$i" DirectoryShardsPulling)" = 0 ] || return 1
  done
}
# right: the probe's last line was all right
right() { [ -s "$OUT/probe.jsonl" ] && tail -1 "$OUT/probe.jsonl" | jq -e '.unanswered == 0 and .missing == 0 and .stale == 0 and .copies > 0' >/dev/null; }

up() { # DEVICE_OPTIONS -- CLUSTER_OPTIONS
  local devices=()
  while [ "$1" != -- ]; do devices+=("$1"); shift; done
  shift
  "$IT_DIR/cluster.sh" stop
  fresh_devices --ram 16G "${devices[@]}"
  "$IT_DIR/cluster.sh" start "$@"
}

# ---------------------------------------------------------------- failures

# event WHAT MEMBERS DN... -- COMMAND...: does it, waits until all is whole and right, says how it went
event() {
  local what=$1 members=$2 nodes=() begin whole_at right_at from
  shift 2
  while [ "$1" != -- ]; do nodes+=("$1"); shift; done
  shift
  from=$(wc -l <"$OUT/probe.jsonl")
  begin=$(date +%s%3N)
  "$@"
  wait_for 120 "$what: $members members and whole shares" whole "$members" "${nodes[@]}"
  whole_at=$(date +%s%3N)
  wait_for 60 "$what: right answers" right
  right_at=$(date +%s%3N)
  figure failures "$what" "$(tail -n +$((from + 1)) "$OUT/probe.jsonl" |
    jq -s --argjson whole $((whole_at - begin)) --argjson right $((right_at - begin)) \
      '{wholeAfterMs: $whole, rightAfterMs: $right, lookups: (map(.lookups) | add), unanswered: (map(.unanswered) | add),
        slowestMs: (map(.slowestMs) | max), mostMissing: (map(.missing) | max), mostStale: (map(.stale) | max)}')"
}
kill_and_restart() {
  "$IT_DIR/cluster.sh" kill dn2
  sleep 5 # how long it is away
  HYC_DATANODES=4 "$IT_DIR/cluster.sh" restart-dn 2
}
two_go() {
  "$IT_DIR/cluster.sh" kill dn4
  "$IT_DIR/cluster.sh" kill dn5
}
without_namenode() {
  "$IT_DIR/cluster.sh" kill nn
  sleep 60 # how long it is away
  "$IT_DIR/cluster.sh" restart-nn
  wait_for 90 "end of safe mode" safe_mode_off
}
failures() {
  export HYC_DATANODES=5
  local hyc=(-D hycache.policy=lru -D hycache.demote.high=1 -D hycache.demote.low=1 -D hycache.write.min-block-size=0
    -D dfs.namenode.heartbeat.recheck-interval=5000)
  DATANODES=5
  up --ssd-size 1G --hdd-size 2G -- --setup hycache "${hyc[@]}"
  bench write --path /f --files 64 --size $((2 << 20)) --replication 2 --block $((2 << 20)) --seed "$SEED" >/dev/null
  client DirectoryProbe --path /f --seconds 3600 >"$OUT/probe.jsonl" 2>"$OUT/probe.log" &
  # shellcheck disable=SC2034 # end_process takes its name
  PROBE=$!
  wait_for 60 "the first right answers" right
  event "one of five goes for good" 4 1 2 3 4 -- "$IT_DIR/cluster.sh" kill dn5
  event "one of four is killed, and back after 5 s" 4 1 2 3 4 -- kill_and_restart
  event "a fifth comes" 5 1 2 3 4 5 -- "$IT_DIR/cluster.sh" restart-dn 5
  event "the NameNode is away for 60 s" 5 1 2 3 4 5 -- without_namenode
  event "two of five go for good" 3 1 2 3 -- two_go
  end_process PROBE
  hycache ls /f | tail -2
  hycache top
  export HYC_DATANODES=3
  DATANODES=3
}

# ---------------------------------------------------------------- traffic

clean_blocks() { hycache top --json 2>/dev/null | jq '[.dataNodes[] | .blocks] | add // 0'; }
traffic() {
  local count=9000 i before=() nn_before nn idle begin seconds promoted0 promoted
  up --ssd-size 2G --hdd-size 2G --hdd-mbps 4000 --hdd-iops 200000 --ssd-mbps 4000 --ssd-iops 200000 -- \
    --setup hycache -D hycache.policy=heuristic -D hycache.write.share=0 -D hycache.promote.bandwidth=8100k \
    -D hycache.checksum.share=0
  bench write --path /f --files 9 --size $((1000 * 65536)) --replication 3 --block 65536 --seed "$SEED" >/dev/null
  jq -n '{version: 1, workflow: "w", ttl: "1h", jobs: [{name: "j", repeat: 2, reads: [{path: "/f", access: "sequential"}]}]}' >"$OUT/w.json"
  nn_before=$(rpc_ops "$NN_HTTP" "$NN_RPC" NameNode)
  sleep 10 # an idle window
  idle=$(changed "$(rpc_ops "$NN_HTTP" "$NN_RPC" NameNode)" "$nn_before")
  figure traffic "NameNode's calls in 10 idle seconds" "$(jq -c '{calls: .}' <<<"$idle")"
  hycache submit "$OUT/w.json" >/dev/null
  sleep 3
  for i in 1 2 3; do before[i]=$(rpc_ops "$(dn_port "$i" 2)" "$(dn_port "$i" 1)" DataNode); done
  promoted0=$(hyc_total SsdBlocksPromoted)
  nn_before=$(rpc_ops "$NN_HTTP" "$NN_RPC" NameNode)
  begin=$(now_ns)
  sleep 15 # the window
  nn=$(changed "$(rpc_ops "$NN_HTTP" "$NN_RPC" NameNode)" "$nn_before")
  seconds=$(seconds_since "$begin")
  promoted=$(($(hyc_total SsdBlocksPromoted) - promoted0))
  figure traffic "promotions" "{\"promoted\": $promoted, \"seconds\": $seconds, \"perSecondAndDataNode\": $(awk -v p="$promoted" -v s="$seconds" 'BEGIN {printf "%.1f", p / s / 3}')}"
  figure traffic "NameNode's calls meanwhile" "$(jq -c '{calls: .}' <<<"$nn")"
  for i in 1 2 3; do
    figure traffic "dn$i: calls and bytes of its IPC server" \
      "$(changed "$(rpc_ops "$(dn_port "$i" 2)" "$(dn_port "$i" 1)" DataNode)" "${before[i]}" | jq -c --argjson s "$seconds" '{seconds: $s, calls: .}')"
  done
  jq -e '[keys[] | select(test("BlockReceived|BlockReport|SendHeartbeat|DatanodeReport|received|sent"; "i") | not)] == [] and (.BlockReceivedAndDeleted // 0) == 0' <<<"$nn" >/dev/null ||
    die "the NameNode was asked for more than heartbeats and members: $nn"
  all_promoted() { [ "$(clean_blocks)" -ge "$count" ]; }
  wait_for 120 "all promoted" all_promoted
}

# ---------------------------------------------------------------- locality

EXAMPLES=org.apache.hadoop.examples
# job CLASS ARGS...: with the plugin's JAR, so that fs.hdfs.impl can be ours
job() {
  local path="$CONF/client,$HADOOP_HOME_DIR/share,$HADOOP_HOME_DIR/lib/*,$JAR"
  local class=$1
  shift
  java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/client"):$JAR" "$class" -D mapreduce.application.classpath="$path" \
    -D yarn.application.classpath="$path" "$@" >>"$OUT/jobs.log" 2>&1 || { tail -5 "$OUT/jobs.log" >&2; die "$class failed, see $OUT/jobs.log"; }
}
all_clean() { [ "$(hycache top --json 2>/dev/null | jq '[.dataNodes[].cleanBytes] | add // 0')" -ge "$1" ]; }
locality() {
  local rep how fast slow begin seconds bytes
  up --ssd-size 2G --hdd-size 8G --hdd-mbps 25 --ssd-mbps 110 --ssd-iops 5000 -- --setup hycache --yarn \
    -D dfs.replication=3 -D hycache.policy=heuristic -D hycache.hints.replicas=1 -D hycache.write.share=0 -D hycache.checksum.share=0
  job $EXAMPLES.terasort.TeraGen -Dmapreduce.job.maps=2 $((MB * 1048576 / 100)) /tera
  bytes=$((MB * 1048576 / 100 * 100))
  manifest tera 100 sequential /tera >"$OUT/tera.json"
  hycache submit "$OUT/tera.json" >/dev/null
  wait_for 300 "the input on SSD" all_clean "$bytes"
  for rep in $(seq "$REPS"); do
    for how in $(in_turn off,prefer "$rep"); do
      hdfs_dfs -rm -r -f -skipTrash /out >/dev/null
      "$IT_DIR/cluster.sh" settle
      drop_caches
      fast=$(hyc_total SsdBytesRead)
      slow=$(hyc_total DiskBytesRead)
      begin=$(now_ns)
      job $EXAMPLES.terasort.TeraSort -D mapreduce.job.reduces=2 -D mapreduce.terasort.output.replication=1 \
        -D fs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem -D hycache.client.locality="$how" /tera /out
      seconds=$(seconds_since "$begin")
      fast=$(($(hyc_total SsdBytesRead) - fast))
      slow=$(($(hyc_total DiskBytesRead) - slow))
      figure locality "$how" "$(jq -n --argjson s "$seconds" --argjson f "$fast" --argjson d "$slow" --argjson rep "$rep" \
        '{rep: $rep, seconds: $s, ssdBytesRead: $f, diskBytesRead: $d, share: ($f / ($f + $d))}')"
    done
  done
  report locality "$OUT/run.jsonl"
}

# ---------------------------------------------------------------- cooperation

cooperation() {
  local hot how result fast slow
  for how in 0 8 8-ssd-first; do
    hot=${how%-ssd-first}
    up --ssd-size 2G --hdd-size 8G -- --setup hycache -D hycache.policy=lru -D hycache.write.share=0 \
      -D "hycache.cooperation.hot-reads=$hot" -D hycache.promote.bandwidth=1g -D hycache.promote.bandwidth.busy=1g
    bench write --path /f --files 48 --size $((16 << 20)) --replication 3 --block $((16 << 20)) --seed "$SEED" >/dev/null
    drop_caches
    fast=$(hyc_total SsdBytesRead)
    slow=$(hyc_total DiskBytesRead)
    if [ "$how" != "$hot" ]; then
      sed -i 's|</configuration>|<property><name>fs.hdfs.impl</name><value>io.hycache.hdfs.HyCacheFileSystem</value></property></configuration>|' "$CONF/client/core-site.xml"
    fi
    bench read --path /f --readers 2 --rounds 6 --seed "$SEED" >/dev/null
    wait_for 60 "the moves to end" idle
    sleep 3 # what was promoted last is announced within a second
    result=$(hycache top --json | jq -c '{bytes, duplicateBytes}')
    fast=$(($(hyc_total SsdBytesRead) - fast))
    slow=$(($(hyc_total DiskBytesRead) - slow))
    figure cooperation "hot-reads=$how" "$(jq -c --argjson f "$fast" --argjson s "$slow" --argjson left "$(hyc_total SsdPromotionsLeftToOthers)" '. + {fileBytes: (48 * 16 * 1048576), leftToOthers: $left, fromSsd: ($f / ($f + $s))}' <<<"$result")"
  done
}

begin_results
hadoop_home
for part in failures traffic locality cooperation; do
  if has "$part" "$PARTS"; then "$part"; fi
done
note "results: $OUT/run.jsonl"
