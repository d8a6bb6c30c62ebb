# bash completion for spar                                                    -*- shell-script -*-

# --- made by scripts/doc-commands ---
_spar_commands()
{
    printf '%s\n' run paper tune list describe decide plan rank merge bench init vote status ask tell judge add retire set close reopen export import verify backup copy replay forget redact serve token invite
}

_spar_options()
{
    case $1 in
    run) printf '%s\n' --env --policy --m --param --feedback --rounds --runs --seed --threads --regret --horizon --stop --identify --readout --snapshots --out --part --plan-only --band --log --title --label --size --json ;;
    paper) printf '%s\n' --figure --quick --data --threads --seed --out --swap --part --plan-only --json ;;
    tune) printf '%s\n' --policy --param --values --from --to --steps --log --env --m --feedback --rounds --runs --by --regret --seed --threads --out --part --plan-only --json ;;
    list) printf '%s\n' --json --markdown --names ;;
    describe) printf '%s\n' --seed --counts --json ;;
    decide) printf '%s\n' --delta --eps --voters --columns --format --standings --plot --out --json ;;
    plan) printf '%s\n' --options --sd --gap --values --m --policy --feedback --silent --delta --truths --limit --columns --format --seed --threads --plot --out --json ;;
    rank) printf '%s\n' --click --top --method --draws --weights --names --seed --threads --cache --out --part --plan-only --json --generate --queries --docs --features --grades ;;
    merge) printf '%s\n' --out --json ;;
    bench) printf '%s\n' --only --quick --out --json ;;
    init) printf '%s\n' --question --options --space --against-last --items --m --policy --answer --seed --json ;;
    vote) printf '%s\n' --voter ;;
    status) printf '%s\n' --standings --without --plot --out --json ;;
    ask) printf '%s\n' --voter --json ;;
    tell) printf '%s\n' --winner --ranking --pairs --tie --bad --skip --undo --voter --comment --taken --revision --key --json ;;
    judge) printf '%s\n' --with --jobs --screens --until-decided --swap --budget --timeout --restarts --name --one-voter --json ;;
    add) printf '%s\n' --options --items ;;
    set) printf '%s\n' --question --m --results --access --json ;;
    export) printf '%s\n' --format --out --with-names ;;
    import) printf '%s\n' --format --columns --add-options --with-names --json ;;
    verify) printf '%s\n' --head --json ;;
    copy) printf '%s\n' --secrets --json ;;
    redact) printf '%s\n' --item ;;
    serve) printf '%s\n' --listen --base-url --trust-proxy --log --limit --openapi ;;
    token) printf '%s\n' --label --expires --now --json ;;
    invite) printf '%s\n' --voters --count --label --labels --expires --base-url --csv --json ;;
    esac
}

# What follows the option of a command; status 1: nothing, it is a switch.
_spar_takes()
{
    case "$1 $2" in
    'run --env' | 'tune --env') printf '%s\n' @envs ;;
    'run --policy' | 'tune --policy' | 'plan --policy' | 'init --policy') printf '%s\n' @policies ;;
    'run --m' | 'run --param' | 'run --rounds' | 'run --runs' | 'run --seed' | 'run --threads' | 'run --horizon' |\
        'run --snapshots' | 'run --part' | 'run --title' | 'run --label' | 'run --size' | 'paper --threads' |\
        'paper --seed' | 'paper --swap' | 'paper --part' | 'tune --param' | 'tune --values' | 'tune --from' |\
        'tune --to' | 'tune --steps' | 'tune --m' | 'tune --rounds' | 'tune --runs' | 'tune --seed' |\
        'tune --threads' | 'tune --part' | 'describe --seed' | 'decide --delta' | 'decide --eps' |\
        'decide --columns' | 'plan --options' | 'plan --sd' | 'plan --gap' | 'plan --values' | 'plan --m' |\
        'plan --silent' | 'plan --delta' | 'plan --truths' | 'plan --limit' | 'plan --columns' | 'plan --seed' |\
        'plan --threads' | 'rank --top' | 'rank --draws' | 'rank --seed' | 'rank --threads' | 'rank --part' |\
        'rank --queries' | 'rank --docs' | 'rank --features' | 'init --question' | 'init --space' | 'init --m' |\
        'init --seed' | 'vote --voter' | 'ask --voter' | 'tell --winner' | 'tell --ranking' | 'tell --pairs' |\
        'tell --voter' | 'tell --comment' | 'tell --taken' | 'tell --revision' | 'tell --key' | 'judge --with' |\
        'judge --jobs' | 'judge --screens' | 'judge --budget' | 'judge --timeout' | 'judge --restarts' |\
        'judge --name' | 'set --question' | 'set --m' | 'import --columns' | 'verify --head' | 'serve --listen' |\
        'serve --base-url' | 'serve --trust-proxy' | 'token --label' | 'token --expires' | 'invite --voters' |\
        'invite --count' | 'invite --label' | 'invite --expires' | 'invite --base-url') ;;
    'run --feedback' | 'tune --feedback' | 'plan --feedback') printf '%s\n' @feedback ;;
    'run --regret' | 'tune --regret') printf '%s\n' sum weak borda copeland von_neumann best_fixed ;;
    'run --stop') printf '%s\n' best practical ;;
    'run --readout') printf '%s\n' copeland pl ;;
    'run --out' | 'paper --data' | 'paper --out' | 'tune --out' | 'decide --out' | 'plan --out' | 'rank --out' |\
        'merge --out' | 'bench --out' | 'status --out') printf '%s\n' @dirs ;;
    'run --band') printf '%s\n' sd quantile none ;;
    'run --log') printf '%s\n' x y xy ;;
    'paper --figure') printf '%s\n' linearity evolution vanilla grid multi rankers kernel kernel-multi ;;
    'tune --by') printf '%s\n' mean median ;;
    'decide --voters') printf '%s\n' all first ;;
    'decide --format' | 'plan --format') printf '%s\n' auto arena lines counts preflib csv log ;;
    'decide --standings' | 'status --standings') printf '%s\n' none auto sampled approximate ;;
    'decide --plot' | 'plan --plot' | 'rank --weights' | 'rank --names' | 'rank --cache' | 'init --options' |\
        'init --items' | 'status --plot' | 'add --options' | 'add --items' | 'export --out' | 'serve --log' |\
        'invite --labels') printf '%s\n' @files ;;
    'rank --click') printf '%s\n' perfect navigational informational position ;;
    'rank --method') printf '%s\n' team_draft probabilistic optimised ;;
    'rank --grades') printf '%s\n' 3 5 ;;
    'bench --only') printf '%s\n' policies arms rounds samplers kernels threads memory ;;
    'init --answer') printf '%s\n' winner ranking pairs ;;
    'status --without') printf '%s\n' flagged ;;
    'set --results') printf '%s\n' managers after_vote public ;;
    'set --access') printf '%s\n' open invited ;;
    'export --format') printf '%s\n' jsonl csv arena preflib dpo ;;
    'import --format') printf '%s\n' auto jsonl csv arena lines preflib ;;
    'serve --limit') printf '%s\n' connections= address-connections= streams= address-streams= voter-rate= voter-burst= address-rate= login-rate= image-rate= ;;
    *) return 1 ;;
    esac
}

# What the operands of a command are, the first one and the others.
_spar_operands()
{
    case "$1 $2" in
    'list 1') printf '%s\n' @listed ;;
    'describe 1') printf '%s\n' @described ;;
    'token 1') printf '%s\n' new list revoke rotate ;;
    'invite 1') printf '%s\n' new list revoke @files ;;
    'run '* | 'tune '* | 'decide '* | 'plan '* | 'rank '* | 'merge '* | 'init '* | 'vote '* | 'status '* | 'ask '* |\
        'tell '* | 'judge '* | 'add '* | 'retire '* | 'set '* | 'close '* | 'reopen '* | 'export '* | 'import '* |\
        'verify '* | 'backup '* | 'copy '* | 'replay '* | 'forget '* | 'redact '* | 'serve '* | 'token '* |\
        'invite '*) printf '%s\n' @files ;;
    esac
}

# What may follow these words, one a line; the last word is the one to complete. @files and @dirs are for the shell.
_spar_candidates()
{
    local spar=$1 command=$2 count=$# kind word
    if [ $# -le 2 ]; then
        _spar_commands
        printf '%s\n' help --help --version
        return
    fi
    while [ $# -gt 2 ]; do shift; done
    word=$2
    if [ "$command" = help ]; then
        _spar_commands
        printf '%s\n' --json
    elif kind=$(_spar_takes "$command" "$1"); then
        _spar_expand "$kind" "$word"
    else
        case $word in
        -*) ;;
        *) _spar_expand "$(_spar_operands "$command" $((count - 2)))" "$word" ;;
        esac
        _spar_options "$command"
        printf '%s\n' --help
    fi
}

# Lists of names are asked from the command itself; of a policy, the next stage of its path.
_spar_expand()
{
    case $1 in
    @policies)
        case $2 in
        */*) { _spar_names bandits; _spar_names beliefs; } | sed "s|^|${2%/*}/|" ;;
        *) _spar_names policies; _spar_names bandits ;;
        esac
        ;;
    @envs | @feedback) _spar_names "${1#@}" ;;
    @described) _spar_names envs; printf '%s\n' @files ;;
    @listed) printf '%s\n' policies aliases bandits beliefs envs feedback; _spar_names ;;
    ?*) printf '%s\n' "$1" ;;
    esac
}

_spar_names()
{
    SPAR_JSON='' SPAR_MARKDOWN='' "$spar" list "$@" --names 2>/dev/null
}
# --- end of what is made ---

_spar()
{
    local words=("${COMP_WORDS[@]:0:COMP_CWORD+1}") cur=${COMP_WORDS[COMP_CWORD]} kind
    local -a found
    if [[ $cur == '=' ]]; then # bash splits --name=value in three words
        cur=
        words[COMP_CWORD]=
    elif ((COMP_CWORD > 2)) && [[ ${words[COMP_CWORD-1]} == '=' ]]; then
        unset "words[COMP_CWORD-1]"
    fi
    COMPREPLY=()
    mapfile -t found < <(_spar_candidates "${words[@]}")
    for kind in "${found[@]}"; do
        case $kind in
        @files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur") ;;
        @dirs) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur") ;;
        "$cur"*) COMPREPLY+=("$kind") ;;
        esac
    done
}

complete -o filenames -F _spar spar spar-mpi
