#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# experiment.sh: what HyCache gains and costs, on real processes and emulated devices (needs root).
#
#   experiment.sh [options]
#     --reps N        repetitions of the rows a to f and h; medians are reported, sums of failed and stalled writes     3
#     --job-reps N    repetitions of row g (each runs each job twice)                     1
#     --rows LIST     which rows                                          a,b,c,d,e,f,g,h,i
#     --setups LIST   of disk, ssd, rival, hycache                                      all
#     --warm N        so many times as many writes, reads and preads before those of rows a, c and d are measured     1
#     --quick         tiny sizes and one repetition: does every row run? (its figures mean nothing)
#     --seed N        seed of contents and of random offsets                              1
#     --out DIR       where run.jsonl and table.md go                 results/<date and time>
#     -D KEY=VALUE    a property for the hycache set-up; repeatable
#     --table DIR     only prints the table of an earlier run
#     --keep          leave the devices up at the end
#
# Each row runs on plain HDFS with all replicas on DISK (disk), on plain HDFS with the policy
# ALL_SSD (ssd), with HyCache, and the rows c and d also with HDFS's own centralized cache on the
# SSD (rival). Rows a, c, d, e and h: each cluster is up on devices of its own, and they take turns, in an
# order by lot (of the seed), so that a machine that is slower a moment later is slower for all of them:
# in row a write by write, in the others within one client, with every round or every two seconds; only
# DISK in rows c and d is measured apart, its HDDs are the limit. The other rows: on the same devices one set-up
# after the other, in alternating order. Caches dropped.
#   a  write 1 GB that fits the SSD
#   b  write 3 times the SSDs' size: throughput, failed and stalled writes
#   c  sequential reads of blocks that are clean on SSD, 1 and 12 readers
#   d  4 KB random preads over blocks that are on SSD, 1 and 8 clients, cold page cache
#   e  sequential reads with the plugin on and nothing of them cached
#   f  a data set of twice the SSD space on each DataNode, on DISK at first, read round-robin 4
#      times with its manifest: share of the bytes of rounds 2 to 4 that came from SSD
#   g  TeraSort and sort, twice each, inputs written through the plugin, with manifests; slow devices
#   h  4 KB random preads over DISK replicas, page cache dropped twice a second
#   i  removal proof: the plugin taken out, fsck HEALTHY, the MD5 of every file as when written
# Throughput of writes is counted until the bytes are on the devices. A stalled write is one whose
# single write() or close() took over 10 s. MB is 10^6 bytes.
#
# Ends with 1 if a file differs in row i, or a write of HyCache failed or stalled in row b.
#
# run.jsonl has a line for each measurement: row, set-up, repetition, value, the load client's whole
# answer, command, commit, seed, kernel, JVM, device speeds. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

REPS='' JOB_REPS=1 ROWS=a,b,c,d,e,f,g,h,i SETUPS=disk,ssd,rival,hycache
QUICK=0 SEED=1 OUT='' KEEP=0 TABLE='' WARM=1
PLUGIN_OPTIONS=()

row() { has "$1" "$ROWS"; }
setup() { has "$1" "$SETUPS"; }
rows() { # true when any of the rows is wanted
  local r
  for r in "$@"; do row "$r" && return; done
  return 1
}

# ---------------------------------------------------------------- sizes

sizes() {
  FILE=$((64 << 20))   # one block a file
  HOT=12               # files of /base/hot, of one block
  COLD=96 COLD_FILE=$((8 << 20)) # of /base/cold, of one small block: many, as on a real DataNode
  # together 1 GiB a DataNode
  A_FILES=16 A_WRITES=3 # row a: 1 GiB, and how often in each repetition
  A_WARM=$((6 * WARM))  # and how often before that
  B_WRITES=2            # row b: how often in each repetition
  WARM_FILES=6         # what warms the DataNodes' JVMs up after a start
  SECS=12 ROUNDS=15    # of preads on each set-up; rounds of a read row, the median counts
  # Before rows c and d: without it the JVMs' compilers get a share of the cores, and the daemons of disk and
  # ssd, which have done twice the work until then, the smaller one.
  WARM_ROUNDS=$((7 * WARM)) WARM_SECS=$((20 * WARM))
  SSD_BIG=3G SSD_SMALL=640M SSD_JOBS=1500M
  JOB_MB=512
  if [ "$QUICK" = 1 ]; then
    FILE=$((8 << 20)) HOT=6 COLD=12 COLD_FILE=$((4 << 20)) A_FILES=6 A_WRITES=1 A_WARM=0 B_WRITES=1 WARM_FILES=3 SECS=2 ROUNDS=1 WARM_ROUNDS=0 WARM_SECS=1
    SSD_BIG=512M SSD_SMALL=192M SSD_JOBS=512M JOB_MB=32
  fi
  local small replicas
  small=$(bytes "$SSD_SMALL")
  replicas=$((DATANODES * small / 2)) # replication 2: user bytes that fill the SSDs once
  B_FILES=$((3 * replicas / FILE))
  F_FILES=$((2 * replicas / FILE))
  I_FILES=$((3 * replicas / 2 / FILE))
}

# ---------------------------------------------------------------- results

# cell ROW WHAT SETUP UNIT VALUE JSON COMMAND: records a value of the table.
cell() {
  record row="$1" what="$2" setup="$3" unit="$4" value:="$5" result:="$6" command="$7" rep:="$REP" seed:="$SEED" \
    commit="$COMMIT" kernel="$(uname -r)" jvm="$JVM" cpus="$(nproc)" hadoop="$HADOOP_VERSION" \
    devices="$(<"$HYC_WORK/speeds")" quick:="$QUICK" time="$(date -u +%FT%TZ)"
  note "row $1, $3: $2: $5 $4"
}

# measure ROW WHAT SETUP UNIT FIELD BENCH_ARGUMENTS...: runs the load client, records a field of its answer. Only row b counts
# failures; in the others nothing may fail.
measure() {
  local row=$1 what=$2 setup=$3 unit=$4 field=$5 result before cpu
  shift 5
  before=$(device_counters) cpu=$(daemon_cpu)
  result=$(bench "$@" 2>>"$OUT/bench.log") || {
    tail -5 "$OUT/bench.log" >&2
    note "the load client failed: $* : $result"
    [ -n "$result" ] || die "no result"
    [ "$row" = b ] || die "row $row, $setup: $what failed, see $OUT/bench.log"
  }
  # What the devices did meanwhile shows where the bytes came from, the CPU time what they cost.
  result=$(jq -c --argjson a "$before" --argjson b "$(device_counters)" --argjson c "$cpu" --argjson d "$(daemon_cpu)" \
    '. + {devices: ($b | with_entries(.value -= $a[.key])), daemonCpuSeconds: ($d - $c)}' <<<"$result")
  cell "$row" "$what" "$setup" "$unit" "$(jq ".$field" <<<"$result")" "$result" "bench $*"
  LAST=$result
}

# measure_in_turns ROW WHAT "SETUP..." PATH_OF UNIT FIELD BENCH_ARGUMENTS...: one client, all wanted set-ups;
# PATH_OF prints the path that is read from a set-up
measure_in_turns() {
  local row=$1 what=$2 setups=$3 path_of=$4 unit=$5 field=$6 s sides=''
  shift 6
  for s in $setups; do
    setup "$s" || continue
    use "$(cluster_of "$s")"
    sides+=,$s=$CONF/client:$("$path_of" "$s")
  done
  [ -n "$sides" ] || return 0
  LAST=$(bench "$1" --sides "${sides#,}" "${@:2}" 2>>"$OUT/bench.log") || {
    tail -5 "$OUT/bench.log" >&2
    die "the load client failed: $* : $LAST"
  }
  record_sides "$row" "$what" "$unit" "$field" "bench $*"
}

# record_sides ROW WHAT UNIT FIELD COMMAND: a field of each set-up's answer to the last measurement in turns
record_sides() {
  local line
  while read -r line; do
    cell "$1" "$2" "$(jq -r .side <<<"$line")" "$3" "$(jq ".$4" <<<"$line")" "$line" "$5"
  done <<<"$LAST"
}

sync_command() {
  local i command='sync -f'
  for i in $(seq "$DATANODES"); do command+=" $VOL/dn$i/ssd $VOL/dn$i/hdd"; done
  echo "$command"
}

# ---------------------------------------------------------------- the plugin's side

SSD_READ=SsdBytesRead DISK_READ=DiskBytesRead
CLEAN=cleanBytes CHECKSUMS=checksumBytes

submit() { hycache submit "$1" >>"$OUT/hycache.log" 2>&1 || { tail -5 "$OUT/hycache.log" >&2; die "submit $1 failed"; }; }

# ---------------------------------------------------------------- sessions: one start of the daemons

start() { # SETUP options...
  note "rep $REP: start $*"
  "$IT_DIR/cluster.sh" start --setup "$@"
}
stop() { "$IT_DIR/cluster.sh" stop; }

start_hycache() { # options...
  local option options=()
  for option in "${PLUGIN_OPTIONS[@]}"; do options+=(-D "$option"); done
  empty_cache
  start hycache -D hycache.hints.replicas=2 "${options[@]}" "$@"
}

# Both tiers' paths through the JVMs of the DataNodes, before anything is measured.
warm_up() {
  bench write --path /warm/disk --files "$WARM_FILES" --size $((32 << 20)) >/dev/null
  bench write --path /warm/ssd --files "$WARM_FILES" --size $((32 << 20)) \
    --policy ALL_SSD >/dev/null
  bench read --path /warm --readers 4 --rounds 3 >/dev/null
  bench pread --path /warm --clients 4 --seconds 1 --warmup 2 >/dev/null
  remove /warm
}

remove() {
  hdfs_dfs -rm -r -f -skipTrash "$@" >/dev/null
  "$IT_DIR/cluster.sh" settle
  drop_caches
}

# ---------------------------------------------------------------- clusters side by side

WORK=$HYC_WORK PORTS=$PORT_BASE

# at WORK_DIRECTORY PORT_BASE: from here on commands go to the cluster there. Functions of lib.sh are defined anew.
at() {
  export HYC_WORK=$1 HYC_PORT_BASE=$2
  # shellcheck source-path=SCRIPTDIR
  . "$IT_DIR/lib.sh"
}
use() {
  case $1 in
    plain) at "$WORK/$1" "$PORTS" ;;
    rival) at "$WORK/$1" $((PORTS + 200)) ;;
    hycache) at "$WORK/$1" $((PORTS + 400)) ;;
    .) at "$WORK" "$PORTS" ;; # the rows that have one cluster after the other
  esac
}

# take_down: all clusters of this run end, and their devices go.
take_down() {
  local cluster
  for cluster in plain rival hycache .; do
    [ -d "$WORK/$cluster" ] || continue
    use "$cluster"
    stop
    [ "$KEEP" = 1 ] || "$IT_DIR/devices.sh" down
  done
}

# clusters: the names of those that the wanted set-ups and rows need.
clusters() {
  if setup disk || setup ssd; then echo plain; fi
  if setup rival && rows c d; then echo rival; fi
  if setup hycache; then echo hycache; fi
}

cluster_of() { case $1 in disk | ssd) echo plain ;; *) echo "$1" ;; esac; } # SETUP

# side_by_side "SETUP..." FUNCTION ARGS...: FUNCTION SETUP ARGS on each wanted set-up, in an order by lot.
side_by_side() {
  local s i j wanted=() function=$2
  for s in $1; do
    if setup "$s"; then wanted+=("$s"); fi
  done
  shift 2
  for ((i = ${#wanted[@]}; i > 0; i--)); do
    j=$((RANDOM % i)) s=${wanted[j]}
    wanted[j]=${wanted[i - 1]}
    use "$(cluster_of "$s")"
    "$function" "$s" "$@"
  done
}

# ---------------------------------------------------------------- rows

# write_of ROW SETUP FILES: the load client's arguments, into the caller's array write.
write_of() {
  write=(write --path "/$1/$2" --files "$3" --size "$FILE" --threads 4 --seed "$SEED" --sync "$(sync_command)")
  [ "$2" != ssd ] || write+=(--policy ALL_SSD)
}

# A write takes some seconds: one alone says little. Those with number 0 are not measured: the JVMs'
# compilers take a tenth of the daemons' time until each has written some gigabytes.
row_a() { # SETUP NUMBER
  local write
  write_of a "$1" "$A_FILES"
  if [ "$2" = 0 ]; then
    bench "${write[@]}" >/dev/null
  else
    measure a "write, fits the SSD" "$1" MB/s mbps "${write[@]}"
  fi
  remove "/a/$1"
}

# The first time warms the JVMs up: their compilers take cores that the writers need. Plain ALL_SSD may fail
# here: the NameNode finds no SSD with room.
row_b() {
  local write
  write_of b "$1" "$B_FILES"
  bench "${write[@]}" >/dev/null 2>&1 || note "row b, $1: writes failed while warming up"
  remove "/b/$1"
  local command="bench write --path /b/$1" i
  for i in $(seq "$B_WRITES"); do
    measure b "write, 3x the SSD" "$1" MB/s mbps "${write[@]}"
    cell b "failed writes" "$1" count "$(jq .failed <<<"$LAST")" "$LAST" "$command"
    cell b "stalled writes" "$1" count "$(jq .stalled <<<"$LAST")" "$LAST" "$command"
    cell b "slowest single write" "$1" ms "$(jq .opMaxMs <<<"$LAST")" "$LAST" "$command"
    remove "/b/$1"
  done
}

# Twelve readers take pieces of 8 MB in turn. With a whole block each, the slowest of three DataNodes
# is the one that chance gave most of twelve blocks, and a round measures chance.
hot_of() { if [ "$1" = ssd ]; then echo /ssd; else echo /base/hot; fi; }

row_c() { # READERS
  local piece=$FILE warm=$WARM_ROUNDS read
  # Twelve threads of a DataNode are still getting faster after seven rounds.
  [ "$1" = 1 ] || { piece=$((FILE / 8)) warm=$((3 * WARM_ROUNDS)); }
  read=(read --readers "$1" --drop true --piece "$piece" --seed "$((SEED + REP))")
  side_by_side disk on_disk c "read, $1 readers" MB/s mbps "${read[@]}" --path /base/hot --rounds $(((ROUNDS + 4) / 5))
  measure_in_turns c "read, $1 readers" 'ssd rival hycache' hot_of MB/s mbps "${read[@]}" --warm-rounds "$warm" \
    --rounds "$ROUNDS"
}

on_disk() { # SETUP ROW WHAT UNIT FIELD BENCH_ARGUMENTS...
  drop_caches
  measure "$2" "$3" "$1" "${@:4}"
}

row_d() { # CLIENTS
  local read=(pread --clients "$1" --seed "$((SEED + REP))" --drop-every 500)
  # No warm-up within the client: devices and CPU time are of the whole of it.
  side_by_side disk on_disk d "4 KB preads, $1 clients" preads/s rate "${read[@]}" --path /base/hot --warmup 0 --seconds $((SECS / 2))
  drop_caches
  measure_in_turns d "4 KB preads, $1 clients" 'ssd rival hycache' hot_of preads/s rate "${read[@]}" \
    --warmup "$WARM_SECS" --seconds "$SECS"
  record_sides d "p99, $1 clients" ms p99Ms "bench ${read[*]}"
}

cold_of() { echo /base/cold; }
row_e() { # READERS
  measure_in_turns e "read uncached, $1 readers" 'disk hycache' cold_of MB/s mbps read --readers "$1" --rounds "$ROUNDS" \
    --drop true --seed "$((SEED + REP))"
}

base_of() { echo /base; }
row_h() { # CLIENTS
  local read=(pread --clients "$1" --seed "$((SEED + REP))" --drop-every 500)
  drop_caches
  measure_in_turns h "4 KB preads on DISK, $1 clients" 'disk hycache' base_of preads/s rate "${read[@]}" \
    --warmup 4 --seconds "$SECS"
  record_sides h "p99 on DISK, $1 clients" ms p99Ms "bench ${read[*]}"
}

# Rounds 1 and 2 to 4 apart, because the counters are read between them.
row_f() { # SETUP POLICY
  local before fast=0 slow=0 ssd disk ssd0 disk0
  drop_caches
  if [ "$1" = hycache ]; then
    manifest rounds 4 sequential /f >"$OUT/f.json"
    submit "$OUT/f.json"
  fi
  measure f "round 1, $2" "$1" MB/s mbps read --path /f --readers 3 --rounds 1 --drop true
  if [ "$1" = hycache ]; then
    fast=$(hyc_total "$SSD_READ")
    slow=$(hyc_total "$DISK_READ")
  fi
  read -r ssd0 _ < <(device_bytes ssd)
  read -r disk0 _ < <(device_bytes hdd)
  before=$LAST
  measure f "rounds 2-4, $2" "$1" MB/s mbps read --path /f --readers 3 --rounds 3 --drop true
  read -r ssd _ < <(device_bytes ssd)
  read -r disk _ < <(device_bytes hdd)
  if [ "$1" = hycache ]; then
    fast=$(($(hyc_total "$SSD_READ") - fast))
    slow=$(($(hyc_total "$DISK_READ") - slow))
    cell f "bytes of rounds 2-4 from SSD, $2" "$1" % \
      "$(awk -v f="$fast" -v s="$slow" 'BEGIN {printf "%.1f", f + s ? 100 * f / (f + s) : 0}')" \
      "{\"ssdBytesRead\":$fast,\"diskBytesRead\":$slow,\"ssdDevice\":$((ssd - ssd0)),\"diskDevice\":$((disk - disk0))}" \
      "bench read --path /f --readers 3 --rounds 3"
    hycache withdraw rounds >>"$OUT/hycache.log" 2>&1 || true
  else # no policy: the same figures stand beside each of them
    cell f "round 1, lru" "$1" MB/s "$(jq .mbps <<<"$before")" "$before" "bench read --path /f"
    cell f "rounds 2-4, lru" "$1" MB/s "$(jq .mbps <<<"$LAST")" "$LAST" "bench read --path /f"
  fi
}

# ---------------------------------------------------------------- rows a, c, d, e, h: everything fits

cached_by_hdfs() {
  [ "$(jmx "$NN_HTTP" 'Hadoop:service=NameNode,name=NameNodeInfo' | jq '.beans[0].CacheUsed')" -ge $((2 * HOT * FILE)) ]
}

# What a set-up reads from its SSDs, and what random reads of its HDDs need there.
load() { # CLUSTER
  use "$1"
  fresh_devices --ssd-size "$SSD_BIG"
  rows c d e h || return 0
  start disk
  bench write --path /base/hot --files "$HOT" --size "$FILE" --seed "$SEED" >/dev/null
  if [ "$1" != rival ]; then
    bench write --path /base/cold --files "$COLD" --size "$COLD_FILE" --seed "$SEED" >/dev/null
  fi
  if [ "$1" = plain ]; then
    bench write --path /ssd --files "$HOT" --size "$FILE" --seed "$SEED" --policy ALL_SSD >/dev/null
  fi
  bench list --path /base >>"$OUT/bench.log"
  stop
}

start_cluster() { # CLUSTER
  use "$1"
  case $1 in
    plain) start disk ;;
    rival) start rival ;;
    hycache)
      start_hycache -D hycache.policy=heuristic
      if rows c d e h; then
        # Checksum files of all DISK replicas: 4 bytes for each 512.
        await_copies c,d,e,h 120 "checksum files on SSD" "$CHECKSUMS" $((2 * (HOT * FILE + COLD * COLD_FILE) * 95 / 12800))
      fi
      ;;
  esac
  warm_up
}

# await_copies ROWS SECONDS WHAT FIGURE BYTES: waits until HyCache has so many bytes of copies; goes on with fewer, and records
# how many, so that the table says so.
await_copies() {
  wait_for "$2" "$3" at_least "$4" "$5" || true
  cell "$1" "$3" hycache "bytes of copies" "$(hyc_total "$4")" "{\"wantedBytes\":$5}" "hycache status --json"
}

hot_to_ssd() { # SETUP
  case $1 in
    rival)
      hadoop org.apache.hadoop.hdfs.tools.CacheAdmin -addPool hot >/dev/null
      hadoop org.apache.hadoop.hdfs.tools.CacheAdmin -addDirective -path /base/hot -pool hot -replication 2 >/dev/null
      wait_for 180 "the cache directive" cached_by_hdfs
      ;;
    hycache)
      manifest hot 1000 random /base/hot >"$OUT/hot.json"
      submit "$OUT/hot.json"
      await_copies c,d 180 "clean copies of /base/hot" "$CLEAN" $((2 * HOT * FILE))
      ;;
  esac
}

stop_cluster() { # CLUSTER
  use "$1"
  # A pool takes its directives with it.
  [ "$1" != rival ] || hadoop org.apache.hadoop.hdfs.tools.CacheAdmin -removePool hot >/dev/null
  stop
}

# Hadoop and the SSDs are as warm in all set-ups: the same rows in the same order.
big_repetition() {
  local n
  if row a; then
    for n in $(seq "$A_WARM"); do side_by_side 'ssd hycache' row_a 0; done
    for n in $(seq "$A_WRITES"); do
      side_by_side 'disk ssd hycache' row_a "$n"
      # The daemons of disk and ssd are the same, and have written once more.
      side_by_side hycache row_a 0
    done
  fi
  if row e; then for n in 1 12; do row_e "$n"; done; fi
  if row h; then for n in 1 8; do row_h "$n"; done; fi
  if rows c d; then side_by_side 'rival hycache' hot_to_ssd; fi
  if row c; then for n in 1 12; do row_c "$n"; done; fi
  if row d; then for n in 1 8; do row_d "$n"; done; fi
}

phase_big() {
  rows a c d e h || return 0
  local cluster
  REP=0
  for cluster in $(clusters); do load "$cluster"; done
  for REP in $(seq "$REPS"); do
    for cluster in $(clusters); do start_cluster "$cluster"; done
    big_repetition
    for cluster in $(clusters); do stop_cluster "$cluster"; done
  done
  take_down
}

# ---------------------------------------------------------------- rows b, f, i: the SSD is too small

one_in_turn() { # runs its arguments in an order that turns with the repetition
  local n=$# i list=("$@")
  for i in $(seq 0 $((n - 1))); do
    "${list[$(((i + REP - 1) % n))]}"
  done
}

small_disk() {
  setup disk || return 0
  if row b; then row_b disk; fi
  if row f; then row_f disk heuristic; fi
}
small_ssd() { if setup ssd && row b; then row_b ssd; fi; }
small_plain() {
  if ! setup disk && ! setup ssd; then return 0; fi
  start disk
  warm_up
  one_in_turn small_disk small_ssd
  stop
}
small_heuristic() {
  setup hycache || return 0
  start_hycache -D hycache.policy=heuristic
  warm_up
  if row b; then row_b hycache; fi
  if row f; then row_f hycache heuristic; fi
  stop
}
small_lru() {
  { setup hycache && row f; } || return 0
  start_hycache -D hycache.policy=lru
  warm_up
  row_f hycache lru
  stop
}

# Written through the plugin in its busiest state: SSD overfull, demotions and promotions under way, a
# DataNode restarted in between. Then the JAR and its properties go.
row_i() {
  local wrong=0 fsck
  start_hycache -D hycache.policy=heuristic
  manifest proof 4 sequential /f >"$OUT/i.json"
  submit "$OUT/i.json"
  bench write --path /i --files "$I_FILES" --size "$FILE" --block "$FILE" --seed "$SEED" --manifest "$OUT/written.md5" >/dev/null
  "$IT_DIR/cluster.sh" restart-dn 1
  bench write --path /i2 --files 3 --size $((FILE / 3 + 1)) --block "$FILE" --seed "$SEED" --manifest "$OUT/written.md5" >/dev/null
  hycache status --json >"$OUT/i-status.json" 2>>"$OUT/hycache.log" || true
  stop
  REP=1
  start plain
  fsck=HEALTHY
  "$IT_DIR/cluster.sh" fsck / >"$OUT/fsck.txt" || { fsck=UNHEALTHY; wrong=1; }
  drop_caches
  LAST=$(bench verify --manifest "$OUT/written.md5" 2>>"$OUT/bench.log") || true
  wrong=$((wrong + $(jq '.missing + .different' <<<"$LAST")))
  cell i "files different after removal, plus 1 if fsck is not HEALTHY" hycache count "$wrong" \
    "$(jq -c --arg fsck $fsck '. + {fsck: $fsck}' <<<"$LAST")" "cluster.sh start --setup plain; cluster.sh fsck /; bench verify"
  stop
}

phase_small() {
  rows b f i || return 0
  fresh_devices --ssd-size "$SSD_SMALL"
  : >"$OUT/written.md5"
  REP=0
  if rows f i; then
    start disk
    # Smaller blocks: the NameNode picks a replica at random, for each block.
    bench write --path /f --files "$F_FILES" --size "$FILE" --block $((FILE / 4)) --seed "$SEED" \
      --manifest "$OUT/written.md5" >/dev/null
    LAST=$(bench list --path /f)
    cell f "replica bytes of a DataNode / its SSD space" - ratio \
      "$(jq --argjson ssd "$(bytes "$SSD_SMALL")" '[.replicaBytes[]] | add / length / $ssd' <<<"$LAST")" "$LAST" "bench list --path /f"
    stop
  fi
  if rows b f; then
    for REP in $(seq "$REPS"); do
      one_in_turn small_plain small_heuristic small_lru
    done
  fi
  if row i && setup hycache; then row_i; fi
}

# ---------------------------------------------------------------- row g: jobs

EXAMPLES=org.apache.hadoop.examples

# job NAME CLASS ARGS...
job() {
  local name=$1
  shift
  hadoop "$@" >>"$OUT/jobs.log" 2>&1 || { tail -5 "$OUT/jobs.log" >&2; die "job $name failed, see $OUT/jobs.log"; }
}

inputs() { # SETUP
  local dir=/g/$1 rows=$((JOB_MB * 1048576 / 100))
  hdfs_dfs -mkdir -p "$dir"
  [ "$1" != ssd ] || hadoop org.apache.hadoop.hdfs.tools.StoragePolicyAdmin -setStoragePolicy -path "$dir" -policy ALL_SSD >/dev/null
  job teragen $EXAMPLES.terasort.TeraGen -Dmapreduce.job.maps=2 "$rows" "$dir/tera"
  job randomwriter $EXAMPLES.RandomWriter -Dmapreduce.randomwriter.mapsperhost=2 \
    -Dmapreduce.randomwriter.bytespermap=$((JOB_MB * 1048576 / 2)) "$dir/random"
}

# Runs within `hycache run`, too: experiment.sh __jobs OUT SETUP REP KIND
jobs() { # SETUP KIND
  local dir=/g/$1 run begin ssd disk ssd0 disk0 seconds fast slow
  for run in 1 2; do
    hdfs_dfs -rm -r -f -skipTrash "$dir/out" >/dev/null
    "$IT_DIR/cluster.sh" settle
    drop_caches
    read -r ssd0 _ < <(device_bytes ssd)
    read -r disk0 _ < <(device_bytes hdd)
    fast=null slow=null
    if [ "$1" = hycache ]; then
      fast=$(hyc_total "$SSD_READ")
      slow=$(hyc_total "$DISK_READ")
    fi
    begin=$(now_ns)
    if [ "$2" = terasort ]; then
      job terasort $EXAMPLES.terasort.TeraSort -Dmapreduce.job.reduces=2 "$dir/tera" "$dir/out"
    else
      job sort $EXAMPLES.Sort -r 2 "$dir/random" "$dir/out"
    fi
    seconds=$(seconds_since "$begin")
    read -r ssd _ < <(device_bytes ssd)
    read -r disk _ < <(device_bytes hdd)
    if [ "$1" = hycache ]; then
      fast=$(($(hyc_total "$SSD_READ") - fast))
      slow=$(($(hyc_total "$DISK_READ") - slow))
    fi
    local result="{\"seconds\":$seconds,\"ssdDeviceBytesRead\":$((ssd - ssd0)),\"diskDeviceBytesRead\":$((disk - disk0)),\"ssdBytesRead\":$fast,\"diskBytesRead\":$slow}"
    cell g "$2, run $run" "$1" s "$seconds" "$result" "$2 of ${JOB_MB} MiB"
    cell g "$2, run $run: read from SSD" "$1" "MB read" "$(((ssd - ssd0) / 1000000))" "$result" "$2 of ${JOB_MB} MiB"
    cell g "$2, run $run: read from DISK" "$1" "MB read" "$(((disk - disk0) / 1000000))" "$result" "$2 of ${JOB_MB} MiB"
  done
  hdfs_dfs -rm -r -f -skipTrash "$dir/out" >/dev/null
  "$IT_DIR/cluster.sh" settle
}

jobs_plain() {
  if ! setup disk && ! setup ssd; then return 0; fi
  start disk --yarn
  local s
  for s in disk ssd; do
    setup "$s" || continue
    inputs "$s"
    jobs "$s" terasort
    jobs "$s" sort
    remove "/g/$s"
  done
  stop
}
jobs_hycache() {
  setup hycache || return 0
  start_hycache -D hycache.policy=heuristic --yarn
  inputs hycache
  local kind path
  for kind in terasort sort; do
    path=/g/hycache/tera
    [ "$kind" = terasort ] || path=/g/hycache/random
    manifest "$kind" 2 sequential "$path" >"$OUT/$kind.json"
    hycache run "$OUT/$kind.json" -- "${BASH_SOURCE[0]}" --quick-as "$QUICK" --seed "$SEED" \
      --out "$OUT" __jobs "$REP" hycache "$kind" || die "hycache run of $kind failed"
  done
  remove /g/hycache
  stop
}

phase_jobs() {
  row g || return 0
  for REP in $(seq "$JOB_REPS"); do
    fresh_devices --ssd-size "$SSD_JOBS" --hdd-mbps 25 --ssd-mbps 110 --ssd-iops 5000
    one_in_turn jobs_plain jobs_hycache
  done
}

# ---------------------------------------------------------------- main

INNER=()
read_options --reps=REPS --job-reps=JOB_REPS --rows=ROWS --setups=SETUPS --warm=WARM --quick=QUICK! --keep=KEEP! \
  --seed=SEED --out=OUT --table=TABLE -D=PLUGIN_OPTIONS+ --quick-as=QUICK __jobs=INNER* -- "$@"
REPS=${REPS:-$((QUICK ? 1 : 3))}
[[ $WARM =~ ^[1-9][0-9]*$ ]] || expected "--warm N with a number from 1 on" "'$WARM'"
for option in "${PLUGIN_OPTIONS[@]}"; do [[ $option == *=* ]] || expected "-D KEY=VALUE" "'$option'"; done
for r in ${ROWS//,/ }; do has "$r" a,b,c,d,e,f,g,h,i || expected "--rows of a to i" "'$r'"; done
for s in ${SETUPS//,/ }; do has "$s" disk,ssd,rival,hycache || expected "--setups of disk, ssd, rival, hycache" "'$s'"; done

if [ -n "$TABLE" ]; then
  [ -s "$TABLE/run.jsonl" ] || expected "--table of a folder with a run.jsonl" "none in '$TABLE'"
  report experiment "$TABLE/run.jsonl"
  exit
fi

need_root
need jq curl java mvn python3
hadoop_home
sizes
COMMIT=$(commit) # as it was when the run began
JVM=$(java -XshowSettings:properties -version 2>&1 | awk -F'= ' '/java.vm.version/ {print $2}')

if [ "${#INNER[@]}" -gt 0 ]; then
  REP=${INNER[0]}
  jobs "${INNER[1]}" "${INNER[2]}"
  exit
fi

if setup hycache; then plugin_jar >/dev/null; fi
OUT=${OUT:-$IT_DIR/results/$(date -u +%Y%m%d-%H%M%S)}
begin_results run.jsonl

finish() {
  [ "$ENDS_WITH" = 0 ] || echo "experiment.sh: ended with $ENDS_WITH; logs in $OUT and below $WORK" >&2
  take_down
}
at_end finish

RANDOM=$SEED
KEEP=0 take_down # what an earlier run left
phase_big
phase_small
phase_jobs
report experiment "$OUT/run.jsonl" | tee "$OUT/table.md"
note "took ${SECONDS}s; $OUT/run.jsonl, $OUT/table.md"
