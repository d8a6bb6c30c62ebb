# bash completion for spar                                                    -*- shell-script -*-

# The names of a family, asked from the command itself.
_spar_names()
{
    SPAR_JSON='' SPAR_MARKDOWN='' "${COMP_WORDS[0]}" list "$1" --names 2>/dev/null
}

_spar_reply()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_spar()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} families
    local commands='run paper tune list describe decide plan rank merge bench
        init vote status ask tell judge add retire set close reopen export import verify backup copy replay forget redact
        serve token invite'
    families='policies aliases bandits beliefs envs feedback'
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        _spar_reply "$commands help --help --version" "$cur"
        return
    fi
    if [[ $cur == '=' ]]; then # bash splits --name=value in three words
        cur=
    elif [[ $prev == '=' ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi

    case $prev in
    --env) _spar_reply "$(_spar_names envs)" "$cur" ;;
    --policy)
        case $cur in
        */*) _spar_reply "$({ _spar_names bandits; _spar_names beliefs; } | sed "s|^|${cur%/*}/|")" "$cur" ;;
        *) _spar_reply "$(_spar_names policies; _spar_names bandits)" "$cur" ;;
        esac
        ;;
    --feedback) _spar_reply "$(_spar_names feedback)" "$cur" ;;
    --stop) _spar_reply 'best practical' "$cur" ;;
    --readout) _spar_reply 'copeland pl' "$cur" ;;
    --regret) _spar_reply 'sum weak borda copeland von_neumann best_fixed' "$cur" ;;
    --band) _spar_reply 'sd quantile none' "$cur" ;;
    --log)
        case $command in
        run) _spar_reply 'x y xy' "$cur" ;;
        serve) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
        *) false ;;
        esac
        ;;
    --voters) [[ $command == decide ]] && _spar_reply 'all first' "$cur" || true ;;
    --labels) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    --limit) [[ $command == serve ]] && _spar_reply 'connections= address-connections= streams= address-streams=
        voter-rate= voter-burst= address-rate= login-rate= image-rate=' "$cur" || true ;;
    --format)
        case $command in
        export) _spar_reply 'jsonl csv arena preflib dpo' "$cur" ;;
        import) _spar_reply 'auto jsonl csv arena lines preflib' "$cur" ;;
        *) _spar_reply 'auto arena lines counts preflib csv log' "$cur" ;;
        esac
        ;;
    --answer) _spar_reply 'winner ranking pairs' "$cur" ;;
    --results) _spar_reply 'managers after_vote public' "$cur" ;;
    --access) _spar_reply 'open invited' "$cur" ;;
    --without) _spar_reply 'flagged' "$cur" ;;
    --plot | --options | --items) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    --standings) _spar_reply 'none auto approximate' "$cur" ;;
    --by) _spar_reply 'mean median' "$cur" ;;
    --only) _spar_reply 'policies arms rounds samplers kernels threads memory' "$cur" ;;
    --click) _spar_reply 'perfect navigational informational position' "$cur" ;;
    --method) _spar_reply 'team_draft probabilistic optimised' "$cur" ;;
    --grades) _spar_reply '3 5' "$cur" ;;
    --figure) _spar_reply "$("${COMP_WORDS[0]}" paper --help | sed -n '/^figures:/,/^$/s/^  \([a-z-]*\) .*/\1/p')" "$cur" ;;
    --weights | --names | --cache) [[ $command == rank ]] && mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    --out) [[ $command == export ]] && mapfile -t COMPREPLY < <(compgen -f -- "$cur") || mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    --swap) [[ $command == paper ]] ;;
    --data) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    --title | --label | --size |\
        --m | --rounds | --runs | --seed | --threads | --horizon | --snapshots | --param | --part | --values | --from | --to | --steps |\
        --delta | --eps | --columns | --question | --voter | --winner | --ranking | --pairs | --comment | --taken |\
        --revision | --key | --head | --listen | --base-url | --trust-proxy | --label | --expires | --count |\
        --with | --jobs | --screens | --budget | --timeout | --restarts | --name | --top | --draws | --queries | --docs | --features) ;;
    *) false ;;
    esac && return

    case $command in
    run)
        _spar_reply '--env --policy --m --param --feedback --rounds --runs --seed --threads --regret --horizon
            --stop --identify --readout --snapshots --out --part --plan-only --band --log --title --label --size --json --help' "$cur"
        ;;
    paper) _spar_reply '--figure --quick --data --threads --seed --out --part --plan-only --swap --json --help' "$cur" ;;
    tune)
        _spar_reply '--policy --param --values --from --to --steps --log --env --m --feedback --rounds --runs --by --regret --seed
            --threads --out --part --plan-only --json --help' "$cur"
        ;;
    list) _spar_reply "$families --json --markdown --names --help" "$cur" ;;
    describe) _spar_reply "$(_spar_names envs) --counts --seed --json --help" "$cur" ;;
    plan)
        _spar_reply '--options --sd --gap --values --m --policy --feedback --silent --delta --truths --limit --columns --format
            --seed --threads --plot --out --json --help' "$cur"
        ;;
    decide) _spar_reply '--delta --eps --voters --columns --format --standings --plot --out --json --help' "$cur" ;;
    rank)
        _spar_reply '--click --top --method --draws --weights --names --seed --threads --cache --out --part --plan-only --json --generate
            --queries --docs --features --grades --help' "$cur"
        ;;
    merge) _spar_reply '--out --json --help' "$cur" ;;
    bench) _spar_reply '--only --quick --out --json --help' "$cur" ;;
    init) _spar_reply '--question --options --space --against-last --items --m --policy --answer --seed --json --help' "$cur" ;;
    vote) _spar_reply '--voter --help' "$cur" ;;
    status) _spar_reply '--standings --without --plot --out --json --help' "$cur" ;;
    ask) _spar_reply '--voter --json --help' "$cur" ;;
    tell)
        _spar_reply '--winner --ranking --pairs --tie --bad --skip --undo --voter --comment --taken --revision --key
            --json --help' "$cur"
        ;;
    judge) _spar_reply '--with --jobs --screens --until-decided --swap --budget --timeout --restarts --name --one-voter --json --help' "$cur" ;;
    add) _spar_reply '--options --items --help' "$cur" ;;
    set) _spar_reply '--question --m --results --access --json --help' "$cur" ;;
    export) _spar_reply '--format --out --with-names --help' "$cur" ;;
    import) _spar_reply '--format --columns --add-options --with-names --json --help' "$cur" ;;
    verify) _spar_reply '--head --json --help' "$cur" ;;
    copy) _spar_reply '--secrets --json --help' "$cur" ;;
    serve) _spar_reply '--listen --base-url --trust-proxy --log --limit --openapi --help' "$cur" ;;
    token)
        ((COMP_CWORD == 2)) && _spar_reply 'new list revoke rotate' "$cur"
        [[ $cur != -* ]] || _spar_reply '--label --expires --now --json --help' "$cur"
        ;;
    invite)
        ((COMP_CWORD == 2)) && _spar_reply 'new list revoke' "$cur"
        [[ $cur != -* ]] ||
            _spar_reply '--voters --count --label --labels --expires --base-url --csv --json --help' "$cur"
        ;;
    redact) _spar_reply '--item --help' "$cur" ;;
    retire | close | reopen | backup | replay | forget) _spar_reply '--help' "$cur" ;;
    help) _spar_reply "$commands" "$cur" ;;
    esac
    [[ $cur == -* || $command == list || $command == help || $command == tune ||
        $command == bench ]] ||
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
}

complete -o filenames -F _spar spar spar-mpi
