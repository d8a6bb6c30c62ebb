/* Keys: 1..m or A, B, ... choose, 0 tie, b bad, s skip, u undo, ? help, q quit. Small letters are commands, large ones
 * are places. A ranking is typed ("213", "2=13"), and so are pairs of more than two options ("1>2 3=2"). */
#include "cli/vote/vote.h"

#include <stdio.h>
#include <string.h>

bool spar__vote_types(const spar__vote_keys *keys)
{
    return keys->asks == SPAR_ANSWER_RANKING || (keys->asks == SPAR_ANSWER_PAIRS && keys->m > 2);
}

char spar__vote_label(size_t m, size_t place)
{
    return (char)((m > 9 ? 'A' : '1') + (int)place);
}

/* The place of a key, m if it is none. */
static size_t place_of(const spar__vote_keys *keys, int key)
{
    size_t place = key >= '1' && key <= '9'   ? (size_t)(key - '1')
                   : key >= 'A' && key <= 'Z' ? (size_t)(key - 'A')
                                              : keys->m;
    return place < keys->m ? place : keys->m;
}

static void choose(const spar__vote_keys *keys, size_t place, spar_answer *answer)
{
    if (keys->asks == SPAR_ANSWER_PAIRS) {
        spar_answer_set_skip(answer); /* add_pair starts anew on another kind */
        (void)spar_answer_add_pair(answer, place, 1 - place, SPAR_WIN, NULL);
    } else {
        spar_answer_set_winner(answer, place);
    }
}

static spar__vote_action command_of(spar__vote_keys *keys, int key, spar_answer *answer)
{
    switch (key) {
    case '0':
        spar_answer_set_tie(answer);
        return SPAR__VOTE_ANSWER;
    case 'b':
        spar_answer_set_bad(answer);
        return SPAR__VOTE_ANSWER;
    case 's':
        spar_answer_set_skip(answer);
        return SPAR__VOTE_ANSWER;
    case 'u':
        return SPAR__VOTE_UNDO;
    case '?':
        return SPAR__VOTE_HELP;
    case 'f':
        return SPAR__VOTE_FULL;
    case 'q':
        return SPAR__VOTE_QUIT;
    default:
        if (key != '\n' && key != ' ' && key != '\b')
            (void)snprintf(keys->hint, sizeof keys->hint, "This key does nothing. ? shows those that do.");
        return SPAR__VOTE_NOTHING;
    }
}

static void add(char *text, size_t room, const char *more)
{
    size_t length = strlen(text);
    (void)snprintf(text + length, room - length, "%s", more);
}

/* "2=13" becomes "B=A,C", "1>2 3=2" becomes "A>B,C=B": words that spar_answer_parse_... reads. Blanks only separate. */
static void make_words(const spar__vote_keys *keys, char *words, size_t room)
{
    bool place_before = false;
    words[0] = '\0';
    for (size_t i = 0; i < keys->n; i++) {
        size_t place = place_of(keys, keys->typed[i]);
        char text[SPAR__PLACE_SIZE] = {keys->typed[i], '\0'};
        if (keys->typed[i] == ' ')
            continue;
        if (place < keys->m) {
            add(words, room, place_before ? "," : "");
            spar__place_name(place, text);
        }
        add(words, room, text);
        place_before = place < keys->m;
    }
}

static spar__vote_action finish(spar__vote_keys *keys, spar_answer *answer)
{
    char made[SPAR__VOTE_MOST][SPAR__PLACE_SIZE], words[8 * SPAR__VOTE_TYPED];
    const char *name[SPAR__VOTE_MOST];
    spar_error err = {0};
    for (size_t j = 0; j < keys->m; j++) {
        spar__place_name(j, made[j]);
        name[j] = made[j];
    }
    make_words(keys, words, sizeof words);
    bool pairs = keys->asks == SPAR_ANSWER_PAIRS;
    spar_status status = pairs ? spar_answer_parse_pairs(answer, words, keys->m, name, &err)
                               : spar_answer_parse_ranking(answer, words, keys->m, name, &err);
    if (!status)
        return SPAR__VOTE_ANSWER;
    (void)snprintf(keys->hint, sizeof keys->hint, "That is no %s: %.150s.", pairs ? "list of pairs" : "ranking",
                   status == SPAR_PARSE ? err.text /* which has names; others have numbers of slots */
                   : pairs              ? "a pair is in it twice, or an option is compared with itself"
                                        : "an option is in it twice");
    return SPAR__VOTE_NOTHING;
}

static spar__vote_action type(spar__vote_keys *keys, int key, spar_answer *answer)
{
    const char *marks = keys->asks == SPAR_ANSWER_PAIRS ? "<>=, " : "=, ";
    if (key == '\n')
        return keys->n ? finish(keys, answer) : SPAR__VOTE_NOTHING;
    if (key == '\b') {
        keys->n -= keys->n > 0;
    } else if (keys->n == SPAR__VOTE_TYPED ||
               (place_of(keys, key) == keys->m && !(key > 0 && key < 0x7F && strchr(marks, key)))) {
        (void)snprintf(keys->hint, sizeof keys->hint, "Enter ends the answer, Backspace takes back a key.");
    } else {
        keys->typed[keys->n++] = (char)key;
    }
    keys->typed[keys->n] = '\0';
    return SPAR__VOTE_NOTHING;
}

spar__vote_action spar__vote_key(spar__vote_keys *keys, int key, spar_answer *answer)
{
    size_t place = place_of(keys, key);
    keys->hint[0] = '\0';
    if (spar__vote_types(keys) && (keys->n || place < keys->m))
        return type(keys, key, answer);
    if (place == keys->m)
        return command_of(keys, key, answer);
    choose(keys, place, answer);
    return SPAR__VOTE_ANSWER;
}
