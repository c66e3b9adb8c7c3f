# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""tpch.py PATH QUERIES: some queries of TPC-H on Parquet files below PATH, a directory for each table.

Prints a line of JSON: for each query its seconds, planning and reading, and a digest of its result. The page cache is
dropped before each query, if the process may.
"""
import hashlib
import json
import os
import sys
import time

from pyspark.sql import SparkSession

TABLES = ("customer", "lineitem", "orders")
REVENUE = "sum(l_extendedprice * (1 - l_discount))"
QUERIES = {
    "1": """
        select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)),
          sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*)
        from lineitem where l_shipdate <= date '1998-12-01' - interval '90' day
        group by l_returnflag, l_linestatus order by l_returnflag, l_linestatus""",
    "3": f"""
        select l_orderkey, {REVENUE} as revenue, o_orderdate, o_shippriority from customer, orders, lineitem
        where c_mktsegment = 'BUILDING' and c_custkey = o_custkey and l_orderkey = o_orderkey
          and o_orderdate < date '1995-03-15' and l_shipdate > date '1995-03-15'
        group by l_orderkey, o_orderdate, o_shippriority order by revenue desc, o_orderdate, l_orderkey limit 10""",
    "6": """
        select sum(l_extendedprice * l_discount) from lineitem
        where l_shipdate >= date '1994-01-01' and l_shipdate < date '1995-01-01'
          and l_discount between 0.05 and 0.07 and l_quantity < 24""",
    "12": """
        select l_shipmode,
          sum(case when o_orderpriority = '1-URGENT' or o_orderpriority = '2-HIGH' then 1 else 0 end),
          sum(case when o_orderpriority <> '1-URGENT' and o_orderpriority <> '2-HIGH' then 1 else 0 end)
        from orders, lineitem where o_orderkey = l_orderkey and l_shipmode in ('MAIL', 'SHIP')
          and l_commitdate < l_receiptdate and l_shipdate < l_commitdate
          and l_receiptdate >= date '1994-01-01' and l_receiptdate < date '1995-01-01'
        group by l_shipmode order by l_shipmode""",
    "18": """
        select c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum(l_quantity) from customer, orders, lineitem
        where o_orderkey in (select l_orderkey from lineitem group by l_orderkey having sum(l_quantity) > 300)
          and c_custkey = o_custkey and o_orderkey = l_orderkey
        group by c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice order by o_totalprice desc, o_orderdate, o_orderkey limit 100""",
}


def drop_caches():
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3")


def main(path, names):
    session = SparkSession.builder.appName("tpch").getOrCreate()
    for table in TABLES:
        session.read.parquet(f"{path}/{table}").createOrReplaceTempView(table)
    results = []
    for name in names:
        if os.access("/proc/sys/vm/drop_caches", os.W_OK):
            drop_caches()
        begin = time.time()
        rows = session.sql(QUERIES[name]).collect()
        seconds = time.time() - begin
        text = "\n".join(repr(tuple(row)) for row in rows)
        results.append({"query": name, "seconds": round(seconds, 2), "rows": len(rows), "md5": hashlib.md5(text.encode()).hexdigest()})
    print("RESULT " + json.dumps(results))
    session.stop()


main(sys.argv[1], sys.argv[2].split(","))
