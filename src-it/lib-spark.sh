#!/usr/bin/env bash
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

# shellcheck shell=bash
# PySpark from PyPI, for scripts that have sourced lib.sh: how it is fetched, a standalone cluster of Spark, applications.
# Sourced, never run. PYSPARK is the version.
# shellcheck disable=SC2034 # for the sourcing scripts

PYSPARK=${PYSPARK:-3.5.3}
SPARK_VENV=$IT_DIR/target/pyspark-$PYSPARK
SPARK_PORT=$((PORT_BASE + 60))
SPARK_PIDS=()

# python_venv DIRECTORY COMMAND PACKAGE: a virtual environment with the package, which brings the command; fails without pip.
python_venv() {
  [ -e "$1/bin/$2" ] || { python3 -m venv "$1" && "$1/bin/pip" install -q "$3"; }
}
spark_home() { python_venv "$SPARK_VENV" spark-submit "pyspark==$PYSPARK"; }

# spark_submit ARGS...
spark_submit() {
  PYSPARK_PYTHON=$SPARK_VENV/bin/python3 SPARK_LOCAL_IP=127.0.0.1 "$SPARK_VENV/bin/spark-submit" --conf spark.ui.enabled=false "$@"
}

# spark_up MEMORY: a master and, for each DataNode, a worker of one core with the name of its host, as Spark's own scripts start them.
spark_up() {
  local i
  SPARK_HOME=$("$SPARK_VENV/bin/python3" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
  export SPARK_HOME
  at_end spark_down
  SPARK_NO_DAEMONIZE=1 "$SPARK_VENV/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$SPARK_PORT" \
    --webui-port $((SPARK_PORT + 1)) >"$OUT/spark-master.log" 2>&1 &
  SPARK_PIDS+=($!)
  for i in $(seq "$DATANODES"); do
    SPARK_LOCAL_IP=127.0.0.$((i + 1)) "$SPARK_VENV/bin/spark-class" org.apache.spark.deploy.worker.Worker --host "127.0.0.$((i + 1))" \
      --cores 1 --memory "$1" --work-dir "$OUT/spark-work/$i" --webui-port $((SPARK_PORT + 1 + i)) "spark://127.0.0.1:$SPARK_PORT" \
      >"$OUT/spark-worker$i.log" 2>&1 &
    SPARK_PIDS+=($!)
  done
  wait_for 60 "$DATANODES Spark workers" spark_workers
}
spark_workers() { curl -sf "http://127.0.0.1:$((SPARK_PORT + 1))/json/" | jq -e --argjson n "$DATANODES" '.aliveworkers == $n' >/dev/null; }
spark_down() {
  local pid
  for pid in "${SPARK_PIDS[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${SPARK_PIDS[@]}"; do wait "$pid" 2>/dev/null || true; done
  SPARK_PIDS=()
}

# tpch_data SCALE: tables of TPC-H as local Parquet files; prints their directory, with one for each table. Fails without pip.
tpch_data() {
  local generator=$IT_DIR/target/tpchgen data=$HYC_WORK/tpch-$1
  python_venv "$generator" tpchgen-cli tpchgen-cli || return
  if [ ! -e "$data/.complete" ]; then
    note "generating TPC-H, scale factor $1"
    rm -rf "$data"
    "$generator/bin/tpchgen-cli" parquet -s "$1" --tables=customer,orders,lineitem --parts=8 --output-dir="$data" >&2 || return
    touch "$data/.complete"
  fi
  echo "$data"
}
# tpch_queries RESULT_FILE: what bench/tpch.py printed there, as JSON.
tpch_queries() { sed -n 's/^RESULT //p' "$1"; }
