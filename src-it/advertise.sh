#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# advertise.sh: what blocks that DataNodes advertise (hycache.advertise.blocks) cost a NameNode. In one process: a NameNode
# with the default intervals, and DataNodes without disks that report so many of their blocks as cached, though no directive
# covers them (hadoop-tests/AdvertiseCost.java). Needs no root.
#
#   advertise.sh [options]
#     --version V      Hadoop                                                        3.4.2
#     --datanodes N    DataNodes                                                         1
#     --blocks LIST    advertised blocks of each DataNode, one after the other     0,1000,10000
#     --seconds S      time over which each is measured                                120
#     --out DIR        results                          results/advertise-<date and time>
#
# Results: advertise.jsonl, a line for each number of blocks. NumOps and Bytes are of the time measured, averages in ms, or
# ns where the name says so; the FSNWriteLock lines are what the NameNode itself counts as the time under its lock.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

VERSION=3.4.2 DATANODES_ASKED=1 BLOCKS=0,1000,10000 SECONDS_EACH=120
OUT=$(new_results advertise)
read_options --version=VERSION --datanodes=DATANODES_ASKED --blocks=BLOCKS --seconds=SECONDS_EACH --out=OUT -- "$@"
need java javac

LIB=$IT_DIR/target/hadoop-tests-$VERSION/lib
[ -e "$LIB" ] || die "no $LIB. Fix: run hadoop-tests.sh --version $VERSION once"
begin_results advertise.jsonl
WORK=$(mktemp -d)
remove_work() { rm -rf "$WORK"; }
at_end remove_work
javac -nowarn --release 11 -d "$WORK/classes" -cp "$LIB/*" "$IT_DIR/hadoop-tests/AdvertiseCost.java" || die "AdvertiseCost does not compile"
mkdir "$WORK/conf"
log4j "$WORK/conf"
# shellcheck disable=SC2086 # a word for each number
java -Xmx3g "${JVM_OPENS[@]}" -Dtest.build.data="$WORK/data" -Dhadoop.tmp.dir="$WORK/tmp" -Djava.net.preferIPv4Stack=true \
  -cp "$WORK/conf:$WORK/classes:$LIB/*" advertise.AdvertiseCost "$DATANODES_ASKED" "$SECONDS_EACH" ${BLOCKS//,/ } \
  >"$OUT/advertise.jsonl" 2>"$OUT/log"
cat "$OUT/advertise.jsonl"
