"""What is remembered on this machine: the service, where boards went last, quantities. Neither keys nor names, and nothing in the project."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path


@dataclass
class Settings:
    url: str = ""
    country: str = ""
    postal_code: str = ""
    state: str = ""
    quantities: list[int] = field(default_factory=lambda: [10, 50, 100])
    assembly: bool = False
    standard: bool = False
    keep_order: bool = True


def settings_folder() -> Path:
    """Where programs of this system keep what they remember, for Board Ordering."""
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "boardorder"


def load_settings(file: Path | None = None) -> Settings:
    """What was remembered; what cannot be read is as at first."""
    known = Settings()
    try:
        stored = json.loads((file or settings_folder() / "kicad.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return known
    for f in fields(Settings):
        value = stored.get(f.name) if isinstance(stored, dict) else None
        if type(value) is type(getattr(known, f.name)):
            setattr(known, f.name, value)
    if not known.quantities or any(type(n) is not int or n < 1 for n in known.quantities):
        known.quantities = Settings().quantities
    return known


def save_settings(settings: Settings, file: Path | None = None) -> None:
    path = file or settings_folder() / "kicad.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(settings), indent=2) + "\n", encoding="utf-8")


def service_url(settings: Settings) -> str:
    """BOARD_URL as for the command line, else what was typed, else the service that the package was made for."""
    packaged = Path(__file__).with_name("service.txt")
    return os.environ.get("BOARD_URL") or settings.url or (packaged.read_text(encoding="utf-8").strip() if packaged.exists() else "")
