#include "cli/vote.h"
#include "tap.h"

/* What became of the keys: "winner 2", "ranking 1 0=2", "pairs 0>1", "tie", "undo", "quit", "help", or the hint. */
static const char *after(size_t m, spar_answer_kind asks, const char *typed)
{
    static char text[400];
    static const char *const name[] = {"nothing", "answer", "undo", "help", "full", "quit"};
    spar__vote_keys keys = {.m = m, .asks = asks};
    spar__vote_action action = SPAR__VOTE_NOTHING;
    spar_answer *answer = NULL;
    (void)spar_answer_new(&answer);
    while (*typed && action == SPAR__VOTE_NOTHING)
        action = spar__vote_key(&keys, (unsigned char)*typed++, answer);
    (void)snprintf(text, sizeof text, "%s", keys.hint[0] ? keys.hint : name[action]);
    if (action == SPAR__VOTE_ANSWER) {
        int used = snprintf(text, sizeof text, "%s", spar_answer_kind_name(spar_answer_kind_of(answer)));
        if (spar_answer_winner(answer) != SPAR_NO_SLOT)
            (void)snprintf(text + used, 100, " %zu", spar_answer_winner(answer));
        for (size_t i = 0; i < spar_answer_count(answer); i++) {
            size_t j = 0, k = 0;
            spar_outcome outcome = SPAR_TIE;
            if (spar_answer_pair(answer, i, &j, &k, &outcome) == SPAR_OK)
                used += snprintf(text + used, 100, " %zu%c%zu", j,
                                 outcome == SPAR_WIN   ? '>'
                                 : outcome == SPAR_TIE ? '='
                                                       : '<',
                                 k);
            else
                used += snprintf(text + used, 100, "%c%zu",
                                 i && spar_answer_level(answer, i) == spar_answer_level(answer, i - 1) ? '=' : ' ',
                                 spar_answer_slot(answer, i));
        }
    }
    if (*typed)
        strcat(text, " too early");
    spar_answer_free(answer);
    return text;
}

#define WINNER(m, typed) after((m), SPAR_ANSWER_WINNER, (typed))
#define RANKING(m, typed) after((m), SPAR_ANSWER_RANKING, (typed))
#define PAIRS(m, typed) after((m), SPAR_ANSWER_PAIRS, (typed))

int main(void)
{
    same_text(WINNER(4, "1"), "winner 0", "the first");
    same_text(WINNER(4, "4"), "winner 3", "the last");
    same_text(WINNER(4, "D"), "winner 3", "as a letter");
    same_text(WINNER(4, "5"), "This key does nothing. ? shows those that do.", "one too many");
    same_text(WINNER(4, "E"), "This key does nothing. ? shows those that do.", "a letter too many");
    same_text(WINNER(12, "L"), "winner 11", "the twelfth");
    same_text(WINNER(4, "0"), "tie", "all are equal");
    same_text(WINNER(4, "b"), "bad", "b is bad, not the second");
    same_text(WINNER(4, "B"), "winner 1", "B is the second");
    same_text(WINNER(4, "s"), "skip", "skip");
    same_text(WINNER(4, "u"), "undo", "undo");
    same_text(WINNER(4, "?"), "help", "help");
    same_text(WINNER(4, "f"), "full", "full texts");
    same_text(WINNER(4, "q"), "quit", "quit");
    same_text(WINNER(4, "\n \b"), "nothing", "keys without a meaning");
    same_text(WINNER(4, "\033"), "This key does nothing. ? shows those that do.", "Escape");
    same_text(RANKING(3, "213\n"), "ranking 1 0 2", "a ranking");
    same_text(RANKING(3, "2=13\n"), "ranking 0=1 2", "with equal ones");
    same_text(RANKING(3, "2\n"), "ranking 1", "a part of one");
    same_text(RANKING(3, "2 , 1\n"), "ranking 1 0", "with blanks and commas");
    same_text(RANKING(3, "21\b\b31\n"), "ranking 2 0", "Backspace");
    same_text(RANKING(3, "2\bq"), "quit", "empty again");
    same_text(RANKING(3, "22\n"), "That is no ranking: an option is in it twice.", "twice");
    same_text(RANKING(3, "2q"), "Enter ends the answer, Backspace takes back a key.", "no command inside a ranking");
    same_text(RANKING(3, "0"), "tie", "all are equal");
    same_text(RANKING(3, "b"), "bad", "bad");
    same_text(RANKING(12, "LA\n"), "ranking 11 0", "letters");
    same_text(PAIRS(2, "2"), "pairs 0<1", "of two, one key");
    same_text(PAIRS(3, "1>2 3=2\n"), "pairs 0>1 1=2", "pairs");
    same_text(PAIRS(3, "1>2,3>1\n"), "pairs 0>1 0<2", "with commas");
    same_text(PAIRS(3, "12\n"),
              "That is no list of pairs: 'A' is compared with nothing: a pair is 'A>B', 'A<B' or 'A=B'.", "no pairs");
    same_text(PAIRS(3, "1>1\n"),
              "That is no list of pairs: a pair is in it twice, or an option is compared with itself.", "with itself");
    char typed[300];
    memset(typed, '1', sizeof typed);
    typed[299] = '\0';
    same_text(RANKING(3, typed), "Enter ends the answer, Backspace takes back a key.", "no more than fits");
    ok(spar__vote_label(9, 8) == '9' && spar__vote_label(10, 9) == 'J', "digits, or letters where they do not suffice");
    return done();
}
