#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# space.sh: does the SSD's space add up, and is it found when it is needed? On real processes (needs root).
#
#   space.sh [options]
#     --out DIR     where the figures go                 results/space
#
# One DataNode with an SSD of 1 GB. It is filled with clean copies; then
#   ledger      what HyCache counts (replicas, clean copies, checksum files) and what statfs says is used differ by
#               less than 1 % of the SSD, also with a foreign file on it
#   report      the NameNode counts clean copies as free room
#   directed    what the NameNode puts on SSD (ALL_SSD) finds the room made, though the file system has none
#   full        a foreign file takes all that is left: writes go on, to DISK
#   removed     with all files deleted nothing of ours is left on the SSD
# Prints a line for each; ends with 1 if one does not hold. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

OUT=$IT_DIR/results/space
read_options --out=OUT -- "$@"
need_root
need jq curl fallocate

at_end cluster_down

export HYC_DATANODES=1
DATANODES=1
SSD=$VOL/dn1/ssd
FAILED=0

fs() { df -B1 --output="$1" "$SSD" | tail -1 | tr -d ' '; }
ssd_stat() {
  jmx "$NN_HTTP" 'Hadoop:service=NameNode,name=BlockStats' |
    jq "[.beans[0].StorageTypeStats[] | select(.key == \"SSD\") | .value.$1][0] // 0"
}
holds() { # NAME CONDITION TEXT
  local verdict=holds
  [ "$2" = 1 ] || { verdict='DOES NOT HOLD'; FAILED=$((FAILED + 1)); }
  printf '%-9s %-14s %s\n' "$1" "$verdict" "$3" | tee -a "$OUT/table.txt"
}

# What the ledger says is used, and what the file system says beyond what it had when it was empty.
ledger() { # NAME FOREIGN_BYTES
  sync -f "$SSD"
  sync -f "$SSD"
  local ours used size
  ours=$(($(device dirtyBytes) + $(device ownerBytes) + $(device cleanBytes) + $(device checksumBytes)))
  used=$(($(fs used) - EMPTY - $2))
  size=$(fs size)
  local off=$((used - ours))
  holds "$1" $((${off#-} * 100 < size)) "ours=$ours used=$used difference=$off of $size"
}

hadoop_home
begin_results table.txt
rm -f "$OUT"/{own,full,full-own}.json
"$IT_DIR/devices.sh" down
"$IT_DIR/devices.sh" up --ssd-size 1G --hdd-size 4G >/dev/null
EMPTY=$(fs used)
"$IT_DIR/cluster.sh" format
"$IT_DIR/cluster.sh" start --setup hycache -D dfs.replication=1 -D hycache.demote.high=0.001 \
  -D hycache.demote.low=0
clean_copies /clean 4
ledger ledger 0
fallocate -l 20M "$SSD/foreign"
ledger foreign $((20 << 20))

clean=$(device cleanBytes)
agrees() { # the report that the NameNode has may be a heartbeat old
  local remaining=$(($(ssd_stat capacityRemaining) - clean - $(fs avail)))
  [ $((${remaining#-} * 100)) -lt "$(fs size)" ]
}
wait_for 20 "the report" agrees || true
holds report "$(agrees && echo 1 || echo 0)" \
  "remaining=$(ssd_stat capacityRemaining) available=$(fs avail) clean=$clean"

avail=$(fs avail)
bench write --path /own --files 8 --size $((64 << 20)) --replication 1 --threads 4 --policy ALL_SSD >"$OUT/own.json"
owned=$(device ownerBytes)
holds directed $((owned == 8 << 26 && avail < 8 << 26)) \
  "written=$((8 << 26)) on_ssd=$owned had_been_available=$avail failed=$(jq .failed "$OUT/own.json")"
wait_for 60 "rest" idle
ledger after $((20 << 20))

fallocate -l $(($(fs avail) - (1 << 20))) "$SSD/foreign-too"
bench write --path /full --files 4 --size $((64 << 20)) --replication 1 --threads 4 >"$OUT/full.json"
bench write --path /full-own --files 4 --size $((64 << 20)) --replication 1 --threads 4 --policy ALL_SSD >"$OUT/full-own.json"
holds full $(($(jq .failed "$OUT/full.json") + $(jq .failed "$OUT/full-own.json") == 0)) \
  "failed=$(jq .failed "$OUT/full.json") failed_all_ssd=$(jq .failed "$OUT/full-own.json") available=$(fs avail)"
rm "$SSD/foreign-too" "$SSD/foreign"

hdfs_dfs -rm -r -f -skipTrash /clean /own /full /full-own >/dev/null
"$IT_DIR/cluster.sh" settle
nothing() { [ "$(find "$SSD" -name 'blk_*' | wc -l)" = 0 ]; }
wait_for 30 "no block file" nothing || true
ledger removed 0
holds removed "$(nothing && echo 1 || echo 0)" "block_files=$(find "$SSD" -name 'blk_*' | wc -l)"
"$IT_DIR/cluster.sh" fsck
[ "$FAILED" = 0 ] || die "$FAILED do not hold"
