#!/usr/bin/python3
"""faulty.py IMAGE DIRECTORY CONTROL: a disk that fails on demand.

Mounts DIRECTORY with one file in it, named as IMAGE, which passes everything through to it until the
file CONTROL says otherwise: "eio-read", "eio-write", "eio" (both), "hang" (until it says something
else), "ok". Runs in the foreground; ends when DIRECTORY is unmounted. Needs root and the Python
module of FUSE (Debian: python3-fusepy).
"""
import errno
import os
import stat
import sys
import time

try:
    from fusepy import FUSE, FuseOSError, Operations  # as Debian names it
except ImportError:
    from fuse import FUSE, FuseOSError, Operations  # as PyPI does


class Faulty(Operations):
    def __init__(self, image, control):
        self.fd = os.open(image, os.O_RDWR)
        self.control = control
        self.name = os.path.basename(image)

    def gate(self, kind):
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
        self.gate("read")
        return os.pread(self.fd, size, offset)

    def write(self, path, data, offset, fh):
        self.gate("write")
        return os.pwrite(self.fd, data, offset)

    def fsync(self, path, datasync, fh):
        self.gate("write")
        return 0

    def truncate(self, path, length, fh=None):
        os.ftruncate(self.fd, length)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    # Past the page cache of the file itself, so that the loop device on it meets the faults.
    FUSE(
        Faulty(sys.argv[1], sys.argv[3]),
        sys.argv[2],
        foreground=True,
        direct_io=True,
        big_writes=True,
        max_read=131072,
    )
