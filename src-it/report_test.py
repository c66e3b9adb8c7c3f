#!/usr/bin/env python3
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""report_test.py: tests report.py in a second: a few records for each command, and the text that must come of them."""
import contextlib
import io
import json
import os
import tempfile
import unittest

import report

RUN = {"commit": "c0ffee", "kernel": "6.1", "jvm": "17", "cpus": "2", "hadoop": "3.4.2", "seed": 1, "quick": 0}


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, *lines):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.writelines((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        return self.path(name)

    def run_report(self, *arguments):
        """(exit code, lines on standard output, standard error)"""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = report.main(list(map(str, arguments)))
            except SystemExit as end:
                code = end.code
        return code, out.getvalue().splitlines(), err.getvalue()

    def table(self, *arguments):
        code, lines, errors = self.run_report(*arguments)
        self.assertEqual((0, ""), (code, errors))
        return lines

    def test_median_of_odd_even_and_no_numbers(self):
        self.assertEqual(2, report.median([3, 1, 2]))
        self.assertEqual(1.5, report.median([2, 1, None]))
        self.assertIsNone(report.median([None]))

    def test_numbers_round_half_up_and_lose_their_point(self):
        self.assertEqual(["3", "-3", "0.13", "1", "null"], [
            report.number(report.half_up(2.5)), report.number(report.half_up(-2.5)), report.rounded(0.125),
            report.rounded(1.001), report.number(None)])

    @staticmethod
    def values(row, what, unit, **setups):
        for setup, figures in setups.items():
            for value in figures:
                yield {**RUN, "row": row, "what": what, "setup": setup, "unit": unit, "value": value}

    def test_experiment_has_medians_ratios_and_verdicts(self):
        file = self.write(
            "run.jsonl",
            *self.values("a", "write", "MB/s", disk=[100, 110, 90], ssd=[200, 300, 100], hycache=[180, 189.4, 200]),
            *self.values("b", "stalled writes", "count", disk=[0], hycache=[0, 0, 1, 0, 2, 0]),
            *self.values("d", "p99, 1 clients", "ms", ssd=[2], rival=[4], hycache=[1]),
            {**RUN, "row": "f", "what": "ratio of sizes", "setup": "-", "unit": "ratio", "value": 2.004},
        )
        code, lines, errors = self.run_report("experiment", file)
        self.assertEqual((1, "row b, stalled writes: 1, wanted 0\nrow b, stalled writes: 2, wanted 0\n"), (code, errors))
        self.assertEqual("HyCache for HDFS: commit c0ffee, kernel 6.1, JVM 17, 2 CPUs, Hadoop 3.4.2, seed 1", lines[0])
        self.assertEqual(
            [
                "| a | write | MB/s | 3 | 100 | 200 |  | 189 | 1.89 | 0.95 |  | 0.95 of ALL_SSD: NOT MET |",
                "| b | stalled writes | count | 1 | 0 |  |  | 3 |  |  |  | 0: NOT MET |",
                "| d | p99, 1 clients | ms | 1 |  | 2 | 4 | 1 |  | 2 | 4 |  |",
                "| f | ratio of sizes: 2 | ratio | | | | | | | | | |",
            ],
            lines[4:],
        )

    def test_experiment_says_where_copies_were_missing(self):
        def copies(rep, value):
            return {**RUN, "row": "c,d", "what": "clean copies of /base/hot", "setup": "hycache", "unit": "bytes of copies", "rep": rep,
                    "value": value, "result": {"wantedBytes": 1.61e9}}

        lines = self.table("experiment", self.write(
            "run.jsonl", copies(1, 1.61e9), copies(2, 8e8), *self.values("c", "read, 1 readers", "MB/s", ssd=[100], hycache=[100])))
        self.assertEqual(
            ["| c | read, 1 readers | MB/s | 1 |  | 100 |  | 100 |  | 1 |  | 0.95 of ALL_SSD: met |",
             "* rows c,d, repetition 2: HyCache went on with only 800 of 1610 MB of clean copies of /base/hot"], lines[4:])

    def test_experiment_is_not_met_if_a_file_differs_or_a_write_failed_or_stalled(self):
        def verdict(*records):
            code, _, errors = self.run_report("experiment", self.write("run.jsonl", *records))
            return code, errors

        self.assertEqual((0, ""), verdict(*self.values("b", "failed writes", "count", ssd=[9], hycache=[0, 0]), *self.values("i", "files", "count", hycache=[0])))
        self.assertEqual((1, "row b, failed writes: 1, wanted 0\n"), verdict(*self.values("b", "failed writes", "count", hycache=[0, 0, 1])))
        self.assertEqual((0, ""), verdict(*self.values("b", "stalled writes", "count", disk=[3], ssd=[9], hycache=[0, 0, 0])))
        self.assertEqual((1, "row b, stalled writes: 1, wanted 0\n"), verdict(*self.values("b", "stalled writes", "count", hycache=[0, 1, 0])))
        self.assertEqual((1, "row i, files: 2, wanted 0\n"), verdict(*self.values("i", "files", "count", hycache=[2])))

    def jobs(self, **seconds):
        traffic = {device + kind: 2500000 for device in ("ssd", "hdd", "big") for kind in ("Read", "Written")}
        return self.write(
            "run.jsonl", {"part": "kill"},
            *({"part": "jobs", "what": "sort", "setup": s, "seconds": v, "traffic": traffic} for s, v in seconds.items()),
        )

    def test_localdir_compares_with_hdd(self):
        self.assertEqual("| sort | tiered | 1 | 80 | 5, 5 | 3, 3 | 1.25 |", self.table("localdir", self.jobs(hdd=100, tiered=80))[-1])

    def test_localdir_verdict(self):
        self.assertEqual([], self.table("localdir-verdict", self.jobs(hdd=100, spread=80, tiered=80)))
        code, _, errors = self.run_report("localdir-verdict", self.jobs(hdd=100, spread=79.5, tiered=80))
        self.assertEqual((1, "sort: tiered 80 s, wanted no slower than spread, 79.5 s\n"), (code, errors))
        code, _, errors = self.run_report("localdir-verdict", self.jobs(hdd=100, tiered=90))
        self.assertEqual((1, "sort: tiered 90 s, wanted 1.15 times as fast as hdd, 100 s\n"), (code, errors))

    def test_locality(self):
        file = self.write("run.jsonl", {"part": "traffic"}, {"part": "locality", "what": "off", "seconds": 9.5, "share": 0.25})
        self.assertEqual(["locality off: TeraSort 9.5 s, 0.25 of the bytes from SSD (n=1)"], self.table("locality", file))

    def test_latency_shows_the_figures_that_are_there(self):
        file = self.write("run.jsonl", *({"part": "burst", "setup": "disk", "mbpsClosed": m, "opP99Ms": 7} for m in (1, 3, 2)))
        self.assertEqual(["burst, disk, n=3: 2 MB/s, 7 ms p99"], self.table("latency", file))

    def test_jobs_has_medians_by_set_up_policy_and_size(self):
        mib = 2**20
        run = {
            "setup": "chain", "policy": "lru", "ssdPercent": 40, "jobSeconds": 9, "hddBytesRead": 3 * mib, "ssdBytesRead": 2 * mib,
            "ssdBytesWritten": mib, "readAheadBytes": 0, "promoted": 4, "evicted": 3, "evictedUnread": 1, "promotedBytes": mib,
        }
        runs = (
            {**run, "seconds": 10, "eachSeconds": [4, 6], "fromSsdBytes": 2 * mib},
            {**run, "seconds": 12, "eachSeconds": [5, 7], "fromSsdBytes": 2 * mib},
            {**run, "setup": "disk", "policy": "-", "seconds": 20, "eachSeconds": [20], "fromSsdBytes": 0},
        )
        self.assertEqual(
            [
                "| chain | lru | 40 | 2 | 11: 4.5, 6.5 | 9 | 3, 2 | 1 | 0 | 4, 3, 1 | 0.5 |",
                "| disk | - | 40 | 1 | 20 | 9 | 3, 2 | 1 | 0 | 4, 3, 1 | - |",
            ],
            self.table("jobs", self.write("run.jsonl", *runs))[-2:],
        )

    def test_pins_has_medians_by_job_and_set_up(self):
        mib = 2**20
        run = {"job": "spark", "setup": "pinned", "hddBytesRead": mib, "ssdBytesRead": 9 * mib, "splits": 6, "splitsInMemory": 5, "tasks": 8,
               "tasksWithCachedHost": 7, "tasksOnCachedHost": 6, "tasksLocal": 8}
        runs = (
            {**run, "jobSeconds": 4},
            {**run, "jobSeconds": 6},
            {"job": "mapreduce", "setup": "plain", "jobSeconds": 9, "hddBytesRead": mib, "ssdBytesRead": 0, "splits": 6, "splitsInMemory": 0},
        )
        self.assertEqual(
            ["| mapreduce | plain | 1 | 9 | 1, 0 | 6, 0 | -, -, -, - |", "| spark | pinned | 2 | 5 | 1, 9 | 6, 5 | 8, 7, 6, 8 |"],
            self.table("pins", self.write("run.jsonl", *runs))[-2:],
        )

    def test_tpch_has_medians_by_set_up_and_pass_and_compares_results(self):
        mib = 2**20
        query = {"query": "6", "seconds": 4, "md5": "a"}
        run = {"setup": "automatic", "policy": "heuristic", "ssdPercent": 30, "pass": 1, "hddBytesRead": 3 * mib, "ssdBytesRead": 2 * mib,
               "hints": {"hinted": 5, "replaced": 1, "failed": 0, "handOverMicros": 900, "longestMicros": 120}}
        runs = (
            {**run, "seconds": 4, "queries": [query]},
            {**run, "seconds": 6, "queries": [{**query, "seconds": 6}]},
            {**run, "setup": "plain", "policy": "-", "hints": {}, "seconds": 9, "queries": [{**query, "seconds": 9}]},
        )
        self.assertEqual(
            [
                "| automatic | heuristic | 30 | 1 | 2 | 5: Q6 5 | 3, 2 | 5, 1, 0 | 0.9, 0.12 |",
                "| plain | - | 30 | 1 | 1 | 9: Q6 9 | 3, 2 | -, -, - | -, - |",
            ],
            self.table("tpch", self.write("run.jsonl", *runs))[-2:],
        )
        other = {**run, "setup": "lru", "seconds": 4, "queries": [{**query, "md5": "b"}]}
        code, lines, errors = self.run_report("tpch", self.write("run.jsonl", *runs, other))
        self.assertEqual((1, "the results of queries differ between set-ups: 6\n"), (code, errors))
        self.assertEqual("| lru | heuristic | 30 | 1 | 1 | 4: Q6 4 | 3, 2 | 5, 1, 0 | 0.9, 0.12 |", lines[-1])

    def test_hive_has_medians_by_set_up_and_query_and_checks_hints_and_results(self):
        mib = 2**20
        run = {"setup": "hook", "query": "days-1", "rep": 1, "code": 0, "seconds": 4, "result": "a", "lines": 0, "active": False, "hinted": 12,
               "read": 12, "readFromSsd": 8, "late": 4, "wrong": 0, "hddBytesRead": 3 * mib, "ssdBytesRead": 2 * mib}
        plain = {"setup": "plain", "query": "days-1", "rep": 1, "code": 0, "seconds": 9, "result": "a", "lines": 0, "hddBytesRead": mib, "ssdBytesRead": 0}
        failing = {**run, "query": "fails", "code": 2, "seconds": None, "result": "b", "hinted": 6}
        self.assertEqual(
            [
                "| hook | days-1 | 2 | 0 | 5 | 3, 2 | 12, 12, 8, 4, 0 | 0 |",
                "| hook | fails | 1 | 2 | - | 3, 2 | 6, 12, 8, 4, 0 | 0 |",
                "| plain | days-1 | 1 | 0 | 9 | 1, 0 | -, -, -, -, - | 0 |",
            ],
            self.table("hive", self.write("run.jsonl", run, {**run, "rep": 2, "seconds": 6}, failing, plain), "12")[-3:],
        )
        for other, fault in (
            ({**run, "hinted": 11}, "hook, days-1, 1: 11 block reads hinted, 12 wanted"),
            ({**run, "active": True}, "hook, days-1, 1: the hints did not end with the query"),
            ({**plain, "hinted": 1}, "plain, days-1, 1: hinted without the hook"),
            ({**plain, "lines": 1}, "plain, days-1, 1: 1 lines of warnings"),
            ({**failing, "code": 0}, "hook, fails, 1: ended with 0"),
            ({**plain, "result": "c"}, "the results of queries differ"),
        ):
            code, _, errors = self.run_report("hive", self.write("run.jsonl", run, other), "12")
            self.assertEqual((1, fault + "\n"), (code, errors))

    def test_nightly_has_medians_by_set_up_and_kind_of_night(self):
        mib = 2**20
        run = {"setup": "learned", "fromSsdBytes": 3 * mib, "fromDiskBytes": mib, "hinted": 10, "read": 8, "wrong": 2,
               "hddBytesRead": 5 * mib, "ssdBytesWritten": 4 * mib, "othersBytes": 7 * mib, "seconds": 6}
        runs = (
            {**run, "setup": "none", "night": 1, "hinted": 0, "read": 0, "wrong": 0},
            {**run, "night": 3},
            {**run, "night": 5, "fromSsdBytes": mib, "seconds": 8},
            {**run, "night": 6},
        )
        self.assertEqual(
            [
                "| none | 1-2 | 1 | 75 (75-75) | - | - | 5, 4 | 7 | 6 |",
                "| learned | 3-5 | 2 | 63 (50-75) | 20, 16, 4 | 0.25 | 5, 4 | 7 | 7 |",
                "| learned | 6 | 1 | 75 (75-75) | 10, 8, 2 | 0.25 | 5, 4 | 7 | 6 |",
            ],
            self.table("nightly", self.write("run.jsonl", *runs))[-3:],
        )

    def test_hint_failures_compares_a_job_with_hints_to_one_without(self):
        run = {"case": "refused", "code": 0, "submissions": 0, "clientLines": 0, "containerLines": 0, "traces": 0, "otherTraces": 3}
        runs = (
            {**run, "client": "plain", "seconds": 9},
            {**run, "client": "auto", "seconds": 8, "clientLines": 1},
            {**run, "client": "auto", "seconds": 10.04, "otherTraces": 1},
        )
        expected = ["| refused | plain | 1 | 0 | 9 (9-9) | 0 | 0, 0 | 0, 3 |", "| refused | auto | 2 | 0 | 9 (8-10) | 0 | 1, 0 | 0, 3 |"]
        self.assertEqual(expected, self.table("hint-failures", self.write("run.jsonl", *runs))[-2:])
        for bad, reason in (
            ({"code": 1}, "refused: jobs of auto failed, and none without hints\n"),
            ({"containerLines": 2}, "refused: more than one warning in a log of auto\n"),
            ({"traces": 1}, "refused: HyCache logged stack traces for auto\n"),
        ):
            code, _, errors = self.run_report("hint-failures", self.write("run.jsonl", runs[0], {**runs[1], **bad}))
            self.assertEqual((1, reason), (code, errors))

    def test_hint_failures_needs_the_failure_and_the_hints_of_a_case(self):
        run = {"client": "auto", "seconds": 9, "code": 0, "submissions": 3, "clientLines": 0, "containerLines": 0, "traces": 0, "otherTraces": 0}
        for of_case, reason in (
            ({"case": "datanode"}, ""),
            ({"case": "datanode", "injected": True}, ""),
            ({"case": "datanode", "injected": False}, "datanode: nothing failed in a run of auto\n"),
            ({"case": "none", "injected": False}, ""),
            ({"case": "none", "submissions": 0}, "none: no DataNode took hints of auto\n"),
            ({"case": "none", "submissions": 0, "client": "spark-plain"}, ""),
            ({"case": "absent"}, "absent: DataNodes took hints of auto\n"),
            ({"case": "refused"}, "refused: DataNodes took hints of auto\n"),
        ):
            code, _, errors = self.run_report("hint-failures", self.write("run.jsonl", {**run, **of_case}))
            self.assertEqual((1 if reason else 0, reason), (code, errors), of_case)

    def test_mixed(self):
        file = self.write("run.jsonl", {
            "policy": "lru", "hints": "none", "jobSeconds": 10, "jobBytes": 1e9, "zipfBytes": 5e8, "scanBytes": 5e8, "ssdReadBytes": 1e9,
            "hddReadBytes": 1e9, "hddBusyMs": 4000, "ssdWrittenBytes": 123e7})
        self.assertEqual("| lru | none | 1 | 10 | 100 | 50 | 2 | 1.2 |", self.table("mixed", file)[-1])

    @staticmethod
    def disks_case(case, writers, readers, shape="8:12:50", reps=1, one_head="no", **mbps):
        """A run of the case on each set-up, with these MB/s; of mixed MB/s of writers and of readers."""
        for setup, value in mbps.items():
            both = {"mbps": sum(value), "writeMbps": value[0], "readMbps": value[1]} if case == "mixed" else {"mbps": value}
            for rep in range(reps):
                yield {"shape": shape, "oneHead": one_head, "setup": setup, "case": case, "writers": writers, "readers": readers,
                       "rep": rep + 1, "hddBytesRead": 2e6, "ssdBytesRead": 1e6, "hddBytesWritten": 0, "ssdBytesWritten": 3e6, **both}

    def test_disks_met(self):
        lines = self.table("disks", self.write(
            "run.jsonl",
            *self.disks_case("mixed", 8, 8, disk=(60, 40), ssd=(20, 30), before=(20, 30), hycache=(70, 60)),
            *self.disks_case("half", 0, 24, before=50, hycache=110),
            *({**r, "blocks": 24, "bytes": 24 * 67e6, "blocksByHdd": "4,2,3,3,3,3,3,3" if r["setup"] == "hycache" else ""}
              for r in self.disks_case("read", 0, 24, disk=94, ssd=50, before=49, hycache=140)),
            *self.disks_case("read", 0, 8, disk=94, ssd=50, before=49, hycache=100),
            *self.disks_case("write", 16, 0, disk=89, ssd=50, before=49, hycache=88),
            *self.disks_case("write", 16, 0, disk=89, ssd=50, before=49, hycache=120),
            *self.disks_case("write", 4, 0, disk=40, ssd=50, before=49, hycache=49),
            *self.disks_case("write", 1, 0, "2:12:50", one_head="yes", disk=12, hycache=12),
        ))
        self.assertEqual(
            ["### 8 HDDs of 12 MB/s, an SSD of 50 MB/s: MB/s",
             "| write, 4 writers | 1 | 40 | 50 | 49 | 49 | 0.98 | 1 |  |  | 2 + 1 | 0 + 3 |",
             "| write, 16 writers | 2 | 89 | 50 | 49 | 104 | 1.17 | 2.12 |  |  | 2 + 1 | 0 + 3 |",
             "| read, clean, 8 readers | 1 | 94 | 50 | 49 | 100 | 1.06 | 2.04 | 0.69 |  | 2 + 1 | 0 + 3 |",
             "| read, clean, 24 readers | 1 | 94 | 50 | 49 | 140 | 1.49 | 2.86 | 0.97 | 146 | 2 + 1 | 0 + 3 |",
             "| read, half clean, half dirty, 24 readers | 1 | 94 | 50 | 50 | 110 | 1.17 | 2.2 |  |  | 2 + 1 | 0 + 3 |",
             "| write and read, clean, 8 writers, 8 readers | 1 | 100: 60 + 40 | 50: 20 + 30 | 50: 20 + 30 | 130: 70 + 60 | 1.3 | 2.6 |  "
             "|  | 2 + 1 | 0 + 3 |",
             "### 2 HDDs of 12 MB/s, one head each, an SSD of 50 MB/s: MB/s",
             "| write, 1 writers | 1 | 12 |  |  | 12 | 1 |  |  |  | 2 + 1 | 0 + 3 |",
             "### Verdicts",
             "* HyCache / the better of DISK and ALL_SSD, worst: 0.98 (8:12:50: write, 4 writers), below that in 0 of 7; "
             "wanted at least 0.98 in every case: met",
             "* HyCache / before, where ALL_SSD is slower than DISK, worst: 2.041 (8:12:50: read, clean, 8 readers), below that in 0 of 5; "
             "wanted at least 1.3 in every case: met",
             "* HyCache / what mirrors allow, clean reads by more readers than devices, worst: 0.959 (8:12:50: read, clean, 24 readers), "
             "below that in 0 of 1; wanted at least 0.9 in every case: met"],
            [line for line in lines if not line.startswith(("| case", "|---"))])

    def test_disks_not_met(self):
        code, lines, errors = self.run_report("disks", self.write(
            "run.jsonl",
            *self.disks_case("write", 16, 0, reps=3, disk=89, ssd=50, before=49, hycache=49),
            *({**r, "blocks": 24, "bytes": 24 * 67e6, "blocksByHdd": "4,4,4,4,2,2,2,2"}
              for r in self.disks_case("read", 0, 24, reps=3, disk=94, ssd=50, before=49, hycache=92)),
        ))
        self.assertEqual((1, ""), (code, errors))
        self.assertEqual(
            ["* HyCache / the better of DISK and ALL_SSD, worst: 0.551 (8:12:50: write, 16 writers), below that in 2 of 2; "
             "wanted at least 0.98 in every case: NOT MET",
             "  8:12:50: read, clean, 24 readers: 0.979",
             "* HyCache / before, where ALL_SSD is slower than DISK, worst: 1 (8:12:50: write, 16 writers), below that in 1 of 2; "
             "wanted at least 1.3 in every case: NOT MET",
             "* HyCache / what mirrors allow, clean reads by more readers than devices, worst: 0.63 (8:12:50: read, clean, 24 readers), "
             "below that in 1 of 1; wanted at least 0.9 in every case: NOT MET"],
            lines[-4:])

    def test_disks_says_what_was_not_clean_or_dirty(self):
        def run(case, setup, clean, dirty):
            of_setup = self.disks_case(case, 0, 8, **{setup: 10})
            return ({**r, "bytes": 200000000, "cleanBytes": clean, "dirtyBytes": dirty} for r in of_setup)

        lines = self.table("disks", self.write(
            "run.jsonl", *self.disks_case("read", 0, 8, disk=10), *run("read", "hycache", 200000000, 0), *run("read", "before", 199000000, 0),
            *run("half", "hycache", 100000000, 100000000), *run("half", "before", 130000000, 70000000)))
        self.assertEqual(
            ["* read, clean, 8 readers, before, repetition 1: only 199 of 200 MB were clean",
             "* read, half clean, half dirty, 8 readers, before, repetition 1: only 70 of 100 MB were dirty"],
            [line for line in lines if " were " in line])

    def test_disks_without_plain_hdfs_has_no_verdict_on_it(self):
        lines = self.table("disks", self.write("run.jsonl", *self.disks_case("write", 1, 0, before=10, hycache=12)))
        self.assertEqual(["| write, 1 writers | 1 |  |  | 10 | 12 |  | 1.2 |  |  | 2 + 1 | 0 + 3 |", "### Verdicts"], lines[-2:])

    def shares(self, **alice):
        return self.write("run.jsonl", *(
            {"setup": setup, "users": [{"name": "alice", "ssdBytes": ssd, "diskBytes": 1000000},
                                       {"name": "mallory", "ssdBytes": 0, "diskBytes": 0}]}
            for setup, ssd in alice.items()))

    def test_users(self):
        self.assertEqual("| alone | 4, 3 | 0, 0 |", self.table("users", self.shares(alone=3000000))[-1])

    def test_users_verdict(self):
        self.table("users-verdict", self.shares(**{"alone": 10, "one-user": 4, "shares": 5}))
        self.assertEqual(1, self.run_report("users-verdict", self.shares(alone=10, shares=4))[0])
        self.assertEqual(1, self.run_report("users-verdict", self.shares(**{"one-user": 5, "shares": 5}))[0])

    def test_startup(self):
        file = self.write(
            "run.jsonl", {"setup": "disk", "reported": 10.5, "walk_ms": 1500, "warm": None},
            {"setup": "hycache", "reported": 11, "walk_ms": 1000, "warm": 12.25})
        self.assertEqual(
            ["reported after: plain 10.5 s, with the plugin 11 s", "without HDFS's walk: plain 9 s, with the plugin 10 s",
             "warm 1.25 s after the report"], self.table("startup", file))

    def test_idle(self):
        def node(setup, cpu, threads):
            return {"setup": setup, "cpu": cpu, "residentMb": 200.5, "collectedMb": 150, "usedMb": 80, "threads": threads}

        file = self.write("run.jsonl", node("disk", 0.1, 50), node("disk", 0.3, 50), node("hycache", 0.9, 60), node("disk", 0.2, 51))
        self.assertEqual(
            ["| disk | 3 | 0.2 | 200.5 | 150 | 80 | 50 |", "| hycache | 1 | 0.9 | 200.5 | 150 | 80 | 60 |"],
            self.table("idle", file)[-2:])

    def test_profile(self):
        stacks = self.path("stacks")
        with open(stacks, "w", encoding="utf-8") as file:
            file.write("java/lang/Thread.run;io/hycache/hdfs/dataset/A.b;java/io/FileOutputStream.write 1\n"
                       "java/lang/Thread.run;a/B.c;java/io/FileOutputStream.write 2\n"
                       "java/lang/Thread.run;a/B.c 3\nCompileBroker::loop 4\n")
        file = self.write("run.jsonl", {"setup": "ssd", "load": "write", "threads": 4, "cpuSeconds": 40, "work": 4, "stacks": stacks})
        self.assertEqual("| ssd | write | 4 | 10 | 1 | 0 | 0 | 2 | 3 | 4 |", self.table("profile", file)[-1])

    def test_appends(self):
        def run(setup, failed):
            return {"setup": setup, "replication": 1, "creates": 1, "appends": 2, "truncates": 3, "failed": failed, "wrong": 0,
                    "bytesVerified": 1234567890, "seconds": 5.5, "failures": {"append": failed} if failed else {}}

        file = self.write("runs.jsonl", run("plain", 1), run("hycache", 1))
        self.assertEqual(
            "plain    1         1        2        3          1       0      1.23         5.5      append: 1",
            self.table("appends", file)[1])
        self.table("appends-verdict", file)
        self.assertEqual(1, self.run_report("appends-verdict", self.write("runs.jsonl", run("plain", 1), run("hycache", 2)))[0])
        self.table("appends-verdict", self.write("runs.jsonl", run("hycache", 2)))

    def test_simulated_hints(self):
        def run(policy, hints, seconds):
            return {"trace": "zipf-2x1-seed1", "size": "5 %", "policy": policy, "hints": hints, "disk_seconds": seconds}

        file = self.write("hints.json", run("lru", "perfect", 10), run("adaptive", "perfect", 5), run("belady-size", "perfect", 4),
                          run("lru", "part=50%", 10), run("adaptive", "part=50%", 9.876))
        table = self.table("simulated-hints", file)
        self.assertIn("of 1 traces and sizes", table[0])
        self.assertEqual(
            ["| perfect | 0.5, 0.5 |", "| part=50% | 0.988, 0.988 |",
             "* part=50%: adaptive / lru, worst: 0.988 (zipf 5 %); wanted at most 1: met",
             "* perfect: adaptive / the best that knows the future, worst: 1.25 (zipf 5 %); wanted at most 1.05: NOT MET"], table[3:7])
        self.assertEqual(["| zipf 5 % | perfect | 0.5 |", "| zipf 5 % | part=50% | 0.988 |"], table[-2:])
        better = [run(policy, "perfect", s) for policy, s in (("lru", 10), ("adaptive", 5), ("lookahead", 3.2), ("belady-size", 4))]
        table = self.table("simulated-hints", self.write("better.json", *better))
        self.assertIn("* perfect: adaptive / the best that knows the future, worst: 1.563 (zipf 5 %); wanted at most 1.05: NOT MET", table)

    def test_workload_is_a_trace_without_its_seed(self):
        names = ["zipf-drift-2000x40000-seed-1", "zipf-drift-2000x40000-seed3.csv", "FB-2009_samples_24_times_1hr_0.tsv", "FB-2010_samples.tsv"]
        self.assertEqual(["zipf-drift", "zipf-drift", *names[2:]], [report.workload({"trace": name}) for name in names])

    def test_simulated_hints_of_traces_with_a_year(self):
        runs = [{"trace": f"FB-{year}.tsv", "size": "5 %", "policy": policy, "hints": "perfect", "disk_seconds": 10}
                for year in (2009, 2010) for policy in ("lru", "adaptive")]
        self.assertIn("of 2 traces and sizes", self.table("simulated-hints", self.write("hints.json", *runs))[0])

    @staticmethod
    def cost(policy, seconds, bytes_, **fields):
        return {"trace": "zipf-2x1-seed1", "size": "5 %", "capacity_bytes": 5, "policy": policy, "disk_seconds": seconds, "ssd_written_bytes": bytes_, **fields}

    def test_frontier_hull_is_convex_and_falls(self):
        hull = report.lower_hull([(40, 60), (0, 100), (20, 90), (10, 80), (30, 70), (50, 65)])
        self.assertEqual([(0, 100), (10, 80), (40, 60)], hull)
        self.assertEqual([100, 90, 80, 70, 60, 60], [report.seconds_at(hull, b) for b in (0, 5, 10, 25, 40, 99)])
        self.assertEqual(float("inf"), report.seconds_at(hull[1:], 9))
        self.assertEqual([(0, 5)], report.lower_hull([(0, 5), (1, 5), (0, 6)]))

    def frontier_of(self, *others, free=60):
        return self.write(
            "frontier.json", self.cost("none", 120, 0), self.cost("lru", 100, 100), self.cost("adaptive", free, 80, price=0),
            self.cost("adaptive", 80, 40, price=0.05), self.cost("lru (libCacheSim)", 100.4, 100), self.cost("lhd-trained", 1, 1), *others)

    def test_frontier_met(self):
        lines = self.table("frontier", self.frontier_of(self.cost("lhd", 68.7, 60)))
        self.assertEqual(
            ["| trace, SSD | adaptive at 0 | adaptive at 0.05 | none | lru (libCacheSim) | lhd-trained | lhd |",
             "| zipf 5 % | 0.6, 0.8 | 0.8, 0.4 | 1.2, 0 | 1, 1 | 0.01, 0.01 | 0.69, 0.6 |"], [lines[1], lines[3]])
        self.assertEqual("| zipf 5 % | 0.6 | 119 | 1.019 |", lines[7])
        self.assertEqual(
            ["### Verdicts", "* policies below our frontier by more than 2 %: in 0 of 1 cells; wanted none: met",
             "* disk seconds at price 0 / the best of the others, worst: 0.873 (zipf 5 % beside lhd), above that in 0 of 1 cells; "
             "wanted at most 1.01: met",
             "* cells in which price 0.05 is better than lru on both: 1 of 1, 100 %; wanted at least 80 %: met",
             "* disk seconds at price 0.05 / lru, worst: 0.8 (zipf 5 %); wanted at most 1.05: met",
             "* libCacheSim's lru apart from ours, worst: 0.4 % (zipf 5 %); wanted at most 0.5 %: met"], lines[14:])
        self.assertEqual(
            ["### Disk seconds / the best of the others in each cell; of adaptive at price 0", "| policy | worst | in | cells above 1.01 |",
             "|---|--:|---|--:|", "| adaptive | 0.873 | zipf 5 % | 0 of 1 |", "| lhd | 1 | zipf 5 % | 0 of 1 |",
             "| lru | 1.456 | zipf 5 % | 1 of 1 |"], lines[8:14])

    def test_frontier_policies_that_weigh_the_price_are_reported(self):
        priced = [self.cost("reuse", 90, 40, price=0.05), self.cost("reuse", 50, 90, price=0)]
        lines = self.table("frontier", self.frontier_of(self.cost("lhd", 68.7, 60), *priced))
        self.assertTrue(lines[1].endswith("| lhd-trained | lhd | reuse at 0.05 | reuse at 0 |"), lines[1])
        text = "\n".join(lines)
        self.assertIn("policies below our frontier by more than 2 %: in 0 of 1 cells; wanted none: met", text)
        self.assertIn(
            "* reported: of the policies that weigh the price, some at some price is below by more than 2 % in 1 of 1 cells; price 0 "
            "beside the best of them at any price, worst: 1.2 (zipf 5 % beside reuse at 0), above 1.01 in 1\n"
            "  zipf 5 % reuse at 0 1.2\n  zipf 5 % beside reuse at 0 1.2\n", text)

    def test_frontier_not_met(self):
        code, lines, _ = self.run_report("frontier", self.frontier_of(self.cost("lhd", 68.6, 60), self.cost("sieve", 50, 200), free=70))
        self.assertEqual(1, code)
        text = "\n".join(lines)
        self.assertIn("in 1 of 1 cells; wanted none: NOT MET\n  zipf 5 % sieve 1.4; zipf 5 % lhd 1.093\n", text)
        self.assertIn("worst: 1.4 (zipf 5 % beside sieve), above that in 1 of 1 cells; wanted at most 1.01: NOT MET", text)
        worse = self.write(
            "worse.json", self.cost("none", 120, 0), self.cost("lru", 100, 100), self.cost("adaptive", 106, 1, price=0.05),
            self.cost("adaptive", 100, 100, price=0), self.cost("lru (libCacheSim)", 100, 101))
        code, lines, _ = self.run_report("frontier", worse)
        self.assertEqual(1, code)
        self.assertEqual(
            ["* cells in which price 0.05 is better than lru on both: 0 of 1, 0 %; wanted at least 80 %: NOT MET",
             "  not in: zipf 5 % 1.06, 0.01",
             "* disk seconds at price 0.05 / lru, worst: 1.06 (zipf 5 %); wanted at most 1.05: NOT MET",
             "* libCacheSim's lru apart from ours, worst: 1 % (zipf 5 %); wanted at most 0.5 %: NOT MET"], lines[-4:])

    def test_frontier_peak(self):
        def peaks(size, **values):
            return [{"trace": "t", "size": size, "capacity_bytes": int(size[0]), "rate": "1/1", "policy": p.replace("_", "-"), "peak_busy_disks": v, "mean_busy_disks": 1,
                     "ssd_written_bytes": 2e12, "price": 0.123456} for p, v in values.items()]

        little = peaks("1 %", none=10, lru=9, rejectx=8, offline=7.8, adaptive=9, belady_size=7, lookahead=6)
        file = self.write("peak.json", *little, *peaks("5 %", none=10, lru=9, rejectx=10, offline=8, adaptive=8.7, belady_size=7, lookahead=6))
        lines = self.table("frontier-peak", file)
        self.assertEqual("| t 1 % | 1/1 | 10, 1; 2 | 9, 1; 2 | 8, 1; 2 | 7.8, 1; 2 | 9, 1; 2 | 7, 1; 2 | 6, 1; 2 | 2.5 | -12.5 | 0.1235 |", lines[3])
        self.assertTrue(lines[-1].endswith("in 1 of 1 such cells, of 2 in all; wanted in all: met"), lines[-1])
        nothing = self.table("frontier-peak", self.write("little.json", *little))
        self.assertTrue(nothing[-1].endswith("where offline has that: not tested, in none of 1 cells offline has it"), nothing[-1])
        ours = peaks("5 %", none=10, lru=9, rejectx=10, offline=8, adaptive=8.7, belady_size=7, lookahead=6)
        ours[4]["ssd_written_bytes"] += 1
        code, lines, _ = self.run_report("frontier-peak", self.write("peak.json", *little, *ours))
        self.assertEqual(1, code)
        self.assertTrue(lines[-3].endswith("| 0.1235: writes more at any price |"), lines[-3])
        little[2]["over_write_rate"] = True
        lines = self.table("frontier-peak", self.write("little.json", *little))
        self.assertIn("| 8, 1; 2: over the rate | 7.8, 1; 2 |", lines[3])
        code, _, error = self.run_report("frontier-peak", self.write("older.json", *little[:-1]))
        self.assertEqual(2, code)
        self.assertIn("found none of lookahead. Fix: measure again with frontier.sh --peak", error)

    def test_simulations(self):
        def run(trace, policy, seconds):
            return {"trace": trace, "policy": policy, "capacity_bytes": 1, "accesses": 100, "hits": 50, "disk_seconds": seconds,
                    "ssd_written_bytes": 1e12}

        self.write("example.json", run("example.csv", "lru", 0.5))
        for name in ("round-robin", "others"):
            self.write(name + ".json", *(run(f"{name}-2x100-seed{seed}", p, s) for seed in (1, 2)
                                         for p, s in (("heuristic", 10), ("lookahead", 9 + seed))))
        lines = self.table("simulations", self.folder.name)
        self.assertIn("| disk ms | 500 |", lines)
        self.assertIn("| 2 | 50 | 50 |", lines)
        self.assertEqual(["| others | 1.1000 | 1.1000 |", "| round-robin | 1.1000 | 1.1000 |"], lines[-2:])
        self.assertEqual("| 0 | 50 | 50 |", self.table("simulated-trace", self.path("others.json"))[-1])

    def test_secure(self):
        def cell(what, found, good=True):
            return {"mapping": "same", "kind": "cell", "what": what, "expected": "yes", "found": found, "asExpected": good}

        file = self.write(
            "run.jsonl", cell("ls, own|alice", "yes"), cell("ls, own|bob", "hdfs", False), cell("proxy: x|oozie", "yes"),
            {**cell("members", "3"), "kind": "check"}, {"mapping": "same", "kind": "audit"}, {**cell("ls|eve", "acl"), "mapping": "split"})
        lines = self.table("secure", file, "same", "alice", "bob", "eve")
        self.assertEqual(["command  alice  bob      eve", "ls, own  yes    hdfs(!)  -"], lines[2:4])
        self.assertEqual(["proxy: x  yes       yes    ok", "members   yes       3      ok"], lines[-2:])

    def test_scrub(self):
        self.assertEqual(
            ["hourly   seconds=2.0 read_from_ssd=10000000 MB_per_s=5.00 share_of_bandwidth=1.000% copies_verified=3 bytes_scrubbed=4"],
            self.table("scrub", "hourly", "--ssd-mbps", 500, "--seconds", 2, "--bytes", 10000000, "--copies", 3, "--scrubbed", 4))
        samples = self.write("samples.txt", *(f"{i * 500000000} {max(0, i - 3) * 1000000}" for i in range(20)))
        self.assertEqual(["start    busiest_5_s: MB_per_s=2.00 share_of_bandwidth=0.4%"],
                         self.table("busiest", "start", samples, "--ssd-mbps", 500))

    TRACE = [
        '7 fsync(5</hdd/tmp/blk_1>) = 0',
        '7 fsync(6</hdd/tmp/blk_1_9.meta> <unfinished ...>',
        '8 fsync(6</other>) = 0',
        '7 <... fsync resumed>) = 0',
        '7 rename("/hdd/tmp/blk_1", "/hdd/current/blk_1") = 0',
        '7 rename("/hdd/tmp/blk_1_9.meta", "/hdd/current/blk_1_9.meta") = 0',
        '7 fsync(6</hdd/current>) = 0',
        '7 unlink("/ssd/blk_1") = 0',
        '7 unlink("/ssd/blk_1_9.meta") = 0',
    ]

    def order(self, lines):
        return self.run_report("sync-order", self.write("trace", *lines), "--ssd", "/ssd", "--hdd", "/hdd")

    def test_sync_order(self):
        code, lines, _ = self.order(self.TRACE)
        self.assertEqual((0, "1 blocks demoted, 0 in the wrong order (figures: lines of the trace)"), (code, lines[-1]))
        for missing in (0, 1, 4, 5, 6):
            code, lines, _ = self.order(self.TRACE[:missing] + self.TRACE[missing + 1:])
            self.assertEqual((1, True), (code, lines[1].endswith("WRONG")), f"without {self.TRACE[missing]}")
        self.assertEqual(1, self.order(self.TRACE[:6] + self.TRACE[7:] + [self.TRACE[6]])[0], "directory synced too late")
        self.assertEqual(1, self.order([])[0], "nothing demoted")

    def test_torture(self):
        self.write("clients.json", {"op": "torture", "wrong": 0}, {"op": "torture", "wrong": 2})
        self.write("verify.json", {"missing": 0})
        self.write("counters.jsonl", {"B": 1}, {"A": 2, "B": 3})
        self.write("tools.ends", "mover ok", "mover failed", "mover ok")
        self.write("faults.txt", "filled ssd", "bitFlipped nvme", "filled ssd")
        self.assertEqual(
            ['{"op":"torture","wrong":2,"kills":3,"commit":"c","verifiedWithoutPlugin":[{"missing":0}],'
             '"faults":{"bitFlipped nvme":1,"filled ssd":2},"tools":{"mover failed":1,"mover ok":2},"counters":{"A":2,"B":4}}'],
            self.table("torture", self.folder.name, "kills=3", 'commit="c"'))
        code, _, errors = self.run_report("torture", self.folder.name, "kills")
        self.assertEqual((2, True), (code, "expected NAME=JSON, found 'kills'. Fix: " in errors))

    def test_torture_faults_must_have_hit_each_kind_of_device(self):
        file = self.write("faults.txt", "bitFlipped ssd", "bitFlipped ssd2", "filled nvme")
        self.table("torture-faults", file)
        self.table("torture-faults", file, "bitFlipped ssd", "bitFlipped ssd2")
        code, _, errors = self.run_report("torture-faults", file, "bitFlipped ssd", "bitFlipped nvme")
        self.assertEqual(
            (1, "expected each of these faults at least once, found none of: bitFlipped nvme. Fix: more --minutes\n"), (code, errors))

    def test_nowhere_to_go(self):
        def verdict(missing, *replicas):
            lines = (f"/f: blk_1_1 {mark}(replicas: live: {live} corrupt: {corrupt} in excess: {excess} maintenance mode: 0)"
                     for mark, live, corrupt, excess in replicas)
            file = self.write("waiting.txt", "Blocks being reconstructed: 0", f"Blocks currently missing: {missing}", *lines)
            return self.run_report("nowhere-to-go", file, 3)[0]

        self.assertEqual(0, verdict(0, ("", 2, 1, 0), ("", 2, 0, 1)))
        self.assertEqual(0, verdict(1, ("MISSING ", 0, 2, 0)))
        self.assertEqual(1, verdict(0, ("", 1, 1, 0)), "a DataNode without a replica")
        self.assertEqual(1, verdict(1, ("", 2, 1, 0)), "a block is missing that is not listed")
        self.assertEqual(1, verdict(0), "nothing is listed")

    def test_wrong_arguments(self):
        code, _, errors = self.run_report("table")
        self.assertEqual((2, True), (code, "Fix: see" in errors))
        code, _, errors = self.run_report("mixed", self.path("none"))
        self.assertEqual((2, True), (code, "No such file" in errors))
        code, _, errors = self.run_report("mixed", self.write("run.jsonl", {"policy": "lru", "hints": "none"}))
        self.assertEqual((2, "report.py mixed: error: field 'jobSeconds'\n"), (code, errors))


if __name__ == "__main__":
    unittest.main()
