#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# upgrade.sh: a rolling upgrade of Hadoop with the plugin on some DataNodes, on real processes (needs root).
#
#   upgrade.sh [options]
#     --from V      the Hadoop that is there                                  3.4.2
#     --to V        the one that comes                                        3.5.0
#     --parts LIST  of finalize, rollback, restore    finalize,rollback,restore
#     --seed N      of the clients                                                1
#     --out DIR     logs and results         results/upgrade-<date and time>
#
# finalize: prepare; the NameNode, then one DataNode after the other gets the new version, dn1 with the plugin before
#   and after, dn2 with it only after, dn3 with it only before; finalize. Clients (bench/Torture.java)
#   change and compare files all the time.
# rollback: a new cluster; files written with the old version and the plugin; prepare, all to the new version,
#   files written and some old ones deleted; then everything is rolled back: the old files are there with
#   every byte, the new ones are gone.
# restore: the NameNode's directories go back and block ids are issued twice. A new cluster is upgraded to its own version
#   (namenode -upgrade), /a is written and gets clean copies; namenode -rollback and datanode -rollback;
#   without the plugin /b is written, whose blocks have the ids, generation stamps and lengths of those of /a; with the plugin
#   again, every byte of /b is compared.
# Replicas are demoted and promoted all the time (low watermarks, policy lru). Ends with 0 only if all that
# holds. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

FROM=3.4.2 TO=3.5.0 SEED=1 PARTS=finalize,rollback,restore
OUT=$(new_results upgrade)
read_options --from=FROM --to=TO --parts=PARTS --seed=SEED --out=OUT -- "$@"
need_root
need jq java curl

CLIENTS=''
at_end cluster_down
at_end end_process CLIENTS

# runs VERSION: what is started from here on, daemons and tools, is of this version.
runs() {
  export HADOOP_VERSION=$1
  # shellcheck source-path=SCRIPTDIR
  . "$IT_DIR/lib.sh"
  hadoop_home
}
admin() { hadoop org.apache.hadoop.hdfs.tools.DFSAdmin "$@" >>"$OUT/admin.log" 2>&1; }
start() { # SETUP OPTIONS...
  "$IT_DIR/cluster.sh" start --setup "$1" -D dfs.blocksize=4194304 -D hycache.write.min-block-size=1MB \
    -D hycache.policy=lru -D hycache.demote.high=0.1 -D hycache.demote.low=0.02 -D hycache.demote.bandwidth.busy=32MB "${@:2}"
}
prepared() { hadoop org.apache.hadoop.hdfs.tools.DFSAdmin -rollingUpgrade query 2>/dev/null | grep -q 'Proceed with rolling upgrade'; }
prepare() {
  # A NameNode without a stand-by makes the image for a rollback itself, in safe mode.
  admin -safemode enter
  admin -rollingUpgrade prepare
  admin -safemode leave
  wait_for 60 "the image for a rollback" prepared
}
dn_stopped() { ! alive "dn$1"; }
# upgrade_dn I SETUP: as an operator does it; clients wait for the DataNode meanwhile.
upgrade_dn() {
  admin -shutdownDatanode "127.0.0.1:$(dn_port "$1" 1)" upgrade
  wait_for 60 "dn$1 to stop" dn_stopped "$1"
  "$IT_DIR/cluster.sh" restart-dn "$1" "$2"
}
version_of() { jmx "$(dn_port "$1" 2)" 'Hadoop:service=DataNode,name=DataNodeInfo' | jq -r '.beans[0].Version | split(",")[0]'; }
healthy() { "$IT_DIR/cluster.sh" fsck / >"$OUT/fsck.txt"; }
# show STEP: a line of the table: what runs where, and whether the file system is healthy.
show() {
  local i line='' health=HEALTHY
  for i in $(seq "$DATANODES"); do line+=" dn$i $(version_of "$i") $(<"$RUN/dn$i.setup"),"; done
  # A NameNode that has just started does not have the reports of all replicas yet.
  wait_for 60 "a healthy file system" healthy || { health='NOT HEALTHY' && FAILED=1; }
  printf '%-34s %-78s %s\n' "$1" "${line%,}" "$health" | tee -a "$OUT/table.txt"
}
check() { # WHAT COMMAND...
  local what=$1 result=ok
  shift
  "$@" >>"$OUT/checks.log" 2>&1 || { result=FAILED && FAILED=1; }
  printf '%-34s %s\n' "$what" "$result" | tee -a "$OUT/table.txt"
}

# blocks_of PATH: names of its blocks with their generation stamps and lengths, in order.
blocks_of() {
  hadoop org.apache.hadoop.hdfs.tools.DFSck "$1" -files -blocks 2>/dev/null | grep -oE 'blk_[0-9]+_[0-9]+ len=[0-9]+'
}
absent() { ! hdfs_dfs -test -e "$1"; }
all_clean() { at_least cleanBytes "$1" && [ "$(hyc_sum dirtyBytes)" = 0 ]; }

finalize() {
  "$IT_DIR/cluster.sh" format
  start hycache
  "$IT_DIR/cluster.sh" restart-dn 2 plain
  show 'before'
  client Torture --seconds 150 --threads 3 --seed "$SEED" >"$OUT/clients.json" 2>"$OUT/clients.log" &
  CLIENTS=$!
  prepare
  runs "$TO"
  "$IT_DIR/cluster.sh" restart-nn -rollingUpgrade started
  show 'NameNode upgraded'
  upgrade_dn 1 hycache
  show 'dn1 upgraded'
  upgrade_dn 2 hycache
  show 'dn2 upgraded, gets the plugin'
  upgrade_dn 3 plain
  show 'dn3 upgraded, loses the plugin'
  admin -rollingUpgrade finalize
  show 'finalized'
  check 'clients: no wrong byte' wait "$CLIENTS"
  CLIENTS=''
  "$IT_DIR/cluster.sh" stop
}

# A namespace that has been finalized can't go back: the other parts have one of their own.
rollback() {
  "$IT_DIR/cluster.sh" format
  start hycache
  bench write --path /old --files 40 --size $((6 << 20)) --block 4194304 --seed "$SEED" --manifest "$OUT/old.md5" >/dev/null
  bench read --path /old --readers 2 >/dev/null
  prepare
  "$IT_DIR/cluster.sh" stop
  runs "$TO"
  start hycache --namenode '-rollingUpgrade started'
  show 'all upgraded'
  bench write --path /new --files 10 --size $((6 << 20)) --block 4194304 --seed "$SEED" >/dev/null
  hdfs_dfs -rm -r -skipTrash '/old/part-0000*' >/dev/null
  bench read --path /old --readers 2 >/dev/null
  "$IT_DIR/cluster.sh" stop
  runs "$FROM"
  start hycache --namenode '-rollingUpgrade rollback' --datanodes -rollback
  show 'rolled back'
  check 'old files: every byte' bench verify --manifest "$OUT/old.md5"
  check 'new files: gone' absent /new
  "$IT_DIR/cluster.sh" stop
}

restore() {
  # Read by HDFS's client from any replica: more reads than replicas, so that each one is read.
  local size=$((6 << 20)) files=8 round
  # All that is written becomes a clean copy.
  local eager=(-D hycache.demote.high=0 -D hycache.demote.low=0)
  "$IT_DIR/cluster.sh" format
  start hycache "${eager[@]}"
  bench write --path /old --files 8 --size "$size" --block 4194304 --seed "$SEED" --manifest "$OUT/before.md5" >/dev/null
  "$IT_DIR/cluster.sh" stop
  start hycache "${eager[@]}" --namenode -upgrade
  bench write --path /a --files "$files" --size "$size" --block 4194304 --threads 1 --seed "$SEED" >/dev/null
  wait_for 120 "clean copies of all" all_clean $((2 * (files + 8) * size))
  show 'upgraded, all clean'
  blocks_of /a >"$OUT/blocks-a.txt"
  "$IT_DIR/cluster.sh" stop
  echo Y | hadoop_on nn org.apache.hadoop.hdfs.server.namenode.NameNode -rollback >"$OUT/namenode-rollback.log" 2>&1 ||
    die "namenode -rollback failed, see $OUT/namenode-rollback.log"
  start plain --datanodes -rollback
  show 'restored, without the plugin'
  check '/a: gone' absent /a
  bench write --path /b --files "$files" --size "$size" --block 4194304 --threads 1 --seed $((SEED + 1)) --manifest "$OUT/b.md5" >/dev/null
  blocks_of /b >"$OUT/blocks-b.txt"
  check 'the blocks of /b are named as those of /a were' cmp "$OUT/blocks-a.txt" "$OUT/blocks-b.txt"
  "$IT_DIR/cluster.sh" stop
  start hycache "${eager[@]}"
  show 'with the plugin again'
  for round in 1 2 3 4; do
    check "/b: every byte, reading $round" bench verify --manifest "$OUT/b.md5"
  done
  check 'old files: every byte' bench verify --manifest "$OUT/before.md5"
  show 'read four times'
  "$IT_DIR/cluster.sh" stop
}

begin_results
FAILED=0
runs "$TO"
runs "$FROM"
"$IT_DIR/devices.sh" down
"$IT_DIR/devices.sh" up --ssd-size 640M --hdd-size 3G --dirty 0 >/dev/null
for part in ${PARTS//,/ }; do
  case $part in
    finalize | rollback | restore) runs "$FROM"; $part ;;
    *) expected "--parts of finalize, rollback, restore" "'$part'" ;;
  esac
done
exit $FAILED
