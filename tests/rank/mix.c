#include "rank/mix.h"

#include "base/alloc.h"
#include "rank/desk.h"
#include "sampler/rng.h"

/* Four places, three slots, written by hand. */
static spar_mix *by_hand(const double *credit, const size_t *reach)
{
    spar_mix *mix;
    if (spar_mix_new(&mix) || spar__mix_reserve(mix, 3, 4))
        return NULL;
    mix->m = 3;
    mix->shown = 4;
    for (size_t i = 0; i < 12; i++)
        mix->credit[i] = credit[i];
    for (size_t j = 0; j < 3; j++)
        mix->reach[j] = reach[j];
    for (size_t r = 0; r < 4; r++)
        mix->doc[r] = 10 + r;
    return mix;
}

/* Answers 0-1, 0-2, 1-2 as text: W, L, T or - for missing. */
static const char *answers(const spar_mix *mix, const char *clicks, bool tie_is_half)
{
    static char text[4];
    bool clicked[4];
    spar_feedback *f;
    for (size_t r = 0; r < 4; r++)
        clicked[r] = clicks[r] == 'x';
    if (spar_feedback_new(1, &f) || spar_mix_feedback(mix, clicked, tie_is_half, f))
        return "no memory";
    text[0] = "-LTW"[spar_feedback_get(f, 0, 1)];
    text[1] = "-LTW"[spar_feedback_get(f, 0, 2)];
    text[2] = "-LTW"[spar_feedback_get(f, 1, 2)];
    spar_feedback_free(f);
    return text;
}

static void check_credit(void)
{
    const double teams[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0};
    spar_mix *mix = by_hand(teams, (size_t[]){4, 4, 4});
    same_text(answers(mix, "x...", true), "WWT", "one click: its list beats the others, who tie");
    same_text(answers(mix, "x...", false), "WW-", "or are not compared");
    same_text(answers(mix, "....", true), "TTT", "no click: all tie");
    same_text(answers(mix, ".xx.", true), "LLT", "two lists with a click each");
    same_text(answers(mix, "xx.x", true), "WWW", "two clicks beat one, one beats none");
    double credit[3];
    spar_mix_credit(mix, (const bool[]){true, true, false, true}, credit);
    ok(credit[0] == 2 && credit[1] == 1 && credit[2] == 0, "the credit of each slot");
    mix->reach[1] = 0;
    same_text(answers(mix, "xx..", true), "-W-", "a slot without a part is compared with none");
    mix->reach[1] = 1;
    same_text(answers(mix, "xx.x", true), "WWT", "a slot is compared on the places it reaches");
    same_text(answers(mix, ".x.x", true), "TWT", "and no others");
    spar_mix_free(mix);

    const double shares[12] = {.1, .3, 0, .2, 0, 0, 0, 0, 1, 0, 0, 0};
    mix = by_hand(shares, (size_t[]){4, 4, 4});
    same_text(answers(mix, "xx..", true), "TWW", ".1 + .2 is as much as .3");
    spar_mix_free(mix);
}

static void check_copies(void)
{
    const double teams[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0};
    spar_mix *mix = by_hand(teams, (size_t[]){4, 3, 2}), *copy, *empty;
    ok(spar_mix_new(&copy) == SPAR_OK && spar_mix_copy(mix, copy) == SPAR_OK && copy->m == 3 && copy->shown == 4,
       "a copy");
    ok(memcmp(copy->credit, teams, sizeof teams) == 0 && copy->doc[3] == 13 && copy->reach[2] == 2, "is the same mix");
    ok(spar_mix_new(&empty) == SPAR_OK && spar_mix_copy(empty, copy) == SPAR_OK && copy->m == 0 && copy->shown == 0,
       "and can be of nothing");
    spar_mix_free(empty);
    size_t failed = 0;
    for (size_t k = 1; k <= 4; k++) {
        spar_mix_free(copy);
        copy = NULL;
        spar__alloc_fail_at(k);
        failed += spar_mix_new(&copy) || spar_mix_copy(mix, copy);
        spar__alloc_fail_at(0);
        ok(!copy || (copy->m == 0 && copy->shown == 0), "allocation %zu fails cleanly", k);
    }
    ok(failed == 4 && spar_mix_copy(mix, copy) == SPAR_OK, "and the copy can be had later");
    ok(spar__mix_reserve(copy, SIZE_MAX / 2, 3) == SPAR_NOMEM && copy->reach[1] == 3, "too much to ask for");
    spar_mix_free(copy);
    spar_mix_free(mix);
    spar_mix_free(NULL);
}

static void check_saved(void)
{
    spar_mix *mix = by_hand((double[]){1, 0, 0, 0, 0.5, 0.5, 0, 1, 0, 0, 0, 1}, (size_t[]){4, 2, 0}), *twin = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_error err = {0};
    ok(spar_mix_save(mix, &bytes, &length) == SPAR_OK && spar_mix_load(bytes, length, &twin, &err) == SPAR_OK &&
           twin->m == 3 && twin->shown == 4 && memcmp(twin->doc, mix->doc, 4 * sizeof *mix->doc) == 0 &&
           memcmp(twin->credit, mix->credit, 12 * sizeof *mix->credit) == 0 &&
           memcmp(twin->reach, mix->reach, 3 * sizeof *mix->reach) == 0,
       "saved and loaded");
    spar_mix_free(twin);
    size_t taken = 0;
    for (size_t n = 0; n < length; n++) {
        taken += spar_mix_load(bytes, n, &twin, NULL) == SPAR_OK || twin;
        bytes[n] ^= 0x10;
        taken += spar_mix_load(bytes, length, &twin, NULL) == SPAR_OK || twin;
        bytes[n] ^= 0x10;
    }
    ok(taken == 0, "cut short or damaged it is refused");
    spar_bytes_free(bytes);
    spar_mix_free(mix);
}

static void check_refusals(void)
{
    desk d = desk_of(2, (const char *[]){"123", "321"});
    spar_rng rng = desk_rng(1);
    spar_mix *mix;
    spar_error err;
    (void)spar_mix_new(&mix);
    const uint64_t *const *list = desk_lists(&d);
    ok(spar_mix_lists("draft", 2, list, d.length, 3, &rng, mix, &err) == SPAR_UNKNOWN, "an unknown way");
    same_text(err.text, "unknown way to mix lists 'draft'; known: team_draft, probabilistic, optimised", "named");
    ok(spar_mix_lists("probabilistic(tau=-1)", 2, list, d.length, 3, &rng, mix, &err) == SPAR_INVALID, "tau < 0");
    ok(spar_mix_lists("team_draft", 0, list, d.length, 3, &rng, mix, &err) == SPAR_INVALID, "no lists");
    ok(spar_mix_lists("team_draft", 2, list, d.length, 0, &rng, mix, &err) == SPAR_INVALID, "no places");
    d.doc[1][2] = 3;
    ok(desk_mix(&d, "team_draft", 3, &rng, mix) == SPAR_INVALID && mix->m == 0 && mix->shown == 0,
       "a document twice in a list");
    spar_mix_free(mix);
}

/* What every way to mix does. */
static void check_way(const char *how)
{
    spar_rng rng = desk_rng(2);
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    desk d = desk_of(4, (const char *[]){"12345", "", "21", "6"});
    bool good = true, some = false;
    for (size_t n = 0; n < 300; n++) {
        good = good && desk_mix(&d, how, 4, &rng, mix) == SPAR_OK && mix->m == 4 && mix->shown == 4;
        for (size_t r = 0; r < mix->shown; r++)
            for (size_t s = 0; s < r; s++)
                good = good && mix->doc[r] != mix->doc[s];
        good = good && mix->reach[1] == 0;
        some = some || mix->reach[0] == 4;
    }
    ok(good && some, "%s: lists of all lengths; none is shown twice, and the empty one has no part", how);
    ok(desk_mix(&d, how, 100, &rng, mix) == SPAR_OK && mix->shown == 6, "%s: all documents are shown", how);

    desk empty = desk_of(2, (const char *[]){"", ""});
    spar_feedback *f;
    (void)spar_feedback_new(2, &f);
    ok(desk_mix(&empty, how, 10, &rng, mix) == SPAR_OK && mix->m == 2 && mix->shown == 0, "%s: nothing to show", how);
    spar_mix *fresh = NULL; /* has no memory yet, which a sanitizer minds being cleared */
    ok(!spar_mix_new(&fresh) && !desk_mix(&empty, how, 10, &rng, fresh) && fresh->m == 2, "%s: in a new mix", how);
    spar_mix_free(fresh);
    bool none = false;
    ok(spar_mix_feedback(mix, &none, true, f) == SPAR_OK && spar_feedback_empty(f), "%s: nor to learn", how);
    spar_feedback_free(f);

    desk one = desk_of(1, (const char *[]){"421"});
    ok(desk_mix(&one, how, 2, &rng, mix) == SPAR_OK && mix->shown == 2 && mix->m == 1 && mix->reach[0] == 2,
       "%s: a single list", how);
    if (strcmp(how, "probabilistic"))
        ok(mix->doc[0] == 4 && mix->doc[1] == 2, "%s: is shown as it is", how);

    desk same = desk_of(3, (const char *[]){"3142", "3142", "3142"});
    double credit[3];
    (void)desk_mix(&same, how, 4, &rng, mix);
    spar_mix_credit(mix, (const bool[]){true, true, true, true}, credit);
    if (strcmp(how, "team_draft"))
        ok(credit[0] == credit[1] && credit[1] == credit[2], "%s: equal lists have equal credit", how);

    size_t failed = 0;
    for (size_t k = 1;; k++) {
        spar_mix_free(mix);
        (void)spar_mix_new(&mix);
        spar__alloc_fail_at(k);
        spar_status status = desk_mix(&d, how, 4, &rng, mix);
        spar__alloc_fail_at(0);
        if (!status)
            break;
        failed += status == SPAR_NOMEM && mix->shown == 0 && mix->m == 0;
        if (status != SPAR_NOMEM)
            failed = 0;
    }
    ok(failed > 10, "%s: each of %zu allocations may fail", how, failed);
    spar_mix_free(mix);
}

int main(void)
{
    check_credit();
    check_copies();
    check_saved();
    check_refusals();
    for (size_t i = 0; i < spar__n_mix_classes; i++)
        check_way(spar__mix_classes[i]->entry.name);
    return done();
}
