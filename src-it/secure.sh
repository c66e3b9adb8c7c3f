#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# secure.sh: HyCache with Kerberos on real processes: a KDC, a NameNode, three DataNodes, a ResourceManager, a
# NodeManager. No devices, no root: [SSD] and [DISK] are directories below $HYC_WORK.
#
#   secure.sh [options]
#     --mapping M    which users the services' principals are to HDFS                                  both
#                      same     nn/host and dn/host are both the user hdfs, HDFS's superuser
#                      split    nn/host is nn, dn/host is dn: the NameNode refuses DataNodes its list of DataNodes
#                      spnego   as split, and all web pages ask for SPNEGO; only the part members
#                      both     same, then split
#                      all      same, split, spnego
#     --parts LIST   members, jobs, hints, table, proxy, renewal                                        all
#     --minutes N    how long the part renewal lasts; lives of tickets and tokens are 2 minutes           6
#     --json FILE    all that was found           results/secure-<date and time>.json
#
# On are: rpc and data transfer protection (privacy), block tokens, service authorization with ACLs of HyCache's two
# protocols (hadoop-policy.xml), HDFS permissions. YARN runs containers with the DefaultContainerExecutor.
#
# members   every DataNode's share of the directory knows all three, and what that cost in refusals in the NameNode's audit log
# jobs      alice, an ordinary user: TeraGen, `run MANIFEST -- TeraSort`, TeraValidate in YARN, with HyCacheFileSystem in
#           containers that have tokens only; bytes from SSD; what DataNodes were asked with tokens
# hints     jobs of alice with hints of their own and no manifest (hycache.client.hints=auto): TeraSort in YARN, and three TeraValidates of
#           its output, one after the other, their clients with a ticket and their containers with tokens only; five queries of TPC-H with
#           Spark, with a delegation token only; what was hinted, read and withdrawn. Spark and the generator of its data come from PyPI;
#           without pip that is left out
# table     every command by its owner (alice), by her with a delegation token and no ticket (token), by another user (bob), by
#           an administrator of dfs.cluster.administrators (ops), by a superuser (hdfs), by one whom the protocol's ACL leaves out (eve)
# proxy     oozie submits for alice
# renewal   a job, `run` and the directory for longer than tickets and tokens live
#
# The first word in each cell of the table is what was expected and seen: yes; nothing (allowed, and shows nothing); else who
# refused: hdfs (permissions), superuser (the NameNode's list), hycache, acl (service authorization), absent (no such
# workflow of this user), login, proxy (may act for no such user). localdir and help ask no cluster. Ends with 0 only if all is as expected.
# Environment: as cluster.sh; HYC_WORK is /tmp/hycache-secure by default.
set -euo pipefail
HYC_WORK=${HYC_WORK:-/tmp/hycache-secure}
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib-spark.sh"

MAPPING=both PARTS=members,jobs,hints,table,proxy,renewal MINUTES=6
JSON=$(new_results secure).json
read_options --mapping=MAPPING --parts=PARTS --minutes=MINUTES --json=JSON -- "$@"
case $MAPPING in
  both) MAPPINGS=(same split) ;;
  all) MAPPINGS=(same split spnego) ;;
  same | split | spnego) MAPPINGS=("$MAPPING") ;;
  *) expected "--mapping same, split, spnego, both or all" "'$MAPPING'" ;;
esac
[[ $MINUTES =~ ^[0-9]+$ ]] || expected "--minutes N" "'$MINUTES'" "give a whole number"
need java javac jar mvn jq curl python3

REALM=EXAMPLE.COM
KDC_PORT=$((PORT_BASE + 10))
KDC_LIB=$IT_DIR/target/kdc
KDC=$HYC_WORK/kdc
KEYTAB=$KDC/all.keytab
LIFE_SECONDS=120
PRINCIPALS=(nn/localhost dn/localhost rm/localhost nm/localhost HTTP/localhost oozie/localhost hdfs alice bob ops eve)
HFS=fs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem
DIRS=$HYC_WORK/dirs
OUT=$HYC_WORK/out
JAR=$(plugin_jar)
JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
export JAVA_HOME
JVM_OPENS+=("-Djava.security.krb5.conf=$KDC/krb5.conf" -Djava.net.preferIPv4Stack=true)
CLI_JVM=(-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${JVM_OPENS[@]}")
UNEXPECTED=0

# ---------------------------------------------------------------- what was found

# check WHAT EXPECTED FOUND: EXPECTED is a text, a number with a plus (so many or more), or "at most N".
check() {
  local good=false
  case $2 in
    *[0-9]+) if [[ $3 =~ ^[0-9]+$ ]] && [ "$3" -ge "${2%+}" ]; then good=true; fi ;;
    'at most '*) if [[ $3 =~ ^[0-9]+$ ]] && [ "$3" -le "${2##* }" ]; then good=true; fi ;;
    *) if [ "$2" = "$3" ]; then good=true; fi ;;
  esac
  found check "$1" "$2" "$3" '' "$good"
}
# found KIND WHAT EXPECTED FOUND REASON GOOD: records it.
found() {
  local mark=ok
  [ "$6" = true ] || { mark=UNEXPECTED UNEXPECTED=$((UNEXPECTED + 1)); }
  record mapping="$mapping" kind="$1" what="$2" expected="$3" found="$4" reason="$5" asExpected:="$6"
  note "$mapping: $2: expected $3, found $4: $mark${5:+ ($5)}"
}
part() {
  case $1 in
    members) has members "$PARTS" ;;
    names) [ "$mapping" != spnego ] && [ "$PARTS" != members ] ;;
    *) [ "$mapping" != spnego ] && has "$1" "$PARTS" ;;
  esac
}

# ---------------------------------------------------------------- users

# as USER COMMAND...: with the user's ticket; token: alice with a delegation token only; oozie-alice: oozie for alice.
as() {
  local user=$1
  shift
  case $user in
    token) token_of_alice && HADOOP_TOKEN_FILE_LOCATION=$OUT/alice.token "$@" ;;
    oozie) KRB5PRINCIPAL=oozie/localhost@$REALM KRB5KEYTAB=$KEYTAB "$@" ;;
    oozie-*) HADOOP_PROXY_USER=${user#oozie-} KRB5PRINCIPAL=oozie/localhost@$REALM KRB5KEYTAB=$KEYTAB "$@" ;;
    *) KRB5PRINCIPAL=$user@$REALM KRB5KEYTAB=$KEYTAB "$@" ;;
  esac
}

# token_of_alice: a delegation token that is not about to expire; it is never renewed.
token_of_alice() {
  [ -z "$(find "$OUT/alice.token" -mmin -1 2>/dev/null)" ] || return 0
  rm -f "$OUT/alice.token"
  as alice hadoop org.apache.hadoop.hdfs.tools.DelegationTokenFetcher --renewer yarn "$OUT/alice.token" >/dev/null 2>&1 ||
    die "alice got no delegation token"
}

kdc_up() {
  if [ ! "$KDC_LIB/.complete" -nt "$IT_DIR/secure/pom.xml" ]; then
    note "resolving the KDC"
    mvn -B -q -f "$IT_DIR/secure/pom.xml" -Dhadoop.version="$HADOOP_VERSION" package -Dlib.dir="$KDC_LIB" ||
      die "Maven did not resolve the KDC"
    touch "$KDC_LIB/.complete"
  fi
  rm -rf "$KDC"
  mkdir -p "$KDC"
  cat >"$KDC/minikdc.properties" <<EOT
org.name=EXAMPLE
org.domain=COM
kdc.bind.address=localhost
kdc.port=$KDC_PORT
transport=TCP
instance=DefaultKrbServer
debug=false
min.ticket.lifetime=1
max.ticket.lifetime=$LIFE_SECONDS
max.renewable.lifetime=$LIFE_SECONDS
EOT
  # An expired ticket is expired: by default five minutes more are allowed, for clocks that differ.
  cat >"$KDC/krb5.conf" <<EOT
[libdefaults]
  default_realm = $REALM
  udp_preference_limit = 1
  clockskew = 5
[realms]
  $REALM = {
    kdc = localhost:$KDC_PORT
  }
[domain_realm]
  localhost = $REALM
EOT
  : >"$LOGS/kdc.log"
  java -Xmx128m -XX:+UseSerialGC "$(mark)" -cp "$KDC_LIB/*" org.apache.hadoop.minikdc.MiniKdc "$KDC" "$KDC/minikdc.properties" "$KEYTAB" \
    "${PRINCIPALS[@]}" >"$LOGS/kdc.log" 2>&1 </dev/null &
  enrol kdc "$!"
  wait_for 60 "the KDC" up_or_dead kdc grep -q 'Standalone MiniKdc Running' "$LOGS/kdc.log"
}

# ---------------------------------------------------------------- configuration

rules() {
  local dn=dn nn=nn
  if [ "$mapping" = same ]; then dn=hdfs nn=hdfs; fi
  echo "RULE:[2:\$1@\$0](dn@$REALM)s/.*/$dn/
RULE:[2:\$1@\$0](nn@$REALM)s/.*/$nn/
RULE:[2:\$1@\$0]([rn]m@$REALM)s/.*/yarn/
DEFAULT"
}

configure() {
  local i name datanode=dn core hdfs own jvm
  if [ "$mapping" = same ]; then datanode=hdfs; fi
  core=(
    fs.defaultFS "hdfs://localhost:$NN_RPC"
    hadoop.security.authentication kerberos
    hadoop.security.authorization true
    hadoop.rpc.protection privacy
    hadoop.security.auth_to_local "$(rules)"
    hadoop.user.group.static.mapping.overrides
    'hdfs=hdfs,supergroup;nn=hdfs;dn=hdfs;yarn=yarn;alice=users;bob=users;eve=users;ops=operators;oozie=services'
    hadoop.proxyuser.oozie.hosts '*'
    hadoop.proxyuser.oozie.groups users
    hadoop.kerberos.min.seconds.before.relogin 10
    ipc.client.connection.maxidletime 5000
  )
  if [ "$mapping" = spnego ]; then
    head -c 24 /dev/urandom | base64 >"$KDC/http.secret"
    core+=(
      hadoop.http.filter.initializers org.apache.hadoop.security.AuthenticationFilterInitializer
      hadoop.http.authentication.type kerberos
      hadoop.http.authentication.kerberos.principal "HTTP/_HOST@$REALM"
      hadoop.http.authentication.kerberos.keytab "$KEYTAB"
      hadoop.http.authentication.signature.secret.file "$KDC/http.secret"
      hadoop.http.authentication.token.validity 120
    )
  fi
  hdfs=(
    dfs.replication 3
    dfs.blocksize 8388608
    dfs.namenode.fs-limits.min-block-size 65536
    dfs.namenode.rpc-address "localhost:$NN_RPC"
    dfs.namenode.http-address "localhost:$NN_HTTP"
    dfs.namenode.name.dir "$DIRS/nn"
    dfs.namenode.datanode.registration.ip-hostname-check false
    dfs.namenode.safemode.extension 1000
    dfs.namenode.safemode.min.datanodes "$DATANODES"
    dfs.heartbeat.interval 1
    dfs.namenode.kerberos.principal "nn/_HOST@$REALM"
    dfs.namenode.keytab.file "$KEYTAB"
    dfs.datanode.kerberos.principal "dn/_HOST@$REALM"
    dfs.datanode.keytab.file "$KEYTAB"
    dfs.web.authentication.kerberos.principal "HTTP/_HOST@$REALM"
    dfs.web.authentication.kerberos.keytab "$KEYTAB"
    dfs.block.access.token.enable true
    dfs.block.access.token.lifetime $((LIFE_SECONDS / 60))
    dfs.block.access.key.update.interval 1
    dfs.namenode.delegation.token.renew-interval $((LIFE_SECONDS * 1000))
    dfs.namenode.delegation.token.max-lifetime $(((MINUTES + 20) * 60000))
    dfs.data.transfer.protection privacy
    ignore.secure.ports.for.testing true
    dfs.permissions.superusergroup supergroup
    dfs.cluster.administrators ' operators'
    dfs.datanode.hostname localhost
  )
  jvm="-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${JVM_OPENS[*]}"
  rm -rf "$CONF"
  for name in client nn $(seq -f 'dn%g' "$DATANODES") rm nm; do
    mkdir -p "$CONF/$name"
    log4j "$CONF/$name"
    own=()
    if [[ $name == dn* ]]; then
      i=${name#dn}
      own=(
        dfs.datanode.data.dir "[SSD]$DIRS/dn$i/ssd,[DISK]$DIRS/dn$i/disk"
        dfs.datanode.address "localhost:$(dn_port "$i" 0)"
        dfs.datanode.ipc.address "localhost:$(dn_port "$i" 1)"
        dfs.datanode.http.address "localhost:$(dn_port "$i" 2)"
        "${PLUGIN[@]}"
        hycache.ssd.capacity 512MB
        hycache.write.min-block-size 1MB
      )
    fi
    site "$CONF/$name/core-site.xml" "${core[@]}" hadoop.tmp.dir "$HYC_WORK/tmp/$name"
    site "$CONF/$name/hdfs-site.xml" "${hdfs[@]}" "${own[@]}"
    site "$CONF/$name/hadoop-policy.xml" \
      security.service.authorization.default.acl '*' \
      security.datanode.protocol.acl "$datanode" \
      security.hycache.client.protocol.acl 'alice,bob,ops,hdfs,oozie' \
      security.hycache.datanode.protocol.acl "$datanode"
    yarn "$CONF/$name" "$jvm"
  done
  # Tools print their result, not their log.
  sed -i 's/^log4j.rootLogger=INFO/log4j.rootLogger=WARN/' "$CONF/client/log4j.properties"
  printf '%s\n' log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR log4j.logger.io.hycache=INFO >>"$CONF/client/log4j.properties"
  # Containers are one user of the operating system here.
  for name in client nm; do
    javac -nowarn -d "$CONF/$name" -cp "$HADOOP_HOME_DIR/lib/*" "$IT_DIR"/secure/shadow/org/apache/hadoop/io/SecureIOUtils.java
  done
}

yarn() { # DIRECTORY JVM
  yarn_properties localhost "$2" "$CONF/client,$HADOOP_HOME_DIR/share,$HADOOP_HOME_DIR/lib/*,$JAR"
  site "$1/yarn-site.xml" "${YARN_SITE[@]}" \
    yarn.resourcemanager.principal "rm/_HOST@$REALM" \
    yarn.resourcemanager.keytab "$KEYTAB" \
    yarn.nodemanager.principal "nm/_HOST@$REALM" \
    yarn.nodemanager.keytab "$KEYTAB" \
    yarn.nodemanager.resource.memory-mb 3072 \
    yarn.nodemanager.resource.cpu-vcores 6
  site "$1/mapred-site.xml" "${MAPRED_SITE[@]}" \
    mapreduce.jobhistory.address '' \
    yarn.app.mapreduce.am.resource.mb 512 \
    mapreduce.task.io.sort.mb 64 \
    mapreduce.client.completion.pollinterval 500
}

# ---------------------------------------------------------------- the cluster

up() {
  local i
  down
  rm -rf "$DIRS" "$LOGS" "$HYC_WORK/nm" "$HYC_WORK/tmp" "$OUT/alice.token"
  mkdir -p "$LOGS" "$RUN" "$OUT" "$DIRS" "$HYC_WORK/tmp" "$HYC_WORK/nm/local" "$HYC_WORK/nm/log"
  for i in $(seq "$DATANODES"); do mkdir -p "$DIRS/dn$i/ssd" "$DIRS/dn$i/disk"; done
  kdc_up
  configure
  hadoop_on nn org.apache.hadoop.hdfs.server.namenode.NameNode -format -force -nonInteractive >"$LOGS/format.log" 2>&1 ||
    { tail -20 "$LOGS/format.log" >&2; die "format failed"; }
  daemon nn org.apache.hadoop.hdfs.server.namenode.NameNode 256 0 ''
  for i in $(seq "$DATANODES"); do
    daemon "dn$i" org.apache.hadoop.hdfs.server.datanode.DataNode 256 0 "$JAR"
  done
  wait_for 120 "$DATANODES DataNodes" registered
  if part jobs || part hints || part renewal; then
    daemon rm org.apache.hadoop.yarn.server.resourcemanager.ResourceManager 384 0 ''
    daemon nm org.apache.hadoop.yarn.server.nodemanager.NodeManager 384 0 ''
    wait_for 120 "NodeManager at the ResourceManager" up_or_dead rm up_or_dead nm grep -q 'registered with capability' "$LOGS/rm.log"
  fi
  note "$mapping: the cluster is up"
}
registered() {
  local i
  for i in nn $(seq -f 'dn%g' "$DATANODES"); do
    alive "$i" || { tail -20 "$LOGS/$i.log" >&2; die "$i died, see $LOGS/$i.log"; }
  done
  [ "$(grep -c 'registered with\|Successfully registered' "$LOGS"/dn*.log | awk -F: '{n += $2 > 0} END {print n + 0}')" = "$DATANODES" ]
}

down() { stop_daemons "$HYC_WORK/nm/local"; }

# status_of FILTER: of all DataNodes' `status --json`, as the superuser asks for it.
status_of() { as hdfs hycache status --json 2>/dev/null | jq -r "$1"; }
members() { status_of '[.dataNodes[].directoryMembers // 0] | map(tostring) | join(",")'; }
whole() { seq "$DATANODES" | sed "s/.*/$DATANODES/" | paste -sd, -; }
all_members() { [ "$(members)" = "$(whole)" ]; }
from_ssd() { status_of '[.dataNodes[].counters | to_entries[] | select(.key == "SsdBytesRead") | .value] | add // 0'; }
# asked METHOD: how often all DataNodes were asked it. Their pages are up to ten seconds old.
asked() {
  local i sum=0 n
  sleep 11
  for i in $(seq "$DATANODES"); do
    n=$(jmx "$(dn_port "$i" 2)" "Hadoop:service=DataNode,name=RpcDetailedActivityForPort$(dn_port "$i" 1)" |
      jq -r ".beans[0].${1}NumOps // 0")
    sum=$((sum + n))
  done
  echo "$sum"
}
# lines PATTERN FILE...: how many match.
lines() { cat "${@:2}" 2>/dev/null | grep -cE -- "$1" || true; }
container_lines() { find "$HYC_WORK/nm/log" -type f -exec cat {} + 2>/dev/null | grep -cE -- "$1" || true; }
# by_token PROTOCOL: connections to DataNodes that a token let in.
by_token() { lines "Authorization successful for alice \(auth:TOKEN\) for protocol=interface io.hycache.hdfs.rpc.$1" "$LOGS"/dn*.log; }
denials() { lines 'audit: allowed=false' "$LOGS/nn.log"; }
denied_datanodes() { lines 'audit: allowed=false.*ugi=dn/.*cmd=datanodeReport' "$LOGS/nn.log"; }

names_part() { # the directories of the users
  as hdfs hdfs_dfs -mkdir -p /tmp/staging /user/alice /user/bob /data/public
  as hdfs hdfs_dfs -chmod 1777 /tmp /tmp/staging
  as hdfs hdfs_dfs -chown alice /user/alice
  as hdfs hdfs_dfs -chown bob /user/bob
  as hdfs hdfs_dfs -chmod 700 /user/alice /user/bob
  head -c $((24 << 20)) /dev/urandom >"$OUT/data"
  # Blocks too small for the SSD when they are written: the policy decides about them later.
  head -c $((4 << 20)) /dev/urandom >"$OUT/small"
  as hdfs hdfs_dfs -D dfs.blocksize=524288 -put -f "$OUT/small" /data/public/data
  as alice hdfs_dfs -mkdir -p /user/alice/in
  as alice hdfs_dfs -put -f "$OUT/data" /user/alice/in/data
}

# ---------------------------------------------------------------- members

members_part() {
  local code=0
  wait_for 60 "the members of the directory" all_members || true
  check "MEMBERS of each DataNode" "$(whole)" "$(members)"
  check "warnings of a DataNode about its members" 0 "$(lines "members of the directory can't be looked up" "$LOGS"/dn*.log)"
  if [ "$mapping" = same ]; then
    check "DataNodes refused the list of DataNodes" 0 "$(denied_datanodes)"
  else
    check "DataNodes refused the list of DataNodes, once each" "at most $DATANODES" "$(denied_datanodes)"
  fi
  as alice hycache workflows >"$OUT/workflows.log" 2>&1 || code=$?
  check "alice's workflows of all DataNodes, exit code" 0 "$code"
  check "directory calls between DataNodes refused" 0 "$(lines 'Authorization failed.*HyCacheDatanodeProtocolPB' "$LOGS"/dn*.log)"
}

# ---------------------------------------------------------------- jobs

jobs_part() {
  local tera=org.apache.hadoop.examples.terasort before asked_before code=0
  as alice hadoop $tera.TeraGen -D mapreduce.job.maps=2 400000 /user/alice/gen >"$OUT/teragen.log" 2>&1 ||
    { tail -20 "$OUT/teragen.log" >&2; check "TeraGen" 0 1; return; }
  manifest sort 1 sequential /user/alice/gen >"$OUT/sort.json"
  before=$(from_ssd)
  asked_before=$(asked Holders)
  as alice hycache run "$OUT/sort.json" -- java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/client"):$JAR" $tera.TeraSort \
    -D "$HFS" -D mapreduce.job.reduces=2 /user/alice/gen /user/alice/sorted >"$OUT/terasort.log" 2>&1 || code=$?
  check "run MANIFEST -- TeraSort, its exit code" 0 "$code"
  check "run withdrew its workflow" 1 "$(lines 'Withdrew workflow sort' "$OUT/terasort.log")"
  check "look-ups in the directory by the job" 1+ "$(($(asked Holders) - asked_before))"
  check "bytes of TeraSort from SSD" 1+ "$(($(from_ssd) - before))"
  code=0
  as alice hadoop $tera.TeraValidate /user/alice/sorted /user/alice/report >"$OUT/teravalidate.log" 2>&1 || code=$?
  check "TeraValidate, its exit code" 0 "$code"
  check "TeraValidate, lines of errors" 0 "$(as alice hdfs_dfs -cat '/user/alice/report/part-*' 2>/dev/null | grep -cv checksum || true)"
  check "connections of containers to HyCache by token" 1+ "$(by_token HyCacheClientProtocolPB)"
  check "the job's client that the directory refused, or that failed to ask" 0 \
    "$(lines 'blocks on SSD did not answer; going on as plain HDFS: (no[^ ]|[^n])' "$OUT/terasort.log")"
  containers_quiet
}
containers_quiet() {
  check "log files of containers" 1+ "$(find "$HYC_WORK/nm/log" -type f -name syslog | wc -l)"
  check "containers that could not authenticate" 0 "$(container_lines 'cannot authenticate via')"
  check "containers that the directory refused, or that failed to ask" 0 \
    "$(container_lines 'blocks on SSD did not answer; going on as plain HDFS: (no[^ ]|[^n])|Could not look up replicas on SSD')"
  note "$mapping: containers whose first answer was late: $(container_lines 'blocks on SSD did not answer.*: no answer in time')"
}

# ---------------------------------------------------------------- hints without a manifest

# watched NAME COMMAND...: runs it, its log in NAME.log, while the workflows of all are looked at every second; what was hinted is
# in NAME.json.
watched() {
  local name=$1 code=0 looked
  shift
  as hdfs hycache list --watch --json --every 1 >"$OUT/$name-looks.jsonl" 2>"$OUT/$name-looks.err" </dev/null &
  # shellcheck disable=SC2034 # end_process takes its name
  LOOKS=$!
  wait_for 60 "the first look at workflows" looked_since "$OUT/$name-looks.jsonl" 1
  cp "$OUT/$name-looks.jsonl" "$OUT/$name-before.jsonl"
  "$@" >"$OUT/$name.log" 2>&1 </dev/null || code=$?
  looked=$(wc -l <"$OUT/$name-looks.jsonl")
  # The first look had begun before the end, and the last one is left out below.
  wait_for 60 "looks after the end of $name" looked_since "$OUT/$name-looks.jsonl" $((looked + 3))
  end_process LOOKS
  check "$name, its exit code" 0 "$code"
  # Of each workflow that was not there before, the last look; and whether it was active in one.
  jq -cs --slurpfile before <(jq -c '.workflows[].workflow' "$OUT/$name-before.jsonl") \
    '[.[].workflows[] | select(.workflow as $w | $before | index($w) | not)] | group_by(.workflow) | map(.[-1] + {seen: (map(.active) | any)})' \
    <(head -n -1 "$OUT/$name-looks.jsonl") >"$OUT/$name.json"
  note "$mapping: $name: $(cat "$OUT/$name.json")"
}
looked_since() { [ "$(wc -l <"$1")" -ge "$2" ]; } # FILE LINES
# hinted NAME BY BLOCKS WORKFLOW: what became of the hints.
hinted() {
  local all=$OUT/$1.json
  check "$1: workflows of others than alice, or by others than $2" 0 "$(jq --arg by "$2" 'map(select(.user != "alice" or .by != $by)) | length' "$all")"
  check "$1: workflows named as $4" 1+ "$(jq --arg like "$4" 'map(select(.workflow | test($like))) | length' "$all")"
  check "$1: block reads hinted" "$3" "$(jq 'map(.hinted) | add // 0' "$all")"
  check "$1: of these, read" 1+ "$(jq 'map(.read) | add // 0' "$all")"
  check "$1: workflows not over at the end" 0 "$(jq 'map(select(.active)) | length' "$all")"
  check "$1: hints that failed" 0 "$(lines 'Could not (submit|withdraw) the hints|could not submit hints|is not hinted' "$OUT/$1.log")"
}
audited() { lines "audit: allowed=$1.*ugi=\"alice[ @].*cmd=$2" "$LOGS"/dn*.log; } # ALLOWED COMMAND

hints_part() {
  local tera=org.apache.hadoop.examples.terasort submitted withdrawn refused
  as alice hadoop $tera.TeraGen -D mapreduce.job.maps=2 400000 /user/alice/records >"$OUT/hints-teragen.log" 2>&1 ||
    { tail -20 "$OUT/hints-teragen.log" >&2; check "TeraGen for hints" 0 1; return; }
  submitted=$(audited true submit) withdrawn=$(audited true withdraw) refused=$(audited false '(submit|withdraw)')
  # 40 MB in two files of 8 MB blocks.
  watched terasort-auto as alice hadoop_plugin $tera.TeraSort -D "$HFS" -D hycache.client.hints=auto -D mapreduce.job.reduces=2 \
    /user/alice/records /user/alice/sorted-auto
  hinted terasort-auto auto 6 '^job_'
  watched chain-auto as alice validate_thrice /user/alice/sorted-auto
  hinted chain-auto auto 18 '^job_'
  check "chain-auto: jobs hinted" 3 "$(jq length "$OUT/chain-auto.json")"
  if spark_data; then
    watched spark-token as token spark_queries
    hinted spark-token spark 1+ '_query_'
    check "spark-token: queries with a result" 5 "$(tpch_queries "$OUT/spark-token.log" | jq 'map(select(.rows > 0)) | length')"
  else
    note "$mapping: Spark is left out: no pip"
  fi
  check "hints of alice that the DataNodes took" 2+ "$(($(audited true submit) - submitted))"
  check "workflows of alice that were withdrawn" 2+ "$(($(audited true withdraw) - withdrawn))"
  check "hints of alice that were refused" 0 "$(($(audited false '(submit|withdraw)') - refused))"
  containers_quiet
}
validate_thrice() { # DIRECTORY
  local n
  for n in 1 2 3; do
    hadoop_plugin org.apache.hadoop.examples.terasort.TeraValidate -D "$HFS" -D hycache.client.hints=auto "$1" "/user/alice/valid-auto-$n" || return
  done
}
# spark_data: Spark is there, and alice's tables on HDFS; false without pip.
spark_data() {
  local data
  spark_home && data=$(tpch_data 0.05) || return
  as alice hdfs_dfs -mkdir -p /user/alice/tpch && as alice hdfs_dfs -put -f "$data"/*/ /user/alice/tpch
}
spark_queries() {
  HADOOP_CONF_DIR=$CONF/client spark_submit --master 'local[2]' --driver-memory 1g --driver-java-options "${JVM_OPENS[*]}" \
    --driver-class-path "$JAR" --conf spark.sql.shuffle.partitions=2 \
    --conf spark.hadoop.fs.hdfs.impl=io.hycache.hdfs.HyCacheFileSystem --conf spark.sql.extensions=io.hycache.hdfs.spark.HyCacheSparkExtension \
    "$IT_DIR/bench/tpch.py" "hdfs://localhost:$NN_RPC/user/alice/tpch" 1,3,6,12,18
}

# ---------------------------------------------------------------- the table

# classify EXIT_CODE STDERR: who refused.
classify() {
  case $2 in
    *'is not authorized for protocol'*) echo acl ;;
    *'to HDFS superusers only'*) echo superuser ;;
    *'only an HDFS superuser or administrator may'* | *'block access token refused'*) echo hycache ;;
    *'no DataNode has a workflow'*) echo absent ;;
    *'is not allowed to impersonate'*) echo proxy ;;
    *'cannot authenticate'* | *'GSS initiate failed'*) echo login ;;
    *'ermission denied'* | *'which you may not read'*) echo hdfs ;;
    *) echo "exit $1" ;;
  esac
}

# cell ROW USER EXPECTED FILTER COMMAND...: FILTER is of jq or empty; what it prints of the output is what is shown.
cell() {
  local row=$1 user=$2 expected=$3 filter=$4 code=0 text='' result good=false
  shift 4
  as "$user" "$@" >"$OUT/cell.out" 2>"$OUT/cell.err" </dev/null || code=$?
  if [ "$code" = 0 ]; then
    result=yes
    if [ -n "$filter" ] && [ -z "$(jq -r "$filter" "$OUT/cell.out" 2>/dev/null)" ]; then result=nothing; fi
  else
    text=$(grep -v -e '^Picked up' -e '^	at ' "$OUT/cell.err" | tr '\n\t' '  ' | cut -c -400)
    result=$(classify "$code" "$text")
  fi
  if [ "$result" = "$expected" ]; then good=true; fi
  found cell "$row|$user" "$expected" "$result" "$text" "$good"
}

USERS=(alice token bob ops hdfs eve)
# row NAME FILTER EXPECTED... -- COMMAND...: EXPECTED is a word for each user; '-' is not tried. BEFORE runs before each cell.
row() {
  local name=$1 filter=$2 expected=() user i=0
  shift 2
  while [ "$1" != -- ]; do expected+=("$1"); shift; done
  shift
  for user in "${USERS[@]}"; do
    if [ "${expected[$i]}" != - ]; then
      [ -z "$BEFORE" ] || $BEFORE >/dev/null 2>&1
      cell "$name" "$user" "${expected[$i]}" "$filter" "$@"
    fi
    i=$((i + 1))
  done
}
BEFORE=''
submit_secret() { as alice hycache submit "$OUT/secret.json"; }

table_part() {
  local hers=/user/alice/in open=/data/public
  manifest secret 3 sequential $hers >"$OUT/secret.json"
  manifest open 3 sequential $open >"$OUT/open.json"
  #                                                         alice   token     bob     ops     hdfs    eve
  row 'validate'                 ''                         yes     yes       yes     yes     yes     yes     -- hycache validate "$OUT/secret.json"
  row 'submit --dry-run, own'    ''                         yes     yes       hdfs    hdfs    yes     hdfs    -- hycache submit --dry-run "$OUT/secret.json"
  row 'submit, own'              ''                         yes     yes       hdfs    hdfs    yes     hdfs    -- hycache submit "$OUT/secret.json"
  row 'submit, open'             ''                         yes     yes       yes     yes     yes     acl     -- hycache submit "$OUT/open.json"
  row 'run, own'                 ''                         yes     yes       hdfs    hdfs    yes     hdfs    -- hycache run "$OUT/secret.json" -- true
  row 'status'                   ''                         yes     login     yes     yes     yes     acl     -- hycache status
  row 'status, open'             ''                         yes     yes       yes     yes     yes     acl     -- hycache status $open
  row 'status, devices shown'    '.dataNodes[].devices[]'   nothing nothing   nothing yes     yes     -       -- hycache status $open --json
  row 'locate, own'              ''                         yes     yes       hdfs    hdfs    yes     hdfs    -- hycache locate $hers
  row 'locate, open'             ''                         yes     yes       yes     yes     yes     acl     -- hycache locate $open
  row 'explain, own'             ''                         yes     yes       hdfs    hdfs    yes     -       -- hycache explain $hers
  row 'explain, how it decided'  '.files[].blocks[].replicas[].decision | values' \
                                                            nothing nothing   nothing yes     yes     -       -- hycache explain $open --json
  row 'ls, own'                  ''                         yes     yes       hdfs    hdfs    yes     hdfs    -- hycache ls $hers
  row 'ls, open'                 ''                         yes     yes       yes     yes     yes     acl     -- hycache ls $open
  row 'top'                      ''                         hycache login     hycache yes     yes     acl     -- hycache top
  row 'top, open'                ''                         hycache hycache   hycache yes     yes     acl     -- hycache top $open
  row 'settings'                 ''                         hycache login     hycache yes     yes     acl     -- hycache settings
  row 'settings, a change'       ''                         hycache hycache   hycache yes     yes     acl     -- hycache settings hycache.cooperation.hot-reads=8 $open
  BEFORE=submit_secret
  row "workflows, alice's shown" '.dataNodes[].workflows[]? | select(.user == "alice" and .workflow == "secret")' \
                                                            yes     yes       nothing yes     yes     acl     -- hycache workflows --json $open
  row "withdraw --user alice"    ''                         yes     yes       hycache yes     yes     acl     -- hycache withdraw secret --user alice $open
  row "withdraw, her name"       ''                         yes     yes       absent  absent  absent  acl     -- hycache withdraw secret $open
  BEFORE=''
  row 'read, HyCacheFileSystem'  ''                         yes     yes       hdfs    hdfs    yes     hdfs    -- read_through $hers/data
}
read_through() { hadoop_plugin org.apache.hadoop.fs.FsShell -D "$HFS" -cat "$1"; }
hadoop_plugin() { java "${CLI_JVM[@]}" -cp "$(hadoop_cp "$CONF/client"):$JAR" "$@"; }

# ---------------------------------------------------------------- proxy users

proxy_part() {
  local open=/data/public shown='.dataNodes[].workflows[]? | select(.workflow == "hers")' hers=/user/alice/in
  manifest hers 3 sequential $hers >"$OUT/hers.json"
  manifest open 3 sequential $open >"$OUT/open.json"
  cell 'proxy: oozie for alice submits' oozie-alice yes '' hycache submit "$OUT/hers.json"
  cell 'proxy: alice sees it as hers' alice yes "$shown | select(.user == \"alice\")" hycache workflows --json $open
  cell 'proxy: oozie for alice sees it' oozie-alice yes "$shown" hycache workflows --json $open
  cell 'proxy: oozie alone does not see it' oozie nothing "$shown" hycache workflows --json $open
  cell 'proxy: oozie alone may not submit it' oozie hdfs '' hycache submit "$OUT/hers.json"
  cell 'proxy: bob may not withdraw it' bob hycache '' hycache withdraw hers --user alice $open
  cell 'proxy: oozie alone may not withdraw it' oozie hycache '' hycache withdraw hers --user alice $open
  cell 'proxy: oozie for bob may not withdraw it' oozie-bob hycache '' hycache withdraw hers --user alice $open
  cell 'proxy: oozie for ops is no proxy' oozie-ops proxy '' hycache status $open
  cell 'proxy: alice withdraws it' alice yes '' hycache withdraw hers $open
  cell 'proxy: oozie for alice submits again' oozie-alice yes '' hycache submit "$OUT/hers.json"
  cell 'proxy: oozie for alice withdraws' oozie-alice yes '' hycache withdraw hers $open
  check "audit lines of oozie for alice on the DataNodes" 1+ "$(lines 'audit: allowed=true.*ugi="alice \(auth:PROXY\) via oozie/localhost@' "$LOGS"/dn*.log)"
}

# ---------------------------------------------------------------- renewal

renewal_part() {
  local end=$((SECONDS + MINUTES * 60)) job code=0 samples=0 complete=0 resubmitted=0 bytes=0 held=0 left=0 tickets
  tickets=$(lines 'AS_REQ ISSUE.*,dn/localhost' "$LOGS/kdc.log")
  compiled TokenReads
  (cd "$CLIENTS_DIR" && jar cf "$OUT/tokenreads.jar" bench/TokenReads*.class bench/Options.class)
  manifest long 100 sequential /user/alice/in >"$OUT/long.json"
  manifest again 3 sequential /user/alice/in >"$OUT/again.json"
  as alice hycache run "$OUT/long.json" -- java "${CLI_JVM[@]}" "-Dtokenreads.jar=$OUT/tokenreads.jar" \
    -cp "$(hadoop_cp "$CONF/client"):$JAR:$OUT/tokenreads.jar" bench.TokenReads -D "$HFS" --path /user/alice/in --seconds $((MINUTES * 60)) \
    >"$OUT/tokenreads.out" 2>"$OUT/tokenreads.err" </dev/null &
  job=$!
  while [ "$SECONDS" -lt "$end" ]; do
    left=$((end - SECONDS))
    [ "$left" -gt 130 ] || [ "$bytes" != 0 ] || { bytes=$(from_ssd) held=$(asked Holders); }
    samples=$((samples + 1))
    if all_members; then complete=$((complete + 1)); fi
    if as alice hycache submit "$OUT/again.json" >/dev/null 2>>"$OUT/resubmit.err"; then resubmitted=$((resubmitted + 1)); fi
    note "$mapping: renewal: ${left}s left, samples $samples, members complete $complete, hints taken $resubmitted"
    sleep 20
  done
  check "bytes from SSD in the last two minutes" 1+ "$(($(from_ssd) - bytes))"
  check "look-ups in the directory in the last two minutes" 1+ "$(($(asked Holders) - held))"
  wait "$job" || code=$?
  check "run MANIFEST -- a job of $MINUTES minutes, its exit code" 0 "$code"
  check "that run withdrew its workflow at the end" 1 "$(lines 'Withdrew workflow long' "$OUT/tokenreads.err")"
  check "failed rounds of the job's reads" 0 "$(tail -1 "$OUT/tokenreads.out" | jq -r '.FAILURES')"
  check "rounds of the job's reads" 10+ "$(tail -1 "$OUT/tokenreads.out" | jq -r '.ROUNDS')"
  check "tickets that the DataNodes got meanwhile" "$((DATANODES * (MINUTES * 60 / LIFE_SECONDS)))+" \
    "$(($(lines 'AS_REQ ISSUE.*,dn/localhost' "$LOGS/kdc.log") - tickets))"
  check "samples with all members" "$samples" "$complete"
  check "hints taken of alice, submitted again" "$samples" "$resubmitted"
  check "times that the ResourceManager renewed a token" 1+ "$(lines 'Renewed delegation-token' "$LOGS/rm.log")"
  check "warnings of a DataNode about its members" 0 "$(lines "members of the directory can't be looked up" "$LOGS"/dn*.log)"
  check "GSS failures in DataNodes' logs" 0 "$(lines 'GSS initiate failed|GSSException' "$LOGS"/dn*.log)"
  containers_quiet
}

# ---------------------------------------------------------------- what is printed in the end

audit_counts() { # of HyCache's audit log on all DataNodes
  cat "$LOGS"/dn*.log | grep -F 'audit: allowed=' |
    sed -E 's/.*allowed=([a-z]+).ugi="([^ "]*) \(auth:([A-Z]+)\)( via ([^ @"]*))?[^"]*".*cmd=([a-z]+).*/\6 \2 \1 \3 \5/; s/@'"$REALM"'//' | sort | uniq -c |
    awk -v OFS='\t' '{print $3, $2, $5 ($6 == "" ? "" : "(" $6 ")"), $4, $1}' || true
}
summary() {
  report secure "$OUT/run.jsonl" "$mapping" "${USERS[@]}"
  echo
  echo "== $mapping: io.hycache.audit on the DataNodes: user, command, authenticated by, allowed, lines"
  audit_counts | column -t
  echo
  echo "== $mapping: refusals in the NameNode's audit log: user, command, lines"
  grep -E 'audit: allowed=false' "$LOGS/nn.log" | sed -E 's/.*ugi=([^ @]*).*cmd=([A-Za-z]+).*/\1 \2/' | sort | uniq -c | awk -v OFS='\t' '{print $2, $3, $1}' | column -t || true
}

at_end down
at_end end_process LOOKS
# shellcheck disable=SC2034 # end_process takes its name
LOOKS=''
trap 'exit 130' INT
trap 'exit 143' TERM

hadoop_home
mkdir -p "$RUN" "$LOGS" "$(dirname "$JSON")"
begin_results run.jsonl summary.txt
for mapping in "${MAPPINGS[@]}"; do
  up
  for name in members names jobs hints table proxy renewal; do
    if part $name; then
      note "$mapping: $name"
      "${name}_part"
    fi
  done
  jq -nc --arg mapping "$mapping" --arg audit "$(audit_counts)" --argjson denials "$(denials)" \
    '{mapping: $mapping, kind: "audit", lines: ($audit | split("\n") | map(split("\t"))), nameNodeDenials: $denials}' >>"$OUT/run.jsonl"
  summary | tee -a "$OUT/summary.txt"
done
jq -s . "$OUT/run.jsonl" >"$JSON"
echo
echo "$(jq '[.[] | select(.kind != "audit")] | length' "$JSON") results, $UNEXPECTED unexpected, in ${SECONDS}s: $JSON"
[ "$UNEXPECTED" = 0 ]
