#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# torture.sh: everything that HDFS allows, on real processes that are being killed (needs root).
#
#   torture.sh [options]
#     --minutes N     how long                                             30
#     --seed N        of the clients and of the faults                      1
#     --threads N     clients                                               6
#     --appenders N   clients that append and truncate within 120 ms of a close     2
#     --flip-every S  a bit of a random clean copy is flipped every S seconds; 0: none     3
#     --kill-every S  a random DataNode gets SIGKILL every S seconds       20
#     --removals N    how often in each half all DataNodes are killed and plain Hadoop without the JAR goes on
#                     for a minute under the same clients                   1
#     --rollback W    yes: a rollback in the middle                       yes
#     --directives W  yes: cache directives pin on SSD (hycache.directives), in place of HDFS's own cache      no
#     --tiers N       2, or 3: an NVMe device (storage type NVDIMM) above the SSDs of each DataNode (hycache.tiers)     2
#     --setup S       hycache; or plain, to see what this does to Hadoop itself     hycache
#     --out DIR       logs and results         results/torture-<date and time>
#     -D KEY=VALUE    a property of the cluster; repeatable
#
# Clients (bench/Torture.java) create, append, truncate, read, rename, delete, change replication, take
# and read snapshots, also erasure-coded files, and compare every byte with a model. Meanwhile a
# random DataNode is killed and started again all the time, the NameNode twice; an SSD is filled by
# a foreign file; each DataNode has two SSDs, and the second one of one DataNode at a time is taken out and put
# back while it runs; bits of clean copies flip; with three tiers an NVMe device gets its turn of each of these; balancer, mover, disk balancer and HDFS's own cache
# directives run in turn; demotion runs all the time because the watermarks are 0, promotion because the policy is lru.
# In the middle: a rolling upgrade is prepared, files are written and deleted, all daemons are killed, NameNode and
# DataNodes go back, and files are written without the plugin, whose blocks get ids that were in use before.
# Afterwards: fsck; then plain Hadoop without the plugin: fsck, and every byte again.
# Ends with 0 only if no byte was wrong, no block is missing or corrupt, and a bit flipped on each kind of device.
# The counters of a DataNode are added up before each kill: what it did in the last moments is not in them.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

MINUTES=30 SEED=1 THREADS=6 APPENDERS=2 FLIP_EVERY=3 KILL_EVERY=20 REMOVALS=1 ROLLBACK=yes DIRECTIVES=no TIERS=2 SETUP=hycache
OUT=$(new_results torture)
PROPERTIES=()
read_options --minutes=MINUTES --seed=SEED --threads=THREADS --appenders=APPENDERS --flip-every=FLIP_EVERY --rollback=ROLLBACK --kill-every=KILL_EVERY --removals=REMOVALS \
  --directives=DIRECTIVES --tiers=TIERS --setup=SETUP --out=OUT -D=PROPERTIES+ -- "$@"
has "$DIRECTIVES" yes,no || expected "--directives yes or no" "'$DIRECTIVES'"
has "$TIERS" 2,3 || expected "--tiers 2 or 3" "'$TIERS'"
need_root
need jq java curl python3

CACHE=(--hdfs-cache) NVME=()
# Kinds of devices, by turns: those that a foreign file fills, and those that are taken out.
FILLS=(ssd) TAKES_OUT=(ssd2)
[ "$DIRECTIVES" = no ] || CACHE=(-D hycache.directives=true)
if [ "$TIERS" = 3 ]; then
  NVME=(--nvme-size 256M)
  CACHE+=(-D "hycache.tiers=NVDIMM,SSD,DISK")
  FILLS+=(nvme) TAKES_OUT+=(nvme)
fi
FOREIGN=''
TOOLS='' CLIENTS='' FLIPS='' OUT_OF_USE=''
at_end cluster_down
at_end end_process CLIENTS
at_end end_process FLIPS
at_end end_tools

start() { # SETUP OPTIONS...
  local options=() property
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  OUT_OF_USE='' # the configuration is written anew
  # The directory scanner: while an SSD is out, HDFS may put its blocks on an HDD of the same DataNode, and when it is back
  # the scanner removes what is there twice.
  "$IT_DIR/cluster.sh" start --setup "$1" "${CACHE[@]}" --hdd-dirs 2 \
    -D dfs.blocksize=4194304 -D hycache.write.min-block-size=1MB -D hycache.policy=lru \
    -D hycache.demote.high=0 -D hycache.demote.low=0 -D hycache.demote.bandwidth.busy=32MB \
    -D dfs.namenode.stale.datanode.interval=3000 -D dfs.namenode.avoid.read.stale.datanode=true \
    -D dfs.namenode.heartbeat.recheck-interval=3000 -D dfs.datanode.directoryscan.interval=30 "${options[@]}" "${@:2}"
}

# count NODE...: adds the counters of these DataNodes, by port, to those of before.
count() {
  [ "$SETUP" = hycache ] || return 0
  hycache status --json 2>/dev/null |
    jq -c '.dataNodes[] | select(.dataNode as $name | any($ARGS.positional[]; . as $port | $name | endswith($port))) | .counters // {}' --args "$@" >>"$OUT/counters.jsonl" || true
}
node() { echo ":$(dn_port "$1" 0)"; }
all_nodes() {
  local i
  for i in $(seq "$DATANODES"); do node "$i"; done
}

# tool NAME ARGS...: its end, good or bad, is counted. While daemons die, failures are part of it.
tool() {
  local name=$1 end=ok
  shift
  hadoop "$@" >>"$OUT/tools.log" 2>&1 || end=failed
  echo "$name $end" >>"$OUT/tools.ends"
}
# What an administrator's tools do to the same blocks, one after the other.
tools() {
  local i id
  while :; do
    tool balancer org.apache.hadoop.hdfs.server.balancer.Balancer -threshold 1 -idleiterations 1
    tool mover org.apache.hadoop.hdfs.server.mover.Mover -p /torture/plain
    for i in $(seq "$DATANODES"); do
      id=$(sed -n 's/^datanodeUuid=//p' "$VOL/dn$i/hdd/data/current/VERSION")
      hdfs_dfs -rm -r -f -skipTrash "/plans/dn$i" >/dev/null 2>&1 || true # a plan needs a new place
      tool diskPlan org.apache.hadoop.hdfs.tools.DiskBalancerCLI -plan "$id" -out "/plans/dn$i" -thresholdPercentage 0.01 -bandwidth 50
      if hdfs_dfs -test -e "/plans/dn$i/$id.plan.json" 2>/dev/null; then
        tool diskBalancer org.apache.hadoop.hdfs.tools.DiskBalancerCLI -execute "/plans/dn$i/$id.plan.json" -skipDateCheck
      fi
    done
    tool cachePool org.apache.hadoop.hdfs.tools.CacheAdmin -addPool torture
    tool cacheDirective org.apache.hadoop.hdfs.tools.CacheAdmin -addDirective -path /torture/plain -pool torture -replication 2
    tool cachePoolRemoved org.apache.hadoop.hdfs.tools.CacheAdmin -removePool torture
  done
}
begin_tools() {
  set -m # a process group of its own, for the tool that is under way when it ends
  tools &
  set +m
  TOOLS=$!
}
end_tools() {
  [ -n "$TOOLS" ] || return 0
  kill -- "-$TOOLS" 2>/dev/null || true
  wait "$TOOLS" 2>/dev/null || true
  TOOLS=''
}

# fault WHAT KIND: counts a fault by the kind of device that it hits.
fault() { echo "$1 $2" >>"$OUT/faults.txt"; }

# flip FILE: a bit of it. A file with a second name may be the replica itself, which is being demoted: not that.
flip() {
  local size at byte kind=${1#"$VOL"/dn*/}
  [ "$(stat -c %h "$1" 2>/dev/null)" = 1 ] && size=$(stat -c %s "$1" 2>/dev/null) && [ "$size" -gt 0 ] || return 0
  at=$(((RANDOM * 32768 + RANDOM) % size))
  byte=$(dd if="$1" bs=1 count=1 skip=$at 2>/dev/null | od -An -tu1 | tr -d ' ')
  [ -n "$byte" ] || return 0
  # shellcheck disable=SC2059
  printf "\\x$(printf %02x $((byte ^ (1 << RANDOM % 8))))" |
    dd of="$1" bs=1 count=1 seek=$at conv=notrunc,nocreat 2>/dev/null || return 0
  echo "$(date +%H:%M:%S) $1 $at" >>"$OUT/flips.txt"
  fault bitFlipped "${kind%%/*}"
}
flips() {
  local file
  while :; do
    sleep "$FLIP_EVERY"
    # find fails when a file goes meanwhile, or a device is taken out.
    file=$(find "$VOL"/dn*/{ssd*,nvme}/data/hycache -path '*/BP-*' -type f ! -name '*.tmp' 2>/dev/null | shuf -n 1) || true
    [ -z "$file" ] || flip "$file"
  done
}
begin_flips() {
  [ "$SETUP" = hycache ] && [ "$FLIP_EVERY" != 0 ] || return 0
  flips &
  # shellcheck disable=SC2034 # end_process takes its name
  FLIPS=$!
}

# put_back: the device that is out of use comes back.
put_back() {
  local dn=${OUT_OF_USE%% *} type=SSD kind=${OUT_OF_USE##* }
  [ "$kind" != nvme ] || type=NVDIMM
  sed -i "s|<name>dfs.datanode.data.dir</name><value>|&[$type]$VOL/dn$dn/$kind/data,|" "$CONF/dn$dn/hdfs-site.xml"
  "$IT_DIR/cluster.sh" reconfigure "$dn" >>"$OUT/reconfig.log" 2>&1 || note "dn$dn did not take its $kind back"
  OUT_OF_USE=''
}
# take_out I: a device of DataNode I goes, the kinds by turns.
take_out() {
  local kind=${TAKES_OUT[TAKEN_OUT % ${#TAKES_OUT[@]}]}
  # HDFS's own: a DataNode ends when it is to cache a block of a volume that is being removed.
  end_tools
  tool cachePoolRemoved org.apache.hadoop.hdfs.tools.CacheAdmin -removePool torture
  sed -i "s|\[[A-Z]*\]$VOL/dn$1/$kind/data,||" "$CONF/dn$1/hdfs-site.xml"
  "$IT_DIR/cluster.sh" reconfigure "$1" >>"$OUT/reconfig.log" 2>&1 || {
    note "dn$1 did not give its $kind up, see $OUT/jstack-dn$1.txt"
    jstack "$(<"$RUN/dn$1.pid")" >"$OUT/jstack-dn$1.txt" || true
  }
  OUT_OF_USE="$1 $kind"
  TAKEN_OUT=$((TAKEN_OUT + 1))
  fault takenOut "$kind"
  begin_tools
}

# revive: starts a DataNode that ended because it was to cache a block of a volume that was being removed: HDFS's own, see
# take_out. One that ended for another reason ends the run.
revive() {
  local i
  for i in $(seq "$DATANODES"); do
    ! alive "dn$i" || continue
    tail -5000 "$LOGS/dn$i.log" | grep -A8 'Command processor encountered fatal exception' | grep -q 'FsDatasetCache.cacheBlock' ||
      die "dn$i ended by itself"
    note "dn$i ended by HDFS's cache"
    newest_stamps "$i"
    "$IT_DIR/cluster.sh" restart-dn "$i"
  done
}

# torn BLOCK: HDFS's own. An append whose pipeline was rebuilt in the middle of a chunk of 512 bytes has the chunk's data and
# not its checksum; the DataNode says so in its log.
torn() {
  grep -q "Resetting bytesOnDisk to match.* ${1}_" "$LOGS"/dn*.log
}

# appended_while_scanned BLOCK: HDFS's own, see ScanAgainstAppendIT. The directory scanner lists a replica, the replica is
# appended to, and the scanner, which misses the checksum file of the older stamp, reports it as corrupt. The DataNode's log
# has the file of the newer stamp, which was there, and says that the scanner found none.
appended_while_scanned() {
  local log
  for log in "$LOGS"/dn*.log; do
    ! grep -q "Metadata file in memory .*/${1}_[0-9]*.meta does not match file found by scan null" "$log" ||
      ! grep -q "Block:${1#blk_} is not a regular file" "$log" || return 0
  done
  return 1
}

# healthy NAME: no block is corrupt, but for those that HDFS itself has torn in all their replicas. The clients
# put their files aside.
healthy() {
  local block
  "$IT_DIR/cluster.sh" fsck / >"$OUT/fsck-$1.txt" && return
  if grep -q 'Missing blocks:[[:space:]]*0$' "$OUT/fsck-$1.txt" && grep -q 'CORRUPT blockpool' "$OUT/fsck-$1.txt"; then
    while read -r block; do
      torn "$block" || { note "$block is corrupt, see $OUT/fsck-$1.txt"; return 1; }
      echo "$1 $block" >>"$OUT/torn.txt"
    done < <(grep 'CORRUPT blockpool' "$OUT/fsck-$1.txt" | grep -oE 'blk_-?[0-9]+')
    note "HDFS has torn appends, see $OUT/torn.txt"
    return
  fi
  note "fsck is not HEALTHY, see $OUT/fsck-$1.txt"
  return 1
}

# settled: nothing is left to be deleted or replicated. First all DataNodes report in full: what a kill left half
# written stands in the way of the next copy of its block until the NameNode gets the report. A NameNode may wait
# for ever for a block that is on all DataNodes, HDFS's own books: it counts a replica as "in excess" that was appended
# to since, sends no DataNode the order to delete it, and has no other place for the replica that it then misses; or one
# replica is corrupt, and would have to go before another could come.
settled() {
  report_in_full
  "$IT_DIR/cluster.sh" settle && return
  if ! hadoop org.apache.hadoop.hdfs.tools.DFSAdmin -metasave waiting.txt >/dev/null 2>&1 || ! cp "$LOGS/waiting.txt" "$OUT/"; then
    die "no metasave"
  fi
  nowhere_to_go "$OUT/waiting.txt" && { note "the NameNode only waits for blocks that are on all DataNodes, see $OUT/waiting.txt"; return; }
  # Seen once, cause unknown: the NameNode counts a replica fewer than the DataNodes have, and waits for nothing.
  note "not settled, the DataNodes report in full once more, see $OUT/replicas-*.txt"
  which_replicas before
  report_in_full
  "$IT_DIR/cluster.sh" settle && return
  which_replicas after
  return 1
}

report_in_full() {
  local i
  for i in $(seq "$DATANODES"); do
    hadoop org.apache.hadoop.hdfs.tools.DFSAdmin -triggerBlockReport "127.0.0.1:$(dn_port "$i" 1)" >/dev/null 2>&1 ||
      note "dn$i did not report"
  done
}

# which_replicas NAME: the replicas on record at the NameNode, and those that the DataNodes have.
which_replicas() {
  hadoop org.apache.hadoop.hdfs.tools.DFSck / -files -blocks -locations -openforwrite -includeSnapshots >"$OUT/replicas-$1-namenode.txt" 2>&1 || true
  find "$VOL"/dn*/ -path '*/current/BP-*/current/finalized/*' -name 'blk_*' >"$OUT/replicas-$1-datanodes.txt"
}

# nowhere_to_go METASAVE: each block that the NameNode waits for has a replica on each DataNode, or is missing and torn by
# HDFS in all of them; none is being copied. A corrupt replica is one whose append was interrupted, on a DISK as on any other
# volume: HDFS kept what had come of its last 512 bytes, and not what had come of their checksum; its DataNode says so in its
# log. Or it is one whose DataNode was killed while it was first written (INVALID_STATE: it waits to be recovered, its block is
# complete); the NameNode keeps it as corrupt even when a good replica has come to another volume of the same DataNode. Or it
# is one that was appended to while the directory scanner ran. A corrupt replica for any other reason is none of these.
nowhere_to_go() {
  local block
  report nowhere-to-go "$1" "$DATANODES" || return 1
  while read -r block; do
    torn "$block" || appended_while_scanned "$block" || grep -q "^Block=${block}_.*Reason=INVALID_STATE" "$1" || { note "a replica of $block is corrupt"; return 1; }
    CORRUPT=$((CORRUPT + 1))
  done < <(grep -E 'corrupt: [1-9]' "$1" | grep -oE 'blk_-?[0-9]+')
}

# newest_stamps I: HDFS's own, see TwoRecoveriesIT. A truncate of a file with a snapshot writes what stays to a new block.
# When that is recovered twice, because who was to commit it was killed, both checksum files stay, and a DataNode that was
# killed starts with the stamp of the older one: every byte is there, but to the NameNode the replica is corrupt, and with
# the other one the file. So the older file goes before a start. Only where the DataNode's log has both recoveries:
# two checksum files for any other reason stay, and are found.
newest_stamps() {
  local dir block stamps stamp newest copies
  while read -r dir block stamps; do
    newest=${stamps##* }
    copies=$(grep -o "truncateBlock: .*/tmp/.*/${block}_[0-9]*.meta" "$LOGS/dn$1.log" | grep -o '[0-9]*.meta$' | sort -u || true)
    for stamp in ${stamps% *}; do
      # The newer one may have been appended to since, which gives it another stamp.
      if [ "$(wc -l <<<"$copies")" -lt 2 ] || ! grep -qx "$stamp.meta" <<<"$copies"; then
        note "dn$1: $dir/$block has the stamps $stamps"
        continue 2
      fi
    done
    for stamp in ${stamps% *}; do
      echo "dn$1 $dir/${block}_$stamp.meta, newer is $newest" >>"$OUT/two-recoveries.txt"
      rm "$dir/${block}_$stamp.meta"
    done
  done < <(find "$VOL/dn$1" -path '*/finalized/*' -name 'blk_*_*.meta' -printf '%h %f\n' |
    sed -E 's/ (blk_-?[0-9]+)_([0-9]+)\.meta$/ \1 \2/' | sort -k1,2 -k3n |
    awk '{key = $1 " " $2; stamps[key] = stamps[key] " " $3; count[key]++} END {for (key in count) if (count[key] > 1) print key stamps[key]}')
}

# start_or_keep_evidence SETUP: where a start fails, what the NameNode misses and what the DataNodes have is kept.
start_or_keep_evidence() {
  local i
  for i in $(seq "$DATANODES"); do newest_stamps "$i"; done
  start "$1" && return
  mkdir -p "$OUT/evidence"
  hadoop org.apache.hadoop.hdfs.tools.DFSck / -files -blocks -locations -includeSnapshots -openforwrite >"$OUT/evidence/fsck.txt" 2>&1 || true
  hadoop org.apache.hadoop.hdfs.tools.DFSck / -list-corruptfileblocks >"$OUT/evidence/corrupt.txt" 2>&1 || true
  find "$VOL" -name 'blk_*' -printf '%p %s\n' >"$OUT/evidence/files.txt"
  cp -r "$RAM/nn" "$LOGS" "$OUT/evidence/"
  die "the cluster does not start with $1, see $OUT/evidence"
}

# All DataNodes die at once; plain Hadoop serves the same clients for a minute, then ours comes back.
remove_for_a_minute() {
  local i end
  note "removal: plain Hadoop for a minute"
  end_tools
  end_process FLIPS
  # shellcheck disable=SC2046
  count $(all_nodes)
  for i in $(seq "$DATANODES"); do "$IT_DIR/cluster.sh" kill "dn$i"; done
  "$IT_DIR/cluster.sh" stop
  start_or_keep_evidence plain
  end=$((SECONDS + 60))
  while [ $SECONDS -lt $end ] && kill -0 "$CLIENTS" 2>/dev/null; do sleep 1; done
  healthy "removal-$1" || code=1
  "$IT_DIR/cluster.sh" stop
  start_or_keep_evidence "$SETUP"
  begin_tools
  begin_flips
}

# Random moments: the NameNode's in the whole, the removals' in as many parts.
moments() { # N SECONDS: seconds from the start, ascending
  local i part=$(($2 / ($1 > 0 ? $1 : 1)))
  for i in $(seq 0 $(($1 - 1))); do echo $((i * part + part / 4 + RANDOM % (part / 2))); done
}

# hammer SECONDS SEED PATH: clients, and all that happens to the daemons meanwhile; the clients verify at the end.
hammer() {
  local begun=$SECONDS next=$KILL_EVERY nn_kills=0 removed=0 victim kind
  local -a nn_at remove_at
  mapfile -t nn_at < <(moments 1 "$1")
  mapfile -t remove_at < <(moments "$REMOVALS" "$1")
  client Torture --seconds "$1" --threads "$THREADS" --appenders "$APPENDERS" --seed "$2" --path "$3" --logs "$LOGS" >>"$OUT/clients.json" 2>>"$OUT/clients.log" &
  CLIENTS=$!
  begin_tools
  begin_flips
  while [ $((SECONDS - begun)) -lt "$1" ] && kill -0 "$CLIENTS" 2>/dev/null; do
    while [ $((SECONDS - begun)) -lt $next ]; do sleep 0.2; done
    next=$((next + KILL_EVERY))
    revive
    victim=$((RANDOM % DATANODES + 1))
    count "$(node $victim)"
    "$IT_DIR/cluster.sh" kill "dn$victim"
    KILLS=$((KILLS + 1))
    if [ $nn_kills -lt ${#nn_at[@]} ] && [ $((SECONDS - begun)) -ge "${nn_at[nn_kills]}" ]; then
      "$IT_DIR/cluster.sh" kill nn
      "$IT_DIR/cluster.sh" restart-nn
      nn_kills=$((nn_kills + 1)) NN_KILLS=$((NN_KILLS + 1))
    fi
    if [ -n "$FOREIGN" ]; then
      rm -f "$FOREIGN"
      FOREIGN=''
    elif [ $((KILLS % 4)) = 0 ]; then
      kind=${FILLS[FILLED % ${#FILLS[@]}]}
      FOREIGN=$VOL/dn2/$kind/foreign
      # As large as what is free: the next write of ours finds no room.
      dd if=/dev/zero of="$FOREIGN" bs=1M >/dev/null 2>&1 || true
      FILLED=$((FILLED + 1))
      fault filled "$kind"
    fi
    newest_stamps $victim
    "$IT_DIR/cluster.sh" restart-dn "$victim"
    if [ $((KILLS % 2)) = 0 ]; then
      : # devices stay as they are
    elif [ -n "$OUT_OF_USE" ]; then
      put_back
    else
      take_out "$victim"
    fi
    if [ $removed -lt "$REMOVALS" ] && [ $((SECONDS - begun)) -ge "${remove_at[removed]}" ]; then
      removed=$((removed + 1)) REMOVED=$((REMOVED + 1))
      remove_for_a_minute $REMOVED
      KILLS=$((KILLS + DATANODES)) next=$((SECONDS - begun + KILL_EVERY))
    fi
  done
  [ -z "$FOREIGN" ] || rm -f "$FOREIGN"
  FOREIGN=''
  end_tools
  end_process FLIPS
  [ -z "$OUT_OF_USE" ] || put_back
  note "$KILLS times a DataNode and $NN_KILLS times the NameNode killed, $REMOVED removals, a device filled $FILLED times, taken out $TAKEN_OUT times; the clients verify"
  wait "$CLIENTS" || code=$?
  CLIENTS=''
  [ "$code" = 0 ] || { grep WRONG "$OUT/clients.log" | head >&2; }
}

# rolled_back: what is there stays as it is through a rolling upgrade that is rolled back, and what gets the ids of blocks that
# were is not taken for them.
rolled_back() {
  local i
  note "a rolling upgrade is prepared, and rolled back"
  settled || code=1
  bench checksum --path /torture --manifest "$OUT/middle.md5" >/dev/null || code=1
  hadoop org.apache.hadoop.hdfs.tools.DFSAdmin -safemode enter >/dev/null 2>&1
  hadoop org.apache.hadoop.hdfs.tools.DFSAdmin -rollingUpgrade prepare >/dev/null 2>&1 || die "no rolling upgrade"
  hadoop org.apache.hadoop.hdfs.tools.DFSAdmin -safemode leave >/dev/null 2>&1
  begin_flips
  bench write --path /rolled --files 40 --size $((3 << 20)) --block 4194304 --threads 1 --seed "$SEED" >/dev/null || code=1
  bench read --path /rolled --readers 2 >/dev/null || code=1
  hdfs_dfs -rm -r -skipTrash '/torture/plain/*1' >/dev/null 2>&1 || true
  end_process FLIPS
  # shellcheck disable=SC2046
  count $(all_nodes)
  for i in $(seq "$DATANODES"); do "$IT_DIR/cluster.sh" kill "dn$i"; done
  "$IT_DIR/cluster.sh" stop
  for i in $(seq "$DATANODES"); do newest_stamps "$i"; done
  start plain --namenode '-rollingUpgrade rollback' --datanodes -rollback || die "the cluster does not start after the rollback"
  # HDFS's own: replicas that are newer than the rollback stay until they were reported, and until then they are taken for
  # those of new blocks with the same id, stamp and length. What is to be seen here is ours: the copies of them on SSD.
  settled || code=1
  bench write --path /again --files 40 --size $((3 << 20)) --block 4194304 --threads 1 --seed $((SEED + 7)) --manifest "$OUT/again.md5" >/dev/null || code=1
  bench verify --manifest "$OUT/middle.md5" >"$OUT/verify-plain.json" || { note "rolled back: old files differ without the plugin"; code=1; }
  bench verify --manifest "$OUT/again.md5" >>"$OUT/verify-plain.json" || { note "rolled back: new files differ without the plugin"; code=1; }
  "$IT_DIR/cluster.sh" stop
  start_or_keep_evidence "$SETUP"
  for i in 1 2 3; do
    bench verify --manifest "$OUT/middle.md5" >>"$OUT/verify-rolled.json" || { note "rolled back: old files differ"; code=1; }
    bench verify --manifest "$OUT/again.md5" >>"$OUT/verify-rolled.json" || { note "rolled back: files with ids of before differ"; code=1; }
  done
  healthy rolled || code=1
}

hadoop_home
begin_results counters.jsonl tools.ends two-recoveries.txt flips.txt faults.txt torn.txt clients.json verify.json
fresh_devices "${NVME[@]}" --ssd-size 512M --ssd2-size 384M --hdd-size 5G --ram 16G --dirty 0
start "$SETUP"

note "torture for $MINUTES minutes, seed $SEED"
RANDOM=$SEED
code=0 CORRUPT=0 KILLS=0 NN_KILLS=0 REMOVED=0 FILLED=0 TAKEN_OUT=0
hammer $((MINUTES * 30)) "$SEED" /torture
[ "$ROLLBACK" != yes ] || rolled_back
hammer $((MINUTES * 30)) $((SEED + 100)) /torture2

# With as many DataNodes as replicas wanted HDFS never replaces a corrupt one: it would have to go first, and
# doesn't go while there are fewer than wanted.
hdfs_dfs -setrep -R 2 /torture /torture2 >/dev/null || true
settled || code=1
# shellcheck disable=SC2046
count $(all_nodes)
[ "$SETUP" != hycache ] || hycache status | tee "$OUT/status.txt"
healthy with || code=1
for path in torture torture2; do
  bench checksum --path "/$path" --manifest "$OUT/with-$path.md5" >/dev/null || code=1
done
"$IT_DIR/cluster.sh" stop
note "without the plugin"
start_or_keep_evidence plain
healthy without || code=1
for path in torture torture2; do
  bench verify --manifest "$OUT/with-$path.md5" >>"$OUT/verify.json" || code=1
done
wanted=()
if [ "$SETUP" = hycache ] && [ "$FLIP_EVERY" != 0 ]; then
  for kind in $(kinds 'nvme ssd'); do wanted+=("bitFlipped $kind"); done
fi
report torture-faults "$OUT/faults.txt" "${wanted[@]}" || code=1
report torture "$OUT" dataNodeKills=$KILLS nameNodeKills=$NN_KILLS removals=$REMOVED rolledBack="\"$ROLLBACK\"" \
  replicasRecoveredTwice="$(wc -l <"$OUT/two-recoveries.txt")" appendsInterrupted=$CORRUPT exitCode=$code \
  commit="\"$(commit)\"" |
  tee "$OUT/result.json" | jq .
exit $code
