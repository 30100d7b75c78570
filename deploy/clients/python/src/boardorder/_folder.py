"""What of a folder is a design."""

from __future__ import annotations

import os
import re

# What versions, tools, systems and editors leave beside a design. Names with a full stop before them are left out, too.
_FOLDERS = re.compile(r"node_modules|__MACOSX|__pycache__|venv|History|__Previews|Project Logs for .*|.*-backups")
_FILES = re.compile(r"thumbs\.db|desktop\.ini|fp-info-cache|_autosave-.*|~.*\.lck|~\$.*|#.*#|.*~|.*-bak|.*\.(?:[bs]#\d+|bak|orig|swp|tmp)", re.IGNORECASE)


def list_folder(folder: str) -> list[str]:
    """The files of a folder that make up its design, by path from it with forward slashes, in the order of bytes.

    Symbolic links are not followed.
    """
    return sorted(_walk(folder, ""), key=lambda path: path.encode())


def _walk(folder: str, prefix: str) -> list[str]:
    out: list[str] = []
    with os.scandir(os.path.join(folder, prefix)) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False) and not _FOLDERS.fullmatch(entry.name):
                out += _walk(folder, f"{prefix}{entry.name}/")
            elif entry.is_file(follow_symlinks=False) and not _FILES.fullmatch(entry.name):
                out.append(prefix + entry.name)
    return out
