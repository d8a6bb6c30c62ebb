# bash completion for spar                                                    -*- shell-script -*-

_spar()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words
    COMPREPLY=()

    if ((COMP_CWORD == 1)); then
        words='run paper bench tune list describe rank --help --version'
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi

    case $prev in
    --out | --data)
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        return
        ;;
    --feedback)
        mapfile -t COMPREPLY < <(compgen -W 'all_pairs winner ranking pair missing confusable multileave' -- "$cur")
        return
        ;;
    --env)
        mapfile -t COMPREPLY < <(compgen -W 'utility matrix rewards function rankers' -- "$cur")
        return
        ;;
    --policy | --m | --rounds | --runs | --seed | --threads | --regret | --horizon | --snapshots | --figure)
        return
        ;;
    esac

    case $command in
    run)
        words='--env --policy --m --feedback --rounds --runs --seed --threads --regret --horizon --snapshots'
        words+=' --out --json'
        ;;
    paper) words='--figure --quick --data --threads --seed --out' ;;
    bench | tune | describe) words='--json' ;;
    list) words='policies bandits beliefs envs feedback --json' ;;
    *) words= ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words --help" -- "$cur")
    [[ $cur == -* || $command == list ]] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
}

complete -o filenames -F _spar spar
