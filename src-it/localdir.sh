#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# localdir.sh: temp directories of jobs on SSD first, on real processes and emulated devices (needs root).
#
#   localdir.sh [options]
#     --parts LIST    jobs, kill, foreign, look, spark, brim, in this order       all
#     --reps N        runs of each job on each set-up, in turn                      3
#     --mb N          shuffle data of a job                                       384
#     --ssd S         space of the SSD for temp directories; ext4 leaves 18M more  78M
#     --setups LIST   of the part jobs: hdd, spread, ssd, tiered                  all
#     --jobs LIST     of the part jobs: terasort, sort                            all
#     --one-head W    yes: reads and writes of the HDD wait for each other; no     yes
#     --high F, --low F   watermarks                                      0.6, 0.5
#     --seed N        of contents                                                   1
#     --out DIR       results             results/localdir-<date and time>
#
# One NodeManager, two tasks at a time, on a machine of two cores: so the devices have a twelfth of the
# speed of real ones (HDD 10 MB/s and 170 operations a second, SSD 42 MB/s), blocks and sort buffers
# an eighth of Hadoop's default size. Local directories are taken out of the page cache every second
# while a job runs, and at most 32 MB wait to be written. HDFS lies in memory and costs no device anything.
#
# jobs: TeraSort and Hadoop's sort with 4 times as much shuffle data as the SSD has room. Local directories on the
#   HDD (hdd), one on the SSD and one on the HDD as YARN spreads them (spread), on an SSD that all fits on (ssd), and 31 on
#   the SSD and one on the HDD with our auxiliary service (tiered). Each result of tiered is checked: TeraValidate and the
#   checksum of the input, Hadoop's own validator of sorts. Ends with 1 unless tiered is at least 1.15 times as fast as hdd and no slower
#   than spread, by medians, for each job.
# kill: the NodeManager is killed with SIGKILL in the middle of a TeraSort and started again, without and with its
#   own recovery. The job's result is right, and nothing is left on either side once it was swept.
# foreign: a foreign file fills the SSD in the middle of a TeraSort; the job's result is right.
# look: what a starting NodeManager does with its local directories when there are links in them.
# spark: PySpark in local mode (from PyPI) with spark.local.dir in a tree that the command localdir serves: same
#   result as without, nothing left on either side.
# brim: a foreign file takes the last block of the SSD; files go down all the same.
# run.jsonl has a line for each figure. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib-spark.sh"

PARTS=jobs,kill,foreign,look,spark,brim REPS=3 MB=384 SSD=78M SETUPS=hdd,spread,ssd,tiered JOBS=terasort,sort ONE_HEAD=yes HIGH=0.6 LOW=0.5 SEED=1
OUT=$(new_results localdir)
read_options --parts=PARTS --reps=REPS --mb=MB --ssd=SSD --setups=SETUPS --jobs=JOBS --one-head=ONE_HEAD --high=HIGH --low=LOW --seed=SEED --out=OUT -- "$@"
need_root
need jq java curl pkill python3

export HYC_DATANODES=1
DATANODES=1
HDD_MBPS=10 SSD_MBPS=42 SSD_IOPS=5000
# The SSD that all fits on is a volume of its own, a second HDD by name, with the speed of an SSD.
FAST=$VOL/dn1/ssd SLOW=$VOL/dn1/hdd BIG=$VOL/dn2/hdd
TREE=$FAST/tree BEHIND=$SLOW/tree

DROPPER='' CLIENT='' SERVING=''
take_down() {
  "$IT_DIR/cluster.sh" stop || true
  HYC_DATANODES=2 "$IT_DIR/devices.sh" down || true
}
at_end take_down
at_end end_process SERVING
at_end end_process CLIENT
at_end end_process DROPPER

JAR=$(plugin_jar)

# ---------------------------------------------------------------- devices

# traffic: bytes read and written on each device so far, as JSON.
traffic() {
  local volume read written result=''
  for volume in ssd=dn1-ssd hdd=dn1-hdd big=dn2-hdd; do
    read -r _ read written _ < <(device_stat "${volume#*=}") || return
    result+="\"${volume%%=*}Read\":$read,\"${volume%%=*}Written\":$written,"
  done
  echo "{${result%,}}"
}

devices() { # OPTIONS of devices.sh over ours
  local loop
  "$IT_DIR/cluster.sh" stop
  HYC_DATANODES=2 "$IT_DIR/devices.sh" down
  HYC_DATANODES=2 "$IT_DIR/devices.sh" up --ram 16G --dirty 32M --ssd-size "$SSD" --hdd-size $((MB * 4 + 512))M \
    --hdd-mbps $HDD_MBPS --ssd-mbps $SSD_MBPS --ssd-iops $SSD_IOPS --inode-bytes 16384 \
    --one-head "${ONE_HEAD/yes/dn1-hdd}" "$@" >/dev/null
  loop=$(loop_of dn2 hdd)
  throttle "$(majmin "$loop")" "${SSD_MBPS}000000" "${SSD_MBPS}000000" $SSD_IOPS $SSD_IOPS
  # What a disk reads ahead is a twelfth, too.
  for loop in "$loop" "$(loop_of dn1 hdd)"; do echo 108 >"/sys/block/${loop#/dev/}/queue/read_ahead_kb"; done
}

# What is on the SSD and the HDDs of a tree, apart from our own records; directories don't count.
left_up() { find "$TREE" -path "$TREE/.hycache" -prune -o ! -type d -print 2>/dev/null || true; }
left_down() { find "$BEHIND" ! -type d -print 2>/dev/null || true; }
# What no link names, and links to nothing.
orphans() {
  local id
  id=$(<"$TREE/.hycache/id")
  comm -13 <(find "$TREE" -type l -printf '%l\n' 2>/dev/null | sort -u) <(find "$BEHIND/$id" -type f -print 2>/dev/null | sort -u)
  find "$TREE" -path "$TREE/.hycache" -prune -o -lname "$BEHIND/*" -xtype l -print 2>/dev/null || true
  find "$TREE/.hycache/staging" -type f 2>/dev/null || true
}
no_orphans() { [ -z "$(orphans)" ]; }
no_app_files() { ! find "$TREE" "$BEHIND" -path '*/appcache/*' ! -type d 2>/dev/null | grep -q .; }

# status: what the tree's daemon says of it.
status() {
  local answer
  answer=$(hycache localdir --status --ssd "$TREE" --json 2>/dev/null) || true # it fails for a daemon that is late, too
  echo "${answer:-null}"
}
figures() { status | jq -c 'if . == null then {} else {upBytes, downBytes, movedDownFiles, movedDownBytes, promotedFiles, promotedBytes,
  sweptFiles, sweptBytes, movesFailed, movesCancelled, skippedOpen, hddFull, atomicExchange} end'; }

# ---------------------------------------------------------------- the cluster

NM=() # properties of the NodeManager, each behind -Y
local_dirs() { # SETUP
  local i dirs=''
  case $1 in
    hdd) dirs=$SLOW/nm/0 ;;
    spread) dirs=$FAST/nm/0,$SLOW/nm/0 ;;
    ssd) dirs=$BIG/nm/0 ;;
    tiered)
      for i in $(seq 0 30); do dirs+=$TREE/$i,; done
      dirs+=$BEHIND/overflow
      ;;
  esac
  NM=(
    -Y "yarn.nodemanager.local-dirs=$dirs"
    # A directory that is full of passing files is not broken: what is to be written goes elsewhere by itself.
    -Y yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage=98
    -Y yarn.nodemanager.disk-health-checker.interval-ms=10000
    -Y yarn.resourcemanager.am.max-attempts=3
    -Y yarn.nodemanager.delete.thread-count=2
  )
  if [ "$1" = tiered ]; then
    NM+=(
      -Y yarn.nodemanager.aux-services="mapreduce_shuffle,hycache_localdir"
      -Y yarn.nodemanager.aux-services.hycache_localdir.class=io.hycache.hdfs.localdir.LocalDirService
      # 31 of 32 directories are the SSD's: the NodeManager must stay healthy without them.
      -Y yarn.nodemanager.disk-health-checker.min-healthy-disks=0.03
      -Y "hycache.localdir.ssd=$TREE"
      -Y "hycache.localdir.hdd=$BEHIND"
      # The SSD is a thousandth of a real one, so that it fills a thousand times as fast.
      -Y hycache.localdir.grace=2s
      -Y hycache.localdir.sweep-grace=5s
      -Y "hycache.localdir.high=$HIGH"
      -Y "hycache.localdir.low=$LOW"
    )
  fi
}
start_cluster() { # SETUP [-Y KEY=VALUE]...
  mkdir -p "$RAM/hdfs" "$TREE" "$BEHIND"
  "$IT_DIR/cluster.sh" format
  local_dirs "$1"
  shift
  "$IT_DIR/cluster.sh" start --setup disk --yarn -D dfs.replication=1 -D "dfs.datanode.data.dir=$RAM/hdfs" \
    -D "dfs.blocksize=$BLOCK" "${NM[@]}" "$@"
}
# Empty local directories, whichever set-up used them before.
set_up() { # SETUP [-Y KEY=VALUE]...
  "$IT_DIR/cluster.sh" kill nm 2>/dev/null || true
  rm -rf "$FAST/nm" "$SLOW/nm" "$BIG/nm" "$TREE" "$BEHIND"
  mkdir -p "$FAST/nm" "$SLOW/nm" "$BIG/nm" "$TREE" "$BEHIND"
  local_dirs "$1"
  shift
  "$IT_DIR/cluster.sh" restart-nm "${NM[@]}" "$@"
}

# Blocks (128 MB) and sort buffers (100 MB) are an eighth of Hadoop's defaults, so that a map spills twice and merges,
# as there; a reduce writes what it has fetched, and reads it again.
BLOCK=$((16 << 20))
JOB=(
  -D mapreduce.task.io.sort.mb=12
  -D mapreduce.reduce.shuffle.input.buffer.percent=0.2
  -D mapreduce.job.reduce.slowstart.completedmaps=0.5
  -D mapreduce.map.maxattempts=8
  -D mapreduce.reduce.maxattempts=8
  # A NodeManager that starts without recovery empties its local directories: what an ApplicationMaster of before
  # had done is gone, whatever its history says.
  -D yarn.app.mapreduce.am.job.recovery.enable=false
)
REDUCES=16
EXAMPLES=org.apache.hadoop.examples

job() { # CLASS ARGS...
  echo "== $*" >>"$OUT/jobs.log"
  hadoop "$@" >>"$OUT/jobs.log" 2>&1
}
must() { "$@" || { tail -5 "$OUT/jobs.log" >&2; die "failed, see $OUT/jobs.log: $*"; }; }
# job_counter NAME: of the last job.
job_counter() { awk -F= -v name="$1" '/^== / {value = 0} index($1, name) {value = $2} END {print value + 0}' "$OUT/jobs.log"; }

inputs() {
  local dir
  if has terasort "$1"; then
    must job $EXAMPLES.terasort.TeraGen -D mapreduce.job.maps=2 $((MB * 1048576 / 100)) /tera
    must job $EXAMPLES.terasort.TeraChecksum /tera /sum
    CHECKSUM=$(hdfs_dfs -cat '/sum/part*' | awk '{print $1}')
  fi
  if has sort "$1"; then
    must job $EXAMPLES.RandomWriter -D mapreduce.randomwriter.mapsperhost=2 \
      -D mapreduce.randomwriter.bytespermap=$((MB * 1048576 / 2)) /random
    # Hadoop's validator of sorts is in its tests.
    dir=$IT_DIR/target/hadoop-tests-jars
    VALIDATOR=$dir/hadoop-mapreduce-client-jobclient-$HADOOP_VERSION-tests.jar
    [ -e "$VALIDATOR" ] || mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -DoutputDirectory="$dir" \
      -Dartifact="org.apache.hadoop:hadoop-mapreduce-client-jobclient:$HADOOP_VERSION:jar:tests" >&2
  fi
}

run_job() { # NAME
  if [ "$1" = terasort ]; then
    job $EXAMPLES.terasort.TeraSort "${JOB[@]}" -D mapreduce.job.reduces=$REDUCES /tera /out
  else
    job $EXAMPLES.Sort "${JOB[@]}" -D mapreduce.map.output.compress=false -r $REDUCES /random /out
  fi
}

# The job's result is what its input was, in order.
check_job() { # NAME
  local sum
  if [ "$1" = terasort ]; then
    hdfs_dfs -rm -r -f -skipTrash /report >/dev/null
    must job $EXAMPLES.terasort.TeraValidate /out /report
    sum=$(hdfs_dfs -cat '/report/part*')
    if grep -q error <<<"$sum" || [ "$(awk '/checksum/ {print $2}' <<<"$sum")" != "$CHECKSUM" ]; then
      die "wrong result of terasort: $sum, checksum of the input $CHECKSUM"
    fi
  else
    job_validator || die "wrong result of sort, see $OUT/jobs.log"
  fi
  hdfs_dfs -rm -r -f -skipTrash /out >/dev/null
}
job_validator() {
  echo "== SortValidator" >>"$OUT/jobs.log"
  java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/client"):$VALIDATOR" org.apache.hadoop.mapred.SortValidator \
    -libjars "$VALIDATOR" -sortInput /random -sortOutput /out >>"$OUT/jobs.log" 2>&1
}

cold() {
  sync
  drop_caches
  "$IT_DIR/uncached.py" "$FAST" "$SLOW" "$BIG" & # local directories may be cached for a second
  DROPPER=$!
}
not_cold() {
  kill "$DROPPER"
  wait "$DROPPER" 2>/dev/null || true
  DROPPER=''
}

# ---------------------------------------------------------------- jobs

jobs() {
  local rep setup name order begin seconds before i n
  devices
  start_cluster hdd
  inputs "$JOBS"
  IFS=, read -ra order <<<"$SETUPS"
  n=${#order[@]}
  for rep in $(seq "$REPS"); do
    for i in $(seq 0 $((n - 1))); do
      setup=${order[$(((i + rep - 1) % n))]}
      for name in ${JOBS//,/ }; do
        set_up "$setup"
        cold
        before=$(traffic)
        begin=$(now_ns)
        run_job "$name" || { tail -5 "$OUT/jobs.log" >&2; die "$name failed on $setup, see $OUT/jobs.log"; }
        seconds=$(seconds_since "$begin" 1)
        not_cold
        figure jobs "$name" "$(jq -cn --arg setup "$setup" --argjson rep "$rep" --argjson seconds "$seconds" \
          --argjson traffic "$(minus "$(traffic)" "$before")" --argjson tree "$([ "$setup" = tiered ] && figures || echo null)" \
          --argjson shuffled "$(job_counter 'Reduce shuffle bytes')" --argjson spilled "$(job_counter 'Spilled Records')" \
          --argjson room "$(df -B1 --output=size "$FAST" | tail -1)" --argjson failed "$(job_counter 'Failed map tasks')" \
          '{setup: $setup, rep: $rep, seconds: $seconds, shuffleBytes: $shuffled, ssdBytes: $room, spilledRecords: $spilled, failedMaps: $failed,
            traffic: $traffic} + if $tree == null then {} else {tree: $tree} end')"
        if [ "$setup" != tiered ]; then
          hdfs_dfs -rm -r -f -skipTrash /out >/dev/null
        else
          check_job "$name"
          wait_for 120 "the application's files to go" no_app_files
          wait_for 60 "no orphan" no_orphans
        fi
      done
    done
  done
  report localdir "$OUT/run.jsonl" | tee "$OUT/table.md"
}

# ---------------------------------------------------------------- kill, foreign

one_tiered_cluster() {
  devices
  start_cluster tiered
  inputs terasort
}
# Files went to the HDD, so the job is in its middle. Links of containers into the local directory on the HDD are not ours.
links() { { find "$TREE" -path "$TREE/.hycache" -prune -o -type l -lname "$BEHIND/*" ! -lname "$BEHIND/overflow/*" -print 2>/dev/null || true; } | wc -l; }
files_down() { [ "$(links)" -ge 3 ]; }

# while_sorting WHAT COMMAND...: does it in the middle of a TeraSort, which ends well and leaves nothing.
while_sorting() {
  local what=$1 begin seconds down
  shift
  cold
  begin=$(now_ns)
  run_job terasort &
  CLIENT=$!
  wait_for 200 "files on the HDD" files_down
  down=$(links)
  "$@"
  wait "$CLIENT" || { tail -5 "$OUT/jobs.log" >&2; die "terasort failed: $what"; }
  CLIENT=''
  seconds=$(seconds_since "$begin" 1)
  not_cold
  check_job terasort
  wait_for 120 "$what: the application's files to go" no_app_files || { left_up; left_down; exit 1; }
  wait_for 90 "$what: no orphan" no_orphans || { orphans; exit 1; }
  left_up >"$OUT/$CASE-up.txt"
  left_down >"$OUT/$CASE-down.txt"
  figure "$CASE" "$what" "$(jq -cn --argjson seconds "$seconds" --argjson down "$down" --argjson tree "$(figures)" \
    --argjson up_left "$(wc -l <"$OUT/$CASE-up.txt")" --argjson down_left "$(grep -vc /overflow/ "$OUT/$CASE-down.txt" || true)" \
    '{seconds: $seconds, linksThen: $down, result: "right", orphans: 0, filesLeftUp: $up_left, filesLeftDown: $down_left, tree: $tree}')"
}
kill_nm() {
  "$IT_DIR/cluster.sh" kill nm
  sleep 5 # how long it is away
  "$IT_DIR/cluster.sh" restart-nm
}
kill_part() {
  CASE='kill'
  one_tiered_cluster
  while_sorting "NodeManager killed, without recovery" kill_nm
  set_up tiered -Y yarn.nodemanager.recovery.enabled=true -Y "yarn.nodemanager.recovery.dir=$RAM/nm-recovery"
  CASE=kill-recovery
  while_sorting "NodeManager killed, with its own recovery" kill_nm
}
fill() {
  # Until there is no room, also not for a block.
  dd if=/dev/zero of="$FAST/foreign" bs=1M status=none 2>/dev/null || true
  for _ in 1 2; do
    dd if=/dev/zero of="$FAST/foreign" bs=4k oflag=append conv=notrunc status=none 2>/dev/null || true
    sync "$FAST/foreign" # what was held for blocks of its own metadata is free then
  done
  df -B1M --output=size,used,avail "$FAST" | tail -1 >&2
}
foreign_part() {
  CASE=foreign
  one_tiered_cluster
  while_sorting "the SSD full of a foreign file" fill
  rm -f "$FAST/foreign"
}

# ---------------------------------------------------------------- look

# A local directory as an earlier NodeManager left it: a link to the HDD side in an application's directory.
look_part() {
  local id app target
  devices
  start_cluster tiered
  id=$(<"$TREE/.hycache/id")
  app=usercache/root/appcache/application_1_0001
  "$IT_DIR/cluster.sh" kill nm
  target=$BEHIND/$id/3/$app/output/x
  mkdir -p "$(dirname "$target")" "$TREE/3/$app/output"
  head -c 1000000 /dev/urandom >"$target"
  ln -s "$target" "$TREE/3/$app/output/x"
  "$IT_DIR/cluster.sh" restart-nm
  link_gone() { ! [ -e "$TREE/3/usercache/root" ]; }
  wait_for 60 "the link to go" link_gone
  figure look "start of a NodeManager: links in its local directories" \
    "$(jq -cn --argjson target "$([ -e "$target" ] && echo true || echo false)" --argjson same "$([ "$(<"$TREE/.hycache/id")" = "$id" ] && echo true || echo false)" \
      '{linkGone: true, targetThereAtThatMoment: $target, ourRecordsSurvive: $same}')"
  swept() { ! [ -e "$target" ]; }
  wait_for 60 "the target to be swept" swept
  figure look "the target of a link that a NodeManager removed" '{"swept": true}'
  ls -ld "$TREE" "$TREE/3" "$TREE/.hycache" "$BEHIND/$id" >>"$OUT/look.txt"
  grep -h 'HyCache\|hycache' "$LOGS/nm.log" | head -20 >>"$OUT/look.txt"
}

# ---------------------------------------------------------------- spark, brim

serve() { # OPTIONS of the command localdir
  mkdir -p "$CONF/client" && : >"$CONF/client/log4j.properties"
  java "${CLI_JVM[@]}" "$(mark)" -cp "$(hadoop_cp "$CONF/client"):$JAR" io.hycache.hdfs.cli.HyCache localdir --ssd "$TREE" --hdd "$BEHIND" \
    --sweep-grace 5s "$@" >"$OUT/localdir.log" 2>&1 &
  SERVING=$!
  wait_for 30 "the tree to be served" grep -qs '^hycache: serving' "$OUT/localdir.log"
}
end_serving() {
  kill "$SERVING"
  wait "$SERVING" || [ $? = 143 ] || die "the command ended badly, see $OUT/localdir.log"
  SERVING=''
}

spark_part() {
  local how dir sums=()
  # A disk that keeps up with what two cores shuffle: Spark doesn't look for room before it writes.
  devices --hdd-mbps 100
  mkdir -p "$TREE" "$BEHIND" "$SLOW/plain" "$RAM/spark"
  spark_home
  for how in plain tree; do
    dir=$SLOW/plain
    if [ "$how" = tree ]; then
      dir=$TREE/spark
      mkdir -p "$dir"
      serve --grace 1s --high 40% --low 20%
    fi
    rm -rf "$RAM/spark/out"
    cold
    spark_submit --master 'local[2]' --driver-memory 1g \
      --conf spark.local.dir="$dir" --conf spark.shuffle.compress=false --conf spark.shuffle.spill.compress=false \
      --conf spark.sql.shuffle.partitions=32 --conf spark.sql.adaptive.enabled=false \
      "$IT_DIR/bench/shuffle.py" $((MB << 20)) "$RAM/spark/out" >"$OUT/spark-$how.log" 2>&1 ||
      { tail -5 "$OUT/spark-$how.log" >&2; die "Spark failed ($how), see $OUT/spark-$how.log"; }
    not_cold
    sums+=("$(cat "$RAM"/spark/out/part-* | md5sum | cut -d' ' -f1)")
    rm -rf "$RAM/spark/out"
  done
  [ "${sums[0]}" = "${sums[1]}" ] || die "Spark's results differ: ${sums[*]}"
  nothing_left() { [ -z "$(left_up)$(left_down)" ]; }
  wait_for 60 "nothing on either side" nothing_left || { left_up; left_down; exit 1; }
  end_serving
  figure spark "same result, nothing left" "$(jq -cn --arg md5 "${sums[1]}" --argjson tree "$(figures)" '{md5: $md5, tree: $tree}')"
}

brim_part() {
  local i sums
  devices
  mkdir -p "$TREE" "$BEHIND"
  serve --grace 10s --high 50% --low 30%
  for i in $(seq 8); do head -c 1M /dev/urandom >"$TREE/$i"; done
  sums=$(md5sum "$TREE"/*)
  wait_for 30 "the ballast" test -e "$TREE/.hycache/ballast"
  fill # before the files are old enough to move
  [ "$(stat -f -c %a "$FAST")" -lt 4 ] || die "there is room left: $(stat -f -c '%a of %b blocks' "$FAST")"
  all_down() { [ "$(links)" = 8 ]; }
  counted_down() { [ "$(figures | jq .movedDownFiles)" = 8 ]; }
  wait_for 60 "all files to go down" all_down || { status; exit 1; }
  wait_for 30 "the status to say so" counted_down
  [ "$sums" = "$(md5sum "$TREE"/*)" ] || die "files differ that went down from a full SSD"
  figure brim "an SSD without a free block" "$(jq -cn --argjson tree "$(figures)" '{files: 8, result: "same", tree: $tree}')"
  rm -f "$FAST/foreign"
  wait_for 30 "the ballast to be back" test -e "$TREE/.hycache/ballast"
  end_serving
}

# ---------------------------------------------------------------- main

begin_results
hadoop_home
for part in ${PARTS//,/ }; do
  case $part in
    jobs) jobs ;;
    kill | foreign | look | spark | brim) "${part}_part" ;;
    *) expected "--parts of jobs, kill, foreign, look, spark, brim" "'$part'" ;;
  esac
done
note "results: $OUT/run.jsonl"
if has jobs "$PARTS"; then report localdir-verdict "$OUT/run.jsonl"; fi
