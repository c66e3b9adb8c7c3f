#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# users.sh: what two users get of one SSD when one of them hints everything in a loop, with and without shares by user,
# on real processes and emulated devices (needs root).
#
#   users.sh [options]
#     --rounds N     times that alice reads her files                     4
#     --setups LIST  of those below            alone,one-user,shares,weight
#     --out DIR      where the figures go                      results/users
#
# One DataNode with an SSD of 512 MB, no new replicas on it. Alice has 12 files of 32 MB, submits her manifest once and
# reads her files N times over; mallory has 48, submits a manifest that promises to read all of them 30 times, again
# and again under new names, and reads them in turn with alice, a file each. The page cache is dropped twice a second.
#   alone      alice only submits hints; mallory only reads
#   one-user   both are the same user to HDFS, so there is nothing to share by
#   shares     two users of equal weight
#   weight     hycache.users.alice.weight=3
# Reported: MB that each read from SSD, of all that each read. Shares are of space: what a user makes of it depends on how
# often the files come again. Ends with 1 if alice gets with shares less than half of what she gets alone, or no more than
# as one user. Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ROUNDS=4 SETUPS=alone,one-user,shares,weight OUT=$IT_DIR/results/users
read_options --rounds=ROUNDS --setups=SETUPS --out=OUT -- "$@"
need_root
need jq java python3

export HYC_DATANODES=1
DATANODES=1
FILE=$((32 << 20))
MALLORY=''
at_end cluster_down
at_end end_process MALLORY

# submit USER WORKFLOW REPEAT PATH: ends with 0 if hints were taken in whole or in part.
submit() {
  manifest "$2" "$3" sequential "$4" >"$OUT/$2.json"
  HADOOP_USER_NAME=$1 hycache submit "$OUT/$2.json" >>"$OUT/$SETUP-submit.log" 2>&1
}

# Hints everything until it is killed. A refusal does not end the loop: limits are what it runs into.
hint_everything() {
  local number=0
  while true; do
    number=$((number + 1))
    submit "$1" "loop$number" 30 /mallory || true
    rm -f "$OUT/loop$number.json"
  done
}

run() {
  local alice=alice mallory=mallory extra=() result
  case $SETUP in
    alone | shares) ;;
    one-user) alice=both mallory=both ;;
    weight) extra=(-D hycache.users.alice.weight=3) ;;
    *) expected "--setups of alone, one-user, shares, weight" "'$SETUP'" ;;
  esac
  "$IT_DIR/cluster.sh" stop
  fresh_devices --ssd-size 512M --hdd-size 4G
  "$IT_DIR/cluster.sh" start --setup hycache -D dfs.replication=1 -D dfs.blocksize=$FILE -D hycache.write.share=0 \
    "${extra[@]}"
  bench write --path /alice --files 12 --size $FILE --threads 2 --replication 1 >/dev/null
  bench write --path /mallory --files 48 --size $FILE --threads 2 --replication 1 >/dev/null
  "$IT_DIR/cluster.sh" settle
  : >"$OUT/$SETUP-submit.log"
  submit "$alice" job "$ROUNDS" /alice || die "alice's hints were refused, see $OUT/$SETUP-submit.log"
  if [ "$SETUP" != alone ]; then
    hint_everything "$mallory" &
    # shellcheck disable=SC2034 # end_process takes its name
    MALLORY=$!
    hinted() { [ "$(grep -c 'loop' "$OUT/$SETUP-submit.log")" -ge 1 ]; }
    wait_for 60 "mallory's first hints" hinted
  fi
  wait_for 120 "the first copies" idle
  result=$(client TwoUsers --rounds "$ROUNDS" --alice /alice --alice-user "$alice" \
    --mallory /mallory --mallory-user "$mallory")
  record setup="$SETUP" commit="$COMMIT" "$result"
  end_process MALLORY
  note "$SETUP: $(tail -1 "$OUT/run.jsonl")"
}

hadoop_home
HYC_CLIENT_CP=$(plugin_jar)
begin_results run.jsonl
for SETUP in ${SETUPS//,/ }; do run; done
report users "$OUT/run.jsonl" | tee "$OUT/table.md"
report users-verdict "$OUT/run.jsonl" || die "alice did not get her share"
if has shares "$SETUPS"; then note "alice got her share"; fi
