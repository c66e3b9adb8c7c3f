#!/usr/bin/env python3
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""words.py [--help] [--show] [--packages] [PATH ...]: how often comments use words the project avoids.

Counts the words of Java comments (and apart from them, of string literals) below each PATH, a file or
a directory; by default all modules of the repository. Prints one row per module and kind of code
(main, test), then, with --packages, one row per package:

  words      words in comments
  hits       occurrences in comments of the avoided words, see AVOIDED
  per 1000   hits per 1,000 words of comments
  strings    occurrences in string literals: messages, help texts, test displays

--show prints each hit instead, as FILE:LINE: text. Exit code: 0; 2 on wrong arguments.
"""
import argparse
import os
import re
import sys
from collections import defaultdict

AVOIDED = re.compile(
    r"\b(told|tell|tells|telling|nobody|whoever|hears|hear|knows\s+of|known\s+of|has\s+to\s+be|have\s+to\s+be)\b",
    re.IGNORECASE)
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
# A comment, a text block, a string or a character: whichever begins first.
TOKEN = re.compile(
    r'(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)|(?P<string>"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*")'
    r"|'(?:\\.|[^'\\\n])*'",
    re.DOTALL)
MARGIN = re.compile(r"^[ \t]*(/\*+|\*/|\*|//)", re.MULTILINE)


def blank(match):
    return " " * len(match.group())


def tokens(source):
    """Yields (is_comment, text, offset); margins of comments are blanked, so that offsets stay right."""
    pending = None  # line comments that follow one another are one text
    for match in TOKEN.finditer(source):
        if match.lastgroup == "line":
            text, start = MARGIN.sub(blank, match.group()), match.start()
            if pending and source[pending[1] + len(pending[0]):start].strip() == "":
                gap = source[pending[1] + len(pending[0]):start]
                pending = (pending[0] + gap + text, pending[1])
                continue
            if pending:
                yield True, *pending
            pending = (text, start)
            continue
        if pending:
            yield True, *pending
            pending = None
        if match.lastgroup == "block":
            yield True, MARGIN.sub(blank, match.group()), match.start()
        elif match.lastgroup == "string":
            yield False, match.group(), match.start()
    if pending:
        yield True, *pending


def place(path):
    """(module, main or test, package) of a Java file, by the directories of its path."""
    parts = os.path.abspath(path).split(os.sep)
    if "java" in parts and "src" in parts:
        java = len(parts) - 1 - parts[::-1].index("java")
        return parts[java - 3], parts[java - 1], ".".join(parts[java + 1:-1])
    return os.sep.join(parts[-3:-1]), "main", "-"


def java_files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for directory, below, files in os.walk(path):
            below[:] = sorted(d for d in below if d not in ("target", ".git"))
            yield from (os.path.join(directory, f) for f in sorted(files) if f.endswith(".java"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--show", action="store_true", help="print each hit")
    parser.add_argument("--packages", action="store_true", help="a row per package, too")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="file or directory; default: the repository")
    arguments = parser.parse_args()
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    missing = [p for p in arguments.paths if not os.path.exists(p)]
    if missing:
        parser.error("expected files or directories, found nothing at " + ", ".join(missing))

    figures = defaultdict(lambda: [0, 0, 0])
    for path in java_files(arguments.paths or [home]):
        with open(path, encoding="utf-8") as file:
            source = file.read()
        module, kind, package = place(path)
        for is_comment, text, offset in tokens(source):
            hits = list(AVOIDED.finditer(text))
            for row in ((kind, module, ""), (kind, module, package)):
                if is_comment:
                    figures[row][0] += len(WORD.findall(text))
                figures[row][1 if is_comment else 2] += len(hits)
            if arguments.show:
                for hit in hits:
                    at = offset + hit.start()
                    line = source.count("\n", 0, at) + 1
                    shown = source[source.rfind("\n", 0, at) + 1:].split("\n", 1)[0].strip()
                    print(f"{os.path.relpath(path)}:{line}: {shown}")
    if arguments.show:
        return
    print(f"{'words':>7} {'hits':>5} {'per 1000':>8} {'strings':>7}  code")
    total = [0, 0, 0]
    for (kind, module, package), (words, hits, strings) in sorted(figures.items()):
        if package and not arguments.packages:
            continue
        rate = 1000 * hits / words if words else 0.0
        name = f"{module} {kind}" + (f" {package}" if package else "")
        print(f"{words:7} {hits:5} {rate:8.2f} {strings:7}  {name}")
        if not package:
            total = [a + b for a, b in zip(total, (words, hits, strings))]
    words, hits, strings = total
    print(f"{words:7} {hits:5} {1000 * hits / words if words else 0.0:8.2f} {strings:7}  all")


if __name__ == "__main__":
    sys.exit(main())
