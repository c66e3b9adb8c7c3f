#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# newcomer.sh: what somebody who has just installed HyCache types, and what comes back, with an older version beside it, on
# real processes (needs root).
#
#   newcomer.sh [options]
#     --before DIR   an older checkout that has been built with its benchmarks: the same commands are typed there, too
#     --points LIST  of those below                           metrics,figures,mistakes,doctor,page,alerts,observe,reasons,logs,cli,simulator
#     --out DIR      results                                  results/newcomer-<date and time>
#
# Three DataNodes with an SSD and an HDD each, a JAR and three properties.
#   metrics    no metric or bean of plain HDFS is missing
#   figures    /jmx shows what `status` shows
#   mistakes   mistakes in hdfs-site.xml: a key, a cache directory, a plug-in point that is missing
#   doctor     `doctor` on the healthy cluster and on that with the mistakes
#   page       the web page of a DataNode
#   alerts     the alert rules and the dashboard of conf/
#   observe    mode observe: what would have been done
#   reasons    why a small block is not on SSD, and what "only copy" means
#   logs       a DataNode is killed: what the others log about it
#   cli        the command line: versions, lists, mistakes of the user, tables of 80 columns
#   simulator  mistakes of the user of the benchmark JAR
# Each line of table.txt is a command or a look at something, with "as wanted" or "not so", for the older version and this one;
# what was typed and what came back is in before.txt and now.txt. Ends with 1 if something of this version is not as wanted.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

BEFORE='' POINTS=metrics,figures,mistakes,doctor,page,alerts,observe,reasons,logs,cli,simulator
OUT=$(new_results newcomer)
read_options --before=BEFORE --points=POINTS --out=OUT -- "$@"
for p in ${POINTS//,/ }; do
  has "$p" metrics,figures,mistakes,doctor,page,alerts,observe,reasons,logs,cli,simulator || expected "--points of those of --help" "'$p'"
done
need_root
need java jq curl

built() { # DIR GLOB
  local file
  for file in "$1"/$2; do
    case $file in
      *-sources.jar | *-javadoc.jar | *-tests.jar | *\**) ;;
      *) echo "$file"; return ;;
    esac
  done
  expected "a checkout that has been built" "no $2 in $1" "build it there: mvn -B -DskipTests package"
}
NOW_JAR=$(plugin_jar)
VERSIONS=(now)
if [ -n "$BEFORE" ]; then
  BEFORE=$(realpath "$BEFORE")
  BEFORE_JAR=$(built "$BEFORE" 'hycache-hdfs/target/hycache-hdfs-*.jar')
  VERSIONS=(before now)
fi

at_end cluster_down
FAILED=0
TREE=$ROOT_DIR

# try WHAT WANTED COMMAND: types the command, as one string, and looks for the regular expression in what comes back; its exit
# code is the last line, "exit CODE".
try() {
  local out code=0 verdict='as wanted'
  out=$(cd "$TREE" && set +e && eval "$3" 2>&1) || code=$?
  out+=$'\n'"exit $code"
  printf '$ %s\n%s\n\n' "$3" "$out" >>"$OUT/$VERSION.txt"
  grep -Pzq -- "$2" <<<"$out" || {
    verdict='not so'
    [ "$VERSION" != now ] || FAILED=1
  }
  record version="$VERSION" point="$POINT" what="$1" typed="$3" code:="$code" asWanted:="$([ "$verdict" = 'as wanted' ] && echo true || echo false)"
  note "$VERSION, $POINT: $1: $verdict"
}
bench_jar() { timeout 60 java -Xmx1g -jar "$TREE/hycache-bench/target/hycache-bench.jar" "$@"; }
# DataNodes of this script are dn1, dn2, ...: the address of one.
web() { echo "http://127.0.0.1:$(dn_port "$1" 2)$2"; }
log_of() { cat "$LOGS/dn$1.log"; }

start() { # SETUP OPTIONS...
  "$IT_DIR/cluster.sh" stop
  fresh_devices --ssd-size 400M --hdd-size 2G --dirty 0
  "$IT_DIR/cluster.sh" start --setup "$1" --dn-heap 256 -D hadoop.prometheus.endpoint.enabled=true -D dfs.blocksize=$((16 << 20)) "${@:2}"
}
some_files() {
  bench write --path /data --files 8 --size $((32 << 20)) --block $((16 << 20)) --threads 2 >/dev/null
  bench write --path /small --files 1 --size $((1 << 20)) --block $((1 << 20)) >/dev/null
  bench write --path "/user/$(id -un)/rel" --files 1 --size $((16 << 20)) >/dev/null
  bench read --path /data --readers 2 --rounds 2 >/dev/null
}
prom_names() { curl -sf "$(web 1 /prom)" | grep -v '^#' | sed 's/[{ ].*//; s/[0-9]\+/#/g' | sort -u; }
bean_names() { curl -sf "$(web 1 /jmx)" | jq -r '.beans[] | .name as $bean | keys[] | "\($bean) \(.)"' | sed 's/[0-9]\+/#/g; s/-[0-9a-f#-]\{20,\}//' | sort -u; }

plain_names() {
  [ ! -e "$OUT/plain.jmx" ] || return 0
  VERSION=plain
  start disk
  some_files
  prom_names >"$OUT/plain.prom"
  bean_names >"$OUT/plain.jmx"
}

healthy_cluster() {
  [[ ,$POINTS, =~ ,(metrics|figures|doctor|page|reasons|logs|cli), ]] || return 0
  start hycache -D hycache.write.min-block-size=8MB
  some_files
  POINT=metrics
  if has metrics "$POINTS"; then
    try 'names of plain HDFS on /prom that are missing' '(^|\n)0\nexit 0' "prom_names | comm -23 $OUT/plain.prom - | tee -a $OUT/$VERSION.gone | wc -l"
    try 'attributes of plain HDFS on /jmx that are missing' '(^|\n)0\nexit 0' "bean_names | comm -23 $OUT/plain.jmx - | tee -a $OUT/$VERSION.gone | wc -l"
  fi
  POINT=figures
  if has figures "$POINTS"; then
    local word
    for word in dirty free queue hint budget; do
      try "/jmx has $word" "(?i)$word" "bean_names | grep -i hycache | grep -i $word"
    done
    try '/jmx has the version and the mode' '(?i)tag.version.*\n(.*\n)*exit 0' "curl -s $(web 1 /jmx) | jq '.beans[] | select(.name | test(\"HyCache\"))' | grep -iE 'tag.(version|mode)'"
    try '/prom has each device' 'device=' "curl -s $(web 1 /prom) | grep -i hy_*cache | grep -E 'device=|ssd=' | head -5"
    try '/jmx has quantiles of latencies' 'P#' "bean_names | grep -i hycache | grep -iE 'percentile|MicrosP' | head -5"
  fi
  POINT=doctor
  if has doctor "$POINTS"; then
    try 'a healthy cluster: no error' '(?s)^(?!.*\berror  ).*exit 0' 'hycache_on dn1 doctor'
    try 'for scripts' '(?s)"findings".*exit 0' 'hycache_on dn1 doctor --json'
  fi
  POINT=page
  if has page "$POINTS"; then
    try 'the page' '200\nexit 0' "curl -s -o /dev/null -w '%{http_code}\\n' $(web 1 /hycache)"
    try 'the page has no address of another server' '(^|\n)0\nexit' "curl -sf $(web 1 /hycache) | grep -v '^\$' | grep -cE '(src|href)=.https?://' | sed 's/^0\$/0/'"
  fi
  POINT=reasons
  if has reasons "$POINTS"; then
    try 'a small block says so, and names the property' '(?s)smaller than.*hycache.write.min-block-size' 'hycache locate /small'
    try '"only copy" is not said of a block with two replicas' '(?s)^(?!.*(?<!DataNode.s )only copy).*blk_.*exit 0' 'hycache locate /data'
    manifest nightly 2 sequential /data >"$OUT/nightly.json"
    try 'what would fit, as status says it' '(?i)fit|room|free' "hycache submit --dry-run $OUT/nightly.json; hycache status"
  fi
  POINT=cli
  if has cli "$POINTS"; then
    try 'version' '(?s)Hadoop.*exit 0' 'hycache version'
    try 'a workflow that is not there' '(?s)nothere.*exit 1' 'hycache withdraw nothere'
    hycache submit "$OUT/nightly.json" >/dev/null 2>&1 || true
    try 'list of workflows' '(?s)nightly.*exit 0' 'hycache list'
    try 'withdraw' 'exit 0' 'hycache withdraw nightly'
    try 'warm files, and wait' '(?s)exit 0' 'hycache warm --at-most 64MB /data'
    try 'all mistakes of a manifest at once' '(?s)ttl.*\n.*path.*\nexit 3' \
      "echo '{\"version\": 1, \"workflow\": \"x\", \"ttl\": \"soon\", \"jobs\": [{\"name\": \"a\", \"reads\": [{\"path\": 7}]}]}' >$OUT/bad.json; hycache validate $OUT/bad.json"
    try 'a setting that does not exist' '(?s)hycache.polcy.*hycache.policy.*exit [12]' 'hycache settings hycache.polcy=lru'
    try 'a setting that cannot change' '(?s)restart.*exit [12]' 'hycache settings hycache.tiers=SSD,DISK'
    try 'a relative path' '(?s)/user/.*exit 0' 'hycache locate rel'
    try 'lines of more than 80 columns' '(^|\n)0\nexit' "for c in status 'status --devices' top list settings; do hycache \$c; done | awk 'length > 80' | wc -l"
    try 'a command that does not exist' '(?s)statsu.*exit 2' 'hycache statsu'
  fi
  POINT=logs
  if has logs "$POINTS"; then
    local from to
    from=$(log_of 1 | wc -l)
    "$IT_DIR/cluster.sh" kill dn3
    sleep 90
    to=$(log_of 1 | wc -l)
    try 'HyCache logs at most three lines about a DataNode that is away for 90 s' '(^|\n)[0-3]\nexit' \
      "sed -n $((from + 1)),${to}p $LOGS/dn1.log | tee -a $OUT/$VERSION.log | grep -cE ' (HyCache|Directory|Peer|Planner|Member|Node|Shard|View|Ring|Transport)[A-Za-z]*: '"
    try 'stack traces about it' '(^|\n)0\nexit' "sed -n $((from + 1)),${to}p $LOGS/dn1.log | grep -cE '^\\s+at io.hycache|^java|^org.*Exception'"
    try 'placeholders left in messages' '(^|\n)0\nexit' "cat $LOGS/dn[12].log | grep -cF '{}'"
  fi
}

cluster_with_mistakes() {
  [[ ,$POINTS, =~ ,(mistakes|doctor), ]] || return 0
  local absent=$HYC_WORK/not-mounted
  rm -rf "$absent"
  start hycache -D hycache.polcy=lru -D hycache.cache.dirs="$absent/ssd" -D dfs.datanode.fsdataset.volume.choosing.policy=org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy
  POINT=mistakes
  if has mistakes "$POINTS"; then
    try 'an unknown key: a warning with the nearest name' 'WARN.*hycache.polcy.*hycache.policy' 'log_of 1 | grep polcy'
    try 'a cache directory that is no mount: refused' "(WARN|ERROR).*$absent/ssd" "log_of 1 | grep $absent/ssd"
    try '... and not made' 'exit 2' "ls -d $absent/ssd"
    try 'a plug-in point that is missing: a warning' 'WARN.*volume.choosing.policy' 'log_of 1 | grep volume.choosing.policy'
    try 'status shows them' '(?s)(volume.choosing.policy.*polcy|polcy.*volume.choosing.policy)' 'hycache status'
  fi
  POINT=doctor
  if has doctor "$POINTS"; then
    try 'the mistakes are found' '(?s)polcy.*exit 1|volume.choosing.policy.*exit 1' 'hycache_on dn1 doctor'
  fi
  rm -rf "$absent"
}

observing_cluster() {
  has observe "$POINTS" || return 0
  start hycache -D hycache.mode=observe -D hycache.write.min-block-size=8MB
  some_files
  sleep 10
  POINT=observe
  try 'what would have been done, a day a line' '(?s)PLACED.*FROM SSD.*exit 0' 'hycache status'
  try 'where a file would be' '(?s)would be on SSD.*exit 0' 'hycache explain /data/part-00000'
  try 'no file of HyCache on an SSD' '(^|\n)0\nexit' "find $VOL/dn1/ssd/data/hycache $VOL/dn1/ssd/data/current -name 'blk_*' 2>/dev/null | wc -l"
}

files_and_simulator() {
  POINT=alerts
  if has alerts "$POINTS"; then
    try 'alert rules that promtool accepts' '(?s)SUCCESS.*exit 0' 'promtool check rules conf/prometheus-alerts.yml'
    try 'a dashboard' '[1-9][0-9]*\nexit 0' "jq '[.. | .targets? // empty | .[]] | length' conf/grafana-dashboard.json"
    try 'a paragraph for each alert in the guide' '(^|\n)0\nexit' "grep -oP 'alert: \\K\\w+' conf/prometheus-alerts.yml | while read -r a; do grep -q \"#### \$a\" hycache-hdfs/README.md || echo \$a; done | wc -l"
  fi
  POINT=simulator
  if has simulator "$POINTS"; then
    try '--capacity 5 is an error that offers 5%' '(?s)5%.*exit [12]' 'bench_jar simulate --workload zipf:1000:20000 --policy lru --capacity 5'
    try '--plot is checked before the run' '(?s)--plot.*exit [12]' 'bench_jar simulate --workload zipf:100000:1000000000 --policy lru --capacity 5% --plot /dev/null/plots'
    try 'advise with nothing reached ends with 1' 'exit 1' 'bench_jar advise --workload round-robin:1000:2000 --policy lru --target-hit-ratio 99%'
    try 'help of a command' '(?s)--capacity.*exit 0' 'bench_jar help simulate'
    try 'help of jmh' '(?s)Usage.*exit 0' 'bench_jar jmh --help'
  fi
}

hadoop_home
begin_results run.jsonl
! has metrics "$POINTS" || plain_names
for VERSION in "${VERSIONS[@]}"; do
  : >"$OUT/$VERSION.txt"
  export HYC_JAR=$NOW_JAR
  TREE=$ROOT_DIR
  [ "$VERSION" = now ] || { HYC_JAR=$BEFORE_JAR TREE=$BEFORE; }
  healthy_cluster
  cluster_with_mistakes
  observing_cluster
  files_and_simulator
done
jq -rs '(map(select(.version == "before")) | map({key: "\(.point) \(.what)", value: .asWanted}) | from_entries) as $before
  | def verdict: if . == null then "-" elif . then "as wanted" else "not so" end;
  "point      before     now        what", (.[] | select(.version == "now") |
    [(.point + "          ")[:10], (($before["\(.point) \(.what)"] | verdict) + "          ")[:10], ((.asWanted | verdict) + "          ")[:10], .what] | join(" "))' \
  "$OUT/run.jsonl" | tee "$OUT/table.txt"
exit $FAILED
