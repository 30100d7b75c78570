#!/usr/bin/env bash
# Gives the command board: a path, an address with its digest, or else the source beside this file, built by Go.
# Prints program=PATH and sarif=PATH, as steps of a job pass values on.
set -euo pipefail
folder=${RUNNER_TEMP:-$(mktemp -d)}
program=$folder/board
case ${BOARD:-} in
  https://*)
    if ! [[ ${BOARD_SHA256:-} =~ ^[0-9a-f]{64}$ ]]; then
      echo "board-sha256 must be the SHA-256 of what $BOARD gives, in 64 hex digits" >&2
      exit 1
    fi
    curl --fail --silent --show-error --location --proto '=https' --proto-redir '=https' --max-time 300 --output "$program" -- "$BOARD"
    echo "$BOARD_SHA256  $program" | sha256sum --check --quiet - >&2
    chmod +x "$program"
    ;;
  '')
    source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../board" && pwd)
    command -v go >/dev/null || { echo "board is published nowhere yet: give its path or address, or set up Go before this step" >&2; exit 1; }
    (cd "$source" && GOWORK=off go build -trimpath -o "$program" .) >&2
    ;;
  *)
    [[ -x $BOARD && -f $BOARD ]] || { echo "no program is at the path that board gives" >&2; exit 1; }
    program=$(cd "$(dirname "$BOARD")" && pwd)/$(basename "$BOARD")
    ;;
esac
printf 'program=%s\nsarif=%s\n' "$program" "$folder/board.sarif"
