#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# startup.sh: what HyCache adds to the start of a DataNode that has very many blocks (needs root).
#
#   startup.sh [options]
#     --blocks N   replicas on DISK; each with its checksum file on SSD, every tenth with its data,
#                  all with heat from before                                    1000000
#     --reps N     starts with and without the plugin, in turn                        3
#     --heap MB    of the DataNode                                                 2048
#     --out DIR    logs and results                  results/startup-<date and time>
#
# One DataNode, page cache dropped before each start. The devices are fast: at 170 operations a second
# HDFS's own walk over the HDD takes longer than all else, and differs from start to start by more than is
# measured here. Counted from the start of the process: "reported" until the NameNode has its first full
# block report, with the plugin also "warm" until all clean copies serve again and the policy knows their
# heat. "walk" is what HDFS itself says that it walked over its volumes, the same code in both; it differs by
# seconds from start to start, so what is left without it is the figure to compare. The blocks are sparse
# files that are not in the namespace; the NameNode is configured to delete none of them.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

BLOCKS=1000000 REPS=3 HEAP=2048 OUT=$(new_results startup)
read_options --blocks=BLOCKS --reps=REPS --heap=HEAP --out=OUT -- "$@"
need_root
need jq java curl python3
export HYC_DATANODES=1
DATANODES=1

at_end cluster_down

# logged PATTERN FROM_LINE: the first log line of that kind.
logged() { awk -v pattern="$1" -v from="$2" 'NR >= from && $0 ~ pattern {print; found = 1; exit} END {exit !found}' "$LOGS/dn1.log"; }
# seconds_to PATTERN FROM_LINE: from the start of the DataNode to that line.
seconds_to() {
  local begun at
  begun=$(logged 'STARTUP_MSG' "$2") at=$(logged "$1" "$2")
  awk -v a="$(date -d "$(cut -c1-19 <<<"$begun")" +%s)${begun:19:4}" -v b="$(date -d "$(cut -c1-19 <<<"$at")" +%s)${at:19:4}" \
    'BEGIN {sub(",", ".", a); sub(",", ".", b); printf "%.2f", b - a}'
}

REPORTED='Successfully sent block report' WALKED='Total time to add all replicas' WARM='restored heat'

start_once() { # SETUP
  local from warm=null reported walk
  # Killed, so that each start looks at all files. The NameNode stays: a DataNode that starts with it may ask
  # too early and then waits a second.
  "$IT_DIR/cluster.sh" kill dn1
  from=$(($(wc -l <"$LOGS/dn1.log") + 1))
  drop_caches
  "$IT_DIR/cluster.sh" restart-dn 1 "$1"
  wait_for 300 "the first block report" logged "$REPORTED" "$from" >/dev/null
  reported=$(seconds_to "$REPORTED" "$from")
  walk=$(logged "$WALKED" "$from" | sed -nE 's/.*: ([0-9]+)ms$/\1/p')
  if [ "$1" = hycache ]; then
    wait_for 300 "the heat of before" logged "$WARM" "$from" >/dev/null
    warm=$(seconds_to "$WARM" "$from")
    tail -n "+$from" "$LOGS/dn1.log" | grep -E '(scanned block pool|took up)' >>"$OUT/took.log"
  fi
  record setup="$1" rep:="$REP" reported:="$reported" warm:="$warm" walk_ms:="$walk" blocks:="$BLOCKS" commit="$COMMIT"
  tail -1 "$OUT/run.jsonl"
}

hadoop_home
begin_results run.jsonl
fresh_devices --inode-bytes 4096 --hdd-size $((BLOCKS * 12000)) --ssd-size $((BLOCKS * 12000)) \
  --hdd-mbps 2000 --hdd-iops 200000 --ssd-mbps 2000 --ssd-iops 200000
"$IT_DIR/cluster.sh" start --setup disk
"$IT_DIR/cluster.sh" stop
note "making $BLOCKS blocks"
pool=$(basename "$(echo "$VOL"/dn1/hdd/data/current/BP-*)")
HYC_CLIENT_CP=$(plugin_jar) client MillionBlocks --disk "$VOL/dn1/hdd/data" --ssd "$VOL/dn1/ssd/data" --pool "$pool" --count "$BLOCKS"
# Once, so that nothing is measured of what the first start alone does.
"$IT_DIR/cluster.sh" start --setup disk --dn-heap "$HEAP" -D dfs.namenode.startup.delay.block.deletion.sec=86400
for REP in $(seq "$REPS"); do
  start_once disk
  start_once hycache
done
report startup "$OUT/run.jsonl"
