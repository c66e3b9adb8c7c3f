#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# simulations.sh: the tables and plots of RESULTS.md that come from the simulator.
#
#   simulations.sh [options]
#     --trace FILE    a trace of file accesses, CSV; without it that part is left out
#     --hints FILES   traces for the table of hint qualities; without it only workloads
#     --seeds LIST    of the synthetic workloads                                        1,2,3
#     --threads N     simulations at a time                                                 2
#     --out DIR       tables.md, JSON and plots       results/simulations-<date and time>
#
# example: the paper's nine reads of four files. round-robin: files of 6 to 250 MB read in turn, again and
# again, with 256 MB of SSD. others: loops, Zipf reads with scans between, Zipf reads that drift, with 5 % of the
# footprint. Disk time: HDD operations x 8 ms + HDD bytes / 144 MB/s. Needs hycache-bench.jar (mvn package).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

TRACE='' HINTS='' SEEDS=1,2,3 THREADS=2 OUT=$(new_results simulations)
read_options --trace=TRACE --hints=HINTS --seeds=SEEDS --threads=THREADS --out=OUT -- "$@"
need java jq python3
BENCH=$ROOT_DIR/hycache-bench/target/hycache-bench.jar
[ -e "$BENCH" ] || die "no $BENCH; run mvn package first"
begin_results example.json round-robin.json others.json hints.json

# What hints may be like, from perfect to all wrong.
QUALITIES=('perfect' 'wrong=10%' 'wrong=10%,chunk=1000' 'late=100' 'shuffle=100' 'part=50%' 'wrong=100%' 'none')

simulate() { # NAME OPTIONS...: NAME.json, one line each
  local name=$1
  shift
  simulated --threads "$THREADS" "$@" >>"$OUT/$name.json"
}

hints_of() { # OPTIONS...: a line of hints.json for each quality, policy and size
  local quality policies
  for quality in "${QUALITIES[@]}"; do
    policies=lru,adaptive,heuristic,lookahead,reuse
    [ "$quality" != perfect ] || policies+=,belady-size
    simulated --threads "$THREADS" --hints "$quality" --capacity 1%,5%,20% --policy "$policies" "$@" |
      jq -cs --arg hints "$quality" '(map(.capacity_bytes) | unique) as $sizes
        | .[] | . + {hints: $hints, size: (["1 %", "5 %", "20 %"][.capacity_bytes as $c | $sizes | index($c)])}' \
        >>"$OUT/hints.json"
  done
}

note "the example"
simulate example --trace "$IT_DIR/policies/example.csv" --policy none,lru,lfu,heuristic,lookahead,belady --capacity 100B
for seed in ${SEEDS//,/ }; do
  note "round-robin, seed $seed"
  for files in 2 3 4 6 8 12 16 24 32 48 64; do
    simulate round-robin --workload "round-robin:$files:$((files * 50))" --seed "$seed" --capacity 256MB \
      --policy none,lru,heuristic,lookahead,belady
  done
  note "the others, seed $seed"
  for workload in loop scan-polluted zipf zipf-drift mixed-sizes writes; do
    simulate others --workload "$workload:2000:40000" --seed "$seed" --capacity 5% \
      --policy none,lru,arc,s3-fifo,w-tinylfu,reuse,adaptive,heuristic,lookahead,pro-rata,belady,belady-size
  done
done
report simulations "$OUT" >"$OUT/tables.md"
if [ -n "$TRACE" ]; then
  note "the trace"
  : >"$OUT/trace.json"
  simulate trace --trace "$TRACE" --policy none,lru,arc,s3-fifo,w-tinylfu,reuse,adaptive,heuristic,lookahead,belady \
    --capacity 0.1%,1%,5%,10%,20% --plot "$OUT/plots-trace"
  report simulated-trace "$OUT/trace.json" >>"$OUT/tables.md"
fi
note "hints that are not perfect"
for workload in loop scan-polluted zipf zipf-drift mixed-sizes writes; do
  hints_of --workload "$workload:2000:40000" --seed 1
done
for trace in ${HINTS//,/ }; do
  hints_of --trace "$trace"
done
report simulated-hints "$OUT/hints.json" >>"$OUT/tables.md"
note "borders"
java -jar "$BENCH" simulate --workload turning:2000:40000 --policy lru --capacity 10% --partition auto --plot "$OUT/plots-turning" >/dev/null
cat "$OUT/tables.md"
