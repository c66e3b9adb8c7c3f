#!/usr/bin/env bash
# simulations.sh: the tables and plots of RESULTS.md that come from the simulator.
#
#   simulations.sh [options]
#     --trace FILE    a trace of file accesses, CSV; without it that part is left out
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

TRACE='' SEEDS=1,2,3 THREADS=2 OUT=$IT_DIR/results/simulations-$(date -u +%Y%m%d-%H%M%S)
read_options --trace=TRACE --seeds=SEEDS --threads=THREADS --out=OUT -- "$@"
need java jq
BENCH=$ROOT_DIR/hycache-bench/target/hycache-bench.jar
[ -e "$BENCH" ] || die "no $BENCH; run mvn package first"
mkdir -p "$OUT"

simulate() { # NAME OPTIONS...: NAME.json, one line each
  local name=$1
  shift
  java -jar "$BENCH" simulate --threads "$THREADS" --json "$@" 2>/dev/null | jq -c '.[]' >>"$OUT/$name.json"
}

# by_policy NAME ROW VALUE: a row for each ROW (a jq expression), a column for each policy, the mean of VALUE.
by_policy() {
  jq -rs '
    def mean: add / length;
    [.[] | {row: ('"$2"'), policy, value: ('"$3"')}]
    | (reduce .[] as $r ([]; if index($r.policy) then . else . + [$r.policy] end)) as $policies
    | "| | " + ($policies | join(" | ")) + " |",
      "|---|" + ($policies | map("--:") | join("|")) + "|",
      (group_by(.row) | sort_by(.[0].row)[]
       | . as $group | "| \(.[0].row) | "
         + ($policies | map(. as $p | [$group[] | select(.policy == $p).value] | mean | . * 100 | round / 100 | tostring) | join(" | ")) + " |")' \
    "$OUT/$1.json"
}

: >"$OUT/example.json" >"$OUT/round-robin.json" >"$OUT/others.json"
note "the example"
simulate example --trace "$IT_DIR/policies/example.csv" --policy none,lru,lfu,heuristic,lookahead,belady --capacity 100
for seed in ${SEEDS//,/ }; do
  note "round-robin, seed $seed"
  for files in 2 3 4 6 8 12 16 24 32 48 64; do
    simulate round-robin --workload "round-robin:$files:$((files * 50))" --seed "$seed" --capacity 256MB \
      --policy none,lru,heuristic,lookahead,belady
  done
  note "the others, seed $seed"
  for workload in loop scan-polluted zipf zipf-drift mixed-sizes writes; do
    simulate others --workload "$workload:2000:40000" --seed "$seed" --capacity 5% \
      --policy none,lru,arc,s3-fifo,w-tinylfu,reuse,heuristic,lookahead,pro-rata,belady,belady-size
  done
done
{
  echo '### The example: hits, disk milliseconds'
  by_policy example '"hits"' '.hits'
  by_policy example '"disk ms"' '.disk_seconds * 1000'
  echo '### Round-robin, 256 MB: hits, % of accesses, by number of files; means over the seeds'
  by_policy round-robin '.accesses / 50' '100 * .hits / .accesses'
  echo '### Round-robin: disk seconds'
  by_policy round-robin '.accesses / 50' '.disk_seconds'
  echo '### Others: disk seconds; means over the seeds'
  by_policy others '.trace | sub("-[0-9].*"; "")' '.disk_seconds | round'
  echo '### Others: TB written to SSD'
  by_policy others '.trace | sub("-[0-9].*"; "")' '.ssd_written_bytes / 1e12'
  echo '### lookahead beside heuristic and beside the best that knows the future, disk seconds, worst seed'
  jq -rs 'group_by(.trace, .capacity_bytes)[] | (map({(.policy): .disk_seconds}) | add) as $d
    | [.[0].trace, .[0].capacity_bytes, $d.lookahead / $d.heuristic, $d.lookahead / ([$d[]] | min)] | @tsv' \
    "$OUT/round-robin.json" "$OUT/others.json" |
    awk -F'\t' '{sub(/-[0-9].*/, "", $1); if ($3 > h[$1]) h[$1] = $3; if ($4 > b[$1]) b[$1] = $4}
      END {for (t in h) printf "| %s | %.4f | %.4f |\n", t, h[t], b[t]}' | sort
} >"$OUT/tables.md"
if [ -n "$TRACE" ]; then
  note "the trace"
  : >"$OUT/trace.json"
  simulate trace --trace "$TRACE" --policy none,lru,arc,s3-fifo,w-tinylfu,reuse,heuristic,lookahead,belady \
    --capacity 0.1%,1%,5%,10%,20% --plot "$OUT/plots-trace"
  {
    echo '### The trace: disk seconds, thousands, by SSD size in GB'
    by_policy trace '.capacity_bytes / 1e9 | round' '.disk_seconds / 1000 | round'
    echo '### The trace: hits, %'
    by_policy trace '.capacity_bytes / 1e9 | round' '100 * .hits / .accesses'
  } >>"$OUT/tables.md"
fi
note "borders"
java -jar "$BENCH" simulate --workload turning:2000:40000 --policy lru --capacity 10% --partition auto --plot "$OUT/plots-turning" >/dev/null
cat "$OUT/tables.md"
