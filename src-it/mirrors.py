#!/usr/bin/python3
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""mirrors.py [options] [SHAPE...]: how fast blocks can be read from many HDDs and one SSD with a copy of each.

All reads begin at the same time, each from the block's HDD or from the SSD; streams of a device share its speed, and the
reads end when the last one does. SHAPE is HDDs:MB/s of each HDD:MB/s of the SSD, by default those of disks.sh. Printed
for blocks that are spread evenly and at random over the HDDs, in MB/s: the devices' sum; what no choice exceeds, even one
that moves streams at will; a choice for each read as it comes, which knows only the reads before it and is final; and what
HyCache does, which takes the SSD only if it is sooner by a fifth, and moves a stream to the other device, and back once, if
that would send the rest sooner by a tenth; here it knows the loads exactly.
Arithmetic only: no cluster, no root, seconds.
"""
import argparse
import random

SSD_SOONER, REST_SOONER = 1.2, 1.1  # as LoadBalance
MOVES = 2  # of a stream, there and back
INTERVAL = 0.5  # seconds between two decisions about a stream, as StreamMove
STEP = 0.25  # seconds


def bound(blocks, dirty, shape, mb):
    """MB/s if each HDD reads as much as it can of its clean blocks, and the SSD the rest and all that is dirty."""
    hdds, hdd_speed, ssd_speed = shape
    clean = [0.0] * hdds
    for block, hdd in enumerate(blocks):
        clean[hdd] += mb * (block not in dirty)
    low, high = 0.0, len(blocks) * mb / ssd_speed + 1
    for _ in range(60):
        middle = (low + high) / 2
        rest = sum(max(0.0, left - hdd_speed * middle) for left in clean) + mb * len(dirty)
        low, high = (low, middle) if rest <= ssd_speed * middle else (middle, high)
    return len(blocks) * mb / high


class Reads:
    """Streams of the blocks; device number hdds is the SSD."""

    def __init__(self, shape, moves):
        hdds, hdd_speed, ssd_speed = shape
        self.ssd = hdds
        self.speed = [hdd_speed] * hdds + [ssd_speed]
        self.count = [0] * (hdds + 1)
        self.moves = moves
        self.streams = []

    def seconds(self, device, left, counted=0):
        return (self.count[device] - counted + 1) * left / self.speed[device]

    def begin(self, hdd, dirty, mb):
        sooner = SSD_SOONER if self.moves else 1
        on_ssd = dirty or sooner * self.seconds(self.ssd, mb) <= self.seconds(hdd, mb)
        device = self.ssd if on_ssd else hdd
        self.count[device] += 1
        self.streams.append({"hdd": hdd, "device": device, "left": mb, "moves": MOVES if self.moves and not dirty else 0})

    def end(self, chance):
        """Returns the seconds until the last stream has ended."""
        now = 0.0
        while self.streams:
            for stream in self.streams:
                stream["left"] -= self.speed[stream["device"]] * STEP / self.count[stream["device"]]
            now += STEP
            for stream in [s for s in self.streams if s["left"] <= 0]:
                self.count[stream["device"]] -= 1
                self.streams.remove(stream)
            if now % INTERVAL == 0:
                chance.shuffle(self.streams)
                for stream in self.streams:
                    self.move(stream)
        return now

    def move(self, stream):
        left, now = stream["left"], stream["device"]
        other = stream["hdd"] if now == self.ssd else self.ssd
        sooner = self.seconds(now, left, 1) > REST_SOONER * self.seconds(other, left)
        if stream["moves"] and left > 1 and sooner:
            stream["moves"] -= 1
            self.count[now] -= 1
            self.count[other] += 1
            stream["device"] = other


def speed(blocks, dirty, shape, mb, parts, moves, chance):
    reads = Reads(shape, moves)
    order = [block for block in range(len(blocks)) for _ in range(parts)]
    chance.shuffle(order)
    for block in order:
        reads.begin(blocks[block], block in dirty, mb / parts)
    return len(blocks) * mb / reads.end(chance)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", default=["8:12:50", "12:12:50", "2:12:50"])
    parser.add_argument("--blocks", type=int, default=24, help="blocks that are read (24)")
    parser.add_argument("--mb", type=float, default=67.1, help="MB of each (67.1)")
    parser.add_argument("--parts", type=int, default=1, help="readers of each block, which share it (1)")
    parser.add_argument("--dirty", type=float, default=0, help="share of the blocks that are on the SSD alone (0)")
    parser.add_argument("--orders", type=int, default=200, help="orders of the reads, of which means are printed (200)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the orders (1)")
    options = parser.parse_args()
    print(
        "| HDDs:MB/s:MB/s of the SSD | blocks on HDDs | sum | bound | as it comes, final | HyCache |\n"
        "|---|---|--:|--:|--:|--:|"
    )
    for text in options.shapes:
        try:
            shape = tuple(int(part) for part in text.split(":"))
            hdds, hdd_speed, ssd_speed = shape
            if min(*shape, options.blocks, options.orders, options.parts) < 1 or not 0 <= options.dirty <= 1:
                raise ValueError
        except ValueError:
            parser.error(
                f"expected shapes of HDDs:MB/s:MB/s such as 8:12:50, numbers from 1 on, a share from 0 to 1, got: '{text}'"
            )
        for spread in "even", "random":
            chance = random.Random(options.seed)
            sums = [0.0, 0.0, 0.0]
            for _ in range(options.orders):
                blocks = [i % hdds if spread == "even" else chance.randrange(hdds) for i in range(options.blocks)]
                chance.shuffle(blocks)
                dirty = set(range(round(options.dirty * options.blocks)))
                sums[0] += bound(blocks, dirty, shape, options.mb)
                for i, moves in enumerate((False, True)):
                    sums[1 + i] += speed(blocks, dirty, shape, options.mb, options.parts, moves, chance)
            means = [total / options.orders for total in sums]
            print(
                f"| {text} | {spread} | {hdds * hdd_speed + ssd_speed} | {means[0]:.0f} | {means[1]:.0f} | {means[2]:.0f} |"
            )


if __name__ == "__main__":
    main()
