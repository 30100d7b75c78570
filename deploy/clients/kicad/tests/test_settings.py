from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from boardorder_kicad import keys
from boardorder_kicad.session import WishError, Wishes, check_link, parse_quantities
from boardorder_kicad.settings import Settings, load_settings, save_settings, service_url

URL, KEY = "https://api.example.com", "bo_test_0123456789"


def test_settings_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "a" / "kicad.json"
    settings = Settings(URL, "DE", "10115", "", [5], True, False, False)
    save_settings(settings, file)
    assert load_settings(file) == settings


@pytest.mark.parametrize("text", ["", "[]", "{", '{"country": 1, "quantities": ["x"], "assembly": "yes"}', '{"quantities": []}', '{"quantities": [-1]}'])
def test_damaged_settings_are_as_at_first(tmp_path: Path, text: str) -> None:
    file = tmp_path / "kicad.json"
    file.write_text(text)
    assert load_settings(file) == Settings()


def test_service_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOARD_URL", raising=False)
    assert service_url(Settings(url=URL)) == URL
    assert service_url(Settings()) == ""
    monkeypatch.setenv("BOARD_URL", "https://other.example.com")
    assert service_url(Settings(url=URL)) == "https://other.example.com"


class Broken:
    name = "a keyring that is locked"

    def read(self, url: str) -> str:
        raise OSError

    def write(self, url: str, key: str) -> None:
        raise OSError

    def delete(self, url: str) -> None:
        raise OSError


def test_keys_go_to_the_first_place_that_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOARD_API_KEY", raising=False)
    kept: dict[tuple[str, str], str] = {}
    module = SimpleNamespace(get_password=lambda s, a: kept.get((s, a)), set_password=lambda s, a, k: kept.update({(s, a): k}), delete_password=lambda s, a: kept.pop((s, a)))
    ring, file = keys.ModuleStore(module), keys.FileStore(tmp_path / "keys")
    assert keys.write_key(URL, KEY, [Broken(), file]) == file.name
    assert keys.read_key(URL, [Broken(), ring, file]) == KEY
    assert keys.write_key(URL, f" {KEY}2\n", [ring, file]) == "the system's keyring"
    assert (kept, file.read(URL)) == ({("boardorder", URL): KEY + "2"}, ""), "a key was left in the file"
    assert keys.read_key("https://other.example.com", [ring, file]) == ""
    keys.delete_key(URL, [Broken(), ring, file])
    assert keys.read_key(URL, [ring, file]) == ""
    with pytest.raises(ValueError, match="no API key"):
        keys.write_key(URL, 'x" -w', [file])


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    store = keys.FileStore(tmp_path / "keys")
    store.write("https://api.example.com/../x", KEY)
    [file] = (tmp_path / "keys").iterdir()
    assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700), file
    assert store.read("https://api.example.com/../x") == KEY


def test_the_environment_names_key_and_service_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOARD_API_KEY", KEY)
    monkeypatch.setenv("BOARD_URL", URL + "/")
    stores: list[keys.KeyStore] = [keys.FileStore(tmp_path)]
    assert keys.read_key(URL, stores) == KEY
    assert keys.read_key("https://other.example.com", stores) == "", "the key went to another service"


# What each system's program is called with, so that its arguments are never the key.
PROGRAM = """#!{python}
import json, os, sys
log = {log!r}
given = sys.stdin.read() if not sys.stdin.isatty() else ""
with open(log, "a") as f: f.write(json.dumps([sys.argv[1:], given]) + "\\n")
store = {log!r} + ".key"
if "store" in sys.argv or "-i" in sys.argv:
    open(store, "w").write(given.rsplit('-w "', 1)[-1].split('"')[0])
elif "clear" in sys.argv or "delete-generic-password" in sys.argv:
    os.unlink(store)
elif os.path.exists(store):
    print(open(store).read())
else:
    sys.exit(1)
"""


@pytest.mark.parametrize(("program", "kind"), [("secret-tool", keys.SecretToolStore), ("security", keys.KeychainStore)])
def test_keyrings_of_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, kind: type[keys.KeyStore]) -> None:
    log = tmp_path / "log"
    file = tmp_path / program
    file.write_text(PROGRAM.format(python=sys.executable, log=str(log)))
    file.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    store = kind()
    assert store.read(URL) == ""
    store.write(URL, KEY)
    assert store.read(URL) == KEY
    store.delete(URL)
    assert store.read(URL) == ""
    store.delete(URL)
    calls = [json.loads(one) for one in log.read_text().splitlines()]
    assert all(KEY not in " ".join(arguments) for arguments, _ in calls), calls
    assert sum(KEY in given for _, given in calls) == 1, calls


def test_there_is_always_a_place() -> None:
    assert isinstance(keys.find_stores()[-1], keys.FileStore)


@pytest.mark.parametrize(("text", "want"), [("10", [10]), (" 50, 10;10  5\n", [5, 10, 50])])
def test_parse_quantities(text: str, want: list[int]) -> None:
    assert parse_quantities(text) == want


@pytest.mark.parametrize("text", ["", "ten", "0", "-5", "1.5", "10000000", ",".join(map(str, range(1, 12)))])
def test_other_quantities_are_refused(text: str) -> None:
    with pytest.raises(WishError):
        parse_quantities(text)


@pytest.mark.parametrize(("wishes", "want"), [
    (Wishes(country="DE"), "under ITAR"), (Wishes(country="DE", itar=True), "Nothing was sent"), (Wishes(itar=False), "country"), (Wishes(country="Germany", itar=False), "country"), (Wishes([], country="DE", itar=False), "how many"),
])
def test_wishes_that_are_not_sent(wishes: Wishes, want: str) -> None:
    with pytest.raises(WishError, match=want):
        wishes.check()


@pytest.mark.parametrize("link", ["", "file:///etc/passwd", "javascript:alert(1)", "https:///x", "http://a b", "https://a\nb"])
def test_other_links_are_not_opened(link: str) -> None:
    with pytest.raises(ValueError, match="no address"):
        check_link(link)


def test_certificates_are_found_and_looked_at() -> None:
    code = (
        "import os, ssl, sys; sys.path.insert(0, sys.argv[1])\n"
        "from boardorder_kicad import session\n"
        "made = []\n"
        "session.BoardOrder = lambda url, key, context: made.append(context)\n"
        "session.connect('https://x', 'k')\n"
        "there = any(map(os.path.isfile, session._CERTIFICATES))\n"
        "print(made[0].verify_mode == ssl.CERT_REQUIRED, made[0].check_hostname, (made[0].cert_store_stats()['x509_ca'] > 0) == there)\n"
    )
    import boardorder_kicad

    root = str(Path(boardorder_kicad.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", code, root], capture_output=True, text=True, env={**os.environ, "SSL_CERT_FILE": os.devnull, "SSL_CERT_DIR": os.devnull})
    assert done.stdout.split() == ["True", "True", "True"], done.stdout + done.stderr


def test_python_of_old_kicads() -> None:
    """KiCad 6 comes with Python 3.9, in which annotations may be newer than the rest."""
    import ast

    import boardorder_kicad

    for file in Path(boardorder_kicad.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text(), str(file), feature_version=(3, 9))
        if any(isinstance(node, ast.AnnAssign) or (isinstance(node, ast.arg) and node.annotation) for node in ast.walk(tree)):
            assert any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body), f"{file} evaluates its annotations"


def test_nothing_but_the_standard_library() -> None:
    """Outside of windows and KiCad itself."""
    import boardorder_kicad

    root = Path(boardorder_kicad.__file__).parent
    names = [f.stem for f in root.glob("*.py") if f.stem not in ("__init__", "window", "swig", "ipc")]
    code = f"import sys, importlib; sys.path.insert(0, {str(root.parent)!r}); [importlib.import_module('boardorder_kicad.' + n) for n in {names!r}]"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
