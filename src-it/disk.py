#!/usr/bin/python3
# Copyright 2026 The HyCache for HDFS authors
# SPDX-License-Identifier: Apache-2.0

"""disk.py IMAGE DIRECTORY CONTROL [MB_PER_S IOPS]: a disk that fails on demand, and may have one head.

Mounts DIRECTORY with one file in it, named as IMAGE, which passes everything through to it until the
file CONTROL says otherwise: "eio-read", "eio-write", "eio" (both), "hang" (until it says something
else), "ok". With a speed, reads and writes wait for one head in the order of their arrival: a request
that does not begin where the last one ended costs 1/IOPS s, and each byte its time. Runs in the
foreground; ends when DIRECTORY is unmounted. Needs root and the Python module of FUSE (Debian:
python3-fusepy).
"""
import errno
import os
import stat
import sys
import threading
import time

try:
    from fusepy import FUSE, FuseOSError, Operations  # as Debian names it
except ImportError:
    from fuse import FUSE, FuseOSError, Operations  # as PyPI does


class Head:
    """One for all requests, on a clock of its own: it is late for none because another woke late."""

    # What comes so soon after the one before was on its way here, where a disk has a queue.
    ON_THE_WAY_S = 0.002

    def __init__(self, bytes_per_s, seeks_per_s):
        self.bytes_per_s = bytes_per_s
        self.seek_s = 1 / seeks_per_s
        self.lock = threading.Lock()
        self.position = -1
        self.free_at = 0.0

    def serve(self, offset, length):
        with self.lock:
            now = time.monotonic()
            takes = length / self.bytes_per_s
            if offset != self.position:
                takes += self.seek_s
            self.position = offset + length
            if now - self.free_at > self.ON_THE_WAY_S:
                self.free_at = now
            self.free_at += takes
            wait = self.free_at - now
        if wait > 0:
            time.sleep(wait)


class Disk(Operations):
    def __init__(self, image, control, head):
        self.fd = os.open(image, os.O_RDWR)
        self.control = control
        self.head = head
        self.name = os.path.basename(image)

    def gate(self, kind, offset=0, length=0):
        if self.head and length:
            self.head.serve(offset, length)
        while True:
            try:
                with open(self.control, encoding="ascii") as file:
                    mode = file.read().strip()
            except FileNotFoundError:
                mode = "ok"
            if mode in ("eio", "eio-" + kind):
                raise FuseOSError(errno.EIO)
            if mode != "hang":
                return
            time.sleep(0.1)

    def getattr(self, path, fh=None):
        if path == "/":
            return {"st_mode": stat.S_IFDIR | 0o700, "st_nlink": 2}
        if path != "/" + self.name:
            raise FuseOSError(errno.ENOENT)
        return {
            "st_mode": stat.S_IFREG | 0o600,
            "st_nlink": 1,
            "st_size": os.fstat(self.fd).st_size,
        }

    def readdir(self, path, fh):
        return [".", "..", self.name]

    def open(self, path, flags):
        return 0

    def read(self, path, size, offset, fh):
        self.gate("read", offset, size)
        return os.pread(self.fd, size, offset)

    def write(self, path, data, offset, fh):
        self.gate("write", offset, len(data))
        return os.pwrite(self.fd, data, offset)

    def fsync(self, path, datasync, fh):
        self.gate("write")
        return 0

    def truncate(self, path, length, fh=None):
        os.ftruncate(self.fd, length)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 6):
        sys.exit(__doc__)
    one_head = None
    if len(sys.argv) == 6:
        one_head = Head(float(sys.argv[4]) * 1e6, float(sys.argv[5]))
    # Past the page cache of the file itself, so that the loop device on it meets the faults.
    FUSE(
        Disk(sys.argv[1], sys.argv[3], one_head),
        sys.argv[2],
        foreground=True,
        direct_io=True,
        big_writes=True,
        max_read=131072,
    )
