#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# speed.sh: accesses a second of our policies beside libCacheSim (C++), on one trace, one core, taking turns.
#
#   speed.sh [options]
#     --workload W     name:objects:accesses of `generate`; objects of one size     zipf:1000000:20000000
#     --seed N         of the workload                                                                  1
#     --capacity P     size of the cache, % of the footprint                                            5
#     --policies LIST  ours                                                                  lru,adaptive
#     --theirs LIST    classes of libCacheSim                                          LRU,ARC,LHD,GLCache
#     --reps N         runs of each, taking turns                                                       3
#     --jvm OPTIONS    of the simulator                   those that hycache-bench/README.md gives for long replays
#     --bench JARS     class path of the simulator           hycache-bench/target/hycache-bench.jar
#     --out DIR        table.txt, speed.csv                        results/speed-<date and time>
#
# Ours: what `simulate --threads 1 --hints none` says, with the JVM's own warm-up in it. Theirs: its own replay in C++
# (process_trace) of the same accesses in its binary format, reading included; objects count 1, which changes no hit.
# GL-Cache learns every 1,000,000 requests. The table has the median of the runs, the lowest and the highest.
#
# Needs hycache-bench.jar (mvn package), python3 with venv, and 30 bytes of disk an access.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

WORKLOAD=zipf:1000000:20000000 SEED=1 CAPACITY=5 POLICIES=lru,adaptive THEIRS=LRU,ARC,LHD,GLCache REPS=3
JVM='-Xms4g -Xmx4g -XX:+AlwaysPreTouch -XX:+UseParallelGC -XX:+UseTransparentHugePages'
BENCH=$ROOT_DIR/hycache-bench/target/hycache-bench.jar OUT=$(new_results speed)
read_options --workload=WORKLOAD --seed=SEED --capacity=CAPACITY --policies=POLICIES --theirs=THEIRS --reps=REPS \
  --jvm=JVM --bench=BENCH --out=OUT -- "$@"
need java python3
[ -e "${BENCH##*:}" ] || die "no ${BENCH##*:}; run mvn package first"
begin_results speed.csv
VENV=$IT_DIR/target/libcachesim
if ! [ -e "$VENV/.complete" ]; then
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install --quiet libcachesim==0.3.5
  touch "$VENV/.complete"
fi
read -ra JVM <<<"$JVM"
bench() { java "${JVM[@]}" -cp "$BENCH" io.hycache.bench.Main "$@"; }

TRACE=$(mktemp "${TMPDIR:-/tmp}/speed-XXXXXX.bin")
trap 'rm -f "$TRACE"' EXIT
OBJECTS=$(bench generate "$WORKLOAD" --seed "$SEED" | "$VENV/bin/python" "$IT_DIR/policies/speed.py" write "$TRACE")
for _ in $(seq "$REPS"); do
  for policy in ${POLICIES//,/ }; do
    bench simulate --workload "$WORKLOAD" --seed "$SEED" --policy "$policy" --capacity "$CAPACITY%" --threads 1 --hints none 2>"$OUT/simulate.log" |
      awk -v policy="$policy" '$1 == policy {print policy "," $NF "," $(NF - 8)}' >>"$OUT/speed.csv" || {
        tail -3 "$OUT/simulate.log" >&2
        die "the simulation of $policy failed"
      }
  done
  for policy in ${THEIRS//,/ }; do
    "$VENV/bin/python" "$IT_DIR/policies/speed.py" replay "$TRACE" "$OBJECTS" "$CAPACITY" "$policy" >>"$OUT/speed.csv"
  done
done
"$VENV/bin/python" "$IT_DIR/policies/speed.py" table "$OUT/speed.csv" | tee "$OUT/table.txt"
