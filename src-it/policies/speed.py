# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""Replays by libCacheSim, and the table of speed.sh.

speed.py write FILE: a trace of `generate` from the standard input, in the format oracleGeneral without next uses; prints
the number of objects.
speed.py replay FILE OBJECTS PERCENT POLICY: name, million accesses/s and hits in % of one replay, as CSV.
speed.py table CSV: by policy the median, lowest and highest speed, and the hits.
"""
import collections
import csv
import statistics
import struct
import sys
import time

import libcachesim

# Time, object, size, next use.
RECORD = struct.Struct("<IQIq")
LEARNS_EVERY = 1_000_000


def write(path):
    objects = set()
    with open(path, "wb") as file:
        next(sys.stdin)
        for at, line in enumerate(sys.stdin):
            # An object's name is a letter and its number; 0 is no object.
            number = int(line.split(",", 2)[1][1:]) + 1
            objects.add(number)
            file.write(RECORD.pack(at, number, 1, -2))
    print(len(objects))


def replay(path, objects, percent, policy):
    options = {"retrain_intvl": LEARNS_EVERY} if policy == "GLCache" else {}
    cache = getattr(libcachesim, policy)(int(int(objects) * float(percent) / 100), **options)
    reader = libcachesim.TraceReader(path, libcachesim.TraceType.ORACLE_GENERAL_TRACE)
    requests = reader.get_num_of_req()
    began = time.perf_counter()
    misses, _ = cache.process_trace(reader)
    seconds = time.perf_counter() - began
    print(f"{policy} (libCacheSim),{requests / seconds / 1e6:.2f},{100 * (1 - misses):.2f}")


def table(path):
    speeds, hits = collections.defaultdict(list), {}
    with open(path, newline="") as file:
        for policy, speed, share in csv.reader(file):
            speeds[policy].append(float(speed))
            hits[policy] = share
    print(f"{'policy':24}{'M accesses/s':>14}{'lowest':>9}{'highest':>9}{'hits, %':>9}")
    for policy, all_speeds in speeds.items():
        print(
            f"{policy:24}{statistics.median(all_speeds):14.2f}{min(all_speeds):9.2f}{max(all_speeds):9.2f}{hits[policy]:>9}"
        )


if __name__ == "__main__":
    {"write": write, "replay": replay, "table": table}[sys.argv[1]](*sys.argv[2:])
