#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# idle.sh: what a DataNode costs that has nothing to do, with the plugin and without, on real processes (needs root).
#
#   idle.sh [options]
#     --setups LIST  of disk (plain HDFS) and hycache (the plugin's defaults)      disk,hycache
#     --before JAR   adds the set-up before: an older JAR of the plugin, in turn with the others
#     --seconds N    of each measurement                                           120
#     --settle N     seconds from the end of the last load to the measurement      60
#     --reps N       repetitions, in alternating order; medians are reported       1
#     -D KEY=VALUE   a property for hycache; repeatable
#     --out DIR      results                                                       results/idle-<date and time>
#
# Three DataNodes, each with some blocks that were written and read, so that what starts with the first block runs. Reported
# for a DataNode: CPU time in % of a core; resident memory in MB (2^20), which includes all of the heap that the load before
# has touched, now and after a full collection; what of that is in use: objects, classes and compiled code; threads.
# threads.jsonl has the CPU time of each thread by its name. The page cache and
# the devices play no part. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SETUPS=disk,hycache BEFORE='' SECONDS_EACH=120 SETTLE=60 REPS=1 PROPERTIES=()
OUT=$(new_results idle)
read_options --setups=SETUPS --before=BEFORE --seconds=SECONDS_EACH --settle=SETTLE --reps=REPS -D=PROPERTIES+ --out=OUT -- "$@"
for setup in ${SETUPS//,/ }; do
  has "$setup" disk,hycache || expected "--setups of disk, hycache" "'$setup'"
done
if [ -n "$BEFORE" ]; then
  [ -f "$BEFORE" ] || expected "--before JAR" "no file '$BEFORE'"
  BEFORE=$(realpath "$BEFORE")
  SETUPS+=,before
fi
need_root
need jq java python3

at_end cluster_down

# threads PID: CPU ticks and name of each thread; one that ends meanwhile is left out.
threads() {
  awk '{name = $0; sub(/^[^(]*\(/, "", name); sub(/\).*/, "", name); sub(/.*\) /, ""); print $12 + $13, name}' \
    /proc/"$1"/task/*/stat 2>/dev/null || true
}
# ticks PID: CPU ticks of the process so far, with those of threads that have ended.
ticks() { awk '{sub(/.*\) /, ""); print $12 + $13}' "/proc/$1/stat"; }
# in_use PID: MB of objects, classes and compiled code.
in_use() {
  { jcmd "$1" GC.heap_info && jcmd "$1" Compiler.codecache; } | awk '
    / total .* used / || /Metaspace +used/ {sub(/.*used /, ""); kb += $0 + 0}
    /^CodeHeap/ {sub(/.* used=/, ""); kb += $0 + 0}
    END {printf "%.1f", kb / 1024}'
}
resident() { awk '/^VmRSS/ {printf "%.1f", $2 / 1024}' "/proc/$1/status"; }

measure() {
  local dn pid before=() begun=() now=() ended=() options=() property cluster=$SETUP names hz seconds resident threads collected used cpu
  hz=$(getconf CLK_TCK)
  "$IT_DIR/cluster.sh" stop
  fresh_devices
  case $SETUP in
    hycache)
      export HYC_JAR=$JAR
      for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
      ;;
    before) export HYC_JAR=$BEFORE cluster=hycache ;;
  esac
  "$IT_DIR/cluster.sh" start --setup "$cluster" "${options[@]}"
  bench write --path /idle --files 24 --size $((32 << 20)) --threads 4 >/dev/null 2>>"$OUT/bench.log"
  bench read --path /idle --readers 4 --rounds 2 >/dev/null 2>>"$OUT/bench.log"
  sleep "$SETTLE"
  for dn in $(seq "$DATANODES"); do
    pid=$(<"$RUN/dn$dn.pid")
    before[dn]=$(ticks "$pid")
    begun[dn]=$(now_ns)
    threads "$pid" >"$OUT/threads.$dn"
  done
  sleep "$SECONDS_EACH"
  # All of them before jcmd and jq take their time.
  for dn in $(seq "$DATANODES"); do
    pid=$(<"$RUN/dn$dn.pid")
    now[dn]=$(ticks "$pid")
    ended[dn]=$(now_ns)
    threads "$pid" >"$OUT/threads.$dn.now"
  done
  for dn in $(seq "$DATANODES"); do
    pid=$(<"$RUN/dn$dn.pid")
    names=$(jq -cRn --rawfile before "$OUT/threads.$dn" --argjson hz "$hz" '
      def sums: map(capture("^(?<ticks>[0-9]+) (?<name>.*)$")) | group_by(.name) |
        map({key: .[0].name, value: {n: length, ticks: map(.ticks | tonumber) | add}}) | from_entries;
      ($before | split("\n") | map(select(. != "")) | sums) as $before | [inputs] | sums |
      with_entries(.value = {n: .value.n, seconds: ((.value.ticks - ($before[.key].ticks // 0)) / $hz)})' "$OUT/threads.$dn.now")
    resident=$(resident "$pid")
    threads=$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)
    jcmd "$pid" GC.run >/dev/null
    collected=$(resident "$pid")
    used=$(in_use "$pid")
    jq -cn --arg setup "$SETUP" --argjson rep "$REP" --argjson dn "$dn" --argjson threads "$names" '$ARGS.named' >>"$OUT/threads.jsonl"
    seconds=$(awk -v ns=$((ended[dn] - begun[dn])) 'BEGIN {printf "%.3f", ns / 1e9}')
    cpu=$(awk -v ticks=$((now[dn] - before[dn])) -v hz="$hz" -v seconds="$seconds" 'BEGIN {printf "%.3f", 100 * ticks / hz / seconds}')
    record setup="$SETUP" rep:="$REP" dn:="$dn" cpu:="$cpu" residentMb:="$resident" collectedMb:="$collected" usedMb:="$used" threads:="$threads" \
      seconds:="$seconds" commit="$COMMIT"
  done
  rm -f "$OUT"/threads.[0-9]*
}

hadoop_home
JAR=$(realpath "$(plugin_jar)")
begin_results run.jsonl
for REP in $(seq "$REPS"); do
  for SETUP in $(in_turn "$SETUPS" "$REP"); do
    measure
    note "$SETUP: $(tail -"$DATANODES" "$OUT/run.jsonl" | jq -sc '[map(.cpu), map(.residentMb), map(.threads)]')"
  done
done
report idle "$OUT/run.jsonl" | tee "$OUT/table.md"
