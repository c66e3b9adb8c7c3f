# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""diff.py OUT SETUP...: JUnit reports OUT/SETUP/CLASS/ATTEMPT/*.xml, method by method.

Prints a table of what differs between the first set-up and the others. Exit code 1 if a method that
passes in the first one fails in another and is not in by-design.txt; 2 if nothing can be said: no method
passes in the first one, or a class has no report in a set-up.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree


def results(directory):
    """{class#method: passed | failed | skipped}; a method that passed in any attempt passed."""
    found = {}
    for root, _, names in os.walk(directory):
        for name in names:
            if not (name.startswith("TEST-") and name.endswith(".xml")):
                continue
            for case in ElementTree.parse(os.path.join(root, name)).iter("testcase"):
                method = case.get("classname") + "#" + case.get("name")
                if case.find("failure") is not None or case.find("error") is not None:
                    result = "failed"
                elif case.find("skipped") is not None:
                    result = "skipped"
                else:
                    result = "passed"
                if found.get(method) != "passed":
                    found[method] = result
    return found


def without_report(out, setups):
    """Set-ups and classes, of those that any set-up has, without the result of a single method."""
    folders = [os.path.join(out, setup) for setup in setups]
    classes = sorted({name for folder in folders if os.path.isdir(folder) for name in os.listdir(folder)})
    return ["%s %s" % (setup, name) for setup in setups for name in classes if not results(os.path.join(out, setup, name))]


def by_design():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "by-design.txt")
    with open(path, encoding="utf-8") as lines:
        named = [line.split(None, 1) for line in lines if line.strip() and not line.startswith("#")]
    return {name: why.strip() for name, why in named}


def main():
    out, setups = sys.argv[1], sys.argv[2:]
    found = {setup: results(os.path.join(out, setup)) for setup in setups}
    plain, known, bad = found[setups[0]], by_design(), 0
    for setup in setups:
        counts = [list(found[setup].values()).count(r) for r in ("passed", "failed", "skipped")]
        print("%-8s passed %d, failed %d, skipped %d" % (setup, *counts))
    for method in sorted(set().union(*found.values())):
        if plain.get(method) != "passed":
            continue
        for setup in setups[1:]:
            result = found[setup].get(method, "missing")
            if result != "passed":
                why = known.get(method)
                bad += why is None
                print("%s: %s %s%s" % (method, setup, result, " by design: " + why if why else ""))
    print("methods that pass on %s and not with HyCache: %d" % (setups[0], bad))
    unknown = ["no report: " + name for name in without_report(out, setups)]
    if "passed" not in plain.values():
        unknown.append("no method passes on " + setups[0])
    for line in unknown:
        print(line)
    sys.exit(2 if unknown else 1 if bad else 0)


main()
