#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# quickstart.sh: HyCache in a few minutes, on this machine, without root.
#
#   src-it/quickstart.sh [--keep]
#
# Needs a JDK 17 or later and Maven 3.8 or later; the first run downloads Hadoop from Maven Central.
#
#   1. builds the plugin's JAR
#   2. starts HDFS in one JVM: a NameNode and two DataNodes, each with an [SSD] and a [DISK]
#      directory and 64 MB of SSD space for the plugin
#   3. runs TeraGen, TeraSort with its manifest and TeraValidate, then reads a table of twice the
#      SSD space four times with its manifest; shows where the blocks are before and after
#   4. does so with the policy lru, then on new directories with adaptive
#   5. shows what share of the bytes came from SSD, stops everything and cleans up
#
# Here SSD and DISK are directories of the same device: what it shows is where bytes come from, not
# how much faster they come. Ends 0 only if every check held.
#
#   --keep        leave the work directory (logs, HDFS directories) behind; its path is printed
#
# Environment: TMPDIR (/tmp) is where the work directory is made; it takes about 2 GB.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

step() { printf '\n== %s\n' "$*"; }

keep=0
read_options --keep=keep! -- "$@"
for tool in java javac mvn; do
  command -v "$tool" >/dev/null || expected "a JDK 17 or later and Maven" "no $tool on the PATH" "install them"
done

work=$(mktemp -d "${TMPDIR:-/tmp}/hycache-quickstart.XXXXXX")
driver=''
finish() {
  trap - INT TERM
  end_process driver
  if [ "$ENDS_WITH" != 0 ] && [ -e "$work/quickstart.log" ]; then
    printf '\nLast lines of the log:\n' >&2
    tail -n 40 "$work/quickstart.log" >&2
  fi
  if [ "$keep" = 1 ]; then
    echo "Work directory: $work"
  else
    rm -rf "$work"
  fi
}
at_end finish
trap 'exit 130' INT
trap 'exit 143' TERM

build() { mvn -B -q "$@" >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; die 'the build failed'; }; }

step 'Building the plugin'
build -f "$ROOT_DIR/pom.xml" -pl hycache-core,hycache-hdfs package -Dmaven.test.skip=true -Dspotless.check.skip=true
jar=$(HYC_JAR='' plugin_jar)
echo "  ${jar#"$ROOT_DIR"/}, $(($(wc -c <"$jar") / 1024)) KiB"

step 'Resolving Hadoop and compiling the driver'
build -f "$IT_DIR/quickstart/pom.xml" process-classes -Dhycache.jar="$jar"

# A process of its own, waited for: signals are acted on while it runs.
cp "$IT_DIR"/quickstart/nightly.* "$IT_DIR/quickstart/report.json" "$work"
cd "$work"
java -Xmx1g -XX:+UseSerialGC --add-opens=java.base/java.lang=ALL-UNNAMED \
  -Dquickstart.log="$work/quickstart.log" -Djava.io.tmpdir="$work" \
  -cp "$IT_DIR/quickstart/target/classes:$(<"$IT_DIR/quickstart/target/class-path")" \
  io.hycache.quickstart.Quickstart </dev/null &
driver=$!
wait "$driver"
driver=''
echo "Took $SECONDS s."
