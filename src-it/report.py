#!/usr/bin/env python3
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""report.py COMMAND ARGUMENTS...: the tables, medians and verdicts of the scripts of this folder.

Reads what the scripts recorded, prints to standard output. Exit code: 0; 1 when a verdict is not what it must
be (the reason is on standard error, or in the table); 2 on wrong arguments. Files are JSON lines unless said
otherwise. report_test.py tests all of it in a second.
"""
import argparse
import json
import math
import os
import re
import sys
from collections import Counter, defaultdict
from statistics import geometric_mean

import mirrors


# ---------------------------------------------------------------- figures


def half_up(value):
    """The nearest whole number; halves away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def number(value):
    """A number as JSON shows it: whole numbers without a point, none as null."""
    if value is None:
        return "null"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e17:
        return str(int(value))
    return str(value)


def nearest(value, digits=2):
    return half_up(value * 10**digits) / 10**digits


def rounded(value, digits=2):
    return number(nearest(value, digits))


def median(values):
    """The middle of the numbers among the values, the mean of the middle two; None of none."""
    numbers = sorted(v for v in values if v is not None)
    if not numbers:
        return None
    middle = len(numbers) // 2
    return numbers[middle] if len(numbers) % 2 else (numbers[middle - 1] + numbers[middle]) / 2


def total(values):
    """The sum of the values; None of none."""
    return sum(values) if values else None


def middles(records, *fields, unit=1):
    """The medians of fields as whole numbers of a unit; a dash for a field that no record has."""
    values = [median(r.get(f) for r in records) for f in fields]
    return ", ".join("-" if v is None else str(half_up(v / unit)) for v in values)


def mean(values):
    return sum(values) / len(values)


def groups(records, *keys):
    """(key, records) by the values of the fields, in their order; the records of each in the order they have."""
    found = defaultdict(list)
    for record in records:
        found[tuple(record[key] for key in keys)].append(record)
    return sorted(found.items())


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def lines_by_count(path):
    """How often each line is in a file, by the line."""
    with open(path, encoding="utf-8") as file:
        return dict(sorted(Counter(map(str.strip, file)).items()))


def markdown(*cells):
    return "| " + " | ".join(cells) + " |"


def columns(rows):
    """Rows of text with their cells one below the other, as `column -t` sets them."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


class Unmet(Exception):
    """A verdict that is not what it must be."""


# ---------------------------------------------------------------- experiment.sh


def shown(value):
    if value is None:
        return ""
    return str(half_up(value)) if value >= 100 else rounded(value)


def times_better(ours, theirs, unit):
    """How many times better we are; for times less is better. None where nothing can be said."""
    if ours is None or theirs is None or unit not in ("MB/s", "preads/s", "s", "ms"):
        return None
    worse, better = (ours, theirs) if unit in ("s", "ms") else (theirs, ours)
    return None if worse == 0 else better / worse


def wanted(row, what, value, to_disk, to_ssd):
    if row in ("a", "c") or row == "d" and what.startswith("4 KB"):
        text, figure, least = "0.95 of ALL_SSD", to_ssd, 0.95
    elif row == "b" and what == "write, 3x the SSD":
        text, figure, least = "0.95 of DISK", to_disk, 0.95
    elif row == "e":
        text, figure, least = "0.98 of DISK", to_disk, 0.98
    elif row == "f" and "from SSD, heuristic" in what:
        text, figure, least = "45 %", value, 45
    elif row == "h" and what.startswith("4 KB"):
        text, figure, least = "2.5 of DISK", to_disk, 2.5
    elif row == "i" or row == "b" and re.search("failed|stalled", what):
        text, figure, least = "0", None if value is None else -value, 0
    else:
        return ""
    if figure is None:
        return text
    return text + (": met" if figure >= least else ": NOT MET")


def experiment(arguments):
    """The table of experiment.sh: medians, and sums of counts, of each row by set-up, ratios, and whether they are what was wanted;
    not met if a file differs after the removal, or a write of HyCache failed or stalled."""
    records = lines_of(arguments.file)
    head = records[0]
    quick = ", QUICK: the figures mean nothing" if head["quick"] == 1 else ""
    print(
        f"HyCache for HDFS: commit {head['commit']}, kernel {head['kernel']}, JVM {head['jvm']}, {head['cpus']} CPUs, "
        f"Hadoop {head['hadoop']}, seed {head['seed']}{quick}\n"
    )
    setups = {"disk": "DISK", "ssd": "ALL_SSD", "rival": "HDFS cache", "hycache": "HyCache"}
    ratios = ("disk", "ssd", "rival")
    print(markdown("row", "what", "unit", "n", *setups.values(), *("/ " + setups[s] for s in ratios), "wanted"))
    print("|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
    copies = [r for r in records if r["unit"] == "bytes of copies"]
    records = [r for r in records if r["unit"] != "bytes of copies"]
    for place, record in enumerate(records):
        record["place"] = place
    rows = [rows for _, rows in groups(records, "row", "what")]
    for rows in sorted(rows, key=lambda rows: (rows[0]["row"], rows[0]["place"])):
        first = rows[0]
        row, what, unit = first["row"], first["what"], first["unit"]
        if first["setup"] == "-":
            print(f"| {row} | {what}: {shown(first['value'])} | {unit} | | | | | | | | | |")
            continue
        # A median of counts is 0 when less than half of the runs have one.
        middle = {s: (total if unit == "count" else median)([r["value"] for r in rows if r["setup"] == s]) for s in setups}
        better = {s: times_better(middle["hycache"], middle[s], unit) for s in ratios}
        count = sum(r["setup"] == first["setup"] for r in rows)
        print(
            markdown(
                row, what, unit, str(count), *(shown(middle[s]) for s in setups), *(shown(better[s]) for s in ratios),
                wanted(row, what, middle["hycache"], better["disk"], better["ssd"]),
            )
        )
    for record in copies:
        found, all_bytes = record["value"], record["result"]["wantedBytes"]
        if found < all_bytes:
            megabytes = f"{half_up(found / 1e6)} of {half_up(all_bytes / 1e6)} MB"
            print(f"* rows {record['row']}, repetition {record['rep']}: HyCache went on with only {megabytes} of {record['what']}")
    lost = [r for r in records if r["unit"] == "count" and r["setup"] == "hycache"]
    unmet = [f"row {r['row']}, {r['what']}: {number(r['value'])}, wanted 0" for r in lost if r["value"] != 0]
    if unmet:
        raise Unmet("\n".join(unmet))


# ---------------------------------------------------------------- localdir.sh


def of_jobs(arguments):
    return [r for r in lines_of(arguments.file) if r["part"] == "jobs"]


def localdir(arguments):
    """The table of localdir.sh's jobs: medians of seconds and traffic by job and set-up."""
    print("| job | set-up | n | seconds | SSD MB read, written | HDD MB read, written | hdd / this |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for (job,), runs in groups(of_jobs(arguments), "what"):
        hdd = median(r["seconds"] for r in runs if r["setup"] == "hdd")
        for (setup,), of_setup in groups(runs, "setup"):

            def megabytes(*names):
                return half_up(median(sum(r["traffic"][n] for n in names) for r in of_setup) / 1e6)

            seconds = median(r["seconds"] for r in of_setup)
            print(
                markdown(
                    job, setup, str(len(of_setup)), number(seconds),
                    f"{megabytes('ssdRead', 'bigRead')}, {megabytes('ssdWritten', 'bigWritten')}",
                    f"{megabytes('hddRead')}, {megabytes('hddWritten')}",
                    "" if hdd is None else rounded(hdd / seconds),
                )
            )


def localdir_verdict(arguments):
    """1 unless tiered is 1.15 times as fast as hdd and no slower than spread, for each job."""
    short = []
    for (job,), runs in groups(of_jobs(arguments), "what"):
        seconds = {s: median(r["seconds"] for r in runs if r["setup"] == s) for s in ("tiered", "hdd", "spread")}
        tiered, hdd, spread = seconds.values()
        if tiered is None:
            continue
        if hdd is not None and hdd / tiered < 1.15:
            short.append(f"{job}: tiered {number(tiered)} s, wanted 1.15 times as fast as hdd, {number(hdd)} s")
        elif spread is not None and tiered > spread:
            short.append(f"{job}: tiered {number(tiered)} s, wanted no slower than spread, {number(spread)} s")
    if short:
        raise Unmet("\n".join(short))


# ---------------------------------------------------------------- directory.sh, latency.sh, mixed.sh


def locality(arguments):
    """directory.sh's part locality: medians of seconds and of the share of the bytes from SSD."""
    records = [r for r in lines_of(arguments.file) if r["part"] == "locality"]
    for (how,), runs in groups(records, "what"):
        seconds, share = (number(median(r[name] for r in runs)) for name in ("seconds", "share"))
        print(f"locality {how}: TeraSort {seconds} s, {share} of the bytes from SSD (n={len(runs)})")


LATENCY_FIGURES = (
    ("mbpsClosed", "MB/s"), ("opP50Ms", "ms p50"), ("opP99Ms", "ms p99"), ("opP999Ms", "ms p99.9"),
    ("opMaxMs", "ms at most"), ("rate", "preads/s"), ("p50Ms", "ms p50"), ("p99Ms", "ms p99"),
    ("maxMs", "ms at most"), ("mbpsPerHdd", "MB/s to each HDD"), ("movedBytes", "bytes"),
)


def latency(arguments):
    """latency.sh: medians of each figure by part and set-up."""
    for (part, setup), runs in groups(lines_of(arguments.file), "part", "setup"):
        middles = ((median(r.get(name) for r in runs), unit) for name, unit in LATENCY_FIGURES)
        figures = ", ".join(f"{number(middle)} {unit}" for middle, unit in middles if middle is not None)
        print(f"{part}, {setup}, n={len(runs)}: {figures}")


def mixed(arguments):
    """mixed.sh: medians by policy and quality of hints."""
    print("| policy | hints | n | job, s | other readers, MB/s | from SSD, % of bytes | HDDs busy, s per GB read | written to SSD, GB |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for (policy, hints), runs in groups(lines_of(arguments.file), "policy", "hints"):

        def middle(figure):
            return median(figure(r) for r in runs)

        print(
            markdown(
                policy,
                hints,
                str(len(runs)),
                rounded(middle(lambda r: r["jobSeconds"]), 1),
                str(half_up(middle(lambda r: (r["zipfBytes"] + r["scanBytes"]) / 1e6 / r["jobSeconds"]))),
                rounded(middle(lambda r: 100 * r["ssdReadBytes"] / (r["ssdReadBytes"] + r["hddReadBytes"])), 1),
                rounded(middle(lambda r: r["hddBusyMs"] / 1e3 / ((r["jobBytes"] + r["zipfBytes"] + r["scanBytes"]) / 1e9)), 1),
                rounded(middle(lambda r: r["ssdWrittenBytes"] / 1e9), 1),
            )
        )


# ---------------------------------------------------------------- jobs.sh


def jobs(arguments):
    """jobs.sh: medians by set-up, policy and size of the SSDs."""
    print(
        "| set-up | policy | SSD, % | n | seconds | jobs, s | HDD, SSD MB read | SSD MB written | read ahead, MB | copies made, evicted, unread "
        "| written / read from SSD |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    runs = lines_of(arguments.file)
    names = list(dict.fromkeys((r["setup"], r["policy"], r["ssdPercent"]) for r in runs))
    for name in names:
        of_name = [r for r in runs if (r["setup"], r["policy"], r["ssdPercent"]) == name]

        def middle(field, of=of_name):
            return median(r[field] for r in of)

        def megabytes(*fields):
            return ", ".join(str(half_up(middle(f) / 2**20)) for f in fields)

        each = [rounded(median(seconds), 1) for seconds in zip(*(r["eachSeconds"] for r in of_name))]
        read = middle("fromSsdBytes")
        print(
            markdown(
                name[0], name[1], number(name[2]), str(len(of_name)),
                rounded(middle("seconds"), 1) + (f": {', '.join(each)}" if len(each) > 1 else ""),
                rounded(middle("jobSeconds"), 1),
                megabytes("hddBytesRead", "ssdBytesRead"), megabytes("ssdBytesWritten"), megabytes("readAheadBytes"),
                ", ".join(number(middle(f)) for f in ("promoted", "evicted", "evictedUnread")),
                rounded(middle("promotedBytes") / read) if read else "-",
            )
        )


# ---------------------------------------------------------------- pins.sh


def pins(arguments):
    """pins.sh: medians by job and set-up."""
    print("| job | set-up | n | job, s | HDD, SSD MB read | splits, in memory | tasks, with a cached host, on one, local |")
    print("|---|---|--:|--:|--:|--:|--:|")
    runs = lines_of(arguments.file)
    for job, setup in dict.fromkeys((r["job"], r["setup"]) for r in sorted(runs, key=lambda r: r["job"])):
        of_name = [r for r in runs if (r["job"], r["setup"]) == (job, setup)]

        print(
            markdown(
                job, setup, str(len(of_name)), rounded(median(r["jobSeconds"] for r in of_name), 1),
                middles(of_name, "hddBytesRead", "ssdBytesRead", unit=2**20), middles(of_name, "splits", "splitsInMemory"),
                middles(of_name, "tasks", "tasksWithCachedHost", "tasksOnCachedHost", "tasksLocal"),
            )
        )


# ---------------------------------------------------------------- tpch.sh


def tpch(arguments):
    """tpch.sh: medians by set-up and pass; the results of all must be equal."""
    print(
        "| set-up | policy | SSD, % | pass | n | queries, s | HDD, SSD MB read | hinted, replaced, failed "
        "| on threads of Spark: together, longest, ms |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    runs = lines_of(arguments.file)
    results = defaultdict(set)
    for run in runs:
        for query in run["queries"]:
            results[query["query"]].add(query["md5"])
    for name in dict.fromkeys((r["setup"], r["policy"], r["ssdPercent"], r["pass"]) for r in runs):
        of_name = [r for r in runs if (r["setup"], r["policy"], r["ssdPercent"], r["pass"]) == name]
        each = [
            f"Q{query['query']} {rounded(median(r['queries'][i]['seconds'] for r in of_name), 1)}"
            for i, query in enumerate(of_name[0]["queries"])
        ]

        def middles(*fields, of=of_name, unit=1, show=half_up):
            values = [median(r["hints"].get(f) if f in r["hints"] else r.get(f) for r in of) for f in fields]
            return ", ".join("-" if v is None else str(show(v / unit)) for v in values)

        print(
            markdown(
                name[0], name[1], number(name[2]), number(name[3]), str(len(of_name)),
                f"{rounded(median(r['seconds'] for r in of_name), 1)}: {', '.join(each)}",
                middles("hddBytesRead", "ssdBytesRead", unit=2**20), middles("hinted", "replaced", "failed"),
                middles("handOverMicros", "longestMicros", unit=1000, show=lambda v: rounded(v)),
            )
        )
    differing = sorted(query for query, found in results.items() if len(found) > 1)
    if differing:
        raise Unmet(f"the results of queries differ between set-ups: {', '.join(differing)}")


# ---------------------------------------------------------------- hive.sh


def hive(arguments):
    """hive.sh: medians by set-up and query; 1 unless results are equal, and hints those of the days that queries read."""
    print(
        "| set-up | query | n | ends with | s | HDD, SSD MB read | hinted, read, from SSD, late, wrong | lines of HyCache's log |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    runs = lines_of(arguments.file)
    for name in dict.fromkeys((r["setup"], r["query"]) for r in runs):
        of_name = [r for r in runs if (r["setup"], r["query"]) == name]

        seconds = median(r["seconds"] for r in of_name)
        print(
            markdown(
                *name, str(len(of_name)), ", ".join(str(c) for c in sorted({r["code"] for r in of_name})),
                "-" if seconds is None else rounded(seconds, 1), middles(of_name, "hddBytesRead", "ssdBytesRead", unit=2**20),
                middles(of_name, "hinted", "read", "readFromSsd", "late", "wrong"), str(max(r["lines"] for r in of_name)),
            )
        )
    faults = []
    for run in runs:
        name, days = f"{run['setup']}, {run['query']}, {run['rep']}", run["query"] != "fails"
        if (run["code"] == 0) != days:
            faults.append(f"{name}: ended with {run['code']}")
        if run["setup"] == "hook":
            wanted = arguments.blocks if days else arguments.blocks / 2
            if run.get("hinted") != wanted:
                faults.append(f"{name}: {run.get('hinted')} block reads hinted, {number(wanted)} wanted")
            if run.get("active") is not False:
                faults.append(f"{name}: the hints did not end with the query")
        elif run.get("hinted"):
            faults.append(f"{name}: hinted without the hook")
        if run["lines"] > (run["setup"] == "absent"):
            faults.append(f"{name}: {run['lines']} lines of warnings")
    if len({run["result"] for run in runs if run["query"] != "fails"}) > 1:
        faults.append("the results of queries differ")
    if faults:
        raise Unmet("; ".join(faults))


# ---------------------------------------------------------------- nightly.sh


def kind_of_night(night):
    """What the nights of a number have in common, see nightly.sh."""
    return "1-2" if night < 3 else "3-5" if night < 6 else str(night)


def nightly(arguments):
    """nightly.sh: by set-up and kind of night, medians; hints of all nights together."""
    print(
        "| set-up | nights | n | from SSD, % (range) | hinted, read, wrong | wrong per right | HDD MB read, SSD MB written | MB of others | main reads, s |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    runs = lines_of(arguments.file)
    for name in dict.fromkeys((r["setup"], kind_of_night(r["night"])) for r in runs):
        of_name = [r for r in runs if (r["setup"], kind_of_night(r["night"])) == name]
        shares = [100 * r["fromSsdBytes"] / (r["fromSsdBytes"] + r["fromDiskBytes"]) for r in of_name]
        hinted, read, wrong = (sum(r[field] for r in of_name) for field in ("hinted", "read", "wrong"))

        def megabytes(field, of=of_name):
            return str(half_up(median(r[field] for r in of) / 2**20))

        print(
            markdown(
                name[0], name[1], str(len(of_name)), f"{half_up(median(shares))} ({half_up(min(shares))}-{half_up(max(shares))})",
                f"{hinted}, {read}, {wrong}" if hinted else "-", rounded(wrong / read) if read else "-",
                f"{megabytes('hddBytesRead')}, {megabytes('ssdBytesWritten')}", megabytes("othersBytes"),
                rounded(median(r["seconds"] for r in of_name), 1),
            )
        )


# ---------------------------------------------------------------- hint-failures.sh


def hint_failures(arguments):
    """hint-failures.sh: medians by case and client; not met if hints cost a job more than they may, or the case did not happen."""
    print("| what fails | client | n | failed | job, s (range) | submissions | WARN lines of HyCache: client, a container | stack traces: of HyCache, of others |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    runs = lines_of(arguments.file)
    unmet = []
    for case in dict.fromkeys(r["case"] for r in runs):
        most = {}
        for client in dict.fromkeys(r["client"] for r in runs if r["case"] == case):
            of_name = [r for r in runs if (r["case"], r["client"]) == (case, client)]
            seconds = [r["seconds"] for r in of_name]
            fields = ("clientLines", "containerLines", "traces", "otherTraces")
            most[client] = {field: max(r[field] for r in of_name) for field in fields}
            most[client]["failed"] = sum(r["code"] != 0 for r in of_name)
            submissions = [r["submissions"] for r in of_name]
            if case in ("namenode", "datanode", "failover") and not all(r.get("injected", True) for r in of_name):
                unmet.append(f"{case}: nothing failed in a run of {client}")
            if case == "none" and not client.endswith("plain") and 0 in submissions:
                unmet.append(f"{case}: no DataNode took hints of {client}")
            if case in ("absent", "refused") and any(submissions):
                unmet.append(f"{case}: DataNodes took hints of {client}")
            print(
                markdown(
                    case, client, str(len(of_name)), str(most[client]["failed"]),
                    f"{rounded(median(seconds), 1)} ({rounded(min(seconds), 1)}-{rounded(max(seconds), 1)})",
                    rounded(median(submissions), 1),
                    f"{most[client]['clientLines']}, {most[client]['containerLines']}",
                    f"{most[client]['traces']}, {most[client]['otherTraces']}",
                )
            )
        for client, of_client in most.items():
            without = most.get("spark-plain" if client.startswith("spark-") else "plain")
            if of_client["failed"] and not (without and without["failed"]):
                unmet.append(f"{case}: jobs of {client} failed, and none without hints")
            if of_client["clientLines"] > 1 or of_client["containerLines"] > 1:
                unmet.append(f"{case}: more than one warning in a log of {client}")
            if of_client["traces"]:
                unmet.append(f"{case}: HyCache logged stack traces for {client}")
    if unmet:
        raise Unmet("; ".join(unmet))


# ---------------------------------------------------------------- tiers.sh


def tiers(arguments):
    """tiers.sh: medians by set-up and case, and the share of the bytes read that each tier gave."""
    print("| case | set-up | n | seconds | MB/s | of plain HDFS | read from NVMe, SSD, HDD, % of bytes | written to NVMe, SSD, HDD, MB |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    runs = lines_of(arguments.file)
    kinds = ("nvme", "ssd", "hdd")
    for (case, setup), of_case in groups(runs, "case", "setup"):

        def middle(field, of=of_case):
            return median(r.get(field, 0) for r in of)

        plain = [r["seconds"] for r in runs if (r["case"], r["setup"]) == (case, "disk")]
        read = [middle(kind + "BytesRead") for kind in kinds]
        print(
            markdown(
                case, setup, str(len(of_case)),
                rounded(middle("seconds"), 1), str(half_up(middle("bytes") / 1e6 / middle("seconds"))),
                rounded(median(plain) / middle("seconds")) if plain else "-",
                ", ".join(str(half_up(100 * part / max(1, sum(read)))) for part in read),
                ", ".join(str(half_up(middle(kind + "BytesWritten") / 1e6)) for kind in kinds),
            )
        )


# ---------------------------------------------------------------- disks.sh

LEAST_OF_BETTER, LEAST_OF_BEFORE, LEAST_OF_ALLOWED = 0.98, 1.3, 0.9


class DisksCase:
    """The runs of a case by set-up: medians, and how many times those of plain HDFS and of before HyCache's are."""

    NAMES = {"write": "write", "read": "read, clean", "half": "read, half clean, half dirty", "mixed": "write and read, clean"}

    def __init__(self, runs, of_shape):
        first = runs[0]
        self.kind, self.readers = first["case"], first["readers"]
        clients = (f"{first[kind]} {kind}" for kind in ("writers", "readers") if first[kind])
        self.name = f"{self.NAMES[self.kind]}, {', '.join(clients)}"
        # Of plain HDFS there is one kind of read.
        self.plain = runs if self.kind != "half" else [r for r in of_shape if (r["case"], r["readers"]) == ("read", self.readers)]
        self.runs = runs
        self.devices = int(first["shape"].split(":")[0]) + 1

    def middle(self, setup, field="mbps"):
        return median(r.get(field) for r in (self.plain if setup in ("disk", "ssd") else self.runs) if r["setup"] == setup)

    def cell(self, setup):
        """The median, of both together for mixed: of the writers + of the readers."""
        middles = [self.middle(setup, field) for field in ("mbps", "writeMbps", "readMbps")]
        if middles[0] is None or self.kind != "mixed":
            return shown(middles[0])
        return "{}: {} + {}".format(*map(shown, middles))

    def missing(self):
        """Of reads, the runs in which fewer bytes were clean, or of half dirty, than the case wants."""
        wants = {"read": (("clean", 1),), "half": (("clean", 2), ("dirty", 2))}
        for run in self.runs:
            for what, part in wants.get(self.kind, ()):
                found, wanted_bytes = run.get(what + "Bytes"), run.get("bytes", 0) // part
                if found is not None and found < wanted_bytes:
                    megabytes = f"{half_up(found / 1e6)} of {half_up(wanted_bytes / 1e6)} MB"
                    yield f"{self.name}, {run['setup']}, repetition {run['rep']}: only {megabytes} were {what}"

    def times(self, others, of_all=max):
        """HyCache's median by the greatest or the sum of the others'; None where one is not known."""
        ours, theirs = self.middle("hycache"), [self.middle(s) for s in others]
        return None if ours is None or None in theirs else ratio(ours, of_all(theirs))

    def of_better(self):
        return self.times([s for s in ("disk", "ssd") if self.middle(s) is not None] or ["disk"])

    def of_before(self):
        return self.times(["before"])

    def ssd_is_slower(self):
        disk, ssd = self.middle("disk"), self.middle("ssd")
        return disk is not None and ssd is not None and ssd < disk

    def of_sum(self):
        """Of clean reads alone: only these have two places to go to."""
        return self.times(["disk", "ssd"], sum) if self.kind == "read" else None

    def allowed(self):
        """MB/s that mirrors allow HyCache's reads, as the blocks lie on the HDDs: the median; None where that is not known."""
        return median(self.bound(r) for r in self.runs if r["setup"] == "hycache" and r.get("blocksByHdd"))

    @staticmethod
    def bound(run):
        counts = [int(count) for count in run["blocksByHdd"].split(",")]
        on_hdd = [hdd for hdd, count in enumerate(counts) for _ in range(count)]
        dirty = range(len(on_hdd), run["blocks"])
        shape = tuple(int(part) for part in run["shape"].split(":"))
        return mirrors.bound(on_hdd + [0] * len(dirty), set(dirty), shape, run["bytes"] / 1e6 / run["blocks"])

    def of_allowed(self):
        ours, allowed = self.middle("hycache"), self.allowed()
        return None if self.kind != "read" or ours is None or allowed is None else ratio(ours, allowed)


def disks(arguments):
    """disks.sh: medians of each case by set-up, HyCache's beside those of plain HDFS and of before, and the verdicts; 1 if one is not met."""
    records = lines_of(arguments.file)
    kinds = list(DisksCase.NAMES)
    measured = {"better": [], "before": [], "allowed": []}
    shapes = dict.fromkeys((r["shape"], r["oneHead"]) for r in records)
    for shape, one_head in shapes:
        hdds, hdd_mbps, ssd_mbps = shape.split(":")
        heads = ", one head each" if one_head == "yes" else ""
        print(f"### {hdds} HDDs of {hdd_mbps} MB/s{heads}, an SSD of {ssd_mbps} MB/s: MB/s")
        print(
            "| case | n | DISK | ALL_SSD | before | HyCache | / the better | / before | / (DISK + ALL_SSD) | mirrors allow | HyCache: MB read, HDDs + SSD "
            "| MB written, HDDs + SSD |"
        )
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        runs = [dict(r, order=kinds.index(r["case"])) for r in records if (r["shape"], r["oneHead"]) == (shape, one_head)]
        missing = []
        for _, of_case in groups(runs, "order", "writers", "readers"):
            case = DisksCase(of_case, runs)
            figures = {"better": case.of_better(), "before": case.of_before(), "allowed": case.of_allowed()}
            times = (figures["better"], figures["before"], case.of_sum(), case.allowed())

            def megabytes(what, of=case):
                middles = [of.middle("hycache", device + what) for device in ("hddBytes", "ssdBytes")]
                return "" if None in middles else " + ".join(str(half_up(m / 1e6)) for m in middles)

            print(
                markdown(
                    case.name, str(max(sum(r["setup"] == s for r in of_case) for s in ("disk", "ssd", "before", "hycache"))),
                    *(case.cell(s) for s in ("disk", "ssd", "before", "hycache")), *(shown(f) for f in times),
                    megabytes("Read"), megabytes("Written"),
                )
            )
            missing.extend(case.missing())
            counts = {"better": True, "before": case.ssd_is_slower(), "allowed": case.readers > case.devices}
            for name, figure in figures.items():
                if figure is not None and counts[name]:
                    measured[name].append((figure, f"{shape}{heads}: {case.name}"))
        for line in missing:
            print("* " + line)
    print("### Verdicts")
    met = []
    for name, what, least in (
        ("better", "HyCache / the better of DISK and ALL_SSD", LEAST_OF_BETTER),
        ("before", "HyCache / before, where ALL_SSD is slower than DISK", LEAST_OF_BEFORE),
        ("allowed", "HyCache / what mirrors allow, clean reads by more readers than devices", LEAST_OF_ALLOWED),
    ):
        if not measured[name]:
            continue
        worst, case = min(measured[name])
        short = sorted(each for each in measured[name] if each[0] < least)
        met.append(verdict(
            what + ", worst", f"at least {least} in every case",
            f"{rounded(worst, 3)} ({case}), below that in {len(short)} of {len(measured[name])}", not short))
        for figure, text in short[1:]:
            print(f"  {text}: {rounded(figure, 3)}")
    if not all(met):
        raise Unmet()


# ---------------------------------------------------------------- users.sh, startup.sh, idle.sh


def users(arguments):
    """users.sh: what each user read, and from SSD, by set-up."""
    print("| set-up | alice: MB read, from SSD | mallory: MB read, from SSD |")
    print("|---|--:|--:|")
    for record in lines_of(arguments.file):
        cells = (
            f"{half_up((u['ssdBytes'] + u['diskBytes']) / 1e6)}, {half_up(u['ssdBytes'] / 1e6)}" for u in record["users"]
        )
        print(markdown(record["setup"], *cells))


def users_verdict(arguments):
    """1 if alice gets with shares less than half of what she gets alone, or no more than as one user."""
    alice = {r["setup"]: r["users"][0]["ssdBytes"] for r in lines_of(arguments.file)}
    if "shares" not in alice:
        return
    shares = alice["shares"]
    if "alone" in alice and 2 * shares < alice["alone"]:
        raise Unmet(f"alice got {shares} bytes from SSD, alone {alice['alone']}")
    if "one-user" in alice and shares <= alice["one-user"]:
        raise Unmet("alice got no more than without shares")


def startup(arguments):
    """startup.sh: medians of the times until a DataNode has reported and is warm."""
    records = lines_of(arguments.file)

    def middle(setup, figure):
        return number(median(figure(r) for r in records if r["setup"] == setup))

    def reported(record):
        return record["reported"]

    def rest(record):
        return nearest(record["reported"] - record["walk_ms"] / 1000)

    def warm(record):
        return nearest(record["warm"] - record["reported"])

    print(f"reported after: plain {middle('disk', reported)} s, with the plugin {middle('hycache', reported)} s")
    print(f"without HDFS's walk: plain {middle('disk', rest)} s, with the plugin {middle('hycache', rest)} s")
    print(f"warm {middle('hycache', warm)} s after the report")


def idle(arguments):
    """idle.sh: medians of what a DataNode costs that has nothing to do."""
    print("| set-up | n | CPU, % of a core | resident, MB | after a collection, MB | in use then, MB | threads |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for (setup,), runs in groups(lines_of(arguments.file), "setup"):
        figures = (median(r[name] for r in runs) for name in ("cpu", "residentMb", "collectedMb", "usedMb", "threads"))
        print(markdown(setup, number(len(runs)), *(rounded(f) for f in figures)))


# ---------------------------------------------------------------- profile.sh

# The first kind of which a frame is in a stack is that of its sample.
KINDS_OF_WORK = (
    ("HyCache", ("io/hycache/", "org/apache/hadoop/hdfs/server/datanode/fsdataset/impl/HyCache")),
    ("checksums", ("Crc32", "CRC32", "DataChecksum")),
    ("sockets", ("sun/nio/ch/SocketChannelImpl", "sun/nio/ch/SocketDispatcher", "SocketOutputStream", "SocketInputStream")),
    ("files", ("java/io/FileOutputStream", "java/io/FileInputStream", "sun/nio/ch/FileChannelImpl", "java/io/RandomAccessFile",
               "java/io/UnixFileSystem", "sun/nio/fs/", "NativeIO")),
    ("other Java", ("java/lang/Thread.run",)),
)


def kind_of_work(stack):
    for kind, frames in KINDS_OF_WORK:
        if any(frame in stack for frame in frames):
            return kind
    return "JVM"


def profile(arguments):
    """profile.sh: CPU seconds a GB or 10,000 preads by kind of work, from the stacks that each line names."""
    names = [kind for kind, _ in KINDS_OF_WORK] + ["JVM"]
    print(markdown("set-up", "load", "threads", "CPU s", *names))
    print("|---|---|--:|--:|" + "--:|" * len(names))
    for record in lines_of(arguments.file):
        samples = dict.fromkeys(names, 0)
        with open(record["stacks"], encoding="utf-8") as file:
            for line in file:
                stack, _, count = line.rpartition(" ")
                samples[kind_of_work(stack)] += int(count)
        seconds = record["cpuSeconds"] / record["work"]
        total = sum(samples.values()) or 1
        print(markdown(record["setup"], record["load"], number(record["threads"]), rounded(seconds),
                       *(rounded(seconds * samples[name] / total) for name in names)))


# ---------------------------------------------------------------- appends.sh


def appends(arguments):
    """appends.sh: operations and failures by kind of each run."""
    names = ("setup", "replication", "creates", "appends", "truncates", "failed", "wrong")
    rows = [
        ["set-up", "replicas", *names[2:], "GB verified", "seconds", "failures"],
    ]
    for run in lines_of(arguments.file):
        failures = ", ".join(f"{kind}: {count}" for kind, count in run["failures"].items()) or "-"
        figures = [run[name] for name in names]
        rows.append([*figures, number(half_up(run["bytesVerified"] / 1e7) / 100), number(run["seconds"]), failures])
    print(columns(rows))


def appends_verdict(arguments):
    """1 if HyCache has more failures than plain HDFS, where both were run."""
    runs = lines_of(arguments.file)
    failed = {s: sum(r["failed"] for r in runs if r["setup"] == s) for s in ("hycache", "plain")}
    if any(r["setup"] == "plain" for r in runs) and failed["hycache"] > failed["plain"]:
        raise Unmet(f"HyCache has more failures than plain HDFS: {failed['hycache']}, {failed['plain']}")


# ---------------------------------------------------------------- simulations.sh


def workload(record):
    """What a generated trace is of, whatever its size and seed; of others the name."""
    return re.sub(r"-\d+x\d+-seed-?\d+(\.csv)?$", "", record["trace"])


def by_policy(records, row, value):
    """A row for each value of the function row, a column for each policy: the mean of the function value."""
    policies = list(dict.fromkeys(r["policy"] for r in records))
    print("| | " + " | ".join(policies) + " |")
    print("|---|" + "|".join("--:" for _ in policies) + "|")
    for name in sorted({row(r) for r in records}):
        means = (mean([value(r) for r in records if row(r) == name and r["policy"] == p]) for p in policies)
        print(markdown(number(name), *(rounded(m) for m in means)))


def hit_percent(record):
    return 100 * record["hits"] / record["accesses"]


def files_read(record):
    return record["accesses"] / 50


def simulations(arguments):
    """simulations.sh: the tables of its example, of round-robin and of the other workloads."""
    example, robin, others = (
        lines_of(os.path.join(arguments.directory, name + ".json")) for name in ("example", "round-robin", "others")
    )
    print("### The example: hits, disk milliseconds")
    by_policy(example, lambda r: "hits", lambda r: r["hits"])
    by_policy(example, lambda r: "disk ms", lambda r: r["disk_seconds"] * 1000)
    print("### Round-robin, 256 MB: hits, % of accesses, by number of files; means over the seeds")
    by_policy(robin, files_read, hit_percent)
    print("### Round-robin: disk seconds")
    by_policy(robin, files_read, lambda r: r["disk_seconds"])
    print("### Others: disk seconds; means over the seeds")
    by_policy(others, workload, lambda r: half_up(r["disk_seconds"]))
    print("### Others: TB written to SSD")
    by_policy(others, workload, lambda r: r["ssd_written_bytes"] / 1e12)
    print("### lookahead beside heuristic and beside the best that knows the future, disk seconds, worst seed")
    worst = defaultdict(lambda: (0.0, 0.0))
    for _, runs in groups(robin + others, "trace", "capacity_bytes"):
        seconds = {r["policy"]: r["disk_seconds"] for r in runs}
        ratios = seconds["lookahead"] / seconds["heuristic"], seconds["lookahead"] / min(seconds.values())
        name = workload(runs[0])
        worst[name] = tuple(map(max, worst[name], ratios))
    for name, (heuristic, best) in sorted(worst.items()):
        print(f"| {name} | {heuristic:.4f} | {best:.4f} |")


def simulated_trace(arguments):
    """simulations.sh: the tables of a trace."""
    records = lines_of(arguments.file)

    def gigabytes(record):
        return half_up(record["capacity_bytes"] / 1e9)

    print("### The trace: disk seconds, thousands, by SSD size in GB")
    by_policy(records, gigabytes, lambda r: half_up(r["disk_seconds"] / 1000))
    print("### The trace: hits, %")
    by_policy(records, gigabytes, hit_percent)


MOST_OF_LRU = {"wrong=10%": 1.02, "wrong=10%,chunk=1000": 1.02, "late=100": 1.02, "part=50%": 1, "wrong=100%": 1.05}
CLAIRVOYANT = ("belady", "belady-size", "lookahead")  # with perfect hints; none of them is a bound
MOST_OF_CLAIRVOYANT = 1.05


def simulated_hints(arguments):
    """simulations.sh: disk seconds of each policy as a part of those of lru, by quality of the hints."""
    records = lines_of(arguments.file)
    policies = [p for p in dict.fromkeys(r["policy"] for r in records) if p not in ("lru", "belady-size")]
    qualities = list(dict.fromkeys(r["hints"] for r in records))
    ratios, clairvoyant = defaultdict(list), []
    for _, runs in groups(records, "trace", "size", "hints"):
        seconds = {r["policy"]: r["disk_seconds"] for r in runs}
        cell = f"{workload(runs[0])} {runs[0]['size']}"
        for policy in policies:
            ratios[runs[0]["hints"], policy].append((seconds[policy] / seconds["lru"], cell))
        if "belady-size" in seconds:
            clairvoyant.append((seconds["adaptive"] / min(seconds[p] for p in CLAIRVOYANT if p in seconds), cell))
    cells = len({(workload(r), r["size"]) for r in records})
    print(f"### Hints that are not perfect: disk seconds / lru, worst and geometric mean of {cells} traces and sizes")
    print(markdown("hints", *policies))
    print("|---|" + "|".join("--:" for _ in policies) + "|")
    for quality in qualities:
        of = [[ratio for ratio, _ in ratios[quality, policy]] for policy in policies]
        print(markdown(quality, *(f"{rounded(max(r), 3)}, {rounded(geometric_mean(r), 3)}" for r in of)))
    verdicts = [(f"{quality}: adaptive / lru", ratios[quality, "adaptive"], most) for quality, most in MOST_OF_LRU.items()]
    verdicts.append(("perfect: adaptive / the best that knows the future", clairvoyant, MOST_OF_CLAIRVOYANT))
    for what, measured, most in verdicts:
        if not measured:
            continue
        ratio, cell = max(measured)
        print(f"* {what}, worst: {rounded(ratio, 3)} ({cell}); wanted at most {most}: {'met' if ratio <= most else 'NOT MET'}")
    print("### Hints that are not perfect: disk seconds / lru")
    print(markdown("trace, SSD", "hints", *policies))
    print("|---|---|" + "|".join("--:" for _ in policies) + "|")
    for (_, size), runs in groups(records, "trace", "size"):
        for quality in qualities:
            seconds = {r["policy"]: r["disk_seconds"] for r in runs if r["hints"] == quality}
            ratios = (rounded(seconds[p] / seconds["lru"], 3) for p in policies)
            print(markdown(f"{workload(runs[0])} {size}", quality, *ratios))


# ---------------------------------------------------------------- frontier.sh

DEFAULT_PRICE, BELOW, AT_NO_PRICE, LEAST_SHARE, WORST, APART, LEAST_GAIN = 0.05, 1.02, 1.01, 80, 1.05, 0.5, 12
NO_RIVALS = ("none", "adaptive", "lru (libCacheSim)", "lhd-trained")


def point(record):
    return record["ssd_written_bytes"], record["disk_seconds"]


def at_price(record):
    """The policy, and the price of SSD writes if it weighs that."""
    return record["policy"] + (f" at {number(record['price'])}" if "price" in record else "")


def lower_hull(points):
    """The points of the lower convex hull, from the fewest bytes on, as far as disk seconds fall."""
    hull = []
    for bytes_, seconds in sorted(points):
        if hull and seconds >= hull[-1][1]:
            continue
        while len(hull) > 1:
            (b0, s0), (b1, s1) = hull[-2:]
            if (s1 - s0) * (bytes_ - b0) < (seconds - s0) * (b1 - b0):
                break
            hull.pop()
        hull.append((bytes_, seconds))
    return hull


def seconds_at(hull, bytes_):
    """The lowest disk seconds at so many bytes or fewer; infinite if the hull begins with more."""
    if bytes_ < hull[0][0]:
        return math.inf
    for (b0, s0), (b1, s1) in zip(hull, hull[1:]):
        if bytes_ <= b1:
            return s0 + (s1 - s0) * (bytes_ - b0) / (b1 - b0)
    return hull[-1][1]


def ratio(part, whole):
    return math.inf if whole == 0 and part > 0 else 1.0 if whole == 0 else part / whole


class Cell:
    """The records of one trace and size: of adaptive by price, of others by policy, at each price if they weigh it."""

    def __init__(self, name, records):
        self.name = name
        self.prices = {r["price"]: r for r in records if r["policy"] == "adaptive"}
        self.others = {at_price(r): r for r in records if r["policy"] != "adaptive"}
        self.lru = self.others["lru"]
        self.rivals = {p: r for p, r in self.others.items() if p not in NO_RIVALS and "price" not in r}
        self.own = {p: r for p, r in self.others.items() if "price" in r}
        self.hull = lower_hull([point(r) for r in (*self.prices.values(), self.others["none"])])

    def of_lru(self, record):
        """Disk seconds and SSD bytes as parts of those of lru."""
        return tuple(ratio(ours, lrus) for ours, lrus in zip(point(record)[::-1], point(self.lru)[::-1]))

    def needs(self, policy):
        """What the frontier needs at the policy's SSD bytes, as a part of the policy's disk seconds."""
        bytes_, seconds = point(self.others[policy])
        return ratio(seconds_at(self.hull, bytes_), seconds)


def verdict(what, wanted, found, met):
    """A line of a verdict; whether it is met."""
    print(f"* {what}: {found}; wanted {wanted}: {'met' if met else 'NOT MET'}")
    return met


def details(texts):
    """Prints what a line before is about, if anything."""
    if texts:
        print("  " + "; ".join(texts))


def below_frontier(cells, policies_of):
    """The policies that are below the frontier, as text, and in how many cells one is."""
    found = [(cell.needs(p), cell.name, p) for cell in cells for p in policies_of(cell)]
    below = sorted((each for each in found if each[0] > BELOW), reverse=True)
    return [f"{name} {p} {rounded(needs, 3)}" for needs, name, p in below], len({name for _, name, _ in below})


def beside_best(cells, policies_of):
    """Disk seconds of adaptive at price 0 as a part of those of the best policy: the worst, and as text those above the limit."""
    best = []
    for cell in cells:
        name, rival = least(policies_of(cell))
        best.append((ratio(cell.prices[0]["disk_seconds"], rival["disk_seconds"]), f"{cell.name} beside {name}"))
    best.sort(reverse=True)
    return best, [f"{text} {rounded(value, 3)}" for value, text in best if value > AT_NO_PRICE]


def least(policies):
    """The policy of the fewest disk seconds, and its record."""
    return min(policies.items(), key=lambda each: each[1]["disk_seconds"])


def each_beside_best(cells):
    """Prints how far adaptive at price 0, and each of the others, is from the best of the others."""
    print("### Disk seconds / the best of the others in each cell; of adaptive at price 0")
    print(markdown("policy", "worst", "in", f"cells above {AT_NO_PRICE}"))
    print("|---|--:|---|--:|")
    ratios = {}
    for cell in cells:
        best = least(cell.rivals)[1]["disk_seconds"]
        for policy, record in {"adaptive": cell.prices[0], **cell.rivals}.items():
            ratios.setdefault(policy, []).append((ratio(record["disk_seconds"], best), cell.name))
    for policy, found in sorted(ratios.items(), key=lambda each: (max(each[1]), each[0])):
        above = sum(value > AT_NO_PRICE for value, _ in found)
        print(markdown(policy, rounded(max(found)[0], 3), max(found)[1], f"{above} of {len(found)}"))


def frontier(arguments):
    """frontier.sh: disk seconds and SSD bytes beside lru, policies below our frontier, and the verdicts; 1 if one is not met."""
    records = lines_of(arguments.file)
    cells = [Cell(f"{workload(runs[0])} {size}", runs) for (_, _, size), runs in groups(records, "trace", "capacity_bytes", "size")]
    prices = list(dict.fromkeys(p for cell in cells for p in cell.prices))
    others = list(dict.fromkeys(p for cell in cells for p in cell.others))
    print("### The frontier: disk seconds / lru, SSD bytes / lru")
    print(markdown("trace, SSD", *(at_price({"policy": "adaptive", "price": p}) for p in prices), *(p for p in others if p != "lru")))
    print("|---|" + "|".join("--:" for _ in prices + others[1:]) + "|")
    for cell in cells:
        shown_records = [cell.prices[p] for p in prices] + [cell.others[p] for p in others if p != "lru"]
        print(markdown(cell.name, *(", ".join(rounded(v) for v in cell.of_lru(r)) for r in shown_records)))
    compared = [p for p in others if p not in ("none", "lru (libCacheSim)")]
    print(f"### What our frontier needs at a policy's SSD bytes / the policy's disk seconds; above {BELOW} the policy is below")
    print(markdown("trace, SSD", *compared))
    print("|---|" + "|".join("--:" for _ in compared) + "|")
    for cell in cells:
        print(markdown(cell.name, *(rounded(cell.needs(p), 3) for p in compared)))
    each_beside_best(cells)
    print("### Verdicts")
    below, count = below_frontier(cells, lambda cell: cell.rivals)
    met = [verdict("policies below our frontier by more than 2 %", "none", f"in {count} of {len(cells)} cells", not below)]
    details(below)
    best, above = beside_best(cells, lambda cell: cell.rivals)
    met.append(verdict(
        "disk seconds at price 0 / the best of the others, worst", f"at most {AT_NO_PRICE}",
        f"{rounded(best[0][0], 3)} ({best[0][1]}), above that in {len(above)} of {len(cells)} cells", not above))
    details(above)
    if all(cell.own for cell in cells):
        below, count = below_frontier(cells, lambda cell: cell.own)
        best, above = beside_best(cells, lambda cell: cell.own)
        print(
            f"* reported: of the policies that weigh the price, some at some price is below by more than 2 % in {count} of {len(cells)} "
            f"cells; price 0 beside the best of them at any price, worst: {rounded(best[0][0], 3)} ({best[0][1]}), above {AT_NO_PRICE} "
            f"in {len(above)}")
        details(below)
        details(above)
    ours = [(*cell.of_lru(cell.prices[DEFAULT_PRICE]), cell.name) for cell in cells]
    better = sum(seconds <= 1 and bytes_ <= 1 and seconds + bytes_ < 2 for seconds, bytes_, _ in ours)
    share = 100 * better / len(ours)
    met.append(verdict(
        f"cells in which price {DEFAULT_PRICE} is better than lru on both", f"at least {LEAST_SHARE} %",
        f"{better} of {len(ours)}, {rounded(share, 1)} %", share >= LEAST_SHARE))
    worse = [f"{name} {rounded(s, 3)}, {rounded(b, 3)}" for s, b, name in ours if not (s <= 1 and b <= 1 and s + b < 2)]
    if worse:
        print("  not in: " + "; ".join(worse))
    met.append(verdict(
        f"disk seconds at price {DEFAULT_PRICE} / lru, worst", f"at most {WORST}", f"{rounded(max(ours)[0], 3)} ({max(ours)[2]})",
        max(ours)[0] <= WORST))
    theirs = [(cell.of_lru(cell.others["lru (libCacheSim)"]), cell.name) for cell in cells if "lru (libCacheSim)" in cell.others]
    if theirs:
        apart, name = max((max(100 * abs(value - 1) for value in values), name) for values, name in theirs)
        met.append(verdict(
            "libCacheSim's lru apart from ours, worst", f"at most {APART} %", f"{rounded(apart, 3)} % ({name})", apart <= APART))
    if not all(met):
        raise Unmet()


def frontier_peak(arguments):
    """frontier.sh --peak: disk time at the peak at an equal write rate; 1 if we gain too little where there is enough to gain."""
    records = lines_of(arguments.file)
    policies = ("none", "lru", "rejectx", "offline", "adaptive", "belady-size", "lookahead")
    print("### Busy disks at the peak, mean; TB written to SSD")
    print(markdown("trace, SSD", "write rate / RejectX's", *policies, "offline gains at the peak, %", "adaptive", "price"))
    print("|---|---|" + "|".join("--:" for _ in range(len(policies) + 3)) + "|")
    cells = groups(records, "trace", "capacity_bytes", "size", "rate")
    enough = short = 0
    for (_, _, size, rate), runs in cells:
        by_name = {r["policy"]: r for r in runs}
        missing = [p for p in policies if p not in by_name]
        if missing:
            raise ValueError(f"expected runs of {', '.join(policies)}, found none of {', '.join(missing)}. Fix: measure again with frontier.sh --peak")

        def gain(policy, of=by_name):
            return 100 * (1 - ratio(of[policy]["peak_busy_disks"], of["rejectx"]["peak_busy_disks"]))

        figures = (
            f"{rounded(r['peak_busy_disks'])}, {rounded(r['mean_busy_disks'])}; {rounded(r['ssd_written_bytes'] / 1e12)}"
            + (": over the rate" if r.get("over_write_rate") else "")
            for r in (by_name[p] for p in policies)
        )
        ours = by_name["adaptive"]
        over = ours["ssd_written_bytes"] > by_name["rejectx"]["ssd_written_bytes"]
        price = number(nearest(ours["price"], 4)) + (": writes more at any price" if over else "")
        gains = (rounded(gain(p), 1) for p in ("offline", "adaptive"))
        print(markdown(f"{workload(runs[0])} {size}", rate, *figures, *gains, price))
        if gain("offline") >= LEAST_GAIN:
            enough += 1
            short += over or gain("adaptive") < LEAST_GAIN
    print("### Verdict")
    what = f"less disk time at the peak than RejectX by {LEAST_GAIN} %, where offline has that"
    if not enough:
        print(f"* {what}: not tested, in none of {len(cells)} cells offline has it")
    elif not verdict(what, "in all", f"in {enough - short} of {enough} such cells, of {len(cells)} in all", short == 0):
        raise Unmet()


# ---------------------------------------------------------------- secure.sh


def secure(arguments):
    """secure.sh: who may what, and the checks, of one mapping."""
    records = [r for r in lines_of(arguments.file) if r["mapping"] == arguments.mapping]
    cells, names = {}, {}
    checks = [["what", "expected", "found", ""]]
    for record in records:
        what = record.get("what", "")
        proxy = what.startswith("proxy:")
        if record["kind"] == "cell" and not proxy:
            command, user = what.split("|")[:2]
            names[command] = None
            cells[command, user] = record["found"] + ("" if record["asExpected"] else "(!)")
        elif record["kind"] == "check" or proxy:
            good = "ok" if record["asExpected"] else "UNEXPECTED"
            checks.append([what.split("|")[0], record["expected"], record["found"], good])
    print(f"\n== {arguments.mapping}: who may what, as seen")
    print(columns([["command", *arguments.users], *([n, *(cells.get((n, u), "-") for u in arguments.users)] for n in names)]))
    print(f"\n== {arguments.mapping}: checks")
    print(columns(checks))


# ---------------------------------------------------------------- scrub.sh


def scrub(arguments):
    """scrub.sh: the line of a steady state."""
    seconds, read = arguments.seconds, arguments.bytes
    rate = read / seconds / 1e6
    print(
        f"{arguments.name:<8} seconds={seconds:.1f} read_from_ssd={read} MB_per_s={rate:.2f} "
        f"share_of_bandwidth={100 * rate / arguments.ssd_mbps:.3f}% copies_verified={arguments.copies} "
        f"bytes_scrubbed={arguments.scrubbed}"
    )


def busiest(arguments):
    """scrub.sh: of samples `NANOSECONDS BYTES`, two a second, the five seconds with most bytes."""
    with open(arguments.file, encoding="utf-8") as file:
        samples = [tuple(map(int, line.split())) for line in file if len(line.split()) == 2]
    most = max(
        ((b1 - b0) * 1000 / (t1 - t0) for (t0, b0), (t1, b1) in zip(samples, samples[10:])), default=0.0
    )
    most = max(most, 0.0)
    print(
        f"{arguments.name:<8} busiest_5_s: MB_per_s={most:.2f} share_of_bandwidth={100 * most / arguments.ssd_mbps:.1f}%"
    )


# ---------------------------------------------------------------- sync-order.sh

STEPS = ("sync data", "sync checksums", "rename data", "rename checksums", "sync directory", "unlink")


def block_of(path):
    found = re.search("blk_[0-9]+", path)
    return found.group() if found else None


class Order:
    """The line of the trace at which each step of each block ended; 0 for a step that was not seen."""

    def __init__(self, ssd, hdd):
        self.ssd, self.hdd = ssd, hdd
        self.at = defaultdict(dict)
        self.home = {}
        self.directories = {}
        self.waiting = {}

    def synced(self, path, line):
        if not path.startswith(self.hdd):
            return
        block = block_of(path)
        if block is None:
            self.directories[path] = line
            return
        what = "sync checksums" if path.endswith(".meta") else "sync data"
        if "rename data" not in self.at[block]:
            self.at[block].pop(what, None)  # the last one before the rename counts
        self.at[block].setdefault(what, line)

    def renamed(self, target, line):
        block = block_of(target) if target.startswith(self.hdd) else None
        if block is not None:
            self.at[block].setdefault("rename checksums" if target.endswith(".meta") else "rename data", line)
            self.home[block] = target.rsplit("/", 1)[0]

    def unlinked(self, path, line):
        block = block_of(path) if path.startswith(self.ssd) else None
        if block is not None and "unlink" not in self.at[block]:
            self.at[block]["unlink"] = line
            self.at[block]["sync directory"] = self.directories.get(self.home.get(block), 0)

    def read(self, number_of_line, text):
        process = text.split(None, 1)[0] if text.strip() else ""
        quoted = text.split('"')
        if re.search(r"f(data)?sync\(", text):
            found = re.search("<([^>]*)>", text)
            path = found.group(1) if found else ""
            if "unfinished" in text:
                self.waiting[process] = path
            elif text.endswith("= 0"):
                self.synced(path, number_of_line)
        elif re.search("f(data)?sync resumed", text):
            if text.endswith("= 0"):
                self.synced(self.waiting.get(process, ""), number_of_line)
        elif "resumed" in text:
            pass
        elif "rename" in text:
            self.renamed(quoted[3] if len(quoted) > 3 else "", number_of_line)
        elif "unlink" in text:
            self.unlinked(quoted[1] if len(quoted) > 1 else "", number_of_line)


def in_order(at):
    before = [at.get(step, 0) for step in STEPS[:-1]]
    return (
        all(0 < line < at["unlink"] for line in before)
        and at["sync data"] <= at["rename data"] <= at["sync directory"]
        and at["sync checksums"] <= at["rename checksums"] <= at["sync directory"]
    )


def sync_order(arguments):
    """sync-order.sh: of each demoted block the lines of the strace, and whether their order is right; 1 if one is not."""
    order = Order(arguments.ssd, arguments.hdd)
    with open(arguments.file, encoding="utf-8", errors="replace") as file:
        for line, text in enumerate(file, 1):
            order.read(line, text.rstrip("\n"))
    demoted = {block: at for block, at in sorted(order.at.items()) if "unlink" in at}
    print(f"{'block':<16}" + "".join(f" {step:>17}" for step in STEPS) + "  order")
    for block, at in demoted.items():
        lines = "".join(f" {at.get(step, 0):>17}" for step in STEPS)
        print(f"{block:<16}{lines}  {'right' if in_order(at) else 'WRONG'}")
    wrong = sum(not in_order(at) for at in demoted.values())
    print(f"{len(demoted)} blocks demoted, {wrong} in the wrong order (figures: lines of the trace)")
    if wrong or not demoted:
        raise Unmet()


# ---------------------------------------------------------------- torture.sh


def torture(arguments):
    """torture.sh: the result as one JSON object, of what is in its folder and of the fields given as NAME=JSON."""
    found = defaultdict(list)
    for clients in lines_of(os.path.join(arguments.directory, "clients.json")):
        for name, value in clients.items():
            found[name].append(value)
    result = {}
    for name, values in sorted(found.items()):
        numeric = isinstance(values[0], (int, float)) and not isinstance(values[0], bool)
        result[name] = sum(values) if numeric else values[0]
    for field in arguments.fields:
        name, equals, value = field.partition("=")
        if not equals:
            raise ValueError(f"expected NAME=JSON, found '{field}'. Fix: name each field, as in dataNodeKills=3")
        result[name] = json.loads(value)
    result["verifiedWithoutPlugin"] = lines_of(os.path.join(arguments.directory, "verify.json"))
    counters = defaultdict(int)
    for record in lines_of(os.path.join(arguments.directory, "counters.jsonl")):
        for name, value in record.items():
            counters[name] += value
    result["faults"] = lines_by_count(os.path.join(arguments.directory, "faults.txt")) or None
    result["tools"] = lines_by_count(os.path.join(arguments.directory, "tools.ends")) or None
    result["counters"] = dict(sorted(counters.items())) or None
    print(json.dumps(result, separators=(",", ":"), ensure_ascii=False))


def torture_faults(arguments):
    """torture.sh: 1 unless each of these faults happened; one that did not is not tested."""
    happened = lines_by_count(arguments.file)
    missing = [fault for fault in arguments.faults if fault not in happened]
    if missing:
        raise Unmet(f"expected each of these faults at least once, found none of: {', '.join(missing)}. Fix: more --minutes")


def nowhere_to_go(arguments):
    """torture.sh: 1 unless each block that a NameNode's metasave waits for has a replica on each DataNode, or is missing and corrupt."""
    missing, bad, seen = 0, False, False
    with open(arguments.file, encoding="utf-8", errors="replace") as file:
        for line in file:
            last = line.split()[-1] if line.split() else ""
            if "Blocks being reconstructed" in line and last != "0":
                bad = True
            if "Blocks currently missing" in line:
                missing += int(last)
            if "replicas: live:" not in line:
                continue

            def count(what):
                found = re.search(what + ": ([0-9]+)", line)
                return int(found.group(1)) if found else 0

            live, corrupt, excess = count("live"), count("corrupt"), count("in excess")
            seen = True
            if " MISSING " in line:
                missing -= 1
                bad = bad or corrupt == 0
            else:
                bad = bad or live == 0 or live + excess + corrupt < arguments.nodes or excess + corrupt == 0
    if bad or missing != 0 or not seen:
        raise Unmet()


# ---------------------------------------------------------------- command line


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: error: {message}. Fix: see {self.prog} --help\n")


def parser():
    top = Parser(prog="report.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = top.add_subparsers(metavar="COMMAND", required=True, dest="command")

    def command(function, *arguments):
        text = function.__doc__
        sub = commands.add_parser(function.__name__.replace("_", "-"), help=text, description=text)
        for name, options in arguments:
            sub.add_argument(name, **options)
        sub.set_defaults(function=function)

    file, directory = ("file", {"metavar": "FILE"}), ("directory", {"metavar": "DIR"})
    name = ("name", {"metavar": "NAME"})
    for function in (
        experiment, localdir, localdir_verdict, locality, latency, mixed, jobs, tiers, pins, tpch, nightly, hint_failures, disks, users, users_verdict, startup,
        idle, profile, appends, appends_verdict, simulated_trace, simulated_hints, frontier, frontier_peak,
    ):
        command(function, file)
    command(hive, file, ("blocks", {"metavar": "BLOCKS", "type": int, "help": "that a query of two days reads"}))
    command(simulations, directory)
    command(secure, file, ("mapping", {"metavar": "MAPPING"}), ("users", {"metavar": "USER", "nargs": "+"}))
    mbps = ("--ssd-mbps", {"type": float, "required": True, "metavar": "N"})
    command(
        scrub, name, mbps,
        ("--seconds", {"type": float, "required": True, "metavar": "S"}),
        *((f"--{n}", {"type": int, "required": True, "metavar": "N"}) for n in ("bytes", "copies", "scrubbed")),
    )
    command(busiest, name, file, mbps)
    command(
        sync_order, file,
        ("--ssd", {"required": True, "metavar": "DIR", "help": "of the replicas on SSD"}),
        ("--hdd", {"required": True, "metavar": "DIR", "help": "of the replicas on DISK"}),
    )
    command(torture, directory, ("fields", {"metavar": "NAME=JSON", "nargs": "*"}))
    command(torture_faults, file, ("faults", {"metavar": "FAULT", "nargs": "*"}))
    command(nowhere_to_go, file, ("nodes", {"type": int, "metavar": "DATANODES"}))
    return top


def main(arguments=None):
    parsed = parser().parse_args(arguments)
    try:
        parsed.function(parsed)
    except Unmet as unmet:
        if str(unmet):
            print(unmet, file=sys.stderr)
        return 1
    except (OSError, ValueError, KeyError, IndexError, TypeError, ArithmeticError) as error:
        kind = f"field {error}" if isinstance(error, KeyError) else str(error)
        print(f"report.py {parsed.command}: error: {kind}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
