#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# mixed.sh: policies side by side under three loads at once, on real processes and emulated devices (needs root).
#
#   mixed.sh [options]
#     --policies LIST  disk is plain HDFS on DISK     disk,lru,s3-fifo,arc,w-tinylfu,reuse,heuristic,lookahead
#     --hints LIST     the job's manifest, for each policy: none; perfect; wrong (6 of the 64 reads name files that nobody reads); late
#                      (submitted when the job has read 24 of them); all-wrong (64 other files)      none,perfect
#     --reps N         repetitions, in alternating order; medians are reported                          1
#     --seed N         of contents and of the readers' choices                                          1
#     --out DIR        results                                          results/mixed-<date and time>
#
# A manifest does not help those policies alone that use hints: the blocks that it announces are read ahead with any of them.
# A job with a manifest reads 16 files of 64 MB four times over; four readers without one choose among 64 files
# of 16 MB (Zipf, skew 0.9); a scan reads 64 files of 32 MB once. Wrong hints name files of 32 MB that nobody reads.
# SSDs of 512 MB on three DataNodes, a third of all that is read; replication 1, no new replicas on SSD. Page cache
# dropped twice a second. Ends with the job.
# Reported: the job's seconds; the others' MB/s; of all bytes read the share from SSD; seconds that
# the HDDs were busy, together, for each GB read; bytes written to the SSDs.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

POLICIES=disk,lru,s3-fifo,arc,w-tinylfu,reuse,heuristic,lookahead HINTS=none,perfect REPS=1 SEED=1
OUT=$(new_results mixed)
read_options --policies=POLICIES --hints=HINTS --reps=REPS --seed=SEED --out=OUT -- "$@"
for hints in ${HINTS//,/ }; do
  has "$hints" perfect,wrong,late,all-wrong,none || expected "--hints of perfect, wrong, late, all-wrong, none" "'$hints'"
done
need_root
need jq java curl python3

DROPPER='' SUBMITTER=''
LATE=24
at_end cluster_down
at_end end_process DROPPER
at_end end_process SUBMITTER

# manifest_of HINTS: the job's four rounds over 16 files, as that quality of hints has it.
manifest_of() {
  jq -n --arg hints "$1" '
    def part: "part-" + ("0000\(.)")[-5:];
    def wrong($read): $hints == "all-wrong" or ($hints == "wrong" and $read % 10 == 7);
    {version: 1, workflow: "job", ttl: "1h", jobs: [range(4) as $round | {name: "round \($round)", reads: [range(16) as $file
      | ($round * 16 + $file) as $read | {path: (if wrong($read) then "/unread/" + ($read | part) else "/job/" + ($file | part) end)}]}]}'
}

# submit_late: with a priority above that of the load, as on another machine.
submit_late() {
  renice -n -15 "$BASHPID" >/dev/null
  until [ -e "$OUT/late" ]; do sleep 0.1; done
  hycache submit "$OUT/job.json" >/dev/null && touch "$OUT/accepted"
}

run() { # POLICY HINTS
  local setup=hycache hdd ssd written busy hdd_then ssd_then written_then busy_then result late=()
  [ "$1" = disk ] && setup=disk
  "$IT_DIR/cluster.sh" stop
  fresh_devices --ssd-size 512M --hdd-size 4G --ram 16G
  if [ "$setup" = hycache ]; then
    "$IT_DIR/cluster.sh" start --setup hycache -D hycache.write.share=0 -D hycache.policy="$1"
  else
    "$IT_DIR/cluster.sh" start --setup disk
  fi
  bench write --path /job --files 16 --size $((64 << 20)) --threads 4 --replication 1 --seed "$SEED" >/dev/null
  bench write --path /zipf --files 64 --size $((16 << 20)) --threads 4 --replication 1 --seed "$SEED" >/dev/null
  bench write --path /scan --files 64 --size $((32 << 20)) --threads 4 --replication 1 --seed "$SEED" >/dev/null
  bench write --path /unread --files 64 --size $((32 << 20)) --threads 4 --replication 1 --seed "$SEED" >/dev/null
  "$IT_DIR/cluster.sh" settle
  drop_caches
  rm -f "$OUT/late" "$OUT/accepted"
  if [ "$2" = late ]; then
    late=(--after "$LATE" --touch "$OUT/late")
    manifest_of perfect >"$OUT/job.json"
    submit_late &
    # shellcheck disable=SC2034 # end_process takes its name
    SUBMITTER=$!
  elif [ "$setup" = hycache ] && [ "$2" != none ]; then
    manifest_of "$2" >"$OUT/job.json"
    hycache submit "$OUT/job.json" >/dev/null
  fi
  (while sleep 0.5; do drop_caches; done) &
  # shellcheck disable=SC2034 # end_process takes its name
  DROPPER=$!
  read -r _ hdd _ busy < <(device_stats hdd)
  read -r _ ssd written _ < <(device_stats ssd)
  result=$(client Mixed --job /job --rounds 4 --zipf /zipf --readers 4 --scan /scan --seed "$SEED" "${late[@]}")
  read -r _ hdd_then _ busy_then < <(device_stats hdd)
  read -r _ ssd_then written_then _ < <(device_stats ssd)
  end_process DROPPER
  end_process SUBMITTER
  [ "$2" != late ] || [ -e "$OUT/accepted" ] || die "the late manifest was not accepted before the job ended"
  record policy="$1" hints="$2" rep:="$REP" hddReadBytes:=$((hdd_then - hdd)) ssdReadBytes:=$((ssd_then - ssd)) \
    ssdWrittenBytes:=$((written_then - written)) hddBusyMs:=$((busy_then - busy)) commit="$COMMIT" "$result"
  note "$1 $2: $(tail -1 "$OUT/run.jsonl" | jq -c '[.jobSeconds, .roundSeconds]')"
}

hadoop_home
begin_results run.jsonl
for REP in $(seq "$REPS"); do
  for policy in $(in_turn "$POLICIES" "$REP"); do
    if [ "$policy" = disk ]; then
      run disk none
    else
      for hints in ${HINTS//,/ }; do run "$policy" "$hints"; done
    fi
  done
done
report mixed "$OUT/run.jsonl" | tee "$OUT/table.md"
