#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# policies.sh: our policies beside independent implementations of the same papers, on one trace.
#
#   policies.sh [options]
#     --workload W    name:objects:accesses of `generate`; objects of one size     zipf-drift:20000:500000
#     --capacity C    sizes of the cache, % of the footprint                              1,5,10
#     --seed N        of the workload                                                          1
#     --jdk DIR       a JDK 25 or later for Caffeine's simulator          that of the java on the PATH
#     --out DIR       results                                results/policies-<date and time>
#
# The others: Caffeine's simulator (Java, Maven Central) and libCacheSim (C++, PyPI), which count objects, not
# bytes. Ends with 0 when the hit ratios of lru, w-tinylfu, lirs and arc are within 0.5 points of Caffeine's
# simulator; the others are shown. Our w-tinylfu is Caffeine sized in bytes, so it is held against its
# product.Caffeine, which is sized in objects; both draw by chance and keep to no seed: means of RUNS.
# Needs hycache-bench.jar (mvn package), Maven, and python3 with venv.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

WORKLOAD=zipf-drift:20000:500000 CAPACITY=1,5,10 SEED=1 JDK=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")") RUNS=10
OUT=$(new_results policies)
read_options --workload=WORKLOAD --capacity=CAPACITY --seed=SEED --jdk=JDK --out=OUT -- "$@"
need java mvn python3
BENCH=$ROOT_DIR/hycache-bench/target/hycache-bench.jar
[ -e "$BENCH" ] || die "no $BENCH; run mvn package first"
"$JDK/bin/java" -version 2>&1 | awk -F'[".]' 'NR == 1 {exit !($2 >= 25)}' ||
  die "Caffeine's simulator needs a JDK 25, this is none: $JDK; name one with --jdk"
begin_results
SIMULATOR=$IT_DIR/target/caffeine-simulator VENV=$IT_DIR/target/libcachesim
if ! [ "$SIMULATOR/.complete" -nt "$IT_DIR/policies/pom.xml" ]; then
  mvn -B -q -f "$IT_DIR/policies/pom.xml" -Dlib.dir="$SIMULATOR/lib" package
  touch "$SIMULATOR/.complete"
fi
if ! [ -e "$VENV/.complete" ]; then
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install --quiet libcachesim==0.3.5
  touch "$VENV/.complete"
fi
java -jar "$BENCH" generate "$WORKLOAD" --seed "$SEED" >"$OUT/trace.csv"
awk -F, 'NR > 1 {print substr($2, 2)}' "$OUT/trace.csv" >"$OUT/trace.lirs"
java -jar "$BENCH" simulate --trace "$OUT/trace.csv" --policy "lru$(printf ',w-tinylfu%.0s' $(seq $RUNS)),lirs,arc,fifo,clock,sieve,s3-fifo" \
  --capacity "${CAPACITY//,/%,}%" --json >"$OUT/ours.json"

# Policies of Caffeine's simulator, by our names.
number=0
options=(-Dcaffeine.simulator.files.format=lirs "-Dcaffeine.simulator.files.paths.0=$OUT/trace.lirs"
  -Dcaffeine.simulator.report.format=csv -Dcaffeine.simulator.admission.0=Always)
for policy in linked.Lru product.Caffeine irr.Lirs adaptive.Arc linked.Fifo linked.Clock linked.Sieve two-queue.S3Fifo; do
  options+=("-Dcaffeine.simulator.policies.$number=$policy")
  number=$((number + 1))
done
objects=$(tail -n +2 "$OUT/trace.csv" | cut -d, -f2 | sort -u | wc -l)
: >"$OUT/caffeine.csv"
for percent in ${CAPACITY//,/ }; do
  for _ in $(seq $RUNS); do
    "$JDK/bin/java" "${options[@]}" -Dcaffeine.simulator.maximum-size=$((objects * percent / 100)) -cp "$SIMULATOR/lib/*" \
      com.github.benmanes.caffeine.cache.simulator.Simulator 2>"$OUT/caffeine.log" |
      sed "s/^/$((objects * percent / 100)),/" >>"$OUT/caffeine.csv" || {
        tail -3 "$OUT/caffeine.log" >&2
        die "Caffeine's simulator failed"
      }
  done
done
"$VENV/bin/python" "$IT_DIR/policies/compare.py" "$OUT" | tee "$OUT/table.txt"
