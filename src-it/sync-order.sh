#!/usr/bin/env bash
# sync-order.sh: proves with strace, on a real DataNode process, that a demotion unlinks the SSD
# source only after the copy on DISK is on the device (needs root and strace).
#
#   sync-order.sh [options]
#     --blocks N    blocks to write and to see demoted                            8
#     --out DIR     where the trace and the order of each block go  results/sync-order
#
# For each block these system calls must have ended, in this order, before the unlink of the SSD
# source: fsync of the data file on DISK, fsync of its checksum file, rename of both to their final
# names, fsync of the final directory. Prints a table, ends with 1 if a block breaks the order.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

BLOCKS=8 OUT=$IT_DIR/results/sync-order TRACER=''
read_options --blocks=BLOCKS --out=OUT -- "$@"
need_root
need strace jq awk

finish() {
  [ -z "$TRACER" ] || kill "$TRACER" 2>/dev/null || true
  cluster_down
}
trap finish EXIT

demoted() { at_least SsdBlocksDemoted "$1"; }

export HYC_DATANODES=1
DATANODES=1
hadoop_home
mkdir -p "$OUT"
rm -f "$OUT"/trace*
"$IT_DIR/devices.sh" down
"$IT_DIR/devices.sh" up --ssd-size 1G --hdd-size 2G >/dev/null
"$IT_DIR/cluster.sh" format
# Everything written is demoted at once.
"$IT_DIR/cluster.sh" start --setup hycache -D dfs.replication=1 -D hycache.write.min-block-size=1MB \
  -D hycache.demote.high=0.001 -D hycache.demote.low=0
strace -f -y -qq -e trace=fsync,fdatasync,unlink,unlinkat,rename,renameat,renameat2 \
  -p "$(<"$RUN/dn1.pid")" -o "$OUT/trace" &
TRACER=$!
bench write --path /sync --files "$BLOCKS" --size $((8 << 20)) --threads 2 >/dev/null
wait_for 120 "$BLOCKS demotions" demoted "$BLOCKS"
kill "$TRACER"
wait "$TRACER" || true
TRACER=''

awk -v ssd="$VOL/dn1/ssd/data/current" -v hdd="$VOL/dn1/hdd/data" '
  function block(path) { return match(path, /blk_[0-9]+/) ? substr(path, RSTART, RLENGTH) : "" }
  function did(what, b) { if (b != "" && !((b, what) in at)) { at[b, what] = NR; blocks[b] = 1 } }
  function synced(path,   b, what) {
    if (index(path, hdd) != 1) return
    b = block(path)
    if (b == "") directory[path] = NR
    else {
      what = path ~ /\.meta$/ ? "sync checksums" : "sync data"
      if (!((b, "rename data") in at)) delete at[b, what] # the last one before the rename counts
      did(what, b)
    }
  }
  {
    pid = $1
    if ($0 ~ /f(data)?sync\(/) {
      match($0, /<[^>]*>/)
      path = substr($0, RSTART + 1, RLENGTH - 2)
      if ($0 ~ /unfinished/) waiting[pid] = path
      else if ($0 ~ /= 0$/) synced(path)
    } else if ($0 ~ /f(data)?sync resumed/ && $0 ~ /= 0$/) {
      synced(waiting[pid])
    } else if ($0 ~ /rename/ && $0 !~ /resumed/) {
      split($0, quoted, "\"")
      target = quoted[4]
      if (index(target, hdd) == 1) {
        b = block(target)
        did(target ~ /\.meta$/ ? "rename checksums" : "rename data", b)
        home[b] = target
        sub(/\/[^\/]*$/, "", home[b])
      }
    } else if ($0 ~ /unlink/ && $0 !~ /resumed/) {
      split($0, quoted, "\"")
      if (index(quoted[2], ssd) == 1) {
        b = block(quoted[2])
        if (!((b, "unlink") in at)) {
          did("unlink", b)
          at[b, "sync directory"] = directory[home[b]] + 0
        }
      }
    }
  }
  END {
    n = split("sync data|sync checksums|rename data|rename checksums|sync directory|unlink", steps, "|")
    printf "%-16s", "block"
    for (i = 1; i <= n; i++) printf " %17s", steps[i]
    print "  order"
    for (b in blocks) {
      if (!((b, "unlink") in at)) continue
      seen++
      ok = 1
      for (i = 1; i <= n; i++) {
        v = at[b, steps[i]] + 0
        if (v == 0 || (i < n && v >= at[b, "unlink"])) ok = 0
      }
      if (at[b, "sync data"] > at[b, "rename data"] || at[b, "sync checksums"] > at[b, "rename checksums"]) ok = 0
      if (at[b, "sync directory"] < at[b, "rename data"] || at[b, "sync directory"] < at[b, "rename checksums"]) ok = 0
      printf "%-16s", b
      for (i = 1; i <= n; i++) printf " %17d", at[b, steps[i]]
      print ok ? "  right" : "  WRONG"
      if (!ok) wrong++
    }
    printf "%d blocks demoted, %d in the wrong order (figures: lines of the trace)\n", seen, wrong
    exit wrong > 0 || seen == 0
  }' "$OUT/trace" | tee "$OUT/order.txt"
exit "${PIPESTATUS[0]}"
