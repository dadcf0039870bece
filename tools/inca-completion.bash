# bash completion of inca: commands, options, keys after --set and --vary, names and files.
# `inca complete WORD...` says what the last word may be; `cmake --install` puts this where bash finds it.

_inca()
{
    local line=${COMP_LINE:0:COMP_POINT} IFS=$' \t' words cur mode candidate candidates
    read -ra words <<<"$line"
    case $line in *[$' \t']) words+=("") ;; esac
    cur=${words[${#words[@]} - 1]}

    mapfile -t candidates < <("$1" complete "${words[@]:1}" 2>/dev/null)
    mode=${candidates[0]-}
    COMPREPLY=("${candidates[@]:1}")
    if [[ $mode == files ]]; then
        compopt -o filenames 2>/dev/null
        local value=${cur#--*=}
        while IFS= read -r candidate; do
            COMPREPLY+=("${cur%"$value"}$candidate")
        done < <(compgen -f -- "$value")
    fi
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi

    # readline replaces only what stands after the last of these
    local breaks=${COMP_WORDBREAKS//[^=:]/}
    if [[ -n $breaks && $cur == *[$breaks]* ]]; then
        local before=${cur%"${cur##*[$breaks]}"}
        COMPREPLY=("${COMPREPLY[@]#"$before"}")
    fi
}

complete -F _inca inca
