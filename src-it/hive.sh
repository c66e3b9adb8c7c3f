#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# hive.sh: queries of Hive with HyCache's hook, without a line of manifest, on real processes and emulated devices
# (needs root; Hive from Maven Central).
#
#   hive.sh [options]
#     --setups LIST  of those below                                    plain,hook,absent
#     --reps N       repetitions, in alternating order; medians are reported      1
#     -D KEY=VALUE   a property for the set-ups with the plugin; repeatable
#     --out DIR      results                                         results/hive-<date and time>
#
# The table: text, partitioned by day, four days of 93 MB in three files each, replication 2, all replicas on DISK, blocks of
# 16 MB. HDDs of 25 MB/s with one head (disk.py), SSDs of 110 MB/s, on three DataNodes. Hive's command line with its
# metastore in the same process, as the guide's recipe configures it; its jobs run in that process (MapReduce's local
# runner). Each query is a session of its own; the page cache is dropped before it.
#   plain   the plugin on the DataNodes, Hive without the hook and with Hadoop's own client
#   hook    the hook, and HyCacheFileSystem
#   absent  the same Hive on plain HDFS
# Queries: sums of two of the four days (days), twice; a script that fails at once on a third day (fails).
# Reported for each: seconds that Hive counts, exit code, MB (2^20) that the HDDs and the SSDs were read; of the hints, as
# `list --watch` shows them: block reads hinted, read, read from SSD, late and wrong; WARN and ERROR lines of HyCache. Ends with
# 1 if a result differs, if a query succeeds that must fail, if hints are not those of the two days or remain active, or if the
# hook logs more than one line where no DataNode has the plugin. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SETUPS=plain,hook,absent REPS=1 PROPERTIES=()
OUT=$(new_results hive)
read_options --setups=SETUPS --reps=REPS --out=OUT -D=PROPERTIES+ -- "$@"
for s in ${SETUPS//,/ }; do
  has "$s" plain,hook,absent || expected "--setups of plain, hook, absent" "'$s'"
done
need_root
need jq java mvn python3

HIVE=$(sed -n 's/.*<hive.version>\(.*\)<.*/\1/p' "$IT_DIR/hive/pom.xml")
HIVE_HOME=$IT_DIR/target/hive-$HIVE
BLOCK_MB=16 BLOCKS_OF_A_DAY=6
DAYS="day in ('2026-11-01', '2026-11-02')"
HOOK=io.hycache.hdfs.hive.HintingHook
at_end cluster_down

# What Hive's own scripts open for Java 17.
HIVE_JVM=(-Xmx768m -XX:+UseSerialGC "${JVM_OPENS[@]}")
for package in io net nio text time util.concurrent util.concurrent.atomic util.regex; do
  HIVE_JVM+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
done

hive_home() {
  [ "$HIVE_HOME/.complete" -nt "$IT_DIR/hive/pom.xml" ] && return
  note "resolving Hive $HIVE"
  rm -rf "$HIVE_HOME"
  mvn -B -q -f "$IT_DIR/hive/pom.xml" package -Dlib.dir="$HIVE_HOME/lib" </dev/null >&2 || die "Maven did not resolve Hive $HIVE"
  touch "$HIVE_HOME/.complete"
}

start() { # SETUP OPTIONS...
  "$IT_DIR/cluster.sh" stop
  "$IT_DIR/cluster.sh" start -D dfs.blocksize=$((BLOCK_MB << 20)) --setup "$@"
}

# configure HOOKED: Hive's configuration beside the client's.
configure() {
  local options=()
  rm -rf "$OUT/conf"
  cp -r "$CONF/client" "$OUT/conf"
  # Whole names of classes.
  sed -i 's/%c{1}/%c/' "$OUT/conf/log4j.properties"
  if [ "$1" = yes ]; then
    options=(hive.exec.pre.hooks "$HOOK" hive.exec.post.hooks "$HOOK" hive.exec.failure.hooks "$HOOK"
      fs.hdfs.impl io.hycache.hdfs.HyCacheFileSystem)
  fi
  site "$OUT/conf/hive-site.xml" javax.jdo.option.ConnectionURL "jdbc:derby:;databaseName=$HYC_WORK/hive/metastore;create=true" \
    datanucleus.schema.autoCreateAll true hive.metastore.schema.verification false \
    hive.metastore.warehouse.dir /warehouse hive.metastore.warehouse.external.dir /warehouse \
    hive.exec.local.scratchdir "$HYC_WORK/hive/scratch" hive.execution.engine mr mapreduce.framework.name local \
    hive.stats.autogather false hive.compute.query.using.stats false hive.stats.fetch.column.stats false "${options[@]}"
}

# hive LOG STATEMENTS: results on standard output.
hive() {
  (cd "$HYC_WORK/hive" && java "${HIVE_JVM[@]}" -Djava.io.tmpdir="$HYC_WORK/hive" -Dderby.stream.error.file="$HYC_WORK/hive/derby.log" \
    -cp "$(hadoop_cp "$OUT/conf"):$HIVE_HOME/lib/*:$(plugin_jar)" org.apache.hadoop.hive.cli.CliDriver -e "$2") 2>"$1" </dev/null
}

prepare() {
  local day file
  fresh_devices --one-head yes --hdd-mbps 25 --ssd-mbps 110 --ssd-iops 5000 --ssd-size 1G --hdd-size 2G
  start disk -D dfs.replication=2
  rm -rf "$HYC_WORK/hive"
  mkdir -p "$HYC_WORK/hive"
  for day in 1 2 3 4; do
    hdfs_dfs -mkdir -p "/warehouse/sales/day=2026-11-0$day"
    for file in 1 2 3; do
      awk -v seed="$day$file" 'BEGIN {srand(seed); for (i = 0; i < 1048576; i++) printf "%010d,%08d,%010d\n", i, rand() * 1e8, seed}' |
        hdfs_dfs -Ddfs.replication=2 -put - "/warehouse/sales/day=2026-11-0$day/$file.csv"
    done
  done
  hdfs_dfs -chmod -R 777 /warehouse
  hdfs_dfs -mkdir -p /tmp/hive
  hdfs_dfs -chmod 777 /tmp/hive
  configure no
  hive "$OUT/create.log" "create external table sales (id bigint, amount bigint, shop bigint) partitioned by (day string)
    row format delimited fields terminated by ',' location '/warehouse/sales'; msck repair table sales; show partitions sales" \
    >"$OUT/partitions"
  [ "$(grep -c '^day=' "$OUT/partitions")" = 4 ] || die "Hive did not find the four partitions, see $OUT/create.log"
  "$IT_DIR/cluster.sh" settle
}

# hints_of_query: of the workflow that was submitted last, when its query is over; {} if there is none.
hints_of_query() {
  workflows "$OUT/workflows.json"
  jq -c '[.workflows[] | select(.workflow | startswith("hive/"))] | sort_by(.workflow) | last // {}' "$OUT/workflows.json"
}

# query NAME SQL
query() {
  local log=$OUT/$SETUP-$REP-$1.log result=$OUT/$SETUP-$REP-$1.out code=0 devices hints='{}' seconds
  drop_caches
  devices=$(device_counters)
  hive "$log" "$2" >"$result" || code=$?
  sync_volumes
  devices=$(minus "$(device_counters)" "$devices")
  seconds=$(sed -n 's/^Time taken: \([0-9.]*\) seconds.*/\1/p' "$log" | tail -1)
  [ "$SETUP" != hook ] || hints=$(hints_of_query)
  record setup="$SETUP" query="$1" rep:="$REP" code:="$code" seconds:="${seconds:-null}" result="$(md5sum <"$result" | cut -d' ' -f1)" \
    lines:="$(hycache_warnings "$log")" commit="$COMMIT" "$hints" "$devices"
  note "$SETUP, $1: $(tail -1 "$OUT/run.jsonl" | jq -c '[.code, .seconds, (.hddBytesRead, .ssdBytesRead | . / 1048576 | floor), .hinted, .read, .readFromSsd, .late, .wrong]')"
}

measure() {
  local property options=() hooked=yes
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  "$IT_DIR/cluster.sh" stop
  empty_cache
  case $SETUP in
    plain)
      start hycache "${options[@]}"
      hooked=no
      ;;
    hook) start hycache "${options[@]}" ;;
    absent) start disk ;;
  esac
  configure "$hooked"
  query days-1 "select day, count(*), sum(amount) from sales where $DAYS group by day"
  query days-2 "select day, count(*), sum(amount) from sales where $DAYS group by day"
  query fails "select transform(id) using 'false' as (id string) from sales where day = '2026-11-03'"
}

hadoop_home
hive_home
plugin_jar >/dev/null
begin_results run.jsonl
prepare
for REP in $(seq "$REPS"); do
  for SETUP in $(in_turn "$SETUPS" "$REP"); do measure; done
done
report hive "$OUT/run.jsonl" $((2 * BLOCKS_OF_A_DAY)) | tee "$OUT/table.md"
