#!/usr/bin/env bash
# mixed.sh: policies side by side under three loads at once, on real processes and emulated devices (needs root).
#
#   mixed.sh [options]
#     --policies LIST  disk is plain HDFS on DISK     disk,lru,s3-fifo,arc,w-tinylfu,reuse,heuristic,lookahead
#     --reps N         repetitions, in alternating order; medians are reported                          1
#     --seed N         of contents and of the readers' choices                                          1
#     --out DIR        results                                          results/mixed-<date and time>
#
# A job with a manifest reads 16 files of 64 MB four times over; four readers without one choose among 64 files
# of 16 MB (Zipf, skew 0.9); somebody reads 64 files of 32 MB once. SSDs of 512 MB on three DataNodes, a third of all
# that is read; replication 1, no new replicas on SSD. Page cache dropped twice a second. Ends with the job.
# Reported: the job's seconds; the others' MB/s; of all bytes read the share from SSD; seconds that
# the HDDs were busy, together, for each GB read; bytes written to the SSDs.
# Environment: as cluster.sh.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

POLICIES=disk,lru,s3-fifo,arc,w-tinylfu,reuse,heuristic,lookahead REPS=1 SEED=1
OUT=$IT_DIR/results/mixed-$(date -u +%Y%m%d-%H%M%S)
read_options --policies=POLICIES --reps=REPS --seed=SEED --out=OUT -- "$@"
need_root
need jq java curl

DROPPER=''
finish() {
  [ -z "$DROPPER" ] || kill "$DROPPER" 2>/dev/null || true
  cluster_down
}
trap finish EXIT

# busy_ms KIND: time that the devices of the kind were busy, together.
busy_ms() {
  local i loop stat sum=0
  for i in $(seq "$DATANODES"); do
    loop=$(loop_of "dn$i" "$1")
    read -ra stat <"/sys/block/${loop#/dev/}/stat"
    sum=$((sum + stat[9]))
  done
  echo "$sum"
}

run() { # POLICY
  local setup=hycache hdd ssd busy result
  [ "$1" = disk ] && setup=disk
  "$IT_DIR/cluster.sh" stop
  "$IT_DIR/devices.sh" down
  "$IT_DIR/devices.sh" up --ssd-size 512M --hdd-size 4G --ram 16G >/dev/null
  "$IT_DIR/cluster.sh" format
  if [ "$setup" = hycache ]; then
    "$IT_DIR/cluster.sh" start --setup hycache -D hycache.write.share=0 -D hycache.policy="$1"
  else
    "$IT_DIR/cluster.sh" start --setup disk
  fi
  bench write --path /job --files 16 --size $((64 << 20)) --threads 4 --replication 1 --seed "$SEED" >/dev/null
  bench write --path /zipf --files 64 --size $((16 << 20)) --threads 4 --replication 1 --seed "$SEED" >/dev/null
  bench write --path /scan --files 64 --size $((32 << 20)) --threads 4 --replication 1 --seed "$SEED" >/dev/null
  "$IT_DIR/cluster.sh" settle
  drop_caches
  if [ "$setup" = hycache ]; then
    jq -n '{version: 1, workflow: "job", ttl: "1h", jobs: [{name: "job", repeat: 4, reads: [{path: "/job"}]}]}' >"$OUT/job.json"
    hycache submit "$OUT/job.json" >/dev/null
  fi
  (while sleep 0.5; do drop_caches; done) &
  DROPPER=$!
  read -r hdd _ < <(device_bytes hdd)
  read -r ssd written < <(device_bytes ssd)
  busy=$(busy_ms hdd)
  result=$(client Mixed --job /job --rounds 4 --zipf /zipf --readers 4 --scan /scan --seed "$SEED")
  busy=$(($(busy_ms hdd) - busy))
  hdd=$(($(device_bytes hdd | cut -d' ' -f1) - hdd))
  read -r ssd2 written2 < <(device_bytes ssd)
  kill "$DROPPER"
  DROPPER=''
  jq -c --arg policy "$1" --argjson rep "$REP" --argjson hdd "$hdd" --argjson ssd $((ssd2 - ssd)) --argjson written $((written2 - written)) \
    --argjson busy "$busy" --arg commit "$(git -C "$ROOT_DIR" describe --always --dirty 2>/dev/null)" \
    '{policy: $policy, rep: $rep, hddReadBytes: $hdd, ssdReadBytes: $ssd, ssdWrittenBytes: $written, hddBusyMs: $busy, commit: $commit} + .' \
    <<<"$result" >>"$OUT/run.jsonl"
  note "$1: $(tail -1 "$OUT/run.jsonl" | jq -c '[.jobSeconds, .roundSeconds]')"
}

hadoop_home
mkdir -p "$OUT"
: >"$OUT/run.jsonl"
for REP in $(seq "$REPS"); do
  order=${POLICIES//,/ }
  [ $((REP % 2)) = 1 ] || order=$(tr ' ' '\n' <<<"$order" | tac | xargs)
  for policy in $order; do run "$policy"; done
done
{
  echo '| policy | n | job, s | other readers, MB/s | from SSD, % of bytes | HDDs busy, s per GB read | written to SSD, GB |'
  echo '|---|--:|--:|--:|--:|--:|--:|'
  jq -rs 'def median: sort | .[length / 2 | floor];
    def round1: . * 10 | round / 10;
    group_by(.policy)[]
    | map(. + {read: (.jobBytes + .zipfBytes + .scanBytes)})
    | "| \(.[0].policy) | \(length) | \(map(.jobSeconds) | median | round1) | "
      + "\(map((.zipfBytes + .scanBytes) / 1e6 / .jobSeconds) | median | round) | "
      + "\(map(100 * .ssdReadBytes / (.ssdReadBytes + .hddReadBytes)) | median | round1) | "
      + "\(map(.hddBusyMs / 1000 / (.read / 1e9)) | median | round1) | "
      + "\(map(.ssdWrittenBytes / 1e9) | median | round1) |"' "$OUT/run.jsonl"
} | tee "$OUT/table.md"
