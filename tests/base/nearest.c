#include "base/error.h"

#include "tap.h"

static const char *among(const char *wanted)
{
    static const char *const names[] = {"thompson", "ucb1", "exp3", "self_sparring", "sparring"};
    spar__nearest nearest = spar__nearest_to(wanted);
    for (size_t i = 0; i < 5; i++)
        spar__nearest_offer(&nearest, names[i]);
    return nearest.best ? nearest.best : "(none)";
}

static void check_sentences(void)
{
    spar_error err;
    spar__nearest nearest = spar__nearest_to("blu");
    ok(spar__fail_unknown(&err, NULL, "colour", &nearest) == SPAR_UNKNOWN && err.status == SPAR_UNKNOWN, "the status");
    same_text(err.text, "unknown colour 'blu'; there are none", "no names");
    spar__nearest_offer(&nearest, "magenta");
    spar__nearest_offer(&nearest, "yellow");
    (void)spar__fail_unknown(&err, "paint", "colour", &nearest);
    same_text(err.text, "paint: unknown colour 'blu'; known: magenta, yellow", "few names, none of them near");
    for (int i = 0; i < 100; i++)
        spar__nearest_offer(&nearest, "vermilion");
    (void)spar__fail_unknown(&err, NULL, "colour", &nearest);
    same_text(err.text, "unknown colour 'blu'", "many names");
    spar__nearest_offer(&nearest, "blue");
    (void)spar__fail_unknown(&err, NULL, "colour", &nearest);
    same_text(err.text, "unknown colour 'blu'; did you mean 'blue'?", "one that is near");
}

int main(void)
{
    check_sentences();
    ok(spar__edit_distance("", "abc") == 3, "insertions");
    ok(spar__edit_distance("kitten", "sitting") == 3, "replacements and an insertion");
    ok(spar__edit_distance("form", "from") == 1, "a swap counts once");
    char lengthy[200];
    memset(lengthy, 'x', sizeof lengthy - 1);
    lengthy[199] = '\0';
    ok(spar__edit_distance(lengthy, "x") == 62, "long names are cut, not overrun");
    same_text(among("thomson"), "thompson", "a letter missing");
    same_text(among("ubc1"), "ucb1", "two letters swapped");
    same_text(among("selfsparring"), "self_sparring", "an underscore missing");
    same_text(among("UCB1"), "ucb1", "other case");
    same_text(among("SelfSparring"), "self_sparring", "another way to write a name");
    same_text(among("Self-Sparing"), "self_sparring", "with a letter missing");
    char hint[SPAR__HINT];
    spar__choice_hint("sum|weak|best_fixed", "Best-Fixed", hint);
    same_text(hint, "; did you mean 'best_fixed'?", "a word of a list");
    spar__choice_hint("sum|weak|best_fixed", "waek", hint);
    same_text(hint, "; did you mean 'weak'?", "in its middle");
    spar__choice_hint("sum|weak|best_fixed", "everything", hint);
    same_text(hint, "", "or none");
    same_text(among(lengthy), "(none)", "nor to a very long word");
    same_text(among("qqqqqqqq"), "(none)", "nothing is near to nonsense");
    return done();
}
