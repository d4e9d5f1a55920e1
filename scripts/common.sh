# Sourced by the other scripts: where the tree is, progress, the log, failures.
# A step either works or ends the script with what failed and how to mend it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
llvm_bin=/usr/lib/llvm-22/bin
jobs=${GNNC_JOBS:-$(nproc)}

# Prints the comment block at the head of the calling script: its --help.
print_help() {
  awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
}

usage_error() {
  printf '%s: %s; see %s --help\n' "$(basename "$0")" "$1" "$0" >&2
  exit 2
}

need_value() { # FLAG VALUE, as "$@" has them
  (($# > 1)) || usage_error "$1 needs a value"
}

fail() { # WHAT MEND
  printf '%s: %s\n  mend: %s\n' "$(basename "$0")" "$1" "$2" >&2
  exit 1
}

build_dir() { # PRESET
  case $1 in
    dev) echo build ;;
    asan-ubsan) echo build-asan ;;
    *) echo "build-$1" ;;
  esac
}

start_log() { # NAME
  mkdir -p "$root/build/logs"
  log="$root/build/logs/$1.log"
  printf '%s on %s, commit %s\n' "$1" "$(date -u +%FT%TZ)" \
    "$(git rev-parse --short HEAD 2>/dev/null || echo unknown)" >"$log"
}

# Copies lines to the log; shows the counter of ninja and lit ([12/345], "(3 of 50)"):
# in place on a terminal, every tenth part elsewhere.
follow() { # TITLE
  local line part shown=0 done_ all
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] || $line =~ \(([0-9]+)\ of\ ([0-9]+)\) ]]; then
      done_=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
      if [[ -t 1 ]]; then
        printf '\r%s %s/%s ' "$1" "$done_" "$all"
      else
        part=$((10 * done_ / all))
        if ((part > shown && part < 10)); then
          printf '   %s: %s of %s\n' "$1" "$done_" "$all"
          shown=$part
        fi
      fi
    fi
  done
}

step() { # TITLE MEND COMMAND...
  local title=$1 mend=$2 start=$SECONDS status=0 from
  shift 2
  printf '\n== %s: %s\n' "$title" "$*" >>"$log"
  from=$(wc -l <"$log")
  [[ -t 1 ]] && printf '%s ' "$title"
  "$@" < /dev/null 2>&1 | follow "$title" || status=${PIPESTATUS[0]}
  if ((status)); then
    [[ -t 1 ]] && printf '\n'
    tail -n +$((from + 1)) "$log" | grep -vE '^\[[0-9]+/[0-9]+\] |^(PASS|UNSUPPORTED): ' | tail -n 40 >&2 || true
    printf '%s: "%s" failed (exit %s)\n  mend: %s\n  log:  %s\n' \
      "$(basename "$0")" "$title" "$status" "$mend" "$log" >&2
    exit 1
  fi
  if [[ -t 1 ]]; then printf '\r\033[K'; fi
  printf '%s: done in %s s\n' "$title" $((SECONDS - start))
}
