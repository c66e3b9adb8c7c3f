#!/usr/bin/python3
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""mirrors.py [options] [SHAPE...]: how fast whole blocks can be read from many HDDs and one SSD with a copy of each.

All blocks are read at the same time, each from its HDD or from the SSD; streams of a device share its speed, and the
reads end when the last one does. SHAPE is HDDs:MB/s of each HDD:MB/s of the SSD, by default those of disks.sh. Printed
for blocks that are spread evenly and at random over the HDDs, as parts of the sum of all speeds: what the best choice
for all reads together gets, and what a choice for each read as it comes gets, which knows only the reads before it: the
device that is sooner ready, and what HyCache does, the SSD only if it is sooner by a fifth. Arithmetic only: no cluster, no root, a second.
"""
import argparse
import random


def seconds(on_ssd, on_hdd, shape, mb):
    _, hdd_speed, ssd_speed = shape
    return max(on_ssd * mb / ssd_speed, max(on_hdd) * mb / hdd_speed)


def best(blocks, shape, mb):
    """Seconds if each HDD reads the same number of blocks at most, and the SSD the rest, for the best such number."""
    counts = [blocks.count(hdd) for hdd in range(shape[0])]
    return min(
        seconds(sum(max(0, n - most) for n in counts), [min(n, most) for n in counts], shape, mb)
        for most in range(max(counts) + 1)
    )


def as_they_come(blocks, shape, mb, sooner=1.0):
    hdds, hdd_speed, ssd_speed = shape
    on_ssd, on_hdd = 0, [0] * hdds
    for hdd in blocks:
        if sooner * (on_ssd + 1) / ssd_speed < (on_hdd[hdd] + 1) / hdd_speed:
            on_ssd += 1
        else:
            on_hdd[hdd] += 1
    return seconds(on_ssd, on_hdd, shape, mb)


def hycache(blocks, shape, mb):
    return as_they_come(blocks, shape, mb, 1.2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", default=["8:12:50", "12:12:50", "2:12:50"])
    parser.add_argument("--blocks", type=int, default=24, help="blocks that are read (24)")
    parser.add_argument("--mb", type=float, default=64, help="MB of each (64)")
    parser.add_argument("--orders", type=int, default=1000, help="orders of the reads, of which means are printed (1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the orders (1)")
    options = parser.parse_args()
    print("| HDDs:MB/s:MB/s of the SSD | blocks on HDDs | best | sooner ready | HyCache |\n|---|---|--:|--:|--:|")
    for text in options.shapes:
        try:
            shape = tuple(int(part) for part in text.split(":"))
            hdds, hdd_speed, ssd_speed = shape
            if min(shape) < 1 or options.blocks < 1 or options.orders < 1:
                raise ValueError
        except ValueError:
            parser.error(f"expected shapes of HDDs:MB/s:MB/s such as 8:12:50 and numbers from 1 on, got: '{text}'")
        whole = hdds * hdd_speed + ssd_speed
        for spread in "even", "random":
            chance = random.Random(options.seed)
            sums = [0.0, 0.0, 0.0]
            for _ in range(options.orders):
                blocks = [i % hdds if spread == "even" else chance.randrange(hdds) for i in range(options.blocks)]
                chance.shuffle(blocks)
                for i, choose in enumerate((best, as_they_come, hycache)):
                    sums[i] += options.blocks * options.mb / choose(blocks, shape, options.mb) / whole
            means = [total / options.orders for total in sums]
            print(f"| {text} | {spread} | {means[0]:.2f} | {means[1]:.2f} | {means[2]:.2f} |")


if __name__ == "__main__":
    main()
