#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# tiers.sh: three tiers, an NVMe device before a SATA SSD before an HDD, beside two tiers and plain HDFS, on real
# processes and emulated devices (needs root). Needs a Hadoop that knows the storage type NVDIMM, from 3.4 on.
#
#   tiers.sh [options]
#     --setups LIST   of those below                                         disk,two,three
#     --nvme S:MBPS   size and MB/s of the NVMe device                       256M:500
#     --ssd S:MBPS    size and MB/s of the SSD                               1G:110
#     --hdd-mbps N    MB/s of the HDD                                        25
#     --files N       files of the data set                                  40
#     --mb N          MB (2^20) of each file                                 64
#     --rounds N      times that the data set is read, as its manifest says  3
#     --write-mb N    MB that are written afterwards, in files of --mb       1024
#     --reps N        repetitions, in alternating order; medians are reported          1
#     -D KEY=VALUE    a property for two and three; repeatable
#     --out DIR       results                                        results/tiers-<date and time>
#
# Set-ups, each on fresh devices of one DataNode; files have one replica, the data set is on DISK at first:
#   disk    plain HDFS, all on DISK
#   two     the plugin with its defaults: the SSD before DISK; the volume of type NVDIMM is left to HDFS
#   three   the plugin with hycache.tiers=NVDIMM,SSD,DISK
# Cases, the page cache dropped before each:
#   read N  the data set by four readers, for the Nth time; with the plugin its manifest is submitted before the first
#   write   new files by four writers, until all bytes are on the devices
#   back    the new files, read by four readers
# Reported: seconds, MB/s, times plain HDFS; the share of the bytes read that each kind of device gave, as the devices
# count them; bytes written to each. After three the plugin is taken out: each file must have the MD5 of what was written, and fsck be
# HEALTHY, or the script ends with 1. Environment: as cluster.sh, but HYC_DATANODES, which is 1.
set -euo pipefail
export HYC_DATANODES=1
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SETUPS=disk,two,three NVME=256M:500 SSD=1G:110 HDD_MBPS=25 FILES=40 MB=64 ROUNDS=3 WRITE_MB=1024 REPS=1 PROPERTIES=()
OUT=$(new_results tiers)
read_options --setups=SETUPS --nvme=NVME --ssd=SSD --hdd-mbps=HDD_MBPS --files=FILES --mb=MB --rounds=ROUNDS \
  --write-mb=WRITE_MB --reps=REPS -D=PROPERTIES+ --out=OUT -- "$@"
for setup in ${SETUPS//,/ }; do
  has "$setup" disk,two,three || expected "--setups of disk, two, three" "'$setup'"
done
for device in "$NVME" "$SSD"; do
  [[ $device =~ ^[0-9]+[KMG]?:[1-9][0-9]*$ ]] || expected "a device as SIZE:MB/s such as 256M:500" "'$device'"
done
for n in "$HDD_MBPS" "$FILES" "$MB" "$ROUNDS" "$WRITE_MB" "$REPS"; do
  [[ $n =~ ^[1-9][0-9]*$ ]] || expected "a number from 1 on" "'$n'"
done
need_root
need jq java curl python3
THREADS=4
# Ends the timed part of a write: all bytes are on the devices.
SYNC="bash -c '. \"$IT_DIR/lib.sh\" && sync_volumes'"
at_end cluster_down

plugin() { has "$SETUP" two,three; }

# measured CASE COMMAND...: records the seconds and bytes of the command's JSON, and what the devices did meanwhile.
measured() {
  local case=$1 devices
  shift
  drop_caches
  devices=$(device_counters)
  "$@" >"$OUT/result.json" 2>>"$OUT/bench.log" || { tail -5 "$OUT/bench.log" >&2; die "$case of $SETUP failed, see $OUT/bench.log"; }
  devices=$(minus "$(device_counters)" "$devices")
  record setup="$SETUP" case="$case" rep:="$REP" commit="$COMMIT" nvme="$NVME" ssd="$SSD" hddMbps:="$HDD_MBPS" "$devices" \
    "$(jq -c '{bytes, seconds: (.seconds // (.secondsByRound | add))}' "$OUT/result.json")"
  note "$SETUP, $case: $(tail -1 "$OUT/run.jsonl" |
    jq -c '[.seconds, (.nvmeBytesRead, .ssdBytesRead, .hddBytesRead | . // 0 | . / 1e6 | floor)]')"
}

settled() {
  "$IT_DIR/cluster.sh" settle
  if plugin; then wait_for 300 "the end of all moves" idle || note "goes on with moves under way"; fi
}

begin() {
  rm -f "$OUT/written.md5"
  local property options=() cluster=hycache
  "$IT_DIR/cluster.sh" stop
  fresh_devices --nvme-size "${NVME%:*}" --nvme-mbps "${NVME#*:}" --ssd-size "${SSD%:*}" --ssd-mbps "${SSD#*:}" --ssd-iops 5000 \
    --hdd-mbps "$HDD_MBPS" --hdd-size $(((FILES * MB + WRITE_MB) * 5 / 4 + 256))M --ram 16G
  # The data set comes to DISK.
  "$IT_DIR/cluster.sh" start --setup disk
  bench write --path /data --files "$FILES" --size $((MB << 20)) --threads "$THREADS" --replication 1 \
    --manifest "$OUT/written.md5" >/dev/null 2>>"$OUT/bench.log"
  "$IT_DIR/cluster.sh" settle
  [ "$SETUP" != disk ] || cluster=disk
  [ "$SETUP" != three ] || options+=(-D "hycache.tiers=NVDIMM,SSD,DISK")
  if plugin; then for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done; fi
  "$IT_DIR/cluster.sh" stop
  "$IT_DIR/cluster.sh" start --setup "$cluster" "${options[@]}"
}

run() { # SETUP
  local n
  SETUP=$1
  begin
  manifest tiers "$ROUNDS" random /data >"$OUT/manifest.json"
  if plugin; then hycache submit "$OUT/manifest.json" >>"$OUT/hycache.log" 2>&1; fi
  for n in $(seq "$ROUNDS"); do measured "read $n" bench read --path /data --readers "$THREADS"; done
  if plugin; then hycache status --devices >"$OUT/devices-$SETUP-$REP.txt" 2>>"$OUT/hycache.log" || true; fi
  settled
  measured write bench write --path /new --files $((WRITE_MB / MB)) --size $((MB << 20)) --threads "$THREADS" --replication 1 \
    --manifest "$OUT/written.md5" --sync "$SYNC"
  measured back bench read --path /new --readers "$THREADS"
  settled
  if [ "$SETUP" = three ]; then removal; fi
}

# removal: plain HDFS on what the plugin left.
removal() {
  "$IT_DIR/cluster.sh" stop
  "$IT_DIR/cluster.sh" start --setup plain
  bench verify --manifest "$OUT/written.md5" >"$OUT/verify.json" 2>>"$OUT/bench.log" ||
    die "files differ after the removal, see $OUT/verify.json"
  "$IT_DIR/cluster.sh" fsck / >"$OUT/fsck.txt" || die "fsck is not HEALTHY after the removal, see $OUT/fsck.txt"
  note "removal: all files as before, fsck HEALTHY"
}

hadoop_home
if has two "$SETUPS" || has three "$SETUPS"; then plugin_jar >/dev/null; fi
begin_results run.jsonl
for REP in $(seq "$REPS"); do
  for setup in $(in_turn "$SETUPS" "$REP"); do run "$setup"; done
done
report tiers "$OUT/run.jsonl" | tee "$OUT/table.md"
