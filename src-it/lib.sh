# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# shellcheck shell=bash
# Shared by the scripts of this folder: places, messages, options, results, the end of a script, processes, conditions,
# devices, counters. Sourced, never run; some scripts source it again to work on another cluster.
# shellcheck disable=SC2034 # constants that the sourcing scripts use

IT_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT_DIR=$(cd "$IT_DIR/.." && pwd)
HYC_WORK=${HYC_WORK:-/tmp/hycache-it}
HADOOP_VERSION=${HADOOP_VERSION:-3.4.2}
DATANODES=${HYC_DATANODES:-3}
PORT_BASE=${HYC_PORT_BASE:-18000}

HADOOP_HOME_DIR=$IT_DIR/target/hadoop-$HADOOP_VERSION
RAM=$HYC_WORK/ram        # tmpfs: images of the devices and the NameNode's directory
VOL=$HYC_WORK/vol        # vol/dnI/ssd, vol/dnI/hdd, perhaps vol/dnI/nvme, vol/dnI/ssd2, vol/dnI/hdd2, vol/dnI/hdd3, ...
CONF=$HYC_WORK/conf      # conf/{client,nn,dnI,rm,nm}
LOGS=$HYC_WORK/log
RUN=$HYC_WORK/run        # pid files and what is running

NN_RPC=$((PORT_BASE + 20))
NN_HTTP=$((PORT_BASE + 70))
NN2_RPC=$((PORT_BASE + 21)) # the second NameNode of start --ha
NN2_HTTP=$((PORT_BASE + 71))
RM_HTTP=$((PORT_BASE + 88))
NM_HTTP=$((PORT_BASE + 93))
dn_port() { echo $((PORT_BASE + 100 + $1 * 10 + $2)); } # 0 data, 1 ipc, 2 http

die() { echo "${0##*/}: error: $*" >&2; exit 1; }
# expected WHAT FOUND [FIX]: ends with what is wrong with an argument.
expected() { die "expected $1, found $2. Fix: ${3:-see --help}"; }
note() { echo "[$(date +%H:%M:%S)] $*" >&2; }
need() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || die "$tool is needed and not on the PATH"
  done
}
need_root() { [ "$(id -u)" = 0 ] || die "needs root (loop devices, mounts, block throttling)"; }

# The comment at the head of a script, without its '#', is its help.
usage() { sed -n '2,/^[^#]/{/^# \(Copyright\|SPDX\)/d;/^#/s/^# \{0,1\}//p}' "$0"; }

# read_options OPTION=VARIABLE... -- ARGS...: a script's options into its variables. An option has a value;
# OPTION=VARIABLE+ appends each value to an array, OPTION=VARIABLE! is a flag that sets it to 1, WORD=VARIABLE* ends the
# options: what follows goes into an array. -DKEY=VALUE is the same as -D KEY=VALUE.
read_options() {
  local known=() known_option variable
  while [ "$1" != -- ]; do known+=("$1"); shift; done
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help) usage; exit ;;
      -[!-]?*) set -- "${1:0:2}" "${1:2}" "${@:2}" ;;
    esac
    variable=''
    for known_option in "${known[@]}"; do
      [ "${known_option%%=*}" != "$1" ] || variable=${known_option#*=}
    done
    case $variable in
      '') expected "an option of ${0##*/}" "'$1'" ;;
      *!) printf -v "${variable%!}" %s 1; shift; continue ;;
      *'*') set_array "${variable%?}" "${@:2}"; return ;;
    esac
    [ $# -ge 2 ] || expected "$1 VALUE" "no value" "give the value, see --help"
    case $variable in
      *+) add_to "${variable%+}" "$2" ;;
      *) printf -v "$variable" %s "$2" ;;
    esac
    shift 2
  done
}
add_to() { local -n array_to_add_to=$1; array_to_add_to+=("$2"); }
set_array() { local -n array_to_set=$1; array_to_set=("${@:2}"); }

# has WORD LIST: LIST, separated by commas, has it.
has() { [[ ,$2, == *,$1,* ]]; }

# in_turn LIST REPETITION: its words, separated by commas, a line each; the last one first in even repetitions, so that neither
# order nor time favours one.
in_turn() {
  local reorder=cat
  [ $(($2 % 2)) = 1 ] || reorder=tac
  tr ',' '\n' <<<"$1" | $reorder
}

# bytes 64M -> 67108864
bytes() {
  [[ $1 =~ ^([0-9]+)([kKmMgG]?)$ ]] || expected "a size" "'$1'" "give a number, optionally with k, M or G"
  case ${BASH_REMATCH[2]} in
    k | K) echo $((BASH_REMATCH[1] << 10)) ;;
    m | M) echo $((BASH_REMATCH[1] << 20)) ;;
    g | G) echo $((BASH_REMATCH[1] << 30)) ;;
    *) echo "${BASH_REMATCH[1]}" ;;
  esac
}

# wait_for SECONDS WHAT COMMAND...: polls until COMMAND succeeds.
wait_for() {
  local limit=$1 what=$2 end
  shift 2
  end=$((SECONDS + limit))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || { echo "${0##*/}: error: waited ${limit}s for: $what" >&2; return 1; }
    sleep 0.2
  done
}

# ---------------------------------------------------------------- the end of a script

[ -n "${AT_END+x}" ] || AT_END=()
# at_end COMMAND...: what runs when the script ends, for whatever reason; the last one runs first. The words have no blanks.
at_end() {
  AT_END+=("$*")
  trap cleanup EXIT
}
cleanup() {
  local code=$? i
  trap - EXIT
  for ((i = ${#AT_END[@]} - 1; i >= 0; i--)); do
    # shellcheck disable=SC2086 # words
    ENDS_WITH=$code ${AT_END[i]} || true
  done
  exit "$code"
}

# end_process VARIABLE: ends the background process whose id the variable holds, and its children; none if it is empty.
end_process() {
  local -n process_to_end=$1
  [ -n "$process_to_end" ] || return 0
  local children
  children=$(ps -o pid= --ppid "$process_to_end" 2>/dev/null) || true
  # shellcheck disable=SC2086 # a word for each child
  kill "$process_to_end" $children 2>/dev/null || true
  wait "$process_to_end" 2>/dev/null || true
  process_to_end=''
}

# cluster_down: for scripts with a cluster on devices of its own.
cluster_down() {
  "$IT_DIR/cluster.sh" stop || true
  "$IT_DIR/devices.sh" down || true
}

# ---------------------------------------------------------------- results

commit() { git -C "$ROOT_DIR" describe --always --dirty 2>/dev/null || echo unknown; }
# new_results NAME: the folder of the results of this run, unless --out names another.
new_results() { echo "$IT_DIR/results/$1-$(date -u +%Y%m%d-%H%M%S)"; }
# begin_results FILE...: makes $OUT, an absolute path from here on, and these files in it, empty. $COMMIT is the commit
# as it was when the run began.
begin_results() {
  local file
  mkdir -p "$OUT"
  OUT=$(cd "$OUT" && pwd)
  COMMIT=${COMMIT:-$(commit)}
  for file in "$@"; do : >"$OUT/$file"; done
}
# record FIELD...: a line of JSON in $OUT/run.jsonl. A field is NAME=TEXT, NAME:=JSON, or an object whose fields are added.
record() {
  jq -cn 'reduce $ARGS.positional[] as $f ({}; . + (
    if $f | startswith("{") then $f | fromjson
    else (($f | index("=")) // error("expected NAME=TEXT, NAME:=JSON or an object, found \"\($f)\"")) as $at | $f[:$at] as $name | $f[$at + 1:] as $value |
      if $name | endswith(":") then {($name[:-1]): ($value | fromjson)} else {($name): $value} end end))' --args -- "$@" >>"$OUT/run.jsonl"
}
# figure PART WHAT JSON: a line of results about a part of a script, and a note.
figure() {
  record part="$1" what="$2" seed:="$SEED" commit="$COMMIT" "$3"
  note "$1, $2: $3"
}
# report COMMAND ARGS...: tables, medians and verdicts, see report.py --help.
report() { "$IT_DIR/report.py" "$@"; }

# simulated OPTIONS...: a line of JSON of the simulator $BENCH for each policy and size; where it fails, the end of what it said.
simulated() {
  java -jar "$BENCH" simulate --json "$@" 2>"$OUT/simulate.log" | jq -c '.[]' || {
    tail -3 "$OUT/simulate.log" >&2
    die "a simulation failed: $*"
  }
}

now_ns() { date +%s%N; }
# seconds_since NANOSECONDS [DIGITS]: since that result of now_ns.
seconds_since() { awk -v ns=$(($(now_ns) - $1)) -v digits="${2:-2}" 'BEGIN {printf "%.*f", digits, ns / 1e9}'; }
# minus JSON JSON: the numbers of an object less those of another.
minus() { jq -cn --argjson a "$1" --argjson b "$2" '$a | with_entries(.value -= ($b[.key] // 0))'; }

# ---------------------------------------------------------------- Hadoop from Maven artifacts

# Copies the run-time of $HADOOP_VERSION to target/ once, and makes the folders that a tarball has.
hadoop_home() {
  [ "$HADOOP_HOME_DIR/.complete" -nt "$IT_DIR/hadoop/pom.xml" ] && return
  need mvn java javac
  note "resolving Hadoop $HADOOP_VERSION"
  rm -rf "$HADOOP_HOME_DIR"
  mvn -B -q -f "$IT_DIR/hadoop/pom.xml" -Dhadoop.version="$HADOOP_VERSION" package \
    -Dlib.dir="$HADOOP_HOME_DIR/lib" || die "Maven did not resolve Hadoop $HADOOP_VERSION"
  # HttpServer2 looks the web applications up on the class path; without pages they may be empty.
  local app
  for app in hdfs datanode secondary journal static logs cluster node mapreduce; do
    mkdir -p "$HADOOP_HOME_DIR/share/webapps/$app/WEB-INF"
  done
  touch "$HADOOP_HOME_DIR/.complete"
}

# The plugin: $HYC_JAR, or what the root build left.
plugin_jar() {
  local jar
  if [ -n "${HYC_JAR:-}" ]; then
    [ -f "$HYC_JAR" ] || die "HYC_JAR is no file: $HYC_JAR"
    echo "$HYC_JAR"
    return
  fi
  for jar in "$ROOT_DIR"/hycache-hdfs/target/hycache-hdfs-*.jar; do
    case $jar in
      *-sources.jar | *-tests.jar | *-javadoc.jar | *\*.jar) ;;
      *) echo "$jar"; return ;;
    esac
  done
  die "no plugin JAR: build it (mvn -B -DskipTests package), or set HYC_JAR"
}

hadoop_cp() { echo "$1:$HADOOP_HOME_DIR/share:$HADOOP_HOME_DIR/lib/*"; }

JVM_OPENS=(--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED)
# Command-line tools live for a second or two: no second compiler, one collector thread.
CLI_JVM=(-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${JVM_OPENS[@]}")

# hadoop CLASS ARGS...: a Hadoop tool on the client's configuration.
hadoop() { hadoop_on client "$@"; }
# hadoop_on NAME CLASS ARGS...: the same on the configuration of a daemon.
hadoop_on() { java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/$1")" "${@:2}"; }
hdfs_dfs() { hadoop org.apache.hadoop.fs.FsShell "$@"; }
# hycache ARGS...: the plugin's own command line on the client's configuration.
hycache() { hycache_on client "$@"; }
# hycache_on NAME ARGS...: the same on the configuration of a daemon.
hycache_on() { java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/$1"):$(plugin_jar)" io.hycache.hdfs.cli.HyCache "${@:2}"; }

# workflows FILE: writes there what `hycache list --watch --json` shows first: all workflows, those that ended in the last hour, too.
workflows() {
  : >"$1"
  hycache list --watch --json --every 3600 >"$1" 2>>"$OUT/hycache.log" &
  # shellcheck disable=SC2034 # end_process takes its name
  WATCHING=$!
  wait_for 120 "a list of workflows" test -s "$1"
  end_process WATCHING
}

# hycache_warnings FILE: how many warnings and errors HyCache's classes have in a log with whole names of classes.
hycache_warnings() { grep -cE ' (WARN|ERROR|FATAL) .*io\.hycache' "$1" || true; }

# hyc_sum NAME: a figure or a counter of `status --json`, summed over the DataNodes. For conditions: fails, and prints nothing,
# unless all $DATANODES answer.
hyc_sum() {
  local status
  status=$(hycache status --json 2>/dev/null) || return 1
  jq -en --arg name "$1" --argjson all "$DATANODES" '[input.dataNodes[] | select(has("error") | not)] | select(length >= $all) |
    map((., .counters) | .[$name]? | numbers) | add // 0' <<<"$status" || return 1
}
# hyc_total NAME: the same for results: without the answers of all it prints an error as well.
hyc_total() { hyc_sum "$1" || die "expected $1 of $DATANODES DataNodes, found fewer answers. Fix: see $LOGS/dn*.log"; }

at_least() { local sum; sum=$(hyc_sum "$1") && [ "$sum" -ge "$2" ]; } # NAME NUMBER
at_most() { local sum; sum=$(hyc_sum "$1") && [ "$sum" -le "$2" ]; }  # NAME NUMBER
idle() { [ "$(hyc_sum movesQueued)" = 0 ]; }
# device NAME: a figure of the first DataNode's first SSD.
device() { hycache status --json 2>/dev/null | jq ".dataNodes[0].devices[0].$1"; }

# manifest WORKFLOW REPEAT ACCESS PATH...
manifest() {
  local workflow=$1 repeat=$2 access=$3
  shift 3
  jq -n --arg workflow "$workflow" --argjson repeat "$repeat" --arg access "$access" \
    '{version: 1, workflow: $workflow, ttl: "2h", jobs: [{name: $workflow, repeat: $repeat,
      reads: [$ARGS.positional[] | {path: ., access: $access}]}]}' --args "$@"
}

CLIENTS_DIR=$IT_DIR/target/bench
# compiled CLASS: a client of bench/ is in $CLIENTS_DIR, as its source is now; HYC_CLIENT_CP: what it needs beside Hadoop.
compiled() {
  local class=$CLIENTS_DIR/bench/$1.class
  if [ ! -e "$class" ] || [ -n "$(find "$IT_DIR/bench" -name '*.java' -newer "$class")" ]; then
    mkdir -p "$CLIENTS_DIR"
    javac -nowarn --release 11 -d "$CLIENTS_DIR" -sourcepath "$IT_DIR" -cp "$HADOOP_HOME_DIR/lib/*:${HYC_CLIENT_CP:-}" "$IT_DIR/bench/$1.java" ||
      die "$1 does not compile"
  fi
}
# client CLASS ARGS...: runs a client of bench/.
client() {
  compiled "$1"
  java -Xmx1g -XX:+UseParallelGC "${JVM_OPENS[@]}" \
    -cp "$(hadoop_cp "$CONF/client"):$CLIENTS_DIR:${HYC_CLIENT_CP:-}" "bench.$1" "${@:2}"
}
bench() { client LoadClient "$@"; }

# clean_copies PATH PARTS: PARTS times 4 files of 64 MB on one DataNode whose watermarks are 0. Each part is demoted, which
# leaves its bytes as clean copies, before the next one comes.
clean_copies() {
  local part
  all_demoted() { [ "$(device dirtyBytes)" = 0 ] && idle; }
  for part in $(seq "$2"); do
    bench write --path "$1/$part" --files 4 --size $((64 << 20)) --replication 1 >/dev/null
    wait_for 120 "part $part on DISK" all_demoted
  done
}

# ---------------------------------------------------------------- configuration files

# site FILE KEY VALUE...
site() {
  local file=$1
  shift
  {
    echo '<?xml version="1.0"?>'
    echo '<configuration>'
    while [ $# -gt 0 ]; do
      printf '  <property><name>%s</name><value>%s</value></property>\n' "$1" "$2"
      shift 2
    done
    echo '</configuration>'
  } >"$file"
}

# The plugin's three properties on a DataNode.
PLUGIN=(
  dfs.datanode.fsdataset.factory org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HyCacheDatasetFactory
  dfs.datanode.fsdataset.volume.choosing.policy io.hycache.hdfs.volume.HyCacheVolumeChoosingPolicy
  dfs.datanode.plugins io.hycache.hdfs.dataset.HyCachePlugin
)

# yarn_properties HOST JVM_OPTIONS CLASSPATH: what all clusters with YARN have, into YARN_SITE and MAPRED_SITE; of a name that
# is there twice the last value counts. Containers of 512 MB at a time: the machine has two cores. Intermediate data of jobs
# stays off the emulated devices.
yarn_properties() {
  YARN_SITE=(
    yarn.resourcemanager.hostname "$1"
    yarn.resourcemanager.address "$1:$((PORT_BASE + 80))"
    yarn.resourcemanager.scheduler.address "$1:$((PORT_BASE + 81))"
    yarn.resourcemanager.resource-tracker.address "$1:$((PORT_BASE + 82))"
    yarn.resourcemanager.admin.address "$1:$((PORT_BASE + 83))"
    yarn.resourcemanager.webapp.address "$1:$RM_HTTP"
    yarn.nodemanager.hostname "$1"
    yarn.nodemanager.address "$1:$((PORT_BASE + 90))"
    yarn.nodemanager.localizer.address "$1:$((PORT_BASE + 91))"
    yarn.nodemanager.collector-service.address "$1:$((PORT_BASE + 92))"
    yarn.nodemanager.webapp.address "$1:$NM_HTTP"
    yarn.nodemanager.local-dirs "$HYC_WORK/nm/local"
    yarn.nodemanager.log-dirs "$HYC_WORK/nm/log"
    yarn.nodemanager.aux-services mapreduce_shuffle
    yarn.nodemanager.resource.memory-mb 2048
    yarn.nodemanager.resource.cpu-vcores 4
    yarn.nodemanager.vmem-check-enabled false
    yarn.nodemanager.pmem-check-enabled false
    yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage 99
    yarn.nodemanager.env-whitelist "JAVA_HOME,HADOOP_CONF_DIR"
    yarn.scheduler.minimum-allocation-mb 512
    yarn.scheduler.maximum-allocation-mb 1024
    yarn.resourcemanager.scheduler.class org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler
    yarn.resourcemanager.nodemanagers.heartbeat-interval-ms 250
    yarn.application.classpath "$3"
  )
  MAPRED_SITE=(
    mapreduce.framework.name yarn
    mapreduce.application.classpath "$3"
    mapreduce.shuffle.port $((PORT_BASE + 94))
    yarn.app.mapreduce.am.staging-dir /tmp/staging
    yarn.app.mapreduce.am.resource.mb 1024
    yarn.app.mapreduce.am.command-opts "$2"
    yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms 250
    mapreduce.map.memory.mb 512
    mapreduce.reduce.memory.mb 512
    mapreduce.map.java.opts "$2"
    mapreduce.reduce.java.opts "$2"
    mapreduce.task.io.sort.mb 160
    mapreduce.client.completion.pollinterval 200
    mapreduce.map.speculative false
    mapreduce.reduce.speculative false
  )
}

log4j() {
  cat >"$1/log4j.properties" <<'EOF'
log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.target=System.err
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
log4j.logger.BlockStateChange=WARN
log4j.logger.org.apache.hadoop.hdfs.StateChange=WARN
log4j.logger.org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace=WARN
EOF
}

# ---------------------------------------------------------------- processes

# Only a process that one of these scripts started carries this mark.
mark() { echo "-Dhycache.it=$HYC_WORK"; }
is_ours() { tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | grep -qxF -- "$(mark)"; }
alive() {
  [ -s "$RUN/$1.pid" ] && is_ours "$(<"$RUN/$1.pid")"
}

# daemon NAME MAIN_CLASS HEAP_MB MEMORY_MB EXTRA_CLASSPATH ARGS...
daemon() {
  local name=$1 class=$2 heap=$3 memory=$4 cp args=("${@:6}")
  cp=$(hadoop_cp "$CONF/$name")
  [ -z "$5" ] || cp=$cp:$5
  alive "$name" && die "$name runs already (pid $(<"$RUN/$name.pid"))"
  (
    enter_cgroup "$name" "$memory"
    export HADOOP_CONF_DIR=$CONF/$name
    exec setsid java "-Xms${heap}m" "-Xmx${heap}m" -XX:+UseParallelGC "${JVM_OPENS[@]}" "$(mark)" \
      "-Dhycache.it.daemon=$name" "-Dhadoop.log.dir=$LOGS" "-Djava.io.tmpdir=$HYC_WORK/tmp" -cp "$cp" "$class" "${args[@]}" >>"$LOGS/$name.log" 2>&1 </dev/null
  ) &
  enrol "$name" "$!"
}

# enrol NAME PID: notes the process, and waits until it is the daemon: until exec it is a shell, and
# alive would take it for a daemon that died.
enrol() {
  echo "$2" >"$RUN/$1.pid"
  wait_for 30 "$1 to begin" begun "$2"
}

# begun PID: what was started has become a daemon of ours, or has ended.
begun() { is_ours "$1" || [ ! -e "/proc/$1" ] || grep -q 'State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null; }

# up_or_dead NAME COMMAND...: true when COMMAND is; ends the wait when the daemon died.
up_or_dead() {
  local name=$1
  shift
  "$@" && return
  alive "$name" || { tail -20 "$LOGS/$name.log" >&2; die "$name died, see $LOGS/$name.log"; }
  return 1
}

# gone PID: its last thread has ended. One that waits for a device keeps the ports of a killed process, which has no command
# line any more.
gone() {
  local status
  status=$(cat "/proc/$1/status" 2>/dev/null) || return 0
  case $status in
    *State:?Z*Threads:?1[!0-9]*) return 0 ;;
  esac
  [ -n "$(tr -d '\0' 2>/dev/null <"/proc/$1/cmdline")" ] && ! is_ours "$1"
}

# stop_daemons DIRECTORY...: stops all daemons of this cluster, and containers whose NodeManager is gone: only those whose
# temp directories are below these, which are our own.
stop_daemons() {
  local file pid directory pids=() ours=()
  for file in "$RUN"/*.pid; do
    [ -e "$file" ] || continue
    pid=$(<"$file")
    if ! gone "$pid"; then
      kill "$pid" 2>/dev/null || true
      pids+=("$pid")
    fi
  done
  for pid in "${pids[@]}"; do
    wait_for 20 "process $pid to stop" gone "$pid" || kill -9 "$pid"
  done
  for directory in "$@"; do ours+=(-e "-Djava.io.tmpdir=$directory"); done
  for file in /proc/[0-9]*/cmdline; do
    if tr '\0' ' ' 2>/dev/null <"$file" | grep -qF "${ours[@]}"; then
      pid=${file#/proc/}
      kill -9 "${pid%%/*}" 2>/dev/null || true
    fi
  done
  rm -f "$RUN"/*.pid
}

# daemon_cpu: CPU seconds that the daemons of this cluster have taken so far.
daemon_cpu() {
  local file pids=()
  for file in "$RUN"/*.pid; do pids+=("/proc/$(<"$file")/stat"); done
  awk -v hz="$(getconf CLK_TCK)" '{sub(/.*\) /, ""); ticks += $12 + $13} END {printf "%.2f", ticks / hz}' "${pids[@]}"
}

# ---------------------------------------------------------------- JMX

jmx() { curl -sf --max-time 10 "http://127.0.0.1:$1/jmx?qry=$2"; }
nn_state() { jmx "$NN_HTTP" 'Hadoop:service=NameNode,name=FSNamesystemState' | jq -r ".beans[0].$1"; }
nn_system() { jmx "$NN_HTTP" 'Hadoop:service=NameNode,name=FSNamesystem' | jq -r ".beans[0].$1"; }
safe_mode_off() {
  [ "$(jmx "$NN_HTTP" 'Hadoop:service=NameNode,name=NameNodeInfo' | jq -r '.beans[0].Safemode')" = "" ]
}

# ---------------------------------------------------------------- cgroups: block throttle, memory

CGROUP=/sys/fs/cgroup
if [ -e "$CGROUP/blkio/blkio.throttle.read_bps_device" ]; then
  CGROUP_VERSION=1
elif [ -e "$CGROUP/cgroup.controllers" ]; then
  CGROUP_VERSION=2
else
  CGROUP_VERSION=0
fi
# Version 2 cannot throttle the root group: daemons live in a group of ours then.
CGROUP_OURS=$CGROUP/hycache-it

# throttle MAJ:MIN READ_BPS WRITE_BPS READ_IOPS WRITE_IOPS; 0 lifts a limit.
throttle() {
  local dev=$1
  case $CGROUP_VERSION in
    1)
      echo "$dev $2" >"$CGROUP/blkio/blkio.throttle.read_bps_device"
      echo "$dev $3" >"$CGROUP/blkio/blkio.throttle.write_bps_device"
      echo "$dev $4" >"$CGROUP/blkio/blkio.throttle.read_iops_device"
      echo "$dev $5" >"$CGROUP/blkio/blkio.throttle.write_iops_device"
      ;;
    2)
      mkdir -p "$CGROUP_OURS"
      echo '+io +memory' >"$CGROUP/cgroup.subtree_control"
      echo "$dev rbps=${2/#0/max} wbps=${3/#0/max} riops=${4/#0/max} wiops=${5/#0/max}" |
        sed 's/=max[0-9]*/=max/g' >"$CGROUP_OURS/io.max"
      ;;
    *) die "no block throttling: neither cgroup v1 blkio nor v2 found under $CGROUP" ;;
  esac
}

# enter_cgroup NAME MEMORY_MB: puts this shell (and what it execs) where limits apply; 0 = no memory limit.
enter_cgroup() {
  case $CGROUP_VERSION in
    1)
      if [ "$2" != 0 ]; then
        local group=$CGROUP/memory/hycache-it/$1
        mkdir -p "$group"
        echo $(($2 << 20)) >"$group/memory.limit_in_bytes"
        echo $BASHPID >"$group/cgroup.procs"
      fi
      ;;
    2)
      # No memory limit here: in v2 the images' own pages would be charged to the group.
      [ "$2" = 0 ] || note "memory limit of $1 left out: only with cgroup v1"
      if [ -d "$CGROUP_OURS" ]; then echo $BASHPID >"$CGROUP_OURS/cgroup.procs"; fi
      ;;
  esac
}

# ---------------------------------------------------------------- devices

mounted() { grep -q " $1 " /proc/self/mounts; }
loop_of() { # of a volume; one of disk.py lies behind a file system of its own
  { losetup -nO NAME -j "$RAM/$1-$2.img" && losetup -nO NAME -j "$RAM/fuse/$1-$2/$1-$2.img"; } 2>/dev/null | head -1
}
majmin() { cat "/sys/block/${1#/dev/}/dev"; }
# kinds [nvme|ssd|hdd]: the kinds of volumes that each DataNode has, all or those of a type: perhaps nvme, ssd, perhaps
# ssd2, hdd, perhaps hdd2, hdd3, ...
kinds() {
  local type n kind
  for type in ${1:-nvme ssd hdd}; do
    for ((n = 1; ; n++)); do
      kind=$type
      [ "$n" = 1 ] || kind+=$n
      [ -d "$VOL/dn1/$kind" ] || break
      echo "$kind"
    done
  done
}
is_hdd() { [[ $1 == hdd* ]]; } # KIND

# empty_cache: what the plugin keeps on the SSDs beside HDFS's own directories is gone; for DataNodes that are stopped.
empty_cache() {
  find "$VOL"/dn*/ssd -maxdepth 3 -type d -name '*hycache*' -prune -exec rm -rf {} +
}

# fresh_devices OPTIONS...: new devices, with these options of devices.sh up, and an empty file system.
fresh_devices() {
  "$IT_DIR/devices.sh" down
  "$IT_DIR/devices.sh" up "$@" >/dev/null
  "$IT_DIR/cluster.sh" format
}

drop_caches() { sync; echo 3 >/proc/sys/vm/drop_caches; }

# sync_volumes: everything written so far reaches the emulated devices, on all of them at once.
sync_volumes() {
  local i kind syncs=()
  for i in $(seq "$DATANODES"); do
    for kind in $(kinds); do
      sync -f "$VOL/dn$i/$kind" &
      syncs+=("$!")
    done
  done
  for i in "${syncs[@]}"; do wait "$i" || return; done
}

# device_stat VOLUME: reads, bytes read and bytes written of a volume such as dn1-ssd, and milliseconds that it was busy.
device_stat() {
  local loop stat
  loop=$(loop_of "${1%-*}" "${1#*-}")
  read -ra stat <"/sys/block/${loop#/dev/}/stat" || return
  echo "${stat[0]} $((stat[2] * 512)) $((stat[6] * 512)) ${stat[9]}"
}
# device_stats nvme|ssd|hdd: the same of all DataNodes, summed; only differences mean anything.
device_stats() {
  local i kind one all=''
  for i in $(seq "$DATANODES"); do
    for kind in $(kinds "$1"); do
      one=$(device_stat "dn$i-$kind") || return
      all+=$one$'\n'
    done
  done
  [ -n "$all" ] || return
  awk '{reads += $1; read += $2; written += $3; busy += $4} END {printf "%.0f %.0f %.0f %.0f\n", reads, read, written, busy}' <<<"${all%$'\n'}"
}
# device_counters: reads, bytes read and bytes written of all SSDs, HDDs and, if there are any, NVMe devices, as JSON.
device_counters() {
  local kind n r w result=''
  for kind in nvme ssd hdd; do
    [ "$kind" != nvme ] || [ -n "$(kinds nvme)" ] || continue
    read -r n r w _ < <(device_stats "$kind") || return
    result+="\"${kind}Reads\":$n,\"${kind}BytesRead\":$r,\"${kind}BytesWritten\":$w,"
  done
  echo "{${result%,}}"
}
# device_bytes ssd|hdd: bytes read and bytes written on all devices of the kind.
device_bytes() { device_stats "$1" | cut -d' ' -f2,3; }
