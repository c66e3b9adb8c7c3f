#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# nightly.sh: a workflow that runs every night on new data, learned from the NameNode's audit log, on real processes and
# emulated devices (needs root).
#
#   nightly.sh [options]
#     --setups LIST  of those below                          none,learned,hand
#     --nights N     nights; 8 shows all, 5 only those on which the guess is right      8
#     --day S        seconds that the day between two nights takes            25
#     --lead S       seconds from a night's first read to its main reads      30
#     --ssd N        MB (2^20) of each DataNode's SSD that HyCache may use    96
#     --wait N       mean time in ms that each of ten other users waits between two files     3000
#     -D KEY=VALUE   a property for all set-ups; repeatable
#     --out DIR      results                                      results/nightly-<date and time>
#
# Each night alice reads /warehouse/ready/dt=DAY, which is small, and after --lead the day's new sales (64 MB), a table of
# customers that never changes (48 MB), and then the sales of the last three days and the customers again: 354 MB (2^20) in all.
# A superuser has written the new sales during the day. Ten users read files of 4 MB from /data (480 MB) as they like, all day and
# until the main reads begin; they rest while these are counted. On the sixth night sales move to /warehouse/sales_v2. Their old
# directory is still written, so that a guess of it finds files.
#   none       no hints
#   learned    nights one and two: no hints. Then `manifest learn` prints what recurs, and `manifest watch` follows the audit log,
#              as alice, to the end
#   hand       from night three on a manifest of the main reads, as a person would write it, is submitted when the first read begins
# HyCacheFileSystem and the default policy in all set-ups; three DataNodes, replication 2, blocks of 8 MB, HDDs of 25 MB/s with
# one head, SSDs of 110 MB/s. Each set-up starts with empty devices.
#
# A day of the calendar takes --day and the night's minute here: the times of the audit log's lines are moved
# (bench/shifted_log.py), so that runs are a day apart for the learner, and other reads spread over the day. The DataNodes know
# nothing of that: to them, hints of a day's life are a minute old.
#
# Reported for each night: the share of alice's main reads that came from SSD, by the DataNodes' counters; reads hinted, come,
# and wrong (hinted, and not read when the night was over); MB that the HDDs were read and that was written to the SSDs, by the
# devices' counters, from the first read to the last one, and MB that the other users read meanwhile. Bytes are exact; seconds
# are as good as the machine is idle. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SETUPS=none,learned,hand NIGHTS=8 DAY_SECONDS=25 LEAD=30 SSD_MB=96 WAIT=3000 PROPERTIES=()
OUT=$(new_results nightly)
read_options --setups=SETUPS --nights=NIGHTS --day=DAY_SECONDS --lead=LEAD --ssd=SSD_MB --wait=WAIT --out=OUT -D=PROPERTIES+ -- "$@"
for s in ${SETUPS//,/ }; do
  has "$s" none,learned,hand || expected "--setups of none, learned, hand" "'$s'"
done
need_root
need jq java curl python3

LEARN_NIGHTS=2 MOVED_NIGHT=6
FILES=8 CUSTOMER_FILES=6 OTHER_FILES=120
FIRST_DAY=2026-11-01
OTHERS='' RELAY='' WATCH=''
at_end cluster_down
at_end end_others
end_others() {
  end_process WATCH
  end_process RELAY
  end_process OTHERS
}

day() { date -u -d "$FIRST_DAY + $1 days" +%F; } # NUMBER: a day of the calendar
# user NAME COMMAND...
user() { HADOOP_USER_NAME=$1 "${@:2}"; }
write() { # PATH FILES SIZE
  bench write --path "$1" --files "$2" --size "$3" --block $((8 << 20)) --replication 2 --threads 2 >>"$OUT/writes.jsonl"
}
write_sales() { write "/warehouse/$1/dt=$2" $FILES $((8 << 20)); } # TABLE DAY

# job NAME PATHS: alice's client.
job() {
  compiled Nightly
  user alice java -Xmx256m -XX:+UseSerialGC "${JVM_OPENS[@]}" -cp "$(hadoop_cp "$CONF/client"):$CLIENTS_DIR:$(plugin_jar)" \
    bench.Nightly job --impl io.hycache.hdfs.HyCacheFileSystem --name "$1" --paths "$2" 2>>"$OUT/alice.log" || die "alice's job failed, see $OUT/alice.log"
}

# phase FROM SPEED LATEST: the audit log's time is FROM now, passes so many times as fast as time, and stops at LATEST.
phase() { echo "$(date +%s.%N) $(date -u -d "$1" +%s) $2 $(date -u -d "$3" +%s)" >>"$OUT/phases"; }

counters() {
  hycache status --json 2>/dev/null | jq -c '[.dataNodes[].counters] as $all |
    {SsdBytesRead: "fromSsdBytes", DiskBytesRead: "fromDiskBytes", SsdBytesPromoted: "promotedBytes", SsdBlocksEvictedWithoutRead: "evictedUnread"} |
    with_entries({key: .value, value: ([$all[][.key] // 0] | add // 0)})'
}

# others_rest: they finish what they read; what they have read so far.
others_rest() {
  rm -f "$OUT/pause.bytes"
  touch "$OUT/pause"
  wait_for 60 "the other users to rest" test -s "$OUT/pause.bytes"
  cat "$OUT/pause.bytes"
}
others_go_on() { rm -f "$OUT/pause"; }

# hints: of alice's workflows, those that ended in the last hour, too.
hints() {
  local file=$OUT/hints-$1-$NIGHT.json
  workflows "$file"
  jq -c '[.workflows[] | select(.user == "alice")] | {workflows: map(.workflow), hinted: (map(.hinted) | add // 0), read: (map(.read) | add // 0),
      fromSsd: (map(.readFromSsd // 0) | add // 0), late: (map(.late // 0) | add // 0), wrong: (map(.hinted - .read) | add // 0)}' "$file"
}

prepare() {
  "$IT_DIR/cluster.sh" stop
  fresh_devices --one-head yes --hdd-mbps 25 --ssd-mbps 110 --ssd-iops 5000 --ssd-size 1G --hdd-size 4G
  local property options=()
  for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
  "$IT_DIR/cluster.sh" start --setup hycache -D dfs.blocksize=$((8 << 20)) -D hycache.ssd.capacity=${SSD_MB}MB \
    -D hadoop.caller.context.enabled=true -D hycache.write.min-block-size=1MB "${options[@]}"
  hdfs_dfs -mkdir -p /warehouse /data
  hdfs_dfs -chmod 777 /warehouse /data
  write /data $OTHER_FILES $((4 << 20))
  client Nightly spread --path /data
  write /warehouse/customers $CUSTOMER_FILES $((8 << 20))
  write_sales sales "$(day -1)"
  write_sales sales "$(day 0)"
}

# the_day: the new data comes, and the others read; from two in the morning until ten to one.
the_day() {
  local begun=$SECONDS left number
  phase "$(day "$NIGHT") 02:00" $((82200 / DAY_SECONDS)) "$(day $((NIGHT + 1))) 00:50"
  others_go_on
  write "/warehouse/ready/dt=$(day "$NIGHT")" 1 $((64 << 10))
  write_sales sales "$(day "$NIGHT")"
  for ((number = NIGHT - (NIGHT == MOVED_NIGHT ? 2 : 0); NIGHT >= MOVED_NIGHT && number <= NIGHT; number++)); do
    write_sales sales_v2 "$(day $number)"
  done
  left=$((DAY_SECONDS - (SECONDS - begun)))
  [ "$left" -le 0 ] || sleep "$left"
}

# by_hand TABLE: what the main reads are, in their order.
by_hand() {
  jq -n --arg sales "/warehouse/$1/dt=" --arg today "$(day "$NIGHT")" --arg before "$(day $((NIGHT - 1)))" --arg first "$(day $((NIGHT - 2)))" \
    '{version: 1, workflow: "nightly", ttl: "2h", jobs: [
      {name: "join", reads: [{path: ($sales + $today)}, {path: "/warehouse/customers"}]},
      {name: "report", after: ["join"], reads: [{path: ($sales + $first)}, {path: ($sales + $before)}, {path: ($sales + $today)}, {path: "/warehouse/customers"}]}]}'
}
submit() {
  by_hand "$1" >"$OUT/manifest.json"
  user alice hycache submit "$OUT/manifest.json" >>"$OUT/hycache.log" 2>&1
}

# night SETUP: alice's workflow at one in the morning, and what it cost.
night() {
  local setup=$1 sales=sales table devices counted others rested first main begun submitted=''
  [ "$NIGHT" -lt "$MOVED_NIGHT" ] || sales=sales_v2
  table=/warehouse/$sales/dt=
  others=$(others_rest)
  sync_volumes
  devices=$(device_counters)
  phase "$(day $((NIGHT + 1))) 01:00" 1 "$(day $((NIGHT + 1))) 01:30"
  others_go_on
  begun=$SECONDS
  if [ "$setup" = hand ] && [ "$NIGHT" -gt $LEARN_NIGHTS ]; then
    submit $sales &
    submitted=$!
  fi
  first=$(job "job_1_${NIGHT}1" "/warehouse/ready/dt=$(day "$NIGHT")")
  [ -z "$submitted" ] || wait "$submitted"
  sleep $((LEAD - (SECONDS - begun)))
  rested=$(others_rest)
  counted=$(counters)
  main=$(job "job_1_${NIGHT}2" "$table$(day "$NIGHT"),/warehouse/customers")
  main+=$(job "job_1_${NIGHT}3" "$table$(day $((NIGHT - 2))),$table$(day $((NIGHT - 1))),$table$(day "$NIGHT"),/warehouse/customers")
  sync_volumes
  record setup="$setup" night:="$NIGHT" commit="$COMMIT" bytes:="$(jq -s 'map(.bytes) | add' <<<"$first$main")" \
    seconds:="$(jq -s 'map(.seconds) | add' <<<"$main")" othersBytes:=$((rested - others)) \
    "$(minus "$(device_counters)" "$devices")" "$(minus "$(counters)" "$counted")" "$(hints "$setup")"
  note "$setup, night $NIGHT: $(tail -1 "$OUT/run.jsonl" | jq -c '[(.fromSsdBytes, .fromDiskBytes, .hddBytesRead, .ssdBytesWritten, .othersBytes | . / 1048576 | floor),
    .hinted, .read, .fromSsd, .wrong, .seconds]')"
}

# learn: what recurs so far, and a watch of what comes.
learn() {
  hycache manifest learn "$OUT/audit.log" --out "$OUT/manifests" >"$OUT/learned.txt" 2>&1 || true
  user alice java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/client"):$(plugin_jar)" io.hycache.hdfs.cli.HyCache \
    manifest watch "$OUT/audit.log" >"$OUT/watch.log" 2>&1 &
  # shellcheck disable=SC2034 # end_process takes its name
  WATCH=$!
  watching() { grep -q '^Watching' "$OUT/watch.log"; }
  wait_for 30 "the watch to begin" watching
  cat "$OUT/learned.txt" >&2
}

setup() {
  note "$1"
  rm -f "$OUT/phases" "$OUT/audit.log" "$OUT/over"
  : >"$OUT/phases"
  prepare
  if [ "$1" = learned ]; then
    python3 "$IT_DIR/bench/shifted_log.py" "$LOGS/nn.log" "$OUT/phases" "$OUT/audit.log" &
    # shellcheck disable=SC2034 # end_process takes its name
    RELAY=$!
  fi
  touch "$OUT/pause"
  client Nightly others --path /data --until "$OUT/over" --pause "$OUT/pause" --wait-ms "$WAIT" --seed 1 >>"$OUT/others.jsonl" 2>>"$OUT/others.log" &
  # shellcheck disable=SC2034 # end_process takes its name
  OTHERS=$!
  for ((NIGHT = 1; NIGHT <= NIGHTS; NIGHT++)); do
    the_day
    night "$1"
    if [ "$1" = learned ] && [ "$NIGHT" = $LEARN_NIGHTS ]; then learn; fi
  done
  touch "$OUT/over"
  end_others
}

hadoop_home
plugin_jar >/dev/null
begin_results run.jsonl
for s in ${SETUPS//,/ }; do
  setup "$s"
done
report nightly "$OUT/run.jsonl" | tee "$OUT/table.md"
