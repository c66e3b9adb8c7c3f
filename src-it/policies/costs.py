# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""costs.py TRACE CAPACITY...: disk seconds and SSD bytes of libCacheSim's policies, a line of JSON each.

TRACE is CSV as `simulate --trace` reads it, plain or .gz; CAPACITY in bytes. The costs are those of `simulate --help`:
8 ms and bytes / 144 MB/s for each HDD operation. What libCacheSim inserts is admitted, the rest is bypassed. A dirty
object costs one write, at its eviction or at the end: it is counted when the object becomes dirty, so victims need not
be known. Objects that change their size have the one that they were inserted with.

GL-Cache evicts segments of objects: of 100 by default, of 10 as gl-cache-10, which suits caches of a few hundred objects.
It learns by the clock, once a day by default; a request is a second here, and it learns every 1,000 requests. LHD learns
every 2^20 requests, more than a short trace has, and ranks by what it begins with until then. lhd-trained has learned
from the same accesses to other objects, repeated so often; only the last round, on fresh objects, is counted.

Sizes are passed on in units of a power of two, so that the largest fits in 31 bits: LHD crashes on more than 32.
"""
import csv
import gzip
import json
import os
import sys

import libcachesim

SEEK_SECONDS = 0.008
BYTES_PER_SECOND = 144e6
LHD_LEARNS_EVERY = 1 << 20
# The hash table begins with 2^16 slots: a cache is made quickly.
COMMON = {"hashpower": 16}
POLICIES = {
    "lru (libCacheSim)": lambda size: libcachesim.LRU(size, **COMMON),
    "lhd": lambda size: libcachesim.LHD(size, **COMMON),
    "lhd-trained": lambda size: libcachesim.LHD(size, **COMMON),
    "gl-cache": lambda size: libcachesim.GLCache(size, retrain_intvl=1000, **COMMON),
    "gl-cache-10": lambda size: libcachesim.GLCache(size, segment_size=10, retrain_intvl=1000, **COMMON),
}


def accesses(path):
    """(number of the object, its bytes, bytes of the request, whether it is a write) of each access."""
    numbers = {}
    with gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            size = int(row["size_bytes"])
            number = numbers.setdefault(row["object"], len(numbers) + 1)
            yield number, size, int(row.get("request_bytes") or size), row["op"] == "W"


def costs(cache, trace, unit, rounds=1):
    """The costs of the last of so many rounds, each with objects of its own."""
    objects = max(number for number, *_ in trace)
    request = libcachesim.Request()
    for before in range(rounds - 1):
        for at, (number, size, _, _) in enumerate(trace, before * len(trace)):
            request.obj_id, request.obj_size, request.clock_time = before * objects + number, -(-size // unit), at
            cache.get(request)
    operations = hdd_bytes = written = hits = 0
    dirty = set()
    for at, (number, size, asked, write) in enumerate(trace, (rounds - 1) * len(trace)):
        request.obj_id, request.obj_size, request.clock_time = (rounds - 1) * objects + number, -(-size // unit), at
        if cache.get(request):
            hits += 1
            if write:
                written += asked
        elif cache.find(request, False) is None:
            operations += 1
            hdd_bytes += asked
            continue
        else:
            dirty.discard(number)
            written += size
            if not write or asked < size:
                operations += 1
                hdd_bytes += size
        if write and number not in dirty:
            dirty.add(number)
            operations += 1
            hdd_bytes += size
    return {
        "accesses": len(trace),
        "hits": hits,
        "disk_seconds": operations * SEEK_SECONDS + hdd_bytes / BYTES_PER_SECOND,
        "ssd_written_bytes": written,
    }


def main(path, *capacities):
    trace = list(accesses(path))
    unit = 1
    while max(size for _, size, _, _ in trace) // unit >= 1 << 31:
        unit *= 2
    for capacity in map(int, capacities):
        for policy, make in POLICIES.items():
            rounds = 2 + LHD_LEARNS_EVERY // len(trace) if policy == "lhd-trained" else 1
            row = {"trace": os.path.basename(path), "policy": policy, "capacity_bytes": capacity}
            print(json.dumps({**row, **costs(make(capacity // unit), trace, unit, rounds)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
