#compdef spar
# zsh completion for spar: commands, options and names are asked from the command itself.

_spar_commands()
{
    "$1" --help | sed -n '/^example:/q; s/^  \([a-z][a-z]*\) .*/\1/p'
}

# What may follow these words, one a line; the last word is the one to complete.
_spar_candidates()
{
    local spar=$1 command=$2 last=${@[-2]} word=${@[-1]} help
    if (( $# <= 2 )); then
        _spar_commands "$spar"
        print -l -- --help --version
        return
    fi
    [[ $command == help ]] && { _spar_commands "$spar"; return }
    case $last in
    --env) "$spar" list envs --names ;;
    --feedback) "$spar" list feedback --names ;;
    --policy)
        if [[ $word == */* ]]; then
            { "$spar" list bandits --names; "$spar" list beliefs --names } | sed "s|^|${word%/*}/|"
        else
            "$spar" list policies --names
            "$spar" list bandits --names
        fi
        ;;
    *)
        help=$("$spar" "$command" --help 2>/dev/null) || return
        if [[ $last == --* && $last != $command ]]; then
            # "(a|b|c)" behind the option says what it takes; its line goes on up to the next option.
            print -r -- "$help" | awk -v option="$last" '
                /^  --/ { ours = ($1 == option) }
                /^$/ { ours = 0 }
                ours { text = text " " $0 }
                END { gsub(/\| +/, "|", text)
                      if (match(text, /\([a-z0-9_]+(\|[a-z0-9_]+)+\)/)) {
                          n = split(substr(text, RSTART + 1, RLENGTH - 2), choice, "|")
                          for (i = 1; i <= n; i++) print choice[i] } }'
            print -r -- "$help" | grep -Eq "^  $last [A-Z]" && return
        fi
        [[ $command == list && $word != -* ]] && {
            print -l policies aliases bandits beliefs envs feedback
            "$spar" list --names
        }
        [[ $command == describe && $word != -* ]] && "$spar" list envs --names
        print -r -- "$help" | sed -n 's/^  \(--[a-z-]*\).*/\1/p'
        ;;
    esac
}

_spar()
{
    local -a found
    found=("${(@f)$(_spar_candidates "${(@)words[1,CURRENT]}" 2>/dev/null)}")
    compadd -a found
    [[ ${words[CURRENT]} == -* ]] || _files
}

if [[ ${funcstack[1]} == _spar ]]; then
    _spar "$@"
elif (( $+functions[compdef] )); then
    compdef _spar spar
fi
