#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# cluster.sh: a NameNode, DataNodes and, on request, YARN as separate processes on the loopback
# interface, from Maven artifacts, on the volumes of devices.sh.
#
#   cluster.sh format                  empty the NameNode's and all DataNodes' directories
#   cluster.sh start --setup S [options]
#   cluster.sh stop
#   cluster.sh restart-dn I [SETUP]    stop and start DataNode I, as it was or with another set-up; what runs
#                                      then is $HADOOP_VERSION
#   cluster.sh reconfigure I           DataNode I takes over what its hdfs-site.xml says now
#   cluster.sh restart-nn [OPTION...]  the same for the NameNode, with options such as -rollingUpgrade started
#   cluster.sh restart-nm [-Y K=V]...  the same for the NodeManager, with these properties instead of those of before
#   cluster.sh kill NAME               SIGKILL for dn1, dn2, ..., nn, nn2, nm
#   cluster.sh failover NAME           makes the NameNode nn or nn2 the active one
#   cluster.sh status                  daemons, set-up, capacity by DataNode
#   cluster.sh fsck [PATH]             fsck of PATH (/); exit 0 only when HEALTHY
#   cluster.sh settle                  wait until deletions and replications are done
#   cluster.sh dfs ARGS...             hdfs dfs ARGS
#   cluster.sh hycache ARGS...         the plugin's command line on this cluster
#   cluster.sh run CLASS ARGS...       any Hadoop tool, on the client's configuration
#   cluster.sh env                     prints exports of the class path and HADOOP_CONF_DIR
#
# Set-ups. All keep [SSD], [DISK] and, with --nvme-size, [NVDIMM] directories on the same volumes, so that one namespace serves
# them one after the other without a new format:
#   disk      plain HDFS; files follow the default policy HOT: all replicas on DISK
#   ssd       plain HDFS; the tests give their paths the policy ALL_SSD
#   rival     plain HDFS, data on DISK; HDFS's centralized cache in a directory on the SSD
#   hycache   the plugin's JAR and its three properties on the DataNodes
#   plain     plain HDFS again, after the plugin was taken out (same as disk; for the removal proof)
#
# Options of start:
#   --setup S        one of the above
#   --hdfs-cache     HDFS's centralized cache in a directory on the SSD, as with rival
#   --hdd-dirs N     DISK volumes on the first HDD of each DataNode, for the disk balancer    1
#   --hosts          DataNode I says that its host is 127.0.0.(I+1), so that schedulers tell the DataNodes' hosts apart
#   --yarn           a ResourceManager and a NodeManager too
#   --ha             a second NameNode, nn2, standby at first; both share their edits in a directory. The namespace keeps it until
#                    the next format
#   -D KEY=VALUE     a property for all DataNodes and clients; repeatable
#   -Y KEY=VALUE     a property of YARN; repeatable. The NodeManager gets the plugin's JAR if one names a class of it
#   --memory MB      a memory cgroup around each DataNode: its heap, its native memory and its share
#                    of the page cache together (0 = none; cgroup v1 only)       0
#   --dn-heap MB     heap of a DataNode                                        512
#   --namenode ARGS, --datanodes ARGS   arguments of this start, such as '-rollingUpgrade rollback'
#
# Environment: HYC_WORK (/tmp/hycache-it), HYC_JAR (the plugin; default what the build left),
# HYC_PORT_BASE (18000), HYC_DATANODES (3), HADOOP_VERSION (3.4.2). Logs: $HYC_WORK/log.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SETUP='' YARN=0 HA=0 MEMORY=0 DN_HEAP=512 HDFS_CACHE=0 HDD_DIRS=1 HOSTS=0
EXTRA=() # key, value, key, value
YARN_EXTRA=()
NN_ARGS=() DN_ARGS=()
GIVEN=() YARN_GIVEN=() NN_OPTIONS='' DN_OPTIONS='' # as they stand on the command line

# ---------------------------------------------------------------- configuration files

CORE=(
  hadoop.tmp.dir "$HYC_WORK/tmp"
  io.file.buffer.size 131072
)
# What all daemons and clients share. The NameNode leaves safe mode only when all DataNodes are
# there with all their replicas, so that no start begins with re-replication; deletions and cache
# directives take effect within a second. The block scanner stays out of measurements. A volume is
# full when it is full: by default HDFS keeps 1 GB free, more than a small SSD has.
HDFS=(
  dfs.replication 2
  dfs.blocksize 67108864
  dfs.namenode.fs-limits.min-block-size 65536
  dfs.namenode.datanode.registration.ip-hostname-check false
  dfs.namenode.safemode.extension 3000
  dfs.namenode.reconstruction.pending.timeout-sec 10
  dfs.namenode.safemode.threshold-pct 1.0
  dfs.namenode.safemode.min.datanodes "$DATANODES"
  dfs.namenode.redundancy.interval.seconds 1
  dfs.namenode.path.based.cache.refresh.interval.ms 1000
  dfs.cachereport.intervalMsec 1000
  dfs.block.invalidate.limit 10000
  dfs.heartbeat.interval 1
  dfs.client.read.shortcircuit false
  dfs.client.datanode-restart.timeout 10
  dfs.block.scanner.volume.bytes.per.second 0
  dfs.datanode.round-robin-volume-choosing-policy.additional-available-space 0
)

# Where the NameNode is, or the two are.
ONE_NAMENODE=(
  dfs.namenode.rpc-address "127.0.0.1:$NN_RPC"
  dfs.namenode.http-address "127.0.0.1:$NN_HTTP"
  dfs.namenode.name.dir "$RAM/nn"
)
TWO_NAMENODES=(
  dfs.nameservices ha
  dfs.ha.namenodes.ha 'nn,nn2'
  dfs.namenode.rpc-address.ha.nn "127.0.0.1:$NN_RPC"
  dfs.namenode.http-address.ha.nn "127.0.0.1:$NN_HTTP"
  dfs.namenode.name.dir.ha.nn "$RAM/nn"
  dfs.namenode.rpc-address.ha.nn2 "127.0.0.1:$NN2_RPC"
  dfs.namenode.http-address.ha.nn2 "127.0.0.1:$NN2_HTTP"
  dfs.namenode.name.dir.ha.nn2 "$RAM/nn2"
  dfs.namenode.shared.edits.dir "file://$RAM/shared"
  dfs.ha.fencing.methods 'shell(/bin/true)'
  dfs.ha.tail-edits.period 1s
  dfs.client.failover.proxy.provider.ha org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider
)

add_namenodes() {
  if [ "$HA" = 1 ]; then
    CORE+=(fs.defaultFS hdfs://ha)
    HDFS+=("${TWO_NAMENODES[@]}")
  else
    CORE+=(fs.defaultFS "hdfs://127.0.0.1:$NN_RPC")
    HDFS+=("${ONE_NAMENODE[@]}")
  fi
}

configure() {
  local i own
  add_namenodes
  rm -rf "$CONF"
  mkdir -p "$CONF/client" "$CONF/nn" "$CONF/nn2" "$CONF/rm" "$CONF/nm"

  for i in client nn nn2 rm nm; do
    own=()
    case $HA$i in
      1nn*) own=(dfs.ha.namenode.id "$i") ;; # both have the same address
    esac
    log4j "$CONF/$i"
    site "$CONF/$i/core-site.xml" "${CORE[@]}"
    site "$CONF/$i/hdfs-site.xml" "${HDFS[@]}" "${EXTRA[@]}" "${own[@]}"
    yarn_conf "$CONF/$i"
  done
  # Tools print their result, not their log.
  sed -i 's/^log4j.rootLogger=INFO/log4j.rootLogger=WARN/' "$CONF/client/log4j.properties"
  echo 'log4j.logger.org.apache.hadoop.mapreduce.Job=INFO' >>"$CONF/client/log4j.properties"
  echo 'log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR' >>"$CONF/client/log4j.properties"

  for i in $(seq "$DATANODES"); do
    configure_dn "$i" "$SETUP"
  done
}

configure_dn() { # I SETUP
  local i=$1 n kind own dirs="[SSD]$VOL/dn$1/ssd/data,[DISK]$VOL/dn$1/hdd/data"
  if [ -d "$VOL/dn$i/ssd2" ]; then dirs="[SSD]$VOL/dn$i/ssd2/data,$dirs"; fi
  if [ -d "$VOL/dn$i/nvme" ]; then dirs="[NVDIMM]$VOL/dn$i/nvme/data,$dirs"; fi
  for n in $(seq 2 "$HDD_DIRS"); do dirs+=",[DISK]$VOL/dn$i/hdd/data$n"; done
  for kind in $(kinds hdd); do
    [ "$kind" = hdd ] || dirs+=",[DISK]$VOL/dn$i/$kind/data"
  done
  own=(
    dfs.datanode.data.dir "$dirs"
    dfs.datanode.address "127.0.0.1:$(dn_port "$i" 0)"
    dfs.datanode.ipc.address "127.0.0.1:$(dn_port "$i" 1)"
    dfs.datanode.http.address "127.0.0.1:$(dn_port "$i" 2)"
  )
  if [ "$HOSTS" = 1 ]; then own+=(dfs.datanode.hostname "127.0.0.$((i + 1))"); fi
  if [ "$HDFS_CACHE" = 1 ]; then own+=(dfs.datanode.pmem.cache.dirs "$VOL/dn$i/ssd/pmem"); fi
  if [ "$2" = hycache ]; then own+=("${PLUGIN[@]}"); fi
  rm -rf "$CONF/dn$i"
  mkdir -p "$CONF/dn$i"
  log4j "$CONF/dn$i"
  site "$CONF/dn$i/core-site.xml" "${CORE[@]}" hadoop.tmp.dir "$HYC_WORK/tmp/dn$i"
  site "$CONF/dn$i/hdfs-site.xml" "${HDFS[@]}" "${own[@]}" "${EXTRA[@]}"
  echo "$2" >"$RUN/dn$i.setup"
}

yarn_conf() { # DIRECTORY
  yarn_properties 127.0.0.1 '-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-opens=java.base/java.lang=ALL-UNNAMED' \
    "$CONF/client,$HADOOP_HOME_DIR/share,$HADOOP_HOME_DIR/lib/*"
  site "$1/yarn-site.xml" "${YARN_SITE[@]}" "${YARN_EXTRA[@]}"
  site "$1/mapred-site.xml" "${MAPRED_SITE[@]}"
}

# ---------------------------------------------------------------- daemons

start_dn() { # I
  local jar=''
  [ "$(<"$RUN/dn$1.setup")" != hycache ] || jar=$(plugin_jar)
  daemon "dn$1" org.apache.hadoop.hdfs.server.datanode.DataNode "$DN_HEAP" "$MEMORY" "$jar" "${DN_ARGS[@]}"
}

start_nm() {
  local jar=''
  case " ${YARN_EXTRA[*]} " in
    *.classpath\ *) ;;
    *\ io.hycache.*) jar=$(plugin_jar) ;;
  esac
  daemon nm org.apache.hadoop.yarn.server.nodemanager.NodeManager 512 0 "$jar"
}

nn_answers() { [ -n "$(nn_state FSState 2>/dev/null)" ]; }
nn2_answers() { [ -n "$(jmx "$NN2_HTTP" 'Hadoop:service=NameNode,name=FSNamesystemState' 2>/dev/null)" ]; }
start_namenode() { # NAME ARGS...
  daemon "$1" org.apache.hadoop.hdfs.server.namenode.NameNode 512 0 '' "${@:2}"
  wait_for 90 "the NameNode $1" up_or_dead "$1" "$1_answers"
}
# of_namenode NAME OPTIONS...: a command of the NameNode itself, which ends.
of_namenode() {
  java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/$1")" org.apache.hadoop.hdfs.server.namenode.NameNode "${@:2}" -nonInteractive \
    >"$LOGS/format.log" 2>&1 || { tail -20 "$LOGS/format.log" >&2; die "NameNode ${*:2} failed"; }
}
start_second() {
  [ -d "$RAM/nn2/current" ] || of_namenode nn2 -bootstrapStandby -force
  start_namenode nn2
  failover nn
}
failover() { # NAME
  local tool=org.apache.hadoop.hdfs.tools.DFSHAAdmin other=nn
  [ "$1" = nn2 ] || other=nn2
  # The web server of a NameNode answers before its RPC server does.
  serves() { hadoop "$tool" -getServiceState "$1" >/dev/null 2>&1; }
  ! alive "$other" || wait_for 60 "an answer of $other" serves "$other"
  wait_for 60 "an answer of $1" serves "$1"
  ! alive "$other" || hadoop "$tool" -transitionToStandby "$other"
  hadoop "$tool" -transitionToActive --forceactive "$1"
}
# Its dataset is there. While a DataNode starts it takes a new configuration, and then ends because of the volume that is gone.
dn_answers() {
  jmx "$(dn_port "$1" 2)" 'Hadoop:service=DataNode,name=FSDatasetState*' 2>/dev/null | jq -e '.beans | length > 0' >/dev/null
}
all_live() {
  local i
  for i in $(seq "$DATANODES"); do
    alive "dn$i" || { tail -20 "$LOGS/dn$i.log" >&2; die "dn$i died, see $LOGS/dn$i.log"; }
  done
  [ "$(nn_state NumLiveDataNodes)" = "$DATANODES" ]
}
nm_registered() {
  curl -sf "http://127.0.0.1:$RM_HTTP/ws/v1/cluster/metrics" | jq -e '.clusterMetrics.activeNodes >= 1' >/dev/null
}
nm_answers() { curl -sf "http://127.0.0.1:$NM_HTTP/ws/v1/node/info" | jq -e .nodeInfo.nodeHealthy >/dev/null; }
check_setup() {
  case $1 in
    disk | ssd | rival | plain) ;;
    hycache) plugin_jar >/dev/null ;;
    *) expected "a set-up: disk, ssd, rival, hycache or plain" "'$1'" ;;
  esac
}

start() {
  need java curl jq
  mounted "$RAM" || die "devices are not up (devices.sh up first)"
  [ -d "$RAM/nn/current" ] || die "not formatted (cluster.sh format first)"
  check_setup "$SETUP"
  [ "$SETUP" != rival ] || HDFS_CACHE=1
  local i
  for i in "$RUN"/*.pid; do
    [ -e "$i" ] || continue
    i=$(basename "$i" .pid)
    alive "$i" && die "$i runs already (cluster.sh stop first)"
  done
  mkdir -p "$LOGS" "$RUN" "$HYC_WORK/tmp"
  configure
  # For restarts.
  {
    printf '%s\n' "SETUP=$SETUP" "YARN=$YARN" "HA=$HA" "MEMORY=$MEMORY" "DN_HEAP=$DN_HEAP" "HDFS_CACHE=$HDFS_CACHE" "HDD_DIRS=$HDD_DIRS" "HOSTS=$HOSTS"
    declare -p EXTRA YARN_EXTRA | sed 's/^declare -a/declare -ga/'
  } >"$RUN/setup"

  [ "$HA" = 0 ] || [ -d "$RAM/shared/current" ] || of_namenode nn -initializeSharedEdits -force
  daemon nn org.apache.hadoop.hdfs.server.namenode.NameNode 512 0 '' "${NN_ARGS[@]}"
  for i in $(seq "$DATANODES"); do
    [ "$HDFS_CACHE" = 0 ] || { rm -rf "$VOL/dn$i/ssd/pmem" && mkdir -p "$VOL/dn$i/ssd/pmem"; }
    start_dn "$i"
  done
  if [ "$YARN" = 1 ]; then
    mkdir -p "$HYC_WORK/nm/local" "$HYC_WORK/nm/log"
    daemon rm org.apache.hadoop.yarn.server.resourcemanager.ResourceManager 512 0 ''
    start_nm
  fi
  wait_for 90 "NameNode on port $NN_HTTP" up_or_dead nn nn_answers
  [ "$HA" = 0 ] || start_second
  wait_for 90 "$DATANODES live DataNodes" all_live
  wait_for 90 "end of safe mode" safe_mode_off
  if [ "$YARN" = 1 ]; then
    wait_for 90 "NodeManager at the ResourceManager" up_or_dead rm up_or_dead nm nm_registered
  fi
}

stop() {
  stop_daemons "$HYC_WORK/nm/local" "$VOL/"
  rm -rf "$HYC_WORK/nm"
}

started() {
  [ -e "$RUN/setup" ] || die "the cluster was not started"
  # shellcheck disable=SC1091
  . "$RUN/setup"
  add_namenodes
}

# end NAME: stops a daemon if it runs.
end() {
  [ -s "$RUN/$1.pid" ] || return 0
  local pid
  pid=$(<"$RUN/$1.pid")
  ! gone "$pid" || return 0
  kill "$pid" 2>/dev/null || true
  wait_for 20 "$1 to stop" gone "$pid" || kill -9 "$pid"
}

restart_dn() {
  if ! [[ ${1:-} =~ ^[0-9]+$ ]] || [ "$1" -lt 1 ] || [ "$1" -gt "$DATANODES" ]; then
    expected "restart-dn I with the number of a DataNode, 1 to $DATANODES" "'${1:-}'"
  fi
  started
  [ $# = 1 ] || check_setup "$2"
  end "dn$1"
  [ $# = 1 ] || configure_dn "$1" "$2"
  start_dn "$1"
  wait_for 90 "dn$1 to answer" up_or_dead "dn$1" dn_answers "$1"
  wait_for 90 "$DATANODES live DataNodes" all_live
}

reconfigure() { # I
  local tool=org.apache.hadoop.hdfs.tools.DFSAdmin node
  node=127.0.0.1:$(dn_port "$1" 1)
  hadoop "$tool" -reconfig datanode "$node" start
  reconfigured() { hadoop "$tool" -reconfig datanode "$node" status 2>&1 | grep -q finished; }
  wait_for 60 "the reconfiguration of dn$1" reconfigured
}

restart_nn() { # STARTUP_OPTIONS...
  started
  end nn
  start_namenode nn "$@"
}

restart_nm() { # -Y KEY=VALUE...
  local i
  started
  [ "$YARN" = 1 ] || die "the cluster was started without --yarn"
  [ $# = 0 ] || YARN_EXTRA=()
  read_options -Y=YARN_GIVEN+ -- "$@"
  properties -Y YARN_EXTRA "${YARN_GIVEN[@]}"
  end nm
  sed -i '/YARN_EXTRA=/d' "$RUN/setup"
  declare -p YARN_EXTRA | sed 's/^declare -a/declare -ga/' >>"$RUN/setup"
  for i in client rm nm; do yarn_conf "$CONF/$i"; done
  start_nm
  # The ResourceManager counts the one of before until the new one has registered.
  wait_for 90 "NodeManager on its port" up_or_dead nm nm_answers
  wait_for 90 "NodeManager at the ResourceManager" nm_registered
}

kill_daemon() {
  alive "${1:-}" || expected "the name of a daemon that runs" "'${1:-}'" "see cluster.sh status"
  local pid
  pid=$(<"$RUN/$1.pid")
  kill -9 "$pid"
  wait_for 20 "$1 to die" gone "$pid"
}

format() {
  mounted "$RAM" || die "devices are not up (devices.sh up first)"
  alive nn && die "the cluster runs (cluster.sh stop first)"
  mkdir -p "$LOGS" "$RUN" "$HYC_WORK/tmp"
  configure
  rm -rf "$RAM/nn" "$RAM/nn2" "$RAM/shared" "$LOGS"/*.log
  local i kind
  for i in $(seq "$DATANODES"); do
    for kind in $(kinds); do rm -rf "$VOL/dn$i/$kind"/{data,pmem,hycache}; done
  done
  of_namenode nn -format -force
}

# unsettled: what is still to be deleted or replicated; nothing when all is done.
# A deletion takes four steps: out of the namespace, out of the NameNode's map of blocks, sent to the DataNodes, done
# there. Between two steps no counter shows it as pending, so the numbers of blocks on each side are compared as well;
# by the files, because a DataNode's VolumeInfo misses replicas that a recovery finalized. What a NameNode forgets
# before it is sent stays on the volumes: a first block report after a start removes nothing.
unsettled() {
  local i total mapped replicas=0 held=0 name left
  # With snapshots fsck does not see all blocks.
  if [ "$(nn_system Snapshots)" = 0 ]; then
    total=$(hadoop org.apache.hadoop.hdfs.tools.DFSck / 2>/dev/null | awk '/Total blocks \(validated\)|Total block groups/ {split($0, f, ":"); n += f[2]} END {print n + 0}')
    mapped=$(nn_state BlocksTotal)
    [ "$total" = "$mapped" ] || echo "the NameNode knows $mapped blocks, $total of them in files"
  fi
  left=$(nn_system PendingDeletionBlocks) || left=unknown
  [ "$left" = 0 ] || echo "PendingDeletionBlocks=$left"
  for name in UnderReplicatedBlocks PendingReplicationBlocks; do
    left=$(nn_state $name) || left=unknown
    [ "$left" = 0 ] || echo "$name=$left"
  done
  replicas=$(jmx "$NN_HTTP" 'Hadoop:service=NameNode,name=NameNodeInfo' |
    jq '[.beans[0].LiveNodes | fromjson[] | .numBlocks] | add // 0')
  for i in $(seq "$DATANODES"); do
    [ "$(jmx "$(dn_port "$i" 2)" 'Hadoop:service=DataNode,name=FSDatasetState*' |
      jq '[.beans[].NumBlocksPendingDeletion // 0] | add // 0')" = 0 ] || echo "dn$i is deleting"
    held=$((held + $(find "$VOL/dn$i" -path '*/current/BP-*/current/finalized/*' -name 'blk_*' ! -name '*.meta' | wc -l)))
  done
  [ "$replicas" = "$held" ] || echo "the NameNode knows $replicas replicas, the DataNodes have $held"
}
settled() { [ -z "$(unsettled)" ]; }
settle() {
  # HyCache may have reported a replica as healthy just before it was deleted. HDFS skips such a deletion, and HyCache has it
  # asked for again up to 135 s after its first report.
  wait_for 180 "deletions and replications to end" settled || {
    unsettled >&2
    exit 1
  }
}

status() {
  [ -e "$RUN/setup" ] || { echo "not started"; return; }
  grep ^SETUP "$RUN/setup"
  local name
  for name in nn nn2 $(seq -f 'dn%g' "$DATANODES") rm nm; do
    if alive "$name"; then echo "$name up, pid $(<"$RUN/$name.pid")"; else echo "$name down"; fi
  done
  if alive nn; then
    jmx "$NN_HTTP" 'Hadoop:service=NameNode,name=NameNodeInfo' |
      jq -r '.beans[0].LiveNodes | fromjson | to_entries[] |
        "\(.value.xferaddr) blocks=\(.value.numBlocks) used_MB=\(.value.used / 1048576 | floor) capacity_MB=\(.value.capacity / 1048576 | floor)"'
  fi
}

# properties OPTION ARRAY KEY=VALUE...: keys and values, one after the other, into the array.
properties() {
  local option=$1 array=$2 pair
  shift 2
  for pair in "$@"; do
    [[ $pair == *=* ]] || expected "$option KEY=VALUE" "'$pair'"
    add_to "$array" "${pair%%=*}"
    add_to "$array" "${pair#*=}"
  done
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
  -h | --help | help) usage; exit ;;
  '') usage >&2; exit 2 ;;
esac
hadoop_home
case $command in
  format) need_root; format ;;
  start)
    need_root
    read_options --setup=SETUP --yarn=YARN! --ha=HA! --hosts=HOSTS! --hdfs-cache=HDFS_CACHE! --hdd-dirs=HDD_DIRS --memory=MEMORY --dn-heap=DN_HEAP \
      -D=GIVEN+ -Y=YARN_GIVEN+ --namenode=NN_OPTIONS --datanodes=DN_OPTIONS -- "$@"
    properties -D EXTRA "${GIVEN[@]}"
    properties -Y YARN_EXTRA "${YARN_GIVEN[@]}"
    read -ra NN_ARGS <<<"$NN_OPTIONS"
    read -ra DN_ARGS <<<"$DN_OPTIONS"
    start
    ;;
  stop) stop ;;
  restart-dn) restart_dn "$@" ;;
  reconfigure) reconfigure "$@" ;;
  restart-nn) restart_nn "$@" ;;
  restart-nm) restart_nm "$@" ;;
  kill) kill_daemon "$@" ;;
  failover)
    started
    has "${1:-}" nn,nn2 || expected "failover nn or nn2" "'${1:-}'"
    failover "$1"
    ;;
  status) status ;;
  settle) settle ;;
  fsck)
    out=$(hadoop org.apache.hadoop.hdfs.tools.DFSck "${1:-/}" 2>/dev/null) || true
    echo "$out"
    grep -q 'is HEALTHY' <<<"$out"
    ;;
  dfs) hdfs_dfs "$@" ;;
  hycache) hycache "$@" ;;
  run) hadoop "$@" ;;
  env)
    echo "export HADOOP_CONF_DIR=$CONF/client"
    echo "export CLASSPATH='$(hadoop_cp "$CONF/client")'"
    ;;
  *) expected "a command" "'$command'" ;;
esac
