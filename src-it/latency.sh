#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# latency.sh: what background moves cost users, on real processes and emulated devices (needs root).
#
#   latency.sh [options]
#     --parts LIST   burst, foreground                          burst,foreground
#     --reps N       repetitions; medians are reported                         3
#     --seed N       of contents and offsets                                   1
#     --out DIR      results                     results/latency-<date and time>
#
# burst: 5 times the SSDs' size written at full speed by 4 threads, beside plain HDFS on DISK (the same
#   devices, one after the other, in alternating order): MB/s by second, p50, p99 and p99.9 of a write() of 1 MB or
#   a close(); then how fast the dirty replicas drain while nothing is written.
# foreground: 4 KB preads at random moments, 30 a second, over files that are on DISK only, the HDDs with one
#   head each (devices.sh --one-head yes): p99 while nothing moves, while dirty replicas are written to the
#   same HDDs, while other replicas are promoted from them, and both without back-off
#   (hycache.demote.bandwidth.busy and hycache.promote.bandwidth.busy as high as without .busy). All in
#   one run of the daemons: `hycache settings` starts the write-back by lowering the watermarks, a manifest
#   the promotions. Each is measured for 45 s after 5 s that are not; idle before each kind of move.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PARTS=burst,foreground REPS=3 SEED=1 OUT=$(new_results latency)
read_options --parts=PARTS --reps=REPS --seed=SEED --out=OUT -- "$@"
need_root
need jq java curl python3

at_end cluster_down

SSD_MB=640 # of the burst
FILES=$((5 * DATANODES * SSD_MB / 2 / 64)) # of one block; replication 2

# measured PART SETUP JSON
measured() {
  record part="$1" setup="$2" rep:="$REP" seed:="$SEED" commit="$COMMIT" "$3"
  note "$1, $2: $(jq -c 'del(.mbpsBySecond, .op, .files, .bytes)' <<<"$3")"
}

fresh() { # ONE_HEAD SETUP OPTIONS...
  "$IT_DIR/cluster.sh" stop
  fresh_devices --ssd-size "${SSD_MB}M" --hdd-size 4G --ram 16G --one-head "$1"
  shift
  "$IT_DIR/cluster.sh" start --setup "$@"
  bench write --path /warm --files 6 --size $((32 << 20)) >/dev/null
  hdfs_dfs -rm -r -f -skipTrash /warm >/dev/null
  "$IT_DIR/cluster.sh" settle
  drop_caches
}

burst() { # SETUP
  local begun before
  fresh no "$1"
  measured burst "$1" "$(bench write --path /burst --files "$FILES" --size $((64 << 20)) --threads 4 --seed "$SEED")"
  if [ "$1" = hycache ]; then
    before=$(hyc_total dirtyBytes)
    begun=$(now_ns)
    # Down to the low watermark.
    wait_for 300 "the dirty replicas to drain" at_most dirtyBytes $((DATANODES * SSD_MB * 3 / 10 << 20))
    measured drain hycache "$(jq -cn --argjson before "$before" --argjson after "$(hyc_total dirtyBytes)" \
      --argjson seconds "$(seconds_since "$begun" 3)" \
      '{beforeBytes: $before, afterBytes: $after, seconds: $seconds, mbpsPerHdd: (($before - $after) / 1e6 / $seconds / '"$DATANODES"')}')"
  fi
}

preads() { # SETUP KIND: and what was written to the devices of that kind meanwhile
  local before after
  drop_caches
  read -r _ before < <(device_bytes "$2")
  measured foreground "$1" "$(bench pread --path /cold --clients 4 --rate 30 --seconds 45 --warmup 5 --seed $((SEED + REP)) --drop-every 500)"
  read -r _ after < <(device_bytes "$2")
  measured foreground "$1: moved" "{\"movedBytes\": $((after - before))}"
}

# Dirty replicas on the SSDs, and nothing moves yet.
fill() {
  hycache settings hycache.demote.low=1 hycache.demote.high=1 hycache.write.share=0.9 >/dev/null
  bench write --path "/dirty/$1" --files $((DATANODES * SSD_MB * 7 / 10 / 2 / 64)) --size $((64 << 20)) --threads 4 >/dev/null
}
drain() { hycache settings hycache.demote.low=0 hycache.demote.high=0 "hycache.demote.bandwidth.busy=$1" >/dev/null; }
clear_dirty() {
  hycache settings hycache.demote.low=1 hycache.demote.high=1 hycache.write.share=0 >/dev/null
  hdfs_dfs -rm -r -f -skipTrash /dirty >/dev/null
  "$IT_DIR/cluster.sh" settle
}

foreground() {
  local SSD_MB=1500
  fresh yes hycache -D hycache.write.share=0 -D hycache.checksum.share=0 -D hycache.hints.replicas=2
  bench write --path /cold --files 24 --size $((32 << 20)) --threads 4 >/dev/null
  bench write --path /hot --files 30 --size $((64 << 20)) --threads 4 >/dev/null
  jq -n '{version: 1, workflow: "hot", ttl: "1h", jobs: [{name: "hot", repeat: 100, reads: [{path: "/hot"}]}]}' >"$OUT/hot.json"
  bench pread --path /cold --clients 4 --rate 30 --seconds 1 --warmup 10 --drop-every 500 >/dev/null
  preads idle hdd
  fill with
  drain 2MB
  preads 'write-back, with back-off' hdd
  clear_dirty
  fill without
  drain 64MB
  preads 'write-back, without back-off' hdd
  clear_dirty
  preads idle hdd
  hycache submit "$OUT/hot.json" >/dev/null
  preads 'promotions, with back-off' ssd
  hycache settings hycache.promote.bandwidth.busy=256MB >/dev/null
  preads 'promotions, without back-off' ssd
}

hadoop_home
begin_results run.jsonl
for REP in $(seq "$REPS"); do
  if has burst "$PARTS"; then
    for setup in $(in_turn disk,hycache "$REP"); do burst "$setup"; done
  fi
  if has foreground "$PARTS"; then foreground; fi
done
report latency "$OUT/run.jsonl" | tee "$OUT/table.txt"
