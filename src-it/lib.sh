# shellcheck shell=bash
# Shared by the scripts of this folder: places, messages, processes, conditions, devices, counters.
# Sourced, never run.
# shellcheck disable=SC2034 # constants that the sourcing scripts use

IT_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT_DIR=$(cd "$IT_DIR/.." && pwd)
HYC_WORK=${HYC_WORK:-/tmp/hycache-it}
HADOOP_VERSION=${HADOOP_VERSION:-3.4.2}
DATANODES=${HYC_DATANODES:-3}
PORT_BASE=${HYC_PORT_BASE:-18000}

HADOOP_HOME_DIR=$IT_DIR/target/hadoop-$HADOOP_VERSION
RAM=$HYC_WORK/ram        # tmpfs: images of the devices and the NameNode's directory
VOL=$HYC_WORK/vol        # vol/dnI/ssd, vol/dnI/hdd
CONF=$HYC_WORK/conf      # conf/{client,nn,dnI,rm,nm}
LOGS=$HYC_WORK/log
RUN=$HYC_WORK/run        # pid files and what is running

NN_RPC=$((PORT_BASE + 20))
NN_HTTP=$((PORT_BASE + 70))
RM_HTTP=$((PORT_BASE + 88))
NM_HTTP=$((PORT_BASE + 93))
dn_port() { echo $((PORT_BASE + 100 + $1 * 10 + $2)); } # 0 data, 1 ipc, 2 http

die() { echo "${0##*/}: error: $*" >&2; exit 1; }
note() { echo "[$(date +%H:%M:%S)] $*" >&2; }
need() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || die "$tool is needed and not on the PATH"
  done
}
need_root() { [ "$(id -u)" = 0 ] || die "needs root (loop devices, mounts, block throttling)"; }

# The comment at the head of a script, without its '#', is its help.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"; }

# read_options OPTION=VARIABLE... -- ARGS...: a script's options, all with a value, into its variables;
# OPTION=VARIABLE+ appends each value to an array.
read_options() {
  local known=() pair
  while [ "$1" != -- ]; do known+=("$1"); shift; done
  shift
  while [ $# -gt 0 ]; do
    case $1 in -h | --help) usage; exit ;; esac
    [ $# -ge 2 ] || die "$1: unknown, or its value is missing (see --help)"
    for pair in "${known[@]}"; do
      [ "${pair%%=*}" = "$1" ] || continue
      case $pair in
        *+) local -n list=${pair:$((${#1} + 1)):-1} && list+=("$2") ;;
        *) printf -v "${pair#*=}" %s "$2" ;;
      esac
      shift 2
      continue 2
    done
    die "unknown option $1 (see --help)"
  done
}

# bytes 64M -> 67108864
bytes() {
  [[ $1 =~ ^([0-9]+)([kKmMgG]?)$ ]] || die "not a size: '$1' (a number, optionally with k, M or G)"
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
# hycache ARGS...: the plugin's own command line.
hycache() {
  java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/client"):$(plugin_jar)" io.hycache.hdfs.cli.HyCache "$@"
}

# hyc_sum NAME: a figure or a counter of `status --json`, summed over the DataNodes.
hyc_sum() {
  hycache status --json 2>/dev/null |
    jq -s --arg name "$1" '[.[].dataNodes[] | (., .counters) | .[$name]? | numbers] | add // 0'
}

at_least() { [ "$(hyc_sum "$1")" -ge "$2" ]; } # NAME NUMBER
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

# client CLASS ARGS...: a client of bench/, compiled when a source there is newer; HYC_CLIENT_CP: what it needs beside Hadoop.
client() {
  local classes=$IT_DIR/target/bench name=$1
  shift
  if [ ! -e "$classes/bench/$name.class" ] || [ -n "$(find "$IT_DIR/bench" -name '*.java' -newer "$classes/bench/$name.class")" ]; then
    mkdir -p "$classes"
    javac -nowarn --release 11 -d "$classes" -sourcepath "$IT_DIR" -cp "$HADOOP_HOME_DIR/lib/*:${HYC_CLIENT_CP:-}" "$IT_DIR/bench/$name.java" ||
      die "$name does not compile"
  fi
  java -Xmx1g -XX:+UseParallelGC "${JVM_OPENS[@]}" \
    -cp "$(hadoop_cp "$CONF/client"):$classes:${HYC_CLIENT_CP:-}" "bench.$name" "$@"
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

# cluster_down: the end of a script that has a cluster on devices of its own.
cluster_down() {
  "$IT_DIR/cluster.sh" stop || true
  "$IT_DIR/devices.sh" down || true
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
  enrol "$name" $!
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
# kinds: the kinds of volumes that each DataNode has: hdd, ssd, and perhaps ssd2.
kinds() {
  local kind
  for kind in ssd ssd2 hdd; do
    if [ -d "$VOL/dn1/$kind" ]; then echo "$kind"; fi
  done
}

drop_caches() { sync; echo 3 >/proc/sys/vm/drop_caches; }

# sync_volumes: everything written so far reaches the emulated devices.
sync_volumes() {
  local i kind
  for i in $(seq "$DATANODES"); do
    for kind in $(kinds); do sync -f "$VOL/dn$i/$kind"; done
  done
}

# device_counters: reads, bytes read and bytes written of all SSDs and HDDs, as JSON.
device_counters() {
  local i kind loop stat n r w result=''
  for kind in ssd hdd; do
    n=0 r=0 w=0
    for i in $(seq "$DATANODES"); do
      loop=$(loop_of "dn$i" "$kind")
      read -ra stat <"/sys/block/${loop#/dev/}/stat"
      n=$((n + stat[0]))
      r=$((r + stat[2] * 512))
      w=$((w + stat[6] * 512))
    done
    result+="\"${kind}Reads\":$n,\"${kind}BytesRead\":$r,\"${kind}BytesWritten\":$w,"
  done
  echo "{${result%,}}"
}

# device_bytes ssd|hdd: bytes read and bytes written on all devices of the kind; only differences mean anything.
device_bytes() {
  local i loop stat r=0 w=0
  for i in $(seq "$DATANODES"); do
    loop=$(loop_of "dn$i" "$1")
    read -ra stat <"/sys/block/${loop#/dev/}/stat"
    r=$((r + stat[2] * 512))
    w=$((w + stat[6] * 512))
  done
  echo "$r $w"
}
