#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# alerts.sh: a Prometheus watches a cluster, on real processes (needs root).
#
#   alerts.sh [options]
#     --hold SECONDS  how long the SSD is sick after its alert fires       20
#     --out DIR       results                             results/alerts-<date and time>
#
# Two DataNodes and a NodeManager with temp directories; Prometheus scrapes their /prom and evaluates
# conf/prometheus-alerts.yml, both every 5 s. HyCacheWriteBudgetSpent looks back 2 minutes here instead of 10. Files are
# written, read and moved. Then
#   1. each query of each panel of conf/grafana-dashboard.json must return data;
#   2. no alert may fire;
#   3. an SSD fails its reads: HyCacheSsdOut must fire for its DataNode, and clear when the SSD is well;
#   4. the write budget of the SSDs is used up, and a replica goes to DISK: HyCacheWriteBudgetSpent must fire, and clear.
# Ends with 1 if one of these is not so. table.txt has the seconds from the fault to the alert and from the end of the fault
# to the end of the alert. Needs prometheus and promtool (Debian's package prometheus), and python3-fusepy. Environment: as
# cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

HOLD=20
OUT=$(new_results alerts)
read_options --hold=HOLD --out=OUT -- "$@"
need_root
need java jq curl prometheus promtool

PROMETHEUS=''
end_fault() { echo ok >"$RAM/faulty-mode"; } 2>/dev/null
at_end cluster_down
at_end end_process PROMETHEUS
at_end end_fault

export HYC_DATANODES=2
DATANODES=2
PROM=$((PORT_BASE + 60))
MB=$((1 << 20))
EVERY=5s
TREE=$VOL/dn2/ssd/yarn BEHIND=$VOL/dn2/hdd/yarn

# ---------------------------------------------------------------- Prometheus

configuration() {
  local i targets=''
  for i in $(seq "$DATANODES"); do targets+="'127.0.0.1:$(dn_port "$i" 2)', "; done
  cat <<END
global: {scrape_interval: $EVERY, scrape_timeout: $EVERY, evaluation_interval: $EVERY}
rule_files: ['$OUT/alerts.yml']
scrape_configs:
  - {job_name: datanodes, metrics_path: /prom, static_configs: [{targets: [${targets%, }]}]}
  - {job_name: nodemanagers, metrics_path: /prom, static_configs: [{targets: ['127.0.0.1:$NM_HTTP']}]}
END
}
start_prometheus() {
  sed '/alert: HyCacheWriteBudgetSpent/,/expr:/s/\[10m\]/[2m]/' "$ROOT_DIR/conf/prometheus-alerts.yml" >"$OUT/alerts.yml"
  configuration >"$OUT/prometheus.yml"
  promtool check config "$OUT/prometheus.yml" >"$OUT/promtool.txt" || die "promtool refuses: $(<"$OUT/promtool.txt")"
  rm -rf "$HYC_WORK/prometheus"
  prometheus --config.file="$OUT/prometheus.yml" --storage.tsdb.path="$HYC_WORK/prometheus" \
    --web.listen-address="127.0.0.1:$PROM" >"$OUT/prometheus.log" 2>&1 &
  PROMETHEUS=$!
  wait_for 30 "Prometheus on port $PROM" answers
}
answers() {
  kill -0 "$PROMETHEUS" 2>/dev/null || die "Prometheus ended: $(tail -3 "$OUT/prometheus.log")"
  curl -sf --max-time 10 "http://127.0.0.1:$PROM/-/ready" >/dev/null
}
# query EXPRESSION: the result's series, as JSON.
query() { curl -sfG --max-time 10 "http://127.0.0.1:$PROM/api/v1/query" --data-urlencode "query=$1" | jq -c .data.result; }
value() { query "$1" | jq -r '.[0].value[1] // empty'; } # EXPRESSION
has_data() { [ "$(query "$1" | jq length)" -gt 0 ]; }     # EXPRESSION
all_up() { [ "$(value 'sum(up)')" = $((DATANODES + 1)) ]; }

# ---------------------------------------------------------------- alerts

# firing: a line for each alert; fails if Prometheus does not answer.
firing() {
  local series
  series=$(query 'ALERTS{alertname=~"HyCache.*",alertstate="firing"}') && [ -n "$series" ] || return
  jq -r '.[] | "\(.metric.alertname) \(.metric.instance)"' <<<"$series" | sort -u
}
fires() { local all; all=$(firing) && grep -qxF "$1 $2" <<<"$all"; }   # ALERT INSTANCE
clear() { local all; all=$(firing) && ! grep -qxF "$1 $2" <<<"$all"; } # ALERT INSTANCE
none_fires() { local all; all=$(firing) && [ -z "$all" ]; }

row() { # WHAT ALERT SECONDS_TO_FIRE SECONDS_TO_CLEAR
  record what="$1" alert="$2" firesAfterSeconds:="$3" clearsAfterSeconds:="$4" commit="$COMMIT"
  printf '%-22s %-26s %12s %12s\n' "$@" >>"$OUT/table.txt"
}

# ---------------------------------------------------------------- steps

start_cluster() {
  mkdir -p "$TREE" "$BEHIND"
  "$IT_DIR/cluster.sh" start --setup hycache --yarn \
    -D hadoop.prometheus.endpoint.enabled=true -D dfs.replication=2 -D hycache.ssd.write-budget=0.75 \
    -D dfs.datanode.failed.volumes.tolerated=1 -D hycache.demote.low=0 -D hycache.demote.high=0.001 \
    -Y hadoop.prometheus.endpoint.enabled=true -Y "yarn.nodemanager.local-dirs=$TREE/0,$BEHIND/overflow" \
    -Y yarn.nodemanager.aux-services=mapreduce_shuffle,hycache_localdir \
    -Y yarn.nodemanager.aux-services.hycache_localdir.class=io.hycache.hdfs.localdir.LocalDirService \
    -Y "hycache.localdir.ssd=$TREE" -Y "hycache.localdir.hdd=$BEHIND" >&2
}

all_demoted() { [ "$(hyc_sum dirtyBytes)" = 0 ] && idle; }
# write NAME BYTES: a file on both DataNodes.
write() { bench write --path "/alerts/$1" --files 1 --size "$2" --replication 2 >>"$OUT/bench.jsonl" 2>>"$OUT/bench.err"; }
load() {
  local i
  for i in 1 2; do write "load$i" $((64 * MB)); done
  wait_for 120 "all replicas on DISK" all_demoted
  drop_caches
  bench read --path /alerts --readers 2 --rounds 2 >>"$OUT/bench.jsonl" 2>>"$OUT/bench.err"
}

# expressions: of all panels, with what Grafana puts in for its variables.
expressions() {
  jq -r '[.panels | .. | objects | .expr? // empty] | unique[]' "$ROOT_DIR/conf/grafana-dashboard.json" |
    sed -e 's/\$__rate_interval/1m/g' -e 's/\$instance/.*/g'
}
check_queries() {
  local expression all=0 missing=0
  : >"$OUT/queries.txt"
  while IFS= read -r expression; do
    all=$((all + 1))
    if has_data "$expression"; then
      echo "data $expression"
    else
      echo "NONE $expression"
      missing=$((missing + 1))
    fi >>"$OUT/queries.txt"
  done < <(expressions)
  note "queries of the dashboard: $all, without data: $missing"
  record what=queries queries:="$all" withoutData:="$missing" commit="$COMMIT"
  [ "$all" -gt 0 ] || die "no queries in the dashboard"
  [ "$missing" = 0 ] || die "no data: $(grep ^NONE "$OUT/queries.txt")"
}

sick_ssd() {
  local instance begun end to_fire
  instance=127.0.0.1:$(dn_port 1 2)
  note "dn1's SSD fails its reads"
  begun=$(now_ns)
  echo eio-read >"$RAM/faulty-mode"
  wait_for 120 "HyCacheSsdOut" fires HyCacheSsdOut "$instance"
  to_fire=$(seconds_since "$begun" 1)
  note "HyCacheSsdOut fires after $to_fire s; all that fire: $(firing | tr '\n' ';')"
  sleep "$HOLD"
  end=$(now_ns)
  echo ok >"$RAM/faulty-mode"
  wait_for 180 "the end of HyCacheSsdOut" clear HyCacheSsdOut "$instance"
  row "SSD fails its reads" HyCacheSsdOut "$to_fire" "$(seconds_since "$end" 1)"
}

left() { curl -sf "http://127.0.0.1:$(dn_port 2 2)/prom" | sed -n 's/^hy_cache_device_write_budget_left_bytes{.*} //p'; }
steady() { local before; before=$(left); sleep 8; [ $(($(left) - before)) -ge 0 ]; } # what was written has been counted
is_spent() { [ "$(left)" -le 0 ]; }
has_refilled() { [ "$(left)" -gt 0 ]; }
# The budget of a day refills evenly: a 1 GB SSD's of 0.75 drive writes by 9 KB a second. To be out of it for two minutes, not
# for hours, the last file is only a megabyte larger than what is left.
spent_budget() {
  local instance begun end to_fire n=0
  instance=127.0.0.1:$(dn_port 2 2)
  while [ "$(left)" -gt $((80 * MB)) ]; do
    n=$((n + 1))
    write "wear$n" $((64 * MB))
    wait_for 60 "what was written is counted" steady
  done
  write almost $(($(left) - 2 * MB))
  wait_for 60 "what was written is counted" steady
  note "write budget left of dn2's SSD: $(left) bytes"
  write last $(($(left) + MB * 13 / 10))
  wait_for 60 "what was written is counted" is_spent
  begun=$(now_ns)
  write beyond "$MB"
  wait_for 180 "HyCacheWriteBudgetSpent" fires HyCacheWriteBudgetSpent "$instance"
  to_fire=$(seconds_since "$begun" 1)
  note "HyCacheWriteBudgetSpent fires after $to_fire s, left: $(left) bytes; all that fire: $(firing | tr '\n' ';')"
  wait_for 600 "refilling" has_refilled
  end=$(now_ns)
  wait_for 180 "the end of HyCacheWriteBudgetSpent" clear HyCacheWriteBudgetSpent "$instance"
  row "write budget used up" HyCacheWriteBudgetSpent "$to_fire" "$(seconds_since "$end" 1)"
}

# ---------------------------------------------------------------- run

hadoop_home
begin_results run.jsonl table.txt
fresh_devices --ssd-size 1G --hdd-size 2G --ram 7G --faulty dn1-ssd
start_cluster
start_prometheus
wait_for 60 "all targets up" all_up
load
sleep 30 # several scrapes of all counters after the load: a rate needs two
check_queries
wait_for 60 "no alert" none_fires
printf '%-22s %-26s %12s %12s\n' fault alert fires_after_s clears_after_s >"$OUT/table.txt"
sick_ssd
spent_budget
cat "$OUT/table.txt"
"$IT_DIR/cluster.sh" fsck >/dev/null
