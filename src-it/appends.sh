#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# appends.sh: appends and truncates against moves, beside the same on plain HDFS, on real processes
# (needs root).
#
#   appends.sh [options]
#     --operations N  appends and truncates of each set-up, one half with replication 1 and one with 2    20000
#     --threads N     clients                                                                               48
#     --pause MS      a client waits 0 to so many milliseconds between two changes of a file               120
#     --seed N        of the clients                                                                         1
#     --setups LIST   set-ups to run, separated by commas: plain,hycache                        plain,hycache
#     --out DIR       logs and results                     results/appends-<date and time>
#     --json FILE     the result as one JSON object goes there too
#     -D KEY=VALUE    a property of the cluster; repeatable
#
# Clients (bench/Appends.java) write files of some 100 KB in blocks of 1 MB, change each four times and compare
# every byte after each step. With HyCache everything is demoted at once (watermarks 0), the pace is not
# limited, the policy is lru and its part of the SSD small, with half of it kept free for writes, so that promotions and
# evictions go on as well.
# Prints a table of operations and failures by kind. Ends with 1 if a byte was wrong, if a block is missing or
# corrupt in the end, or if HyCache has more failures than plain HDFS.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

OPERATIONS=20000 THREADS=48 PAUSE=120 SEED=1 SETUPS=plain,hycache JSON=''
OUT=$(new_results appends)
PROPERTIES=()
read_options --operations=OPERATIONS --threads=THREADS --pause=PAUSE --seed=SEED --setups=SETUPS --out=OUT \
  --json=JSON -D=PROPERTIES+ -- "$@"
need_root
need jq java python3

at_end cluster_down

start() { # SETUP
  local options=() property
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  "$IT_DIR/cluster.sh" start --setup "$1" \
    -D hycache.write.min-block-size=64KB -D hycache.policy=lru -D hycache.ssd.capacity=128MB -D hycache.reserve.share=0.5 \
    -D hycache.demote.high=0 -D hycache.demote.low=0 -D hycache.demote.bandwidth.busy=1GB \
    -D hycache.demote.bandwidth=1GB "${options[@]}"
}

hadoop_home
begin_results runs.jsonl
code=0
IFS=, read -ra setups <<<"$SETUPS"
for setup in "${setups[@]}"; do
  fresh_devices --ssd-size 1G --hdd-size 4G
  start "$setup"
  for replication in 1 2; do
    note "$setup: $((OPERATIONS / 2)) operations, replication $replication"
    client Appends --path /appends --operations $((OPERATIONS / 2)) --threads "$THREADS" --pause "$PAUSE" \
      --replication "$replication" --seed "$SEED" >"$OUT/$setup-$replication.json" 2>"$OUT/$setup-$replication.log" || code=1
    jq -c --arg setup "$setup" '{setup: $setup} + .' "$OUT/$setup-$replication.json" >>"$OUT/runs.jsonl"
  done
  if [ "$setup" = hycache ]; then
    hycache status --json 2>/dev/null |
      jq -c '[.dataNodes[].counters // {} | to_entries[]] | group_by(.key) | map({(.[0].key): map(.value) | add}) | add' >"$OUT/counters.json"
  fi
  "$IT_DIR/cluster.sh" fsck / >"$OUT/fsck-$setup.txt" || { note "fsck is not HEALTHY, see $OUT/fsck-$setup.txt"; code=1; }
  "$IT_DIR/cluster.sh" stop
done
[ -e "$OUT/counters.json" ] || echo '{}' >"$OUT/counters.json"

report appends-verdict "$OUT/runs.jsonl" || code=1
report appends "$OUT/runs.jsonl"
jq -n -c --argjson code $code --arg commit "$(commit)" \
  --slurpfile runs "$OUT/runs.jsonl" --slurpfile counters "$OUT/counters.json" \
  '{op: "appends", runs: $runs, counters: $counters[0], exitCode: $code, commit: $commit}' >"$OUT/result.json"
[ -z "$JSON" ] || cp "$OUT/result.json" "$JSON"
jq -r '.counters | [.SsdBlocksWrite, .SsdBlocksDemoted, .SsdBlocksPromoted, .SsdBlocksEvicted, .MovesAbandoned, .MovesFailed, .ReplicasLookedUpAgain, .Failures]
  | "HyCache: written to SSD \(.[0]), demoted \(.[1]), promoted \(.[2]), evicted \(.[3]), moves abandoned \(.[4]), failed \(.[5]), looked up again \(.[6]), failures \(.[7])"' "$OUT/result.json"
exit $code
