"""A machine's serial console as it speaks, and QEMU's own monitor."""

import codecs
import json
import re
import socket
import threading
import time

from host import VmError

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78cDEHM])")



class Console:
    """What a machine says on its serial line, as it comes: lines with the seconds since QEMU
    started, and the whole text without escape sequences, in which one waits for something."""

    def __init__(self, path, log, started):
        self._socket = connect(path)
        self._log = open(log, "w", buffering=1)
        self._started = started
        self._changed = threading.Condition()
        self._text = ""
        self._arrivals = []  # (offset in _text, seconds): what came when
        self._line = ""  # what has come of a line that is not whole yet
        self._raw = b""
        self._closed = False
        self.listener = None  # is given every piece of bytes as it comes
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        pending = ""
        data = b"-"
        while data:
            try:
                data = self._socket.recv(65536)
            except OSError:
                data = b""
            seconds = time.monotonic() - self._started
            if self.listener and data:
                self.listener(data)
            pending += decode(data)
            whole = _length_without_open_escape(pending) if data else len(pending)
            piece = _ESCAPES.sub("", pending[:whole]).replace("\r", "")
            pending = pending[whole:]
            self._add(data, piece, seconds)

    def _add(self, data, piece, seconds):
        with self._changed:
            self._raw += data
            if piece:
                self._arrivals.append((len(self._text), seconds))
                self._text += piece
                *lines, self._line = (self._line + piece).split("\n")
                self._log.writelines(f"{seconds:8.2f} {line}\n" for line in lines)
            self._closed = not data
            self._changed.notify_all()

    def wait_for(self, pattern, seconds, after=0):
        """(match, seconds since start) of the first place at or after offset `after`, or None."""
        deadline = time.monotonic() + seconds
        expression = re.compile(pattern, re.MULTILINE)
        with self._changed:
            while True:
                match = expression.search(self._text, after)
                if match:
                    return match, self._seconds_at(match.end())
                left = deadline - time.monotonic()
                if left <= 0 or self._closed:
                    return None
                self._changed.wait(left)

    def _seconds_at(self, offset):
        came = [seconds for start, seconds in self._arrivals if start < offset]
        return came[-1] if came else 0.0

    @property
    def text(self):
        with self._changed:
            return self._text

    @property
    def raw(self):
        """Every byte that came, escape sequences and all: what a terminal would be given."""
        with self._changed:
            return self._raw

    def write(self, data):
        self._socket.sendall(data)

    def close(self):
        self._socket.close()
        self._thread.join(2)
        self._log.write(self._line)
        self._log.close()


def _length_without_open_escape(text, longest=64):
    """Where an escape sequence begins that has not wholly come yet, else the text's length."""
    escape = text.rfind("\x1b")
    is_open = escape >= 0 and len(text) - escape < longest and not _ESCAPES.match(text, escape)
    return escape if is_open else len(text)


def connect(path, seconds=20):
    deadline = time.monotonic() + seconds
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
            return connection
        except OSError:
            connection.close()
            if time.monotonic() > deadline:
                raise VmError(f"QEMU does not open {path}") from None
            time.sleep(0.05)


class Monitor:
    """QMP: one command, one answer."""

    def __init__(self, path):
        self._socket = connect(path)
        self._file = self._socket.makefile("rw")
        self._file.readline()
        self.call("qmp_capabilities")

    def call(self, command, **arguments):
        self._file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self._file.flush()
        while line := self._file.readline():
            answer = json.loads(line)
            if "error" in answer:
                raise VmError(f"QEMU refused {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]
        raise VmError(f"QEMU went away at {command}")

    def close(self):
        self._socket.close()
