# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""compare.py DIR: hit ratios of Caffeine's simulator (DIR/caffeine.csv) and of libCacheSim, beside ours."""
import collections
import csv
import json
import statistics
import sys

import libcachesim

# Ours: Caffeine's simulator, libCacheSim. Its W-TinyLFU changes with the unit that sizes are given in.
OTHERS = {
    'lru': ('linked.Lru', libcachesim.LRU),
    'w-tinylfu': ('product.Caffeine', None),
    'lirs': ('irr.Lirs', libcachesim.LIRS),
    'arc': ('adaptive.Arc', libcachesim.ARC),
    'fifo': ('linked.Fifo', libcachesim.FIFO),
    'clock': ('linked.Clock', libcachesim.Clock),
    'sieve': ('linked.Sieve', libcachesim.Sieve),
    's3-fifo': ('two-queue.S3Fifo', libcachesim.S3FIFO),
}
BOUND = ('lru', 'w-tinylfu', 'lirs', 'arc')
MOST_POINTS = 0.5

directory = sys.argv[1]
with open(f'{directory}/trace.csv', newline='') as file:
    rows = list(csv.DictReader(file))
sizes = {row['size_bytes'] for row in rows}
if len(sizes) != 1:
    sys.exit('the objects have several sizes; the others count objects')
size = int(sizes.pop())
accesses = [int(row['object'][1:]) for row in rows]
with open(f'{directory}/caffeine.csv', newline='') as file:
    caffeine = collections.defaultdict(list)
    for row in csv.reader(file):
        if row[1] != 'Policy':
            caffeine[int(row[0]), row[1]].append(float(row[2]))


def libcachesim_ratio(policy, capacity):
    cache = policy(cache_size=capacity)
    request = libcachesim.Request()
    request.obj_size = 1
    hits = 0
    for number in accesses:
        request.obj_id = number
        hits += cache.get(request)
    return 100 * hits / len(accesses)


failed = False
print(f"{'policy':<10} {'objects':>8} {'ours %':>8} {'Caffeine %':>11} {'apart':>6} {'libCacheSim %':>14}")
with open(f'{directory}/ours.json') as file:
    runs = collections.defaultdict(list)
    for run in json.load(file):
        runs[run['policy'], run['capacity_bytes'] // size].append(100 * run['hits'] / run['accesses'])
    for (policy, capacity), ratios in runs.items():
        ours = statistics.mean(ratios)
        theirs = statistics.mean(caffeine[capacity, OTHERS[policy][0]])
        apart = ours - theirs
        wrong = policy in BOUND and abs(apart) > MOST_POINTS
        failed |= wrong
        third = OTHERS[policy][1]
        third = f'{libcachesim_ratio(third, capacity):14.2f}' if third else f"{'-':>14}"
        print(f'{policy:<10} {capacity:>8} {ours:>8.2f} {theirs:>11.2f} {apart:>+6.2f} {third}'
              + (' TOO FAR' if wrong else ''))
sys.exit(1 if failed else 0)
