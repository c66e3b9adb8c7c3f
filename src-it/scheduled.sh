#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# scheduled.sh: does the NameNode's count of scheduled blocks fail writes? On real processes (needs root).
#
#   scheduled.sh [options]
#     --hdd-size S   of each DataNode's HDD                                         1G
#     --ssd-size S   of each DataNode's SSD                                         2G
#     --times N      write this many times what the HDDs have free                  3
#     --out DIR      where the figures go                                           results/scheduled
#
# The NameNode takes what it has scheduled on DISK off what DISK has free. Guests are asked for on DISK and arrive on
# SSD. Two DataNodes, replication 2: files are written and deleted, a quarter of the HDDs' free space at a time, once
# with plain HDFS and once with HyCache, both within the NameNode's 20 minutes. Counts writes that failed and, after
# each round, blocks with fewer replicas than asked. Ends with 1 if HyCache has any where plain HDFS has none, or if
# it placed nothing on SSD. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

HDD_SIZE=1G SSD_SIZE=2G TIMES=3 OUT=$IT_DIR/results/scheduled
read_options --hdd-size=HDD_SIZE --ssd-size=SSD_SIZE --times=TIMES --out=OUT -- "$@"
need_root
need jq curl numfmt

at_end cluster_down

export HYC_DATANODES=2
DATANODES=2
FILE=$((64 << 20))

# too_few: blocks with fewer replicas than asked; fails if the NameNode does not say.
too_few() {
  jmx "$NN_HTTP" 'Hadoop:service=NameNode,name=FSNamesystem' | jq -e '.beans[0] | .UnderReplicatedBlocks + .PendingReplicationBlocks'
}
enough() { [ "$(too_few)" = 0 ]; }

# setup NAME: failed writes and blocks with too few replicas, summed over the rounds, into FAILED[NAME] and LOW[NAME]; blocks that
# HyCache placed on SSD, and how long it took, into ON_SSD and TOOK.
declare -A FAILED LOW
setup() {
  local failed=0 low=0 few written=0 begun=$SECONDS free files round=0 answer
  ON_SSD=0
  fresh_devices --hdd-size "$HDD_SIZE" --ssd-size "$SSD_SIZE"
  "$IT_DIR/cluster.sh" start --setup "$1" -D dfs.replication=2 -D dfs.blocksize=$((16 << 20)) \
    -D hycache.demote.high=1 -D hycache.demote.low=1
  free=$(df -B1 --output=avail "$VOL/dn1/hdd" | tail -1 | tr -d ' ')
  files=$((free / 4 / FILE))
  [ "$files" -gt 0 ] || die "--hdd-size $HDD_SIZE is too small"
  while [ "$written" -lt $((free * TIMES)) ]; do
    round=$((round + 1))
    bench write --path "/r$round" --files "$files" --size "$FILE" --replication 2 --threads 2 >"$OUT/$1-$round.json" || true
    answer=$(jq '.failed // 1' "$OUT/$1-$round.json")
    failed=$((failed + ${answer:-1}))
    # The second replica may be reported a moment after the client's close.
    few=0
    wait_for 2 "replicas" enough 2>/dev/null || few=$(too_few) ||
      die "expected the NameNode's number of blocks with too few replicas, found '$few'"
    low=$((low + few))
    written=$((written + files * FILE))
    hdfs_dfs -rm -r -f -skipTrash "/r$round" >/dev/null
    "$IT_DIR/cluster.sh" settle
  done
  [ "$1" != hycache ] || ON_SSD=$(hyc_total SsdBlocksWrite)
  FAILED[$1]=$failed LOW[$1]=$low TOOK=$((SECONDS - begun))
  printf '%-8s written=%s seconds=%s failed=%s too_few_replicas=%s on_ssd=%s\n' \
    "$1" "$(numfmt --to=iec "$written")" "$TOOK" "$failed" "$low" "$ON_SSD" | tee -a "$OUT/table.txt" >&2
  "$IT_DIR/cluster.sh" stop
}

hadoop_home
begin_results table.txt
rm -f "$OUT"/{disk,hycache}-[0-9]*.json
setup disk
setup hycache
[ "$TOOK" -lt 1200 ] || die "took $TOOK s: the NameNode had forgotten by then; give --times less"
[ "$ON_SSD" -gt 0 ] || die "nothing was placed on SSD"
[ "${FAILED[disk]}" -gt 0 ] || [ "${FAILED[hycache]}" = 0 ] || die "${FAILED[hycache]} writes failed, none with plain HDFS"
[ "${LOW[disk]}" -gt 0 ] || [ "${LOW[hycache]}" = 0 ] || die "${LOW[hycache]} blocks had too few replicas, none with plain HDFS"
note "no write failed and no block had too few replicas where plain HDFS had none"
