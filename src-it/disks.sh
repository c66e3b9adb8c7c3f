#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# disks.sh: one DataNode with many HDDs and one SSD, which together are slower or faster than the SSD alone, on real
# processes and emulated devices (needs root).
#
#   disks.sh [options]
#     --shapes LIST   of HDDs:MB/s of each HDD:MB/s of the SSD               8:12:50,12:12:50,2:12:50
#     --one-head W    yes: the HDDs have one head each (disk.py), no: they are throttled by the kernel       no
#     --setups LIST   of those below                                         disk,ssd,hycache
#     --before JAR    adds the set-up before: an older JAR of the plugin, in turn with the others
#     --writers LIST  threads of the writes                                  1,4,16
#     --readers LIST  threads of the reads                                   1,8,24,48
#     --mixed LIST    of WRITERS:READERS at the same time                    8:8
#     --files N       files of each write and of each read, a multiple of 8  24
#     --mb N          MB (2^20) of each file                                 64
#     --reps N        repetitions, in alternating order; medians are reported          1
#     -D KEY=VALUE    a property for hycache; repeatable
#     --out DIR       results                                        results/disks-<date and time>
#
# A list may be empty (''): that part is left out. Set-ups, each on fresh devices, with room for everything on the SSD:
#   disk     plain HDFS, all on DISK
#   ssd      plain HDFS, directories with the policy ALL_SSD
#   hycache  the plugin with its defaults, and the properties of -D
#   before   the JAR of --before with its defaults
# Files have one replica. Cases, the page cache dropped before each:
#   write    new files; the seconds end when all bytes are on the devices
#   read     files that are clean: on DISK, with a copy on the SSD. Written by one client, then demoted by watermarks of 0,
#            which are set back before the first read. With more readers than files each reader takes a part of a file
#   half     every other eighth of these files is written anew, and is only on the SSD when all are read. Plain HDFS
#            has no such case: its read stands beside it
#   mixed    new files are written while the clean ones are read: the bytes of both by the seconds until both have ended
# Reported for each case: MB/s (10^6), how many times those of the better of disk and ssd, of before, and of the sum of
# disk and ssd; for HyCache's reads what mirrors allow, as the blocks lie on the HDDs (mirrors.py); MB that the devices read and
# wrote for HyCache. Ends with 1 unless HyCache has at least 0.98 of the better one in each case, 1.3 of before where ssd is
# slower than disk, and 0.9 of what mirrors allow where more clients than devices read clean files.
# Environment: as cluster.sh, but HYC_DATANODES, which is 1.
set -euo pipefail
export HYC_DATANODES=1
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SHAPES=8:12:50,12:12:50,2:12:50 ONE_HEAD=no SETUPS=disk,ssd,hycache BEFORE='' WRITERS=1,4,16 READERS=1,8,24,48 MIXED=8:8
FILES=24 MB=64 REPS=1 PROPERTIES=()
OUT=$(new_results disks)
read_options --shapes=SHAPES --one-head=ONE_HEAD --setups=SETUPS --before=BEFORE --writers=WRITERS --readers=READERS \
  --mixed=MIXED --files=FILES --mb=MB --reps=REPS -D=PROPERTIES+ --out=OUT -- "$@"
for shape in ${SHAPES//,/ }; do
  [[ $shape =~ ^[1-9][0-9]*:[1-9][0-9]*:[1-9][0-9]*$ ]] || expected "--shapes of HDDs:MB/s:MB/s such as 8:12:50" "'$shape'"
done
has "$ONE_HEAD" yes,no || expected "--one-head yes or no" "'$ONE_HEAD'"
for setup in ${SETUPS//,/ }; do
  has "$setup" disk,ssd,hycache || expected "--setups of disk, ssd, hycache" "'$setup'"
done
for n in ${WRITERS//,/ } ${READERS//,/ } ${MIXED//[,:]/ }; do
  [[ $n =~ ^[1-9][0-9]*$ ]] || expected "numbers of writers and readers from 1 on" "'$n'"
done
for mix in ${MIXED//,/ }; do [[ $mix =~ ^[0-9]+:[0-9]+$ ]] || expected "--mixed of WRITERS:READERS" "'$mix'"; done
if ! [[ $FILES =~ ^[1-9][0-9]*$ ]] || [ $((FILES % 8)) != 0 ]; then expected "--files N with a multiple of 8" "'$FILES'"; fi
[[ $MB =~ ^[1-9][0-9]*$ ]] || expected "--mb N with a number from 1 on" "'$MB'"
if [ -n "$BEFORE" ]; then
  [ -f "$BEFORE" ] || expected "--before JAR" "no file '$BEFORE'"
  BEFORE=$(realpath "$BEFORE")
  SETUPS+=,before
fi
need_root
need jq java curl python3

PARTS=8 BYTES=$((FILES * MB << 20))
# Ends the timed part of a write: all bytes are on the devices.
SYNC="bash -c '. \"$IT_DIR/lib.sh\" && sync_volumes'"
WRITER=''
at_end cluster_down
at_end end_process WRITER

plugin() { has "$SETUP" hycache,before; }

# ---------------------------------------------------------------- what is counted

# on_ssd: bytes of dirty and of clean replicas as JSON; nothing of plain HDFS.
on_ssd() {
  if plugin; then
    hycache status --json 2>/dev/null | jq -c '[.dataNodes[]] | {dirtyBytes: map(.dirtyBytes) | add, cleanBytes: map(.cleanBytes) | add}'
  else
    echo '{}'
  fi
}

# blocks_by_hdd: how many blocks of the files that are read each HDD has, as "3,2,4".
blocks_by_hdd() {
  local hdd
  for hdd in "$VOL"/dn1/hdd*; do
    find "$hdd" -name 'blk_*' ! -name '*.meta' -path '*/finalized/*' -size "+$((MB / 2))M" | wc -l
  done | paste -sd,
}

# measured CASE WRITERS READERS COMMAND...: records the JSON that the command prints, with "mbps" in it, and what the
# devices did meanwhile.
measured() {
  local case=$1 writers=$2 readers=$3 state devices blocks=''
  shift 3
  state=$(on_ssd)
  if plugin && [ "$writers" = 0 ]; then blocks=$(blocks_by_hdd); fi
  drop_caches
  devices=$(device_counters)
  "$@" >"$OUT/result.json" 2>>"$OUT/bench.log" || { tail -5 "$OUT/bench.log" >&2; die "$case of $SETUP failed, see $OUT/bench.log"; }
  devices=$(minus "$(device_counters)" "$devices")
  record shape="$SHAPE" oneHead="$ONE_HEAD" setup="$SETUP" case="$case" writers:="$writers" readers:="$readers" rep:="$REP" \
    blocks:="$FILES" blocksByHdd="$blocks" commit="$COMMIT" jar="$JAR_SUM" "$state" "$devices" "$(<"$OUT/result.json")"
  note "$SHAPE, $SETUP, $case, $writers writers, $readers readers: $(tail -1 "$OUT/run.jsonl" |
    jq -c '[.mbps, .writeMbps, .readMbps, (.hddBytesRead, .ssdBytesRead, .hddBytesWritten, .ssdBytesWritten | . / 1e6 | floor)]')"
}

# ---------------------------------------------------------------- loads

# write_of PATH FILES THREADS: the load client's arguments, into the array write.
write_of() {
  write=(write --path "$1" --files "$2" --size $((MB << 20)) --threads "$3" --replication 1)
  [ "$SETUP" != ssd ] || write+=(--policy ALL_SSD)
}

# read_of READERS: the same, into the array read.
read_of() {
  local piece=$((MB << 20))
  if [ "$1" -gt "$FILES" ]; then piece=$(((BYTES + $1 - 1) / $1)); fi
  read=(read --path /read --readers "$1" --piece "$piece")
}

# remove PATH...: and what moves because of it.
remove() {
  hdfs_dfs -rm -r -f -skipTrash "$@" >/dev/null
  "$IT_DIR/cluster.sh" settle
  if plugin; then wait_for 120 "the end of all moves" idle || note "goes on with moves under way"; fi
}

# part N: an eighth of the files that are read, so that the clean and the dirty ones of half take turns. One writer leaves
# the SSD the shorter wait.
part() {
  local write threads=8
  ! plugin || threads=1
  write_of "/read/$1" $((FILES / PARTS)) "$threads"
  bench "${write[@]}" >/dev/null 2>>"$OUT/bench.log"
}

# demote: all dirty replicas, by watermarks of 0 until they are on DISK. Their bytes stay on the SSD as clean copies.
demote() {
  local settings
  settings=$(hycache settings --json 2>>"$OUT/hycache.log" |
    jq -r '.dataNodes[0].settings | {"hycache.demote.low", "hycache.demote.high"} | to_entries[] | "\(.key)=\(.value)"') ||
    die "hycache settings does not answer, see $OUT/hycache.log"
  hycache settings hycache.demote.low=0 hycache.demote.high=0 >/dev/null
  demoted() { [ "$(hyc_sum dirtyBytes)" = 0 ] && idle; }
  wait_for 900 "all replicas on DISK" demoted
  # shellcheck disable=SC2086 # a word for each setting
  hycache settings $settings >/dev/null
}

# clean: each byte below /read is on DISK and on the SSD. What was written to DISK is promoted by a manifest.
clean() {
  demote
  if ! at_least cleanBytes "$BYTES"; then
    manifest read 1000 random /read >"$OUT/manifest.json"
    hycache submit "$OUT/manifest.json" >>"$OUT/hycache.log" 2>&1
    all_clean() { at_least cleanBytes "$BYTES" && idle; }
    wait_for 300 "copies of all blocks" all_clean || note "goes on with $(hyc_sum cleanBytes) of $BYTES bytes of copies"
    hycache withdraw read >>"$OUT/hycache.log" 2>&1 || true
  fi
}

# mixed WRITERS READERS: both at once, as one result.
mixed() {
  local write read
  write_of /write "$FILES" "$1"
  read_of "$2"
  bench "${write[@]}" --sync "$SYNC" >"$OUT/write.json" &
  WRITER=$!
  bench "${read[@]}" >"$OUT/read.json" || return
  wait "$WRITER" || return
  WRITER=''
  jq -cn --slurpfile w "$OUT/write.json" --slurpfile r "$OUT/read.json" '$w[0] as $w | $r[0] as $r |
    ([$w.seconds, ($r.secondsByRound | add)] | max) as $seconds | ($w.bytes + $r.bytes) as $bytes |
    {bytes: $bytes, seconds: $seconds, mbps: ($bytes / 1e6 / $seconds), writeMbps: $w.mbps, readMbps: $r.mbps}'
}

# ---------------------------------------------------------------- a set-up

begin() {
  local hdds hdd_mbps ssd_mbps hdd_size options=() property cluster=$SETUP
  IFS=: read -r hdds hdd_mbps ssd_mbps <<<"$SHAPE"
  # Twice the files, and a quarter more because they do not spread evenly.
  hdd_size=$((BYTES * 5 / 2 / hdds + (256 << 20)))
  [ "$hdd_size" -gt $((1 << 30)) ] || hdd_size=$((1 << 30))
  "$IT_DIR/cluster.sh" stop
  fresh_devices --hdds "$hdds" --hdd-mbps "$hdd_mbps" --ssd-mbps "$ssd_mbps" --ssd-size $((BYTES * 8 / 3)) --hdd-size "$hdd_size" \
    --ram 16G --one-head "$ONE_HEAD"
  case $SETUP in
    hycache)
      export HYC_JAR=$JAR
      for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
      ;;
    before) export HYC_JAR=$BEFORE cluster=hycache ;;
  esac
  JAR_SUM=''
  ! plugin || JAR_SUM=$(sha256sum "$HYC_JAR" | cut -c1-12)
  "$IT_DIR/cluster.sh" start --setup "$cluster" "${options[@]}"
  bench write --path /warm --files 8 --size $((32 << 20)) --threads 4 --replication 1 >/dev/null
  bench read --path /warm --readers 4 --rounds 2 >/dev/null
  remove /warm
}

run() { # SHAPE SETUP
  SHAPE=$1 SETUP=$2
  local n write read
  begin
  for n in ${WRITERS//,/ }; do
    write_of /write "$FILES" "$n"
    measured write "$n" 0 bench "${write[@]}" --sync "$SYNC"
    remove /write
  done
  [ -n "$READERS$MIXED" ] || return 0
  for n in $(seq "$PARTS"); do part "$n"; done
  if plugin; then clean; fi
  for n in ${READERS//,/ }; do
    read_of "$n"
    measured read 0 "$n" bench "${read[@]}"
  done
  for n in ${MIXED//,/ }; do
    measured mixed "${n%:*}" "${n#*:}" mixed "${n%:*}" "${n#*:}"
    remove /write
  done
  if plugin && [ -n "$READERS" ]; then half; fi
}

half() {
  local n read
  # What the cases before have done to the copies is undone.
  clean
  remove $(seq -f '/read/%g' 2 2 "$PARTS")
  for n in $(seq 2 2 "$PARTS"); do part "$n"; done
  for n in ${READERS//,/ }; do
    read_of "$n"
    measured half 0 "$n" bench "${read[@]}"
  done
}

hadoop_home
JAR=''
if has hycache "$SETUPS"; then JAR=$(realpath "$(plugin_jar)"); fi
begin_results run.jsonl
for REP in $(seq "$REPS"); do
  for shape in ${SHAPES//,/ }; do
    for setup in $(in_turn "$SETUPS" "$REP"); do run "$shape" "$setup"; done
  done
done
report disks "$OUT/run.jsonl" | tee "$OUT/table.md"
