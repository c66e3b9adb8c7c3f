#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# scrub.sh: what the verification of clean copies takes of an SSD's bandwidth. On real processes (needs root).
#
#   scrub.sh [options]
#     --ssd-mbps N   MB/s (10^6) of the SSD                       500
#     --files N      clean copies of 64 MB, a multiple of 4        20
#     --seconds S    how long each steady state is watched        120
#     --out DIR      where the figures go                         results/scrub
#
# One DataNode. Files are written and demoted, and then the DataNode is restarted:
#   start     the copies that an earlier process left are verified, at hycache.scrub.bandwidth (its default)
#   hourly    all copies in turn, with the shortest scan period that HDFS knows (dfs.datanode.scan.period.hours = 1)
#   default   all copies in turn, with HDFS's default scan period (504 hours)
# Bytes are those that the kernel counts as read from the SSD's device, between start and end of each line; no client
# reads through HDFS meanwhile. Ends with 1 if a copy was not verified. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SSD_MBPS=500 FILES=20 WATCHED=120 OUT=$IT_DIR/results/scrub
read_options --ssd-mbps=SSD_MBPS --files=FILES --seconds=WATCHED --out=OUT -- "$@"
need_root
need jq curl python3

SAMPLER=''
at_end cluster_down
at_end end_process SAMPLER

export HYC_DATANODES=1
DATANODES=1

start() { # SCAN_PERIOD_HOURS
  drop_caches
  "$IT_DIR/cluster.sh" start --setup hycache -D dfs.replication=1 -D dfs.datanode.scan.period.hours="$1" \
    -D hycache.demote.high=0.001 -D hycache.demote.low=0
}
read_from_ssd() { device_bytes ssd | cut -d' ' -f1; }

# line NAME BEGUN_NANOS BYTES_BEFORE: what was read of the SSD since, and its share of the bandwidth.
line() {
  local seconds bytes=$(($(read_from_ssd) - $3))
  seconds=$(seconds_since "$2" 3)
  report scrub "$1" --ssd-mbps "$SSD_MBPS" --seconds "$seconds" --bytes "$bytes" --copies "$(hyc_total SsdCopiesScrubbed)" \
    --scrubbed "$(hyc_total SsdBytesScrubbed)" | tee -a "$OUT/table.txt"
}

# watch NAME: a line of the next --seconds.
watch() {
  local begun before
  begun=$(now_ns) before=$(read_from_ssd)
  sleep "$WATCHED"
  line "$1" "$begun" "$before"
}

# sample: the time and the bytes read from SSD so far, every half second, into samples.txt.
sample() { while sleep 0.5; do echo "$(now_ns) $(read_from_ssd)"; done >"$OUT/samples.txt"; }
# busiest NAME: the five seconds of samples.txt with most bytes.
busiest() { report busiest "$1" "$OUT/samples.txt" --ssd-mbps "$SSD_MBPS" | tee -a "$OUT/table.txt"; }

hadoop_home
begin_results table.txt samples.txt
fresh_devices --ssd-mbps "$SSD_MBPS"
start 504
clean_copies /clean $((FILES / 4))
[ "$(device cleanBytes)" = $((FILES << 26)) ] || die "only $(device cleanBytes) bytes are clean copies"

"$IT_DIR/cluster.sh" stop
before=$(read_from_ssd) begun=$(now_ns)
sample &
# shellcheck disable=SC2034 # end_process takes its name
SAMPLER=$!
start 1
wait_for 120 "the copies are verified" at_least SsdCopiesScrubbed "$FILES"
end_process SAMPLER
line start "$begun" "$before"
busiest start

# The first turn begins a hundredth of the period after the start.
wait_for 120 "the first copy's turn" at_least SsdCopiesScrubbed $((FILES + 1))
watch hourly

"$IT_DIR/cluster.sh" stop
start 504
wait_for 120 "the copies are verified" at_least SsdCopiesScrubbed "$FILES"
watch default
