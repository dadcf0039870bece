#!/usr/bin/env bash
# ctest: what bash completes of a command line.
# usage: check-completion.bash PROGRAM COMPLETION-SCRIPT
set -euo pipefail
program=$1
source "$2"
compopt() { :; } # is for a shell that completes
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
touch ring.toml rings.csv

check() { # command line after the program's name, what readline would put in the place of its last word
    COMP_LINE="inca $1" COMP_POINT=$((${#1} + 5)) COMPREPLY=()
    _inca "$program"
    local got="${COMPREPLY[*]-}"
    [ "$got" = "$2" ] || { echo "'inca $1': '$got' instead of '$2'" >&2; exit 1; }
}
check "mer" "merge"
check "codec en" "encode"
check "run --timeline-l" "--timeline-limit"
check "run ri" "ring.toml rings.csv"
check "run ring.toml --csv rings" "rings.csv"
check "run ring.toml --csv=rings" "rings.csv"
check "run ring.toml --set cluster.topo" "cluster.topology="
check "run ring.toml --set cluster.topology=" "star leaf-spine fat-tree rack-pair" # what stands after the =
check "run ring.toml --set  codec.name=inc" "inceptionn inceptionn-bounded"
check "sweep ring.toml --vary codec.name=cast,inc" "cast,inceptionn cast,inceptionn-bounded"
check "sweep ring.toml --system a:codec.name=tr" "truncate"
check "trace show hd" "hdc"
check "run --no-such-option=" ""
COMP_WORDBREAKS=' '
check "run ring.toml --set codec.name=inc" "codec.name=inceptionn codec.name=inceptionn-bounded"
# the cursor is not at the end
COMP_LINE="inca mer x" COMP_POINT=8 COMPREPLY=()
_inca "$program"
[ "${COMPREPLY[*]}" = merge ]
