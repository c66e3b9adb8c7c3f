#!/usr/bin/env bash
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
need jq curl

SAMPLER=''
finish() {
  [ -z "$SAMPLER" ] || kill "$SAMPLER" 2>/dev/null || true
  cluster_down
}
trap finish EXIT

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
  local nanos=$(($(date +%s%N) - $2)) bytes=$(($(read_from_ssd) - $3))
  awk -v name="$1" -v nanos="$nanos" -v bytes="$bytes" -v mbps="$SSD_MBPS" -v copies="$(hyc_sum SsdCopiesScrubbed)" -v scrubbed="$(hyc_sum SsdBytesScrubbed)" 'BEGIN {
    s = nanos / 1e9
    printf "%-8s seconds=%.1f read_from_ssd=%d MB_per_s=%.2f share_of_bandwidth=%.3f%% copies_verified=%d bytes_scrubbed=%d\n",
      name, s, bytes, bytes / s / 1e6, 100 * bytes / s / 1e6 / mbps, copies, scrubbed
  }' | tee -a "$OUT/table.txt"
}

# watch NAME: a line of the next --seconds.
watch() {
  local begun before
  begun=$(date +%s%N) before=$(read_from_ssd)
  sleep "$WATCHED"
  line "$1" "$begun" "$before"
}

# sample: the time and the bytes read from SSD so far, every half second, into samples.txt.
sample() { while sleep 0.5; do echo "$(date +%s%N) $(read_from_ssd)"; done >"$OUT/samples.txt"; }
# busiest NAME: the five seconds of samples.txt with most bytes.
busiest() {
  awk -v name="$1" -v mbps="$SSD_MBPS" '
    {
      at[NR] = $1; bytes[NR] = $2
      if (NR > 10 && (rate = (bytes[NR] - bytes[NR - 10]) * 1000 / (at[NR] - at[NR - 10])) > most) most = rate
    }
    END { printf "%-8s busiest_5_s: MB_per_s=%.2f share_of_bandwidth=%.1f%%\n", name, most, 100 * most / mbps }
  ' "$OUT/samples.txt" | tee -a "$OUT/table.txt"
}

hadoop_home
mkdir -p "$OUT"
rm -f "$OUT"/*
"$IT_DIR/devices.sh" down
"$IT_DIR/devices.sh" up --ssd-mbps "$SSD_MBPS" >/dev/null
"$IT_DIR/cluster.sh" format
start 504
clean_copies /clean $((FILES / 4))
[ "$(device cleanBytes)" = $((FILES << 26)) ] || die "only $(device cleanBytes) bytes are clean copies"

"$IT_DIR/cluster.sh" stop
before=$(read_from_ssd) begun=$(date +%s%N)
sample &
SAMPLER=$!
start 1
wait_for 120 "the copies are verified" at_least SsdCopiesScrubbed "$FILES"
kill "$SAMPLER"
SAMPLER=''
line start "$begun" "$before"
busiest start

# The first turn begins a hundredth of the period after the start.
wait_for 120 "the first copy's turn" at_least SsdCopiesScrubbed $((FILES + 1))
watch hourly

"$IT_DIR/cluster.sh" stop
start 504
wait_for 120 "the copies are verified" at_least SsdCopiesScrubbed "$FILES"
watch default
