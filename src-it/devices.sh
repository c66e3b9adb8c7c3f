#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# devices.sh: an SSD, one or more HDD volumes and on request an NVMe device for each DataNode, emulated (needs root).
#
# Each volume is ext4 on a loop device over a sparse file in a tmpfs, throttled by the kernel's
# block controller. What the page cache cannot answer takes as long as on such a device.
#
#   devices.sh up [options]     make and mount the volumes
#   devices.sh set [options]    change the speeds of volumes that are up
#   devices.sh status           speeds, space and traffic of each volume
#   devices.sh drop-caches [SECONDS [PERIOD]]
#                               drop the page cache once, or every PERIOD (0.5 s) for SECONDS
#   devices.sh down             unmount and remove everything; harmless when nothing is up
#
# The throttle keeps the rate of a device over time, not the latency of one operation: up to a tenth
# of a second's operations pass at once. A lone client that spreads over several HDDs is therefore
# answered faster than by real ones. It also keeps a rate for reads and another for writes, so that
# neither waits for the other; --one-head is for what depends on that.
#
# Options of up and set (a random 7200 rpm disk, and a SATA SSD):
#   --hdd-mbps N    MB/s (10^6) of an HDD, reads and writes each     120
#   --hdd-iops N    operations a second of an HDD                    170
#   --ssd-mbps N    MB/s of an SSD                                   500
#   --ssd-iops N    operations a second of an SSD                  20000
#   --nvme-mbps N   MB/s of an NVMe device                           500
#   --nvme-iops N   operations a second of an NVMe device          20000
# Options of up only:
#   --ssd-size S    usable bytes of an SSD volume                     2G
#   --ssd2-size S   usable bytes of a second SSD of each DataNode; 0 = none    0
#   --nvme-size S   usable bytes of an NVMe device of each DataNode, its volume nvme; 0 = none    0
#   --hdds N        HDDs of each DataNode: the volumes hdd, hdd2, ..., hddN     1
#   --hdd-size S    usable bytes of an HDD volume                     8G
#   --inode-bytes N an inode for every N bytes of a volume           65536
#   --ram S         limit of the tmpfs behind all volumes            12G
#   --faulty V      volume V (such as dn1-ssd) fails on demand: write eio-read, eio-write,
#                   eio, hang or ok to $HYC_WORK/ram/faulty-mode (see disk.py)
#   --one-head W    the HDDs (yes) or one of them (such as dn1-hdd or dn1-hdd2) behind disk.py instead of the throttle:
#                   reads and writes wait for one head, and each request for its turn    no
#   --dirty S       vm.dirty_bytes while the volumes are up, so that
#                   a write soon runs at the device's speed; 0 = leave  128M
#
# Environment: HYC_WORK (work directory, default /tmp/hycache-it), HYC_DATANODES (3).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

HDD_MBPS=120 HDD_IOPS=170 SSD_MBPS=500 SSD_IOPS=20000 NVME_MBPS=500 NVME_IOPS=20000
VM_SAVED=/run/hycache-it.vm
SSD_SIZE=2G SSD2_SIZE=0 NVME_SIZE=0 HDDS=1 HDD_SIZE=8G RAM_SIZE=12G DIRTY=128M FAULTY='' ONE_HEAD=no INODE_BYTES=65536

options() {
  read_options --hdd-mbps=HDD_MBPS --hdd-iops=HDD_IOPS --ssd-mbps=SSD_MBPS --ssd-iops=SSD_IOPS --ssd-size=SSD_SIZE \
    --nvme-mbps=NVME_MBPS --nvme-iops=NVME_IOPS --nvme-size=NVME_SIZE --ssd2-size=SSD2_SIZE --hdds=HDDS --hdd-size=HDD_SIZE --ram=RAM_SIZE --dirty=DIRTY --faulty=FAULTY --one-head=ONE_HEAD \
    --inode-bytes=INODE_BYTES -- "$@"
  [[ $HDDS =~ ^[1-9][0-9]*$ ]] || expected "--hdds N with a number of HDDs from 1 on" "'$HDDS'"
  [[ $ONE_HEAD =~ ^(yes|no|dn[0-9]+-hdd[0-9]*)$ ]] || expected "--one-head yes, no or an HDD such as dn1-hdd" "'$ONE_HEAD'"
}

# has_one_head dnI KIND
has_one_head() { is_hdd "$2" && { [ "$ONE_HEAD" = yes ] || [ "$ONE_HEAD" = "$1-$2" ]; }; }

speeds() {
  local i loop kind
  for i in $(seq "$DATANODES"); do
    for kind in $(kinds); do
      loop=$(loop_of "dn$i" "$kind")
      [ -n "$loop" ] || die "devices are not up"
      if has_one_head "dn$i" "$kind"; then
        continue
      elif is_hdd "$kind"; then
        throttle "$(majmin "$loop")" "${HDD_MBPS}000000" "${HDD_MBPS}000000" "$HDD_IOPS" "$HDD_IOPS"
      elif [ "$kind" = nvme ]; then
        throttle "$(majmin "$loop")" "${NVME_MBPS}000000" "${NVME_MBPS}000000" "$NVME_IOPS" "$NVME_IOPS"
      else
        throttle "$(majmin "$loop")" "${SSD_MBPS}000000" "${SSD_MBPS}000000" "$SSD_IOPS" "$SSD_IOPS"
      fi
    done
  done
  echo "hdd_mbps=$HDD_MBPS hdd_iops=$HDD_IOPS ssd_mbps=$SSD_MBPS ssd_iops=$SSD_IOPS nvme_mbps=$NVME_MBPS nvme_iops=$NVME_IOPS" \
    "one_head=$ONE_HEAD" >"$HYC_WORK/speeds"
}

# behind_fuse VOLUME CONTROL [MB_PER_S IOPS]: its image is what disk.py makes of it.
behind_fuse() {
  /usr/bin/python3 -c 'import fusepy' 2>/dev/null || /usr/bin/python3 -c 'import fuse' 2>/dev/null ||
    die "a Python module of FUSE is needed (Debian: apt-get install python3-fusepy)"
  mkdir -p "$RAM/fuse/$1"
  setsid "$IT_DIR/disk.py" "$image" "$RAM/fuse/$1" "${@:2}" >"$HYC_WORK/$1.fuse.log" 2>&1 &
  echo "$!" >"$HYC_WORK/$1.fuse-pid"
  image=$RAM/fuse/$1/$1.img
  wait_for 10 "the volume $1 behind FUSE" test -e "$image"
}

make_volume() { # dnI kind size
  local image=$RAM/$1-$2.img dir=$VOL/$1/$2 loop size ahead
  # What ext4 takes for itself (journal, inode tables) comes on top of the usable size.
  size=$(bytes "$3")
  # shellcheck disable=SC2017 # whole inodes
  size=$((size + size / INODE_BYTES * 256 + size / 900 + (36 << 20)))
  truncate -s $((size & ~4095)) "$image"
  if [ "$FAULTY" = "$1-$2" ]; then
    behind_fuse "$1-$2" "$RAM/faulty-mode"
  elif has_one_head "$1" "$2"; then
    behind_fuse "$1-$2" "$RAM/$1-$2-mode" "$HDD_MBPS" "$HDD_IOPS"
  fi
  loop=$(losetup -f --show "$image")
  mkfs.ext4 -q -F -m 0 -i "$INODE_BYTES" -J size=16 -E lazy_itable_init=0,lazy_journal_init=0 "$loop"
  # A request as large as the device takes: 170 of them a second must not slow a sequential stream.
  echo 1280 >"/sys/block/${loop#/dev/}/queue/max_sectors_kb"
  # Said for both: a loop device keeps what an earlier user of its number had.
  if is_hdd "$2"; then ahead=1280; else ahead=128; fi
  echo $ahead >"/sys/block/${loop#/dev/}/queue/read_ahead_kb"
  mkdir -p "$dir"
  mount -o noatime,discard "$loop" "$dir" # discard: deleted blocks give their memory back
}

up() {
  need losetup mkfs.ext4
  mounted "$RAM" && die "devices are up already in $HYC_WORK (devices.sh down first)"
  mkdir -p "$RAM" "$VOL" "$RUN"
  # In huge pages where the kernel has them: dropping the page cache walks through the images, too, and with
  # 10 GB of small pages that takes a core half a second.
  mount -t tmpfs -o "size=$(bytes "$RAM_SIZE"),huge=always" hycache-it "$RAM" 2>/dev/null ||
    mount -t tmpfs -o "size=$(bytes "$RAM_SIZE")" hycache-it "$RAM"
  trap 'down' ERR
  local i n
  for i in $(seq "$DATANODES"); do
    [ "$NVME_SIZE" = 0 ] || make_volume "dn$i" nvme "$NVME_SIZE"
    make_volume "dn$i" ssd "$SSD_SIZE"
    [ "$SSD2_SIZE" = 0 ] || make_volume "dn$i" ssd2 "$SSD2_SIZE"
    make_volume "dn$i" hdd "$HDD_SIZE"
    for n in $(seq 2 "$HDDS"); do make_volume "dn$i" "hdd$n" "$HDD_SIZE"; done
  done
  speeds
  if [ "$DIRTY" != 0 ]; then
    # The kernel keeps either the ratio or the bytes; the other reads 0. The machine has one such
    # setting: the first work directory that comes up saves it, the last that goes restores it.
    [ -e "$VM_SAVED" ] || for i in dirty_ratio dirty_bytes dirty_background_ratio dirty_background_bytes; do
      echo "$i $(cat "/proc/sys/vm/$i")"
    done >"$VM_SAVED"
    bytes "$DIRTY" >/proc/sys/vm/dirty_bytes
    echo $(($(bytes "$DIRTY") / 4)) >/proc/sys/vm/dirty_background_bytes
  fi
  trap - ERR
}

down() {
  trap - ERR
  rm -f "$RAM/faulty-mode"
  local file loop dir key value
  for file in /sys/block/loop*/loop/backing_file; do
    [ -e "$file" ] || continue
    case $(<"$file") in
      "$RAM"/*)
        loop=/dev/$(basename "$(dirname "$(dirname "$file")")")
        throttle "$(majmin "$loop")" 0 0 0 0
        dir=$(awk -v d="$loop" '$1 == d {print $2}' /proc/self/mounts)
        [ -z "$dir" ] || umount "$dir" || die "$dir is in use: stop the cluster first (cluster.sh stop)"
        losetup -d "$loop"
        ;;
    esac
  done
  for dir in "$RAM"/fuse/*; do
    mounted "$dir" || continue
    umount "$dir"
    fuse_ended() { ! [ -e "/proc/$(<"$HYC_WORK/$(basename "$dir").fuse-pid")" ]; }
    wait_for 10 "the end of $dir" fuse_ended
  done
  if mounted "$RAM"; then umount "$RAM"; fi
  if [ -e "$VM_SAVED" ] && ! grep -q '^hycache-it ' /proc/self/mounts; then
    while read -r key value; do
      [ "$value" = 0 ] || echo "$value" >"/proc/sys/vm/$key"
    done <"$VM_SAVED"
    rm -f "$VM_SAVED"
  fi
  if [ "$CGROUP_VERSION" = 1 ]; then
    find "$CGROUP/memory/hycache-it" -depth -type d -exec rmdir {} + 2>/dev/null || true
  else
    rmdir "$CGROUP_OURS" 2>/dev/null || true
  fi
  rm -rf "$VOL" "$HYC_WORK/speeds"
}

status() {
  local i kind loop used avail stat
  [ -e "$HYC_WORK/speeds" ] || { echo "devices are not up in $HYC_WORK"; return; }
  cat "$HYC_WORK/speeds"
  printf '%-8s %-12s %10s %10s %10s %10s\n' volume device used_MB free_MB read_MB written_MB
  for i in $(seq "$DATANODES"); do
    for kind in $(kinds); do
      loop=$(loop_of "dn$i" "$kind")
      read -r used avail < <(df -B1 --output=used,avail "$VOL/dn$i/$kind" | tail -1)
      read -ra stat <"/sys/block/${loop#/dev/}/stat"
      printf '%-8s %-12s %10d %10d %10d %10d\n' "dn$i/$kind" "$loop" \
        $((used >> 20)) $((avail >> 20)) $((stat[2] >> 11)) $((stat[6] >> 11))
    done
  done
}

case ${1:-} in
  up) need_root; shift; options "$@"; up; status ;;
  set)
    need_root
    shift
    [ -e "$HYC_WORK/speeds" ] || die "devices are not up in $HYC_WORK"
    # What is not given stays as it is.
    # shellcheck disable=SC2046
    for pair in $(<"$HYC_WORK/speeds"); do declare "$(tr '[:lower:]' '[:upper:]' <<<"${pair%%=*}")=${pair#*=}"; done
    options "$@"
    speeds
    cat "$HYC_WORK/speeds"
    ;;
  status) status ;;
  drop-caches)
    need_root
    drop_caches
    end=$((SECONDS + ${2:-0}))
    while [ "$SECONDS" -lt "$end" ]; do
      echo 3 >/proc/sys/vm/drop_caches
      sleep "${3:-0.5}"
    done
    ;;
  down) need_root; down ;;
  -h | --help | help) usage ;;
  '') usage >&2; exit 2 ;;
  *) expected "a command" "'$1'" ;;
esac
