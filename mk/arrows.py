"""The table of ARROWS and what follows from it: shared by the arrows check and the room builds."""

import os
import re

CPP = (".cpp", ".hpp")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Arrows:
    """Rooms in the order of the table, and what each may include."""

    def __init__(self, text):
        self.table = {}
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            room, colon, allowed = line.partition(":")
            if not colon or room.strip() in self.table:
                raise ValueError(f"ARROWS line {number}: expected one 'room: rooms' for each room")
            self.table[room.strip()] = allowed.split()

    @classmethod
    def read(cls, root):
        with open(os.path.join(root, "ARROWS"), encoding="utf-8") as file:
            return cls(file.read())

    def room_of(self, path):
        """The room that a path belongs to, or None."""
        for room in self.table:
            if path.startswith(room + "/"):
                return room
        return None

    def allowed_rooms(self, room):
        """The rooms that `room` may include as a whole, without itself."""
        rooms = []
        for entry in self.table[room]:
            if entry.endswith(".hpp"):
                continue
            for other in self.table:
                fits = entry in ("*", other) or (
                    entry.endswith("/*") and other.startswith(entry[:-1]))
                if fits and other != room and other not in rooms:
                    rooms.append(other)
        return rooms

    def front_headers(self, room):
        return [entry for entry in self.table[room] if entry.endswith(".hpp")]

    def closure(self, room):
        """`room` and all that it reaches, through front headers too: what a test of it links."""
        seen = []
        todo = [room]
        while todo:
            current = todo.pop(0)
            if current is None or current in seen:
                continue
            seen.append(current)
            todo += self.allowed_rooms(current)
            todo += [self.room_of(header) for header in self.front_headers(current)]
        return seen


def includes(path):
    """(line number, '<' or '"', name) of each include in a file."""
    found = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match:
                found.append((number, match.group(1), match.group(2)))
    return found


def cpp_files(root, tops):
    """All C++ files below the given top folders, as paths relative to root, sorted."""
    found = []
    for top in tops:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(CPP):
                    found.append(os.path.relpath(os.path.join(folder, name), root))
    return sorted(found)
