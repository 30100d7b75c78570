"""The API key, in the keyring of the system where there is one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

from .settings import settings_folder

SERVICE = "boardorder"
_KEY = re.compile(r"[A-Za-z0-9_.-]{8,200}")
_TIMEOUT_S = 30


class KeyStore(Protocol):
    """A place for keys, each under the address of its service. OSError where it does not work."""

    name: str

    def read(self, url: str) -> str: ...

    def write(self, url: str, key: str) -> None: ...

    def delete(self, url: str) -> None: ...


class ModuleStore:
    """The module keyring, where KiCad's Python has it."""

    name = "the system's keyring"

    def __init__(self, module: Any) -> None:
        self._module = module

    def _call(self, function: str, *args: str) -> Any:
        try:
            return getattr(self._module, function)(*args)
        except Exception as cause:  # each backend has errors of its own
            raise OSError("the keyring does not answer") from cause

    def read(self, url: str) -> str:
        return self._call("get_password", SERVICE, url) or ""

    def write(self, url: str, key: str) -> None:
        self._call("set_password", SERVICE, url, key)

    def delete(self, url: str) -> None:
        if self.read(url):
            self._call("delete_password", SERVICE, url)


def _run(command: list[str], given: str = "") -> str:
    """What a program writes. A key is given on standard input, since everybody on the machine may read arguments."""
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired as cause:
        raise OSError(f"{command[0]} does not answer") from cause
    if done.returncode:
        raise OSError(f"{command[0]} ended with {done.returncode}")
    return done.stdout


class SecretToolStore:
    """Secret Service (GNOME Keyring, KWallet, KeePassXC) by libsecret's command."""

    name = "the system's keyring"

    def read(self, url: str) -> str:
        try:
            return _run(["secret-tool", "lookup", "service", SERVICE, "url", url]).strip()
        except OSError:
            return ""  # it ends so, too, where there is no such key

    def write(self, url: str, key: str) -> None:
        _run(["secret-tool", "store", "--label", "Board Ordering", "service", SERVICE, "url", url], key)

    def delete(self, url: str) -> None:
        if self.read(url):
            _run(["secret-tool", "clear", "service", SERVICE, "url", url])


class KeychainStore:
    """The keychain of macOS."""

    name = "the keychain"

    def read(self, url: str) -> str:
        try:
            return _run(["security", "find-generic-password", "-s", SERVICE, "-a", url, "-w"]).strip()
        except OSError:
            return ""

    def write(self, url: str, key: str) -> None:
        if re.search(r'["\\\s]', url):
            raise OSError("an address that the keychain does not take")
        _run(["security", "-i"], f'add-generic-password -U -s {SERVICE} -a "{url}" -w "{key}"\n')
        if self.read(url) != key:
            raise OSError("the keychain did not keep it")

    def delete(self, url: str) -> None:
        if self.read(url):
            _run(["security", "delete-generic-password", "-s", SERVICE, "-a", url])


class CredentialStore:
    """The credential manager of Windows."""

    name = "the credential manager"

    def __init__(self) -> None:
        import ctypes
        from ctypes import wintypes

        class Credential(ctypes.Structure):
            _fields_ = [
                ("Flags", wintypes.DWORD), ("Type", wintypes.DWORD), ("TargetName", wintypes.LPWSTR), ("Comment", wintypes.LPWSTR), ("LastWritten", wintypes.FILETIME),
                ("CredentialBlobSize", wintypes.DWORD), ("CredentialBlob", ctypes.POINTER(ctypes.c_char)), ("Persist", wintypes.DWORD), ("AttributeCount", wintypes.DWORD),
                ("Attributes", ctypes.c_void_p), ("TargetAlias", wintypes.LPWSTR), ("UserName", wintypes.LPWSTR),
            ]

        self._ctypes, self._credential = ctypes, Credential
        self._api: Any = ctypes.WinDLL("advapi32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]

    def read(self, url: str) -> str:
        found = self._ctypes.POINTER(self._credential)()
        if not self._api.CredReadW(f"{SERVICE}:{url}", 1, 0, self._ctypes.byref(found)):
            return ""
        try:
            return bytes(found.contents.CredentialBlob[: found.contents.CredentialBlobSize]).decode()
        finally:
            self._api.CredFree(found)

    def write(self, url: str, key: str) -> None:
        blob = self._ctypes.create_string_buffer(key.encode(), len(key))
        credential = self._credential(
            Type=1, TargetName=f"{SERVICE}:{url}", CredentialBlobSize=len(key), CredentialBlob=self._ctypes.cast(blob, self._ctypes.POINTER(self._ctypes.c_char)), Persist=2, UserName=SERVICE,
        )
        if not self._api.CredWriteW(self._ctypes.byref(credential), 0):
            raise OSError("the credential manager did not keep it")

    def delete(self, url: str) -> None:
        self._api.CredDeleteW(f"{SERVICE}:{url}", 1, 0)


class FileStore:
    """A file that only its owner may read, where there is no keyring."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or settings_folder() / "keys"
        self.name = f"the file {self._folder}, which only you may read: this system has no keyring"

    def _file(self, url: str) -> Path:
        return self._folder / re.sub(r"[^A-Za-z0-9.-]", "_", url)

    def read(self, url: str) -> str:
        file = self._file(url)
        return file.read_text(encoding="utf-8").strip() if file.exists() else ""

    def write(self, url: str, key: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = self._file(url).with_suffix(".new")
        temporary.unlink(missing_ok=True)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as f:
            f.write(key + "\n")
        os.replace(temporary, self._file(url))

    def delete(self, url: str) -> None:
        self._file(url).unlink(missing_ok=True)


def find_stores() -> list[KeyStore]:
    """The places of this system, the best first; the last always works."""
    stores: list[KeyStore] = []
    try:
        import keyring  # type: ignore[import-not-found,unused-ignore]

        if not type(keyring.get_keyring()).__module__.startswith(("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")):
            stores.append(ModuleStore(keyring))
    except Exception:  # noqa: BLE001 - also what a broken installation raises
        pass
    if sys.platform == "win32":
        stores.append(CredentialStore())
    elif sys.platform == "darwin":
        stores.append(KeychainStore())
    elif shutil.which("secret-tool"):
        stores.append(SecretToolStore())
    return [*stores, FileStore()]


def read_key(url: str, stores: list[KeyStore] | None = None) -> str:
    """The key for a service; BOARD_API_KEY as for the command line, where BOARD_URL names this service too."""
    if (key := os.environ.get("BOARD_API_KEY")) and os.environ.get("BOARD_URL", "").rstrip("/") == url.rstrip("/"):
        return key
    for store in stores or find_stores():
        try:
            if key := store.read(url):
                return key
        except OSError:
            continue
    return ""


def write_key(url: str, key: str, stores: list[KeyStore] | None = None) -> str:
    """Keeps a key, and says where. ValueError where it is none."""
    key = key.strip()
    if not _KEY.fullmatch(key):
        raise ValueError("This is no API key: it begins with bo_ and has no spaces.")
    stores = stores or find_stores()
    for i, store in enumerate(stores):
        try:
            store.write(url, key)
        except OSError:
            continue
        for other in stores[i + 1 :]:
            forget(other, url)
        return store.name
    raise OSError("The key could not be kept.")


def delete_key(url: str, stores: list[KeyStore] | None = None) -> None:
    for store in stores or find_stores():
        forget(store, url)


def forget(store: KeyStore, url: str) -> None:
    try:
        store.delete(url)
    except OSError:
        pass
