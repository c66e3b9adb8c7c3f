#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# sync-order.sh: proves with strace, on a real DataNode process, that a demotion unlinks the SSD
# source only after the copy on DISK is on the device (needs root and strace).
#
#   sync-order.sh [options]
#     --blocks N    blocks to write and to see demoted                            8
#     --out DIR     where the trace and the order of each block go  results/sync-order
#
# For each block these system calls must have ended, in this order, before the unlink of the SSD
# source: fsync of the data file on DISK, fsync of its checksum file, rename of both to their final
# names, fsync of the final directory. Prints a table, ends with 1 if a block breaks the order.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

BLOCKS=8 OUT=$IT_DIR/results/sync-order TRACER=''
read_options --blocks=BLOCKS --out=OUT -- "$@"
need_root
need strace jq python3

at_end cluster_down
at_end end_process TRACER

demoted() { at_least SsdBlocksDemoted "$1"; }

export HYC_DATANODES=1
DATANODES=1
hadoop_home
begin_results
rm -f "$OUT"/trace*
fresh_devices --ssd-size 1G --hdd-size 2G
# Everything written is demoted at once.
"$IT_DIR/cluster.sh" start --setup hycache -D dfs.replication=1 -D hycache.write.min-block-size=1MB \
  -D hycache.demote.high=0.001 -D hycache.demote.low=0
strace -f -y -qq -e trace=fsync,fdatasync,unlink,unlinkat,rename,renameat,renameat2 \
  -p "$(<"$RUN/dn1.pid")" -o "$OUT/trace" &
# shellcheck disable=SC2034 # end_process takes its name
TRACER=$!
bench write --path /sync --files "$BLOCKS" --size $((8 << 20)) --threads 2 >/dev/null
wait_for 120 "$BLOCKS demotions" demoted "$BLOCKS"
end_process TRACER

report sync-order "$OUT/trace" --ssd "$VOL/dn1/ssd/data/current" --hdd "$VOL/dn1/hdd/data" | tee "$OUT/order.txt"
