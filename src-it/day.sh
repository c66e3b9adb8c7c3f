#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# day.sh: what DataNodes log in a day of 24 short hours, with restarts and faults, on real processes (needs root).
#
#   day.sh [options]
#     --hour S       seconds of an hour                         40
#     --most N       lines of HyCache's classes that a DataNode may log in the day    500
#     --seed N       of the clients                             1
#     -D KEY=VALUE   a property of the cluster; repeatable
#     --out DIR      logs and results                           results/day-<date and time>
#
# Three DataNodes with the plugin. All day clients (bench/Steady.java) write, read, compare and delete files; SSDs are small, so
# that replicas are demoted, promoted and evicted all the time. Jobs come with the night: in the hours 0 to 5 a manifest is
# submitted at the beginning of each hour. From 19 on nothing happens: the quiet hours.
#   hour  6  the NameNode is restarted
#   hour  8, 9, 10  one DataNode after the other is restarted
#   hour 12  dn3 is killed, and comes back an hour later
#   hour 14  dn1's SSD fails its reads for an hour
#   hour 16  the NameNode is killed, and comes back after half an hour
# Reported for each DataNode and part of the day: lines of HyCache's classes by level, stack traces that they logged, and all lines.
# Ends with 1 if a DataNode has more lines of HyCache's than --most, if HyCache logged a stack trace, or if a client read a wrong
# byte. An hour is short, so lines that come with time are fewer than in a real day: quiet.txt has what was logged in the quiet
# hours, and how often it would be in a day of that. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

HOUR=40 MOST=500 SEED=1 PROPERTIES=()
OUT=$(new_results day)
read_options --hour=HOUR --most=MOST --seed=SEED --out=OUT -D=PROPERTIES+ -- "$@"
need_root
need jq java curl python3 unzip

CLIENTS=''
at_end cluster_down
at_end end_process CLIENTS
at_end end_fault
end_fault() { echo ok >"$RAM/faulty-mode"; } 2>/dev/null

# mark_logs PART: what DataNodes log from here on belongs to that part of the day.
mark_logs() {
  local i
  for i in $(seq "$DATANODES"); do echo "$i $1 $(wc -l <"$LOGS/dn$i.log") $(date +%s)" >>"$OUT/parts"; done
  note "$1"
}
# our_classes: simple names of the classes in the JAR that are ours, a line each.
our_classes() { unzip -Z1 "$(plugin_jar)" | sed -n 's|^io/hycache/.*/\([A-Z][A-Za-z]*\)\.class$|\1|p; s|^org/apache/hadoop/hdfs/.*/\(HyCache[A-Za-z]*\)\.class$|\1|p' | sort -u | grep -vx DataNode; } # HDFS's own class of that name logs
count_lines() {
  local i
  printf '%-5s %-18s %8s %6s %6s %6s %7s %10s\n' node part seconds INFO WARN ERROR traces 'all lines'
  for i in $(seq "$DATANODES"); do
    awk -v me="$i" -v end="$(date +%s)" '
      FILENAME ~ /classes$/ { ours[$1] = 1; next }
      FILENAME ~ /parts$/ { if ($1 == me) { n++; part[n] = $2; from[n] = $3; time[n] = $4 } next }
      { while (at < n && FNR > from[at + 1]) at++
        all[at]++
        if ($3 ~ /^(INFO|WARN|ERROR)$/) {
          name = $4; sub(/:$/, "", name)
          mine = name in ours
          if (mine) count[at, $3]++
        } else if (mine && /^\tat /) { if (!traced[at, FNR - 1]) traces[at]++; traced[at, FNR] = 1 } }
      END { time[n + 1] = end
        for (p = 1; p <= n; p++)
          printf "%-5s %-18s %8d %6d %6d %6d %7d %10d\n", "dn" me, part[p], time[p + 1] - time[p], count[p, "INFO"], count[p, "WARN"], count[p, "ERROR"], traces[p], all[p] }
      ' "$OUT/classes" "$OUT/parts" "$LOGS/dn$i.log"
  done
}

hadoop_home
begin_results run.jsonl
our_classes >"$OUT/classes"
: >"$OUT/parts"
fresh_devices --ssd-size 500M --hdd-size 3G --dirty 0 --faulty dn1-ssd
options=()
for property in "${PROPERTIES[@]}"; do options+=(-D "$property"); done
"$IT_DIR/cluster.sh" start --setup hycache --dn-heap 256 -D dfs.blocksize=8388608 -D hycache.write.min-block-size=1MB "${options[@]}"
for i in $(seq "$DATANODES"); do echo "$i start 0 $(date +%s)" >>"$OUT/parts"; done
bench write --path /tables --files 12 --size $((16 << 20)) --seed "$SEED" --threads 2 >/dev/null
client Steady --until "$OUT/over" --seed "$SEED" >"$OUT/clients.json" 2>"$OUT/clients.log" &
CLIENTS=$!
BEGUN=$SECONDS
# until_hour H: waits for the beginning of that hour of the day.
until_hour() {
  local left
  left=$(awk -v h="$1" -v hour="$HOUR" -v gone=$((SECONDS - BEGUN)) 'BEGIN {s = h * hour - gone; print (s > 0 ? s : 0)}')
  sleep "$left"
}

mark_logs jobs
for hour in 0 1 2 3 4 5; do
  until_hour "$hour"
  manifest "nightly-$hour" 2 sequential /tables >"$OUT/nightly.json"
  hycache submit "$OUT/nightly.json" >>"$OUT/submit.log" 2>&1 || note "submit: exit $?"
  bench read --path /tables --readers 2 >/dev/null
done
until_hour 6
mark_logs namenode-restart
"$IT_DIR/cluster.sh" restart-nn
until_hour 8
mark_logs rolling-restart
for i in 1 2 3; do
  "$IT_DIR/cluster.sh" restart-dn "$i"
  until_hour $((8 + i))
done
until_hour 12
mark_logs dn3-away
"$IT_DIR/cluster.sh" kill dn3
until_hour 13
mark_logs dn3-back
"$IT_DIR/cluster.sh" restart-dn 3
until_hour 14
mark_logs ssd-fails
echo eio-read >"$RAM/faulty-mode"
until_hour 15
mark_logs ssd-is-back
end_fault
until_hour 16
touch "$OUT/over"
wait "$CLIENTS" || note "clients: exit $?"
CLIENTS=''
mark_logs namenode-away
"$IT_DIR/cluster.sh" kill nn
until_hour 16.5
"$IT_DIR/cluster.sh" restart-nn
until_hour 19
mark_logs quiet
for i in $(seq "$DATANODES"); do wc -l <"$LOGS/dn$i.log"; done >"$OUT/quiet-from"
until_hour 24

count_lines | tee "$OUT/table.txt"
for i in $(seq "$DATANODES"); do
  sed -n "$(($(sed -n "${i}p" "$OUT/quiet-from") + 1)),\$p" "$LOGS/dn$i.log" | sed "s/^/dn$i /"
done >"$OUT/quiet.txt"
awk -v hour="$HOUR" -v nodes="$DATANODES" 'END {printf "quiet: %d lines of all classes in %d s on %d DataNodes, in a day of 86,400 s %.0f for each\n", NR, 5 * hour, nodes, NR / nodes / (5 * hour) * 86400}' "$OUT/quiet.txt" |
  tee -a "$OUT/table.txt"
tee -a "$OUT/table.txt" <"$OUT/clients.json"
mkdir -p "$OUT/log" && cp "$LOGS"/*.log "$OUT/log/"
awk -v most="$MOST" '/^dn[0-9]/ {lines[$1] += $4 + $5 + $6; traces += $7}
  END {for (n in lines) {printf "%s: %d lines of HyCache in the day, at most %d wanted\n", n, lines[n], most; if (lines[n] > most) failed = 1}
    printf "stack traces by HyCache: %d\n", traces; exit failed || traces > 0}' "$OUT/table.txt"
jq -e '.wrong == 0' "$OUT/clients.json" >/dev/null || { note 'a client read a wrong byte'; exit 1; }
