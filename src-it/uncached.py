#!/usr/bin/python3
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""uncached.py DIRECTORY...: keeps what the files below hold out of the page cache, once a second, until it is killed.

Only those files: programs and their libraries stay in memory, as on a machine whose data is larger than its memory.
What waits to be written stays, too. Opens for reading only, and reads nothing.
"""
import os
import sys
import time

while True:
    for top in sys.argv[1:]:
        for directory, _, names in os.walk(top):
            for name in names:
                path = os.path.join(directory, name)
                try:
                    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                except OSError:
                    continue  # gone, or a link: its target has its own turn
                try:
                    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
                except OSError:
                    pass  # no file
                finally:
                    os.close(fd)
    time.sleep(1)
