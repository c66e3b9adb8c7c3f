#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# hadoop-tests.sh: Hadoop's own tests on plain HDFS and on HyCache, compared method by method.
#
#   hadoop-tests.sh [options]
#     --version V      Hadoop                                                     3.4.2
#     --classes FILE   test classes, one a line                hadoop-tests/classes.txt
#     --only TEXT      only classes whose name contains it
#     --setups LIST    plain: HDFS as it is; plugin: our three plug-in points in hdfs-site.xml;
#                      clean: these, a cache directory for each DataNode, and every block promoted when it
#                      is read first, so that clean copies are served; directives: as clean, and what a test sets as
#                      dfs.datanode.max.locked.memory is the capacity for pins of hycache.directives, for
#                      --classes hadoop-tests/caching.txt     plain,plugin,clean
#     --retries N      a class with a method that failed runs again up to N times            1
#     --jobs N         classes at a time; many of these tests mostly wait                    2
#     --timeout S      a class that takes longer is killed                                 900
#     --out DIR        reports; a run that was ended goes on in its DIR
#                                                    results/hadoop-tests-<date and time>
#
# Called by root, the tests run as nobody: many make a directory fail by taking its permissions away, which
# root doesn't mind. Each class has a process of its own, with the first compiler only: most of them end
# before the second pays. A method that passed in any attempt passed, on plain HDFS too: many of these tests
# depend on the machine's speed. Ends with 0 when no method that passes on plain HDFS fails with HyCache (those
# that must, by design, stand in hadoop-tests/by-design.txt with the reason), with 2 when a class has no report in a set-up.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

VERSION=3.4.2 CLASSES=$IT_DIR/hadoop-tests/classes.txt ONLY='' SETUPS=plain,plugin,clean RETRIES=1 JOBS=2 TIMEOUT=900
OUT=$(new_results hadoop-tests)
read_options --version=VERSION --classes=CLASSES --only=ONLY --setups=SETUPS --retries=RETRIES \
  --jobs=JOBS --timeout=TIMEOUT --out=OUT -- "$@"
need java javac mvn timeout python3

HOME_DIR=$IT_DIR/target/hadoop-tests-$VERSION
if ! [ "$HOME_DIR/.complete" -nt "$IT_DIR/hadoop-tests/pom.xml" ]; then
  note "resolving the tests of Hadoop $VERSION"
  rm -rf "$HOME_DIR"
  case $VERSION in 3.3.* | 3.4.*) mockito=2.28.2 ;; *) mockito=4.11.0 ;; esac
  mvn -B -q -f "$IT_DIR/hadoop-tests/pom.xml" -Dhadoop.version="$VERSION" -Dmockito.version=$mockito \
    -Dlib.dir="$HOME_DIR/lib" package ||
    die "Maven did not resolve the tests of Hadoop $VERSION"
  touch "$HOME_DIR/.complete"
fi
JAR=$(plugin_jar)
begin_results
WORK=$(mktemp -d)
AS=()
if [ "$(id -u)" = 0 ]; then
  need setpriv
  AS=(setpriv --reuid nobody --regid nogroup --clear-groups)
  chmod 755 "$WORK"
  "${AS[@]}" test -r "$HOME_DIR/.complete" -a -r "$JAR" || die "the user nobody can't read $HOME_DIR and $JAR"
fi
end_tests() {
  local file
  # shellcheck disable=SC2046 # a word for each job
  kill $(jobs -rp) 2>/dev/null || true
  for file in "$WORK"/*.pid; do
    [ ! -e "$file" ] || kill "$(<"$file")" 2>/dev/null || true
  done
  wait
  rm -rf "$WORK"
}
at_end end_tests

property() { printf '<property><name>%s</name><value>%s</value></property>\n' "$1" "$2"; }

# What an HDFS does of what the contract tests ask for: true for all of these.
CONTRACT='test.root-tests-enabled is-case-sensitive supports-append supports-atomic-directory-delete supports-atomic-rename
  supports-block-locality supports-concat supports-seek rejects-seek-past-eof supports-strict-exceptions
  supports-unix-permissions rename-returns-false-if-dest-exists rename-returns-false-if-source-missing supports-settimes
  supports-getfilestatus supports-file-reference supports-content-check supports-unbuffer supports-hflush supports-hsync'

# configure SETUP DIR: an hdfs-site.xml for all daemons of the tests, and the contract's options. The tests JAR
# has no such files: small blocks and symbolic links must be allowed, as in Hadoop's own build.
configure() {
  local option
  mkdir -p "$2/contract"
  {
    echo '<configuration>'
    for option in $CONTRACT; do property "fs.contract.$option" true; done
    echo '</configuration>'
  } >"$2/contract/hdfs.xml"
  {
    echo '<configuration>'
    property dfs.namenode.fs-limits.min-block-size 0
    property test.SymlinkEnabledForTesting true
    if [ "$1" != plain ]; then
      for ((option = 0; option < ${#PLUGIN[@]}; option += 2)); do property "${PLUGIN[option]}" "${PLUGIN[option + 1]}"; done
    fi
    if [ "$1" = directives ]; then
      property dfs.datanode.fsdataset.factory org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.PinsDatasetFactory
    fi
    if [ "$1" = clean ] || [ "$1" = directives ]; then
      # shellcheck disable=SC2016 # Hadoop's own variable: each run has a directory of its own
      property hycache.cache.dirs '${test.build.dir}/cache'
      property hycache.cache.dirs.allow-root true
      property hycache.policy lru
      property hycache.ssd.capacity 4g
    fi
    echo '</configuration>'
  } >"$2/hdfs-site.xml"
  printf '%s\n' 'log4j.rootLogger=INFO, out' 'log4j.appender.out=org.apache.log4j.ConsoleAppender' \
    'log4j.appender.out.layout=org.apache.log4j.PatternLayout' \
    'log4j.appender.out.layout.ConversionPattern=%d{ISO8601} [%t] %p %c{1}: %m%n' >"$2/log4j.properties"
}

OPENS=()
for package in java.lang java.util java.util.concurrent java.io java.net java.nio java.lang.reflect java.text \
  java.time java.security sun.nio.ch; do
  OPENS+=("--add-opens=java.base/$package=ALL-UNNAMED")
done

# run SETUP CLASS ATTEMPT: 0 when all methods passed.
run() {
  local reports=$OUT/$1/$2/$3 cp="$WORK/conf-$1:$HOME_DIR/lib/*" dir=$WORK/$2 code=0
  [ "$1" = plain ] || cp="$WORK/conf-$1:$WORK/classes:$JAR:$HOME_DIR/lib/*"
  rm -rf "$dir"
  mkdir -p "$reports" "$dir/tmp"
  mkdir -m 700 "$dir/cache" # as dfs.datanode.data.dir.perm, or it is not used
  [ ${#AS[@]} = 0 ] || chown -R nobody "$reports" "$dir"
  (
    cd "$dir"
    exec "${AS[@]}" timeout -k 10 "$TIMEOUT" java -Xmx2g -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "${OPENS[@]}" -Djava.io.tmpdir="$dir/tmp" -Dtest.build.dir="$dir" \
      -Dtest.build.data="$dir/data" -Dhadoop.tmp.dir="$dir/tmp" -DminiClusterDedicatedDirs=true -Djava.net.preferIPv4Stack=true -cp "$cp" \
      org.junit.platform.console.ConsoleLauncher execute --select-class "$2" --details=none --disable-banner \
      --reports-dir "$reports"
  ) >"$reports/log" 2>&1 &
  echo $! >"$dir.pid"
  wait $! || code=$?
  rm -f "$dir.pid"
  return $code
}

# compare NUMBER CLASS: the class in all set-ups, one after the other.
compare() {
  local setup attempt begun result
  for setup in ${SETUPS//,/ }; do
    [ ! -e "$OUT/$setup/$2/done" ] || continue
    begun=$SECONDS result=failed
    for attempt in $(seq 0 "$RETRIES"); do
      if run "$setup" "$2" "$attempt"; then result=passed; break; fi
    done
    touch "$OUT/$setup/$2/done"
    note "$1/${#classes[@]} $setup ${2##*.}: $result, $((SECONDS - begun)) s"
  done
  rm -rf "${WORK:?}/$2"
}

for setup in ${SETUPS//,/ }; do
  configure "$setup" "$WORK/conf-$setup"
done
if has directives "$SETUPS"; then
  javac -nowarn --release 11 -d "$WORK/classes" -cp "$JAR:$HOME_DIR/lib/*" "$IT_DIR/hadoop-tests/PinsDatasetFactory.java" ||
    die "PinsDatasetFactory does not compile"
fi
mapfile -t classes < <(grep -v '^#' "$CLASSES" | grep -F -- "$ONLY")
number=0
for class in "${classes[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n || true; done
  number=$((number + 1))
  compare $number "$class" &
done
wait
# served SETUP: reads that the DataNodes of the tests served from clean copies, as they said when they stopped
served() {
  { grep -rhoE 'SsdBlocksReadHits=[0-9]+' "$OUT/$1" --include=log || true; } | awk -F= '{n += $2} END {print n + 0}'
}
code=0
{
  python3 "$IT_DIR/hadoop-tests/diff.py" "$OUT" ${SETUPS//,/ } || code=$?
  for setup in ${SETUPS//,/ }; do
    [ "$setup" = plain ] || echo "$setup: $(served "$setup") reads of blocks served from SSD"
  done
} >"$OUT/diff.txt"
cat "$OUT/diff.txt"
exit $code
