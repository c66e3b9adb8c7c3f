# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""shifted_log.py LOG PHASES OUT: follows the NameNode's log, and appends the lines of its audit log to OUT with other times.

So that a day takes a minute. PHASES is a file with lines of four numbers, in the order of time: from this time on (seconds
since 1970), a line's time becomes that one, each second is so many seconds, and no time is later than the last number.
Only the time of a line is changed. Ends when it is killed.
"""
import sys
import time
from datetime import datetime, timezone

FORM = "%Y-%m-%d %H:%M:%S,%f"
TIME_CHARS = 23
POLL_SECONDS = 0.1


def shifted(seconds, phases):
    """The time that stands for a time: of the last phase that had begun."""
    begin, shown, speed, latest = [phase for phase in phases if phase[0] <= seconds][-1]
    return min(shown + (seconds - begin) * speed, latest)


def line_of(line, phases):
    """The line with the time that it gets; None if it is none of the audit log, or older than the first phase."""
    if " audit: allowed=" not in line:
        return None
    seconds = datetime.strptime(line[:TIME_CHARS], FORM).astimezone().timestamp()
    if not phases or seconds < phases[0][0]:
        return None
    at = datetime.fromtimestamp(shifted(seconds, phases), timezone.utc)
    return at.strftime(FORM)[:TIME_CHARS] + line[TIME_CHARS:]


def main(log, phases_file, out):
    rest = ""
    with open(log, encoding="utf-8", errors="replace") as source, open(out, "a", encoding="utf-8") as target:
        while True:
            rest += source.read()
            *lines, rest = rest.split("\n")
            # A phase is noted before anything happens in it.
            with open(phases_file, encoding="utf-8") as file:
                phases = [tuple(map(float, line.split())) for line in file]
            for line in lines:
                moved = line_of(line, phases)
                if moved is not None:
                    target.write(moved + "\n")
            target.flush()
            time.sleep(POLL_SECONDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
