#!/usr/bin/env bash
# ctest: every command that help lists has a page of its own, and mandoc has nothing to warn of.
# usage: check-manual.bash PROGRAM FOLDER-OF-PAGES
set -euo pipefail
program=$1 pages=$2

commands() { # words of a command
    "$program" complete "$@" '' | sed 1d
}
for command in $(commands); do
    ls "$pages/inca-$command.1" >/dev/null
    case $command in
        trace | codec) for below in $(commands "$command"); do ls "$pages/inca-$command-$below.1" >/dev/null; done ;;
    esac
done
mandoc -T lint -W warning "$pages"/*.1
! grep -q 'inca.-\(complete\|run..point\|manual\)' "$pages/inca.1" || { echo "inca.1 lists what help does not" >&2; exit 1; }
for page in "$pages"/*.1; do
    warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || { echo "$page: $warnings" >&2; exit 1; }
done
