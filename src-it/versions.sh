#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# versions.sh: one JAR on every supported Hadoop line, on real processes (needs root).
#
#   versions.sh [options]
#     --versions LIST   Hadoop versions                3.3.6,3.4.2,3.4.3,3.5.0
#     --jdks LIST       homes of JDKs                  that of the java on the PATH
#     --out DIR         logs and results               results/versions-<date and time>
#
# On each version: three DataNodes with the plugin, files written, demoted, read with a manifest, a
# DataNode restarted in between, the plugin taken out, fsck, the MD5 of every file (rows f and i of
# experiment.sh, tiny). A version passes when all that holds, nothing of ours failed and the plugin did
# not step aside; "no Hadoop" means that this Hadoop does not start on this JDK without the plugin either, and its log says that
# the JVM refused. Ends with 1 if a version failed, or none passed. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

VERSIONS=3.3.6,3.4.2,3.4.3,3.5.0 JDKS='' OUT=$(new_results versions)
read_options --versions=VERSIONS --jdks=JDKS --out=OUT -- "$@"
need_root
need jq java

begin_results

# java_of: the version of the java on the PATH.
java_of() { java -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p'; }
# total NAME: a counter, summed over the DataNodes, when the files were written.
total() {
  [ ! -e "$RUN_OUT/i-status.json" ] || jq -s --arg name "$1" '[.. | objects | .[$name]? | numbers] | add // 0' "$RUN_OUT/i-status.json"
}
# from_ssd: of the bytes of rounds 2 to 4, read with a manifest, the share in percent.
from_ssd() { jq -s '[.[] | select(.row == "f" and .unit == "%" and (.what | endswith("heuristic"))) | .value] | add // 0' "$RUN_OUT/run.jsonl" 2>/dev/null || echo 0; }
# different: files that differ after the removal; -1 if they were not compared.
different() { jq -s '[.[] | select(.row == "i") | .value] | max // -1' "$RUN_OUT/run.jsonl" 2>/dev/null || echo -1; }
# first_line PATTERN: what the daemons logged, without its time and class.
first_line() { { grep -hE "$1" "$LOGS"/*.log 2>/dev/null || true; } | head -1 | sed 's/^[0-9-]* [0-9:,]* //' | cut -c1-160; }

# One version on one JDK, into RESULT and WHY.
try() {
  RESULT=FAILED WHY=''
  local code=0
  HADOOP_VERSION=$1 "$IT_DIR/experiment.sh" --quick --rows f,i --setups hycache -D hycache.write.min-block-size=1MB \
    --out "$RUN_OUT" >"$RUN_OUT.log" 2>&1 || code=$?
  if [ "$(different)" -gt 0 ]; then
    WHY='files differ after removal'
  elif [ "$code" != 0 ]; then
    WHY=$(first_line 'Exception|Error')
    if jvm_refuses "$1"; then RESULT='no Hadoop'; fi
  elif [ "$(different)" != 0 ]; then
    WHY='files were not compared'
  elif [ -n "$(first_line 'incompatible with this Hadoop')" ]; then
    WHY=$(first_line 'incompatible with this Hadoop')
  elif [ "$(total Failures)" != 0 ]; then
    WHY="$(total Failures) failures counted"
  elif [ "$(total SsdBlocksWrite)" = 0 ] || [ "$(total SsdBlocksDemoted)" = 0 ] || [ "$(from_ssd)" = 0 ]; then
    WHY='nothing was written to SSD, demoted or read from SSD'
  else
    RESULT=passed
  fi
}

# Class files of a later Java; since JDK 24 no SecurityManager.
REFUSAL='UnsupportedClassVersionError|getSubject is not supported'
# jvm_refuses VERSION: true when the cluster does not start without the plugin either, for a reason that is the JVM's. The
# NameNode's format is the first that needs one.
jvm_refuses() {
  local code=1
  {
    "$IT_DIR/devices.sh" down
    rm -f "$LOGS"/*.log
    if "$IT_DIR/devices.sh" up; then
      HADOOP_VERSION=$1 "$IT_DIR/cluster.sh" format && HADOOP_VERSION=$1 "$IT_DIR/cluster.sh" start --setup disk ||
        ! grep -E "$REFUSAL" "$LOGS"/*.log || code=0
    fi
    HADOOP_VERSION=$1 "$IT_DIR/cluster.sh" stop
    "$IT_DIR/devices.sh" down
  } >>"$RUN_OUT.log" 2>&1
  return $code
}

failed=0 passed=0
[ -n "$JDKS" ] || JDKS=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
printf '%-8s %-12s %-10s %8s %8s %10s  %s\n' hadoop java result written demoted 'from SSD %' note | tee "$OUT/versions.txt"
for version in ${VERSIONS//,/ }; do
  for jdk in ${JDKS//,/ }; do
    [ -x "$jdk/bin/java" ] || expected "--jdks of homes of JDKs" "no bin/java in $jdk"
    RUN_OUT=$OUT/$version-java$(PATH=$jdk/bin:$PATH java_of)
    PATH=$jdk/bin:$PATH try "$version"
    case $RESULT in
      FAILED) failed=1 ;;
      passed) passed=1 ;;
    esac
    printf '%-8s %-12s %-10s %8s %8s %10s  %s\n' "$version" "$(PATH=$jdk/bin:$PATH java_of)" "$RESULT" \
      "$(total SsdBlocksWrite)" "$(total SsdBlocksDemoted)" "$(from_ssd)" "$WHY" | tee -a "$OUT/versions.txt"
  done
done
[ "$passed" = 1 ] || die "no version passed"
exit $failed
