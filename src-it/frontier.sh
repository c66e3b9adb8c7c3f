#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# frontier.sh: without hints, disk seconds against bytes written to SSD: ours at all prices of SSD writes beside others.
#
#   frontier.sh [options]
#     --traces FILES     traces, CSV, separated by commas
#     --workloads LIST   of `generate`         loop,scan-polluted,zipf,zipf-drift,mixed-sizes,writes
#     --shape O:A        objects and accesses of a workload                               2000:40000
#     --seed N           of workloads and policies                                                 1
#     --capacity LIST    sizes of the SSD, % of the footprint                                 1,5,20
#     --prices LIST      of SSD writes, for policies that weigh them; 0 and 0.05 must be there   0,0.02,0.05,0.1,0.2,0.5,1,2,5,10,20,50
#     --policies LIST    beside adaptive          lru,arc,s3-fifo,sieve,lirs,w-tinylfu,reuse,hit-density,hit-value
#     --peak FILES       instead of all that: disk time at the peak for these traces, which have times; FORMAT:FILE
#                        for one that is no CSV, such as swim:FB-2010.tsv.gz
#     --window TIME      of which the busiest counts with --peak                                600s
#     --threads N        simulations at a time                                                     2
#     --out DIR          tables.md, JSON, plots           results/frontier-<date and time>
#
# Cost model: as `simulate --help` says. libCacheSim's LHD and GL-Cache (policies/costs.py) get the same accesses and
# pay the same; its LRU runs beside ours, and both must cost the same within 0.5 %.
#
# The frontier of a cell (a trace and a size): the lower convex hull of the points (SSD bytes, disk seconds) of adaptive
# at all prices and of no SSD at all. Each point of the hull can be had: some DataNodes at one price, some at the other.
# What it needs at W bytes is its lowest disk seconds at W bytes or fewer, linear between two points. A policy is below
# the frontier when that is more than 1.02 x the policy's own disk seconds. lhd-trained is no policy to run: it has
# learned from the same trace; it is shown, and no verdict counts it. reuse, hit-density and hit-value are ours and weigh the
# price, too: where one of them at some price is below the frontier is reported, and no verdict counts it.
#
# Ends with 0 when: no policy is below the frontier in any cell; adaptive at price 0 needs at most 1.01 x the disk
# seconds of the best of the others in each cell; at the default price it is better than lru in at least 80 % of the
# cells (neither disk seconds nor SSD bytes are more, one of them is less) and needs at most 1.05 x lru's disk seconds in each.
#
# --peak: RejectX with an unlimited history, and tuned to half of what it then writes, or, which its row says, the least
# it can; the best admission that knows the future (simulate's offline) at either rate; adaptive at the price, found by
# bisection, at which it writes most without writing more than RejectX. belady-size and lookahead, with perfect hints,
# may write what they like: about what a known future saves, in all rather than at the peak; none of the three is a
# bound. Ends with 0 when adaptive's peak is at least 12 % less than RejectX's wherever that of offline is; where it is
# in no cell, the table says that nothing was tested.
#
# Needs hycache-bench.jar (mvn package), and python3 with venv.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

TRACES='' WORKLOADS=loop,scan-polluted,zipf,zipf-drift,mixed-sizes,writes SHAPE=2000:40000 SEED=1 CAPACITY=1,5,20
PRICES=0,0.02,0.05,0.1,0.2,0.5,1,2,5,10,20,50 POLICIES=lru,arc,s3-fifo,sieve,lirs,w-tinylfu,reuse,hit-density,hit-value
PEAK='' WINDOW=600s THREADS=2 OUT=$(new_results frontier)
read_options --traces=TRACES --workloads=WORKLOADS --shape=SHAPE --seed=SEED --capacity=CAPACITY --prices=PRICES \
  --policies=POLICIES --peak=PEAK --window=WINDOW --threads=THREADS --out=OUT -- "$@"
need java jq python3
BENCH=$ROOT_DIR/hycache-bench/target/hycache-bench.jar
[ -e "$BENCH" ] || die "no $BENCH; run mvn package first"
begin_results

# Those that weigh the price of SSD writes, and those that do not.
PRICED=adaptive UNPRICED=none
for policy in ${POLICIES//,/ }; do
  if has "$policy" reuse,hit-density,hit-value; then PRICED+=,$policy; else UNPRICED+=,$policy; fi
done

simulate() { simulated --threads "$THREADS" --seed "$SEED" --hints none "$@"; }

# sized FILE: its lines, each with which of the sizes its capacity is.
sized() {
  jq -c --argjson sizes "[${CAPACITY}]" --slurp '($sizes | unique) as $sizes | (map(.capacity_bytes) | unique) as $bytes
    | .[] | . + {size: "\($sizes[.capacity_bytes as $c | $bytes | index($c)]) %"}' "$1"
}

cell() { # FILE: all policies on a trace, into frontier.json
  local price sizes rows=$OUT/rows.json
  note "${1##*/}"
  simulate --trace "$1" --capacity "${CAPACITY//,/%,}%" --policy "$UNPRICED" >"$rows"
  for price in ${PRICES//,/ }; do
    simulate --trace "$1" --capacity "${CAPACITY//,/%,}%" --policy "$PRICED" --write-price "$price" |
      jq -c --argjson price "$price" '. + {price: $price}' >>"$rows"
  done
  mapfile -t sizes < <(jq -s 'map(.capacity_bytes) | unique[]' "$rows")
  "$VENV/bin/python" "$IT_DIR/policies/costs.py" "$1" "${sizes[@]}" >>"$rows" 2>"$OUT/libcachesim.log" || { tail -3 "$OUT/libcachesim.log" >&2; die "libCacheSim failed on $1"; }
  sized "$rows" >>"$OUT/frontier.json"
}

frontier() {
  local workload file
  VENV=$IT_DIR/target/libcachesim
  if ! [ -e "$VENV/.complete" ]; then
    python3 -m venv "$VENV"
    "$VENV/bin/pip" install --quiet libcachesim==0.3.5
    touch "$VENV/.complete"
  fi
  : >"$OUT/frontier.json"
  mkdir -p "$OUT/workloads"
  for workload in ${WORKLOADS//,/ }; do
    file=$OUT/workloads/$workload-${SHAPE/:/x}-seed$SEED.csv
    java -jar "$BENCH" generate "$workload:$SHAPE" --seed "$SEED" >"$file"
    cell "$file"
  done
  for file in ${TRACES//,/ }; do cell "$file"; done
  rm -f "$OUT/rows.json"
  # A plot for each trace and size, of what plot-jmh reads: one result a point, though two prices may write the same bytes.
  jq -s 'group_by([.trace, .size]) | [.[] | (.[] | select(.policy == "lru")) as $lru | .[] | select(.policy != "none") | {
    benchmark: "\(.trace | gsub("[^A-Za-z0-9]+"; "_")).\(.size | gsub(" %"; "_percent"))",
    params: {"SSD bytes / lru": "\(.ssd_written_bytes / $lru.ssd_written_bytes)", policy: .policy},
    primaryMetric: {score: (.disk_seconds / $lru.disk_seconds), scoreUnit: "disk seconds / lru"}}]
    | unique_by([.benchmark, .params])' \
    "$OUT/frontier.json" >"$OUT/plots.json"
  java -jar "$BENCH" plot-jmh "$OUT/plots.json" --linear --x 'SSD bytes / lru' --series policy --out "$OUT/plots"
  report frontier "$OUT/frontier.json" | tee "$OUT/tables.md"
}

# ---------------------------------------------------------------- the peak

# priced PRICE: adaptive at a price, into $TRIED; $BEST is the line that writes most within $LIMIT, or else least.
priced() {
  TRIED=$(simulate "${OF[@]}" --policy adaptive --write-price "$1" | jq -c --argjson price "$1" '. + {price: $price}')
  BEST=$(jq -cn --argjson limit "$LIMIT" '[inputs] as $rows
    | [$rows[] | select(.ssd_written_bytes <= $limit)] | if . != [] then max_by(.ssd_written_bytes)
      else ($rows | min_by(.ssd_written_bytes)) end' <<<"$TRIED
$BEST")
}
too_much() { jq -e --argjson limit "$LIMIT" '.ssd_written_bytes > $limit' <<<"$TRIED" >/dev/null; }

adaptive_within() {
  local low=0 high=0.01 middle
  BEST=''
  priced 0
  if too_much; then
    priced $high
    while too_much && jq -en "$high < 500" >/dev/null; do
      low=$high
      high=$(jq -n "$high * 5")
      priced "$high"
    done
    if ! too_much; then
      for _ in 1 2 3 4 5 6; do
        middle=$(jq -n "if $low == 0 then $high / 2 else ($low * $high | sqrt) end")
        priced "$middle"
        if too_much; then low=$middle; else high=$middle; fi
      done
    fi
  fi
  echo "$BEST"
}

peak() {
  local each file capacity rate share written
  : >"$OUT/peak.json"
  for each in ${PEAK//,/ }; do
    file=${each#*:}
    for capacity in ${CAPACITY//,/ }; do
      OF=(--trace "$file" --window "$WINDOW" --capacity "$capacity%")
      case $each in *:*) OF+=(--format "${each%%:*}") ;; esac
      note "${file##*/}, $capacity %"
      written=$(simulate "${OF[@]}" --policy rejectx | jq '.ssd_written_bytes / .accesses | floor')
      for share in 1 2; do
        rate=$((written / share))B/access
        {
          simulate "${OF[@]}" --policy none,lru,rejectx,offline --write-rate "$rate"
          simulated "${OF[@]}" --policy belady-size,lookahead
        } >"$OUT/rows.json"
        LIMIT=$(jq 'select(.policy == "rejectx").ssd_written_bytes' "$OUT/rows.json")
        adaptive_within >>"$OUT/rows.json"
        jq -c --arg size "$capacity %" --arg rate "1/$share" '. + {size: $size, rate: $rate}' "$OUT/rows.json" >>"$OUT/peak.json"
      done
    done
  done
  rm -f "$OUT/rows.json"
  report frontier-peak "$OUT/peak.json" | tee "$OUT/tables.md"
}

if [ -n "$PEAK" ]; then peak; else frontier; fi
