#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# sick-ssd.sh: what users notice of an SSD that fails under load, on real processes (needs root).
#
#   sick-ssd.sh [options]
#     --files N     files of one block of 64 MB                          6
#     --seconds N   how long each fault lasts, at least 20              30
#     --out DIR     where log and table go              results/sick-ssd
#
# One DataNode, replication 1: there is no other replica to turn to, so what a client sees is what
# the DataNode did. All blocks are on DISK and have clean copies on the SSD. One client reads all of
# it again and again, cold, and compares every byte, while the SSD
#   eio        fails every read
#   hang       answers nothing; only what is opened after the quarantine began must go on
#   removed    is taken out with `dfsadmin -reconfig datanode`, and put in again
#   read-only  turns read-only, while another client writes
# and is well again. A table says how long it took until the SSD was out of use and until it was back,
# what was read meanwhile, and what clients saw fail. Ends with 1 if a client saw anything but right
# bytes (but for reads under way when the SSD began to hang). Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

FILES=6 SECS=30 OUT=$IT_DIR/results/sick-ssd
read_options --files=FILES --seconds=SECS --out=OUT -- "$@"
need_root
need jq curl

READER='' CLEAN_BYTES=0
end_fault() { echo ok >"$RAM/faulty-mode"; } 2>/dev/null
at_end cluster_down
at_end end_process READER
at_end end_fault

export HYC_DATANODES=1
DATANODES=1
MODE=$RAM/faulty-mode
SSD=$VOL/dn1/ssd

metric() { jmx "$(dn_port 1 2)" 'Hadoop:service=DataNode,name=HyCache-*' | jq ".beans[0].$1"; }
clean() { at_least cleanBytes $((FILES << 26)); }
is_sick() { [ "$(metric SsdsSick)" = 1 ]; }
is_well() { [ "$(metric SsdsSick)" = 0 ]; }
has_nothing() { [ "$(metric SsdCleanBytes)" = 0 ]; }
# As many as before: a copy that could not be read has been dropped.
has_all() { [ "$CLEAN_BYTES" -gt 0 ] && [ "$(metric SsdCleanBytes)" -ge "$CLEAN_BYTES" ]; }
now_ms() { date +%s%3N; }

# Reads and compares everything, again and again; a line for each round.
reader() {
  while :; do
    drop_caches
    round
  done
}
round() {
  local answer
  answer=$(bench verify --manifest "$OUT/manifest" 2>>"$OUT/reader.err") || answer=${answer:-'{"failed":true}'}
  echo "$answer" >>"$OUT/rounds"
}
rounds() { wc -l <"$OUT/rounds"; }
rounds_past() { [ "$(rounds)" -ge "$1" ]; }
bad_rounds() { jq -s 'map(select(.failed or .different > 0 or .missing > 0)) | length' "$OUT/rounds"; }

# fault NAME BEGIN END [OUT BACK]: the table's line for a fault; OUT and BACK succeed when it shows and when it is over.
fault() {
  local name=$1 begin=$2 end=$3 out=${4:-is_sick} back=${5:-is_well} t0 t1 t2 t3 r0 bad0 e0 errors writes=0 failed=0
  wait_for 60 "the SSD in use" is_well
  r0=$(rounds) bad0=$(bad_rounds) e0=$(metric SsdReadErrors)
  note "$name begins"
  t0=$(now_ms)
  $begin
  wait_for 60 "$name: the SSD out of use" "$out"
  t1=$(now_ms)
  note "$name: out of use after $((t1 - t0)) ms"
  if [ -z "$READER" ] || [ "$name" = hang ]; then
    # A reader waits for what it had opened on an SSD that hangs; others go on.
    round
    round
  else
    wait_for 120 "$name: a whole round without the SSD" rounds_past $(($(rounds) + 2))
  fi
  if [ "$name" = read-only ]; then
    writes=2
    bench write --path /sick-more --files 2 --size $((64 << 20)) --replication 1 >"$OUT/write.json" 2>>"$OUT/reader.err" || failed=2
    hdfs_dfs -rm -r -skipTrash /sick-more >/dev/null
  fi
  while [ $(($(now_ms) - t0)) -lt $((SECS * 1000)) ]; do sleep 0.5; done
  errors=$(($(metric SsdReadErrors) - e0))
  t2=$(now_ms)
  $end
  wait_for 120 "$name: the SSD back" "$back"
  t3=$(now_ms)
  note "$name: back after $((t3 - t2)) ms"
  round
  local bad=$(($(bad_rounds) - bad0))
  ERRORS=$((ERRORS + bad + failed))
  printf '%-10s %14d %12d %8d %10d %12d %8d %8d\n' "$name" $((t1 - t0)) $((t3 - t2)) \
    $(($(rounds) - r0)) "$bad" "$errors" "$writes" "$failed" >>"$OUT/table.txt"
}

eio() { echo eio-read >"$MODE"; }
hang() { echo hang >"$MODE"; }
well() { echo ok >"$MODE"; }
reconfigure() { "$IT_DIR/cluster.sh" reconfigure 1 >>"$OUT/reconfig.log" 2>&1; }
taken_out() {
  CLEAN_BYTES=$(metric SsdCleanBytes)
  note "clean before the removal: $CLEAN_BYTES bytes; copies found bad so far: $(metric SsdCopiesBad), read errors: $(metric SsdReadErrors)"
  sed -i "s|\\[SSD\\]$SSD/data,||" "$CONF/dn1/hdfs-site.xml"
  reconfigure
}
put_in() {
  sed -i "s|>\\[DISK\\]$VOL|>[SSD]$SSD/data,[DISK]$VOL|" "$CONF/dn1/hdfs-site.xml"
  reconfigure
}

# As ext4 does by itself when its metadata can't be written; only a new mount makes it writable.
read_only() {
  mount -o remount,errors=remount-ro "$SSD"
  echo 1 >"/sys/fs/ext4/$(basename "$(loop_of dn1 ssd)")/trigger_fs_error"
}
mounted_anew() {
  local loop
  loop=$(loop_of dn1 ssd)
  "$IT_DIR/cluster.sh" stop
  umount "$SSD"
  e2fsck -fy "$loop" >>"$OUT/e2fsck.log" || [ $? -le 1 ]
  mount -o noatime,discard "$loop" "$SSD"
  start
}
start() {
  "$IT_DIR/cluster.sh" start --setup hycache -D dfs.replication=1 -D hycache.demote.high=0.001 \
    -D hycache.demote.low=0 -D dfs.datanode.failed.volumes.tolerated=1
}

hadoop_home
begin_results manifest rounds reader.err reconfig.log e2fsck.log table.txt
rm -f "$OUT/write.json"
fresh_devices --ssd-size 1G --hdd-size 2G --faulty dn1-ssd
start
bench write --path /sick --files "$FILES" --size $((64 << 20)) --replication 1 --manifest "$OUT/manifest" >/dev/null
wait_for 120 "$FILES clean copies" clean

reader &
READER=$!
wait_for 120 "a first round" rounds_past 1
ERRORS=0

printf '%-10s %14s %12s %8s %10s %12s %8s %8s\n' fault out_after_ms back_after_ms rounds bad_rounds \
  read_errors writes failed >"$OUT/table.txt"
fault eio eio well
fault hang hang well
fault removed taken_out put_in has_nothing has_all
end_process READER
fault read-only read_only mounted_anew
cat "$OUT/table.txt"
echo "status of the DataNode at the end:"
hycache status --devices 2>/dev/null
"$IT_DIR/cluster.sh" fsck
[ "$ERRORS" = 0 ] || die "clients saw $ERRORS errors"
