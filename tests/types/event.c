/* Events of every kind, there and back; what the bytes are is checked against a list written by hand. */
#include "types/event.h"

#include "base/alloc.h"
#include "tap.h"
#include "types/arms.h"
#include "types/round.h"

#include <stdlib.h>

static unsigned char hash[SPAR_HASH_SIZE], key[SPAR_HASH_SIZE];
static spar_error err;

static spar_event *make(void)
{
    spar_event *event = NULL;
    if (spar_event_new(&event))
        abort();
    return event;
}

static void set_screen(spar_event *event, bool points)
{
    spar_round *round = NULL;
    if (spar_round_new(2, &round))
        abort();
    if (points ? spar_round_set_points(round, 2, 2, (double[]){0.5, 1, -2, 3})
               : spar_round_set(round, 3, (size_t[]){7, 0, 7}))
        abort();
    round->asked = true;
    round->prob[1] = 0.25;
    round->memo[1] = -4;
    if (spar_event_set_screen(event, 9, round, points ? NULL : (size_t[]){2, 0, 1}))
        abort();
    spar_event_set_voter(event, 12);
    spar_event_set_basis(event, 5, 1);
    spar_round_free(round);
}

static void set_imported(spar_event *event)
{
    spar_round *round = NULL;
    spar_answer *answer = NULL;
    if (spar_round_new(2, &round) || spar_answer_new(&answer) || spar_round_set(round, 2, (size_t[]){3, 1}))
        abort();
    spar_answer_set_winner(answer, 1);
    if (spar_event_set_imported(event, key, round, answer))
        abort();
    spar_round_free(round);
    spar_answer_free(answer);
}

static void set_answer(spar_event *event)
{
    spar_answer *answer = NULL;
    if (spar_answer_new(&answer) || spar_answer_set_ranking(answer, 2, (size_t[]){1, 0}, (size_t[]){0, 0}, NULL) ||
        spar_event_set_answer(event, 9, 2, answer))
        abort();
    spar_event_set_taken(event, 1500);
    spar_event_set_flags(event, 1);
    spar_event_set_hash(event, hash);
    spar_answer_free(answer);
}

static void set_created(spar_event *event, bool continuous)
{
    spar_arms *arms = NULL;
    spar_space *space = NULL;
    if (spar_space_new(&space) || spar_space_add_range(space, -1, 1) || spar_space_add_levels(space, 0, 2, 3) ||
        spar_space_add_choice(space, 3, 0.5) ||
        (continuous ? spar_arms_new_space(space, &arms) : spar_arms_new(1, 2, (double[]){1, 2}, NULL, &arms)) ||
        spar_event_set_created(event, "random", 77, SPAR_ANSWER_RANKING) || spar_event_set_space(event, arms))
        abort();
    spar_event_set_horizon(event, 100);
    spar_event_set_shuffle(event, true);
    spar_arms_free(arms);
    spar_space_free(space);
}

static void set_item(spar_event *event)
{
    spar_event_set_item(event, 3);
    if (spar_event_set_outputs(event, 2, 1, 2, (size_t[]){0, 5}))
        abort();
}

enum { EXAMPLES = 14 };

/* One event of each kind, of some two. */
static void set_example(spar_event *event, int which)
{
    spar_status status = SPAR_OK;
    if (which <= 1)
        set_created(event, which == 1);
    else if (which == 2)
        status = spar_event_set_settings(event, 4, SPAR_RESULTS_PUBLIC, SPAR_ACCESS_INVITED);
    else if (which <= 4)
        status = spar_event_set_option(event, 6, 2, which == 3 ? 2 : 0, (double[]){0.5, -1});
    else if (which == 5)
        status = spar_event_set_retired(event, 6);
    else if (which == 6)
        set_item(event);
    else if (which <= 8)
        set_screen(event, which == 7);
    else if (which == 9)
        set_answer(event);
    else if (which == 10)
        spar_event_set_undo(event, 9, 1);
    else if (which == 11)
        spar_event_set_closed(event);
    else if (which == 12)
        spar_event_set_reopened(event);
    else
        set_imported(event);
    if (status)
        abort();
    if (which == 3 || which == 6)
        spar_event_set_hash(event, hash);
    spar_event_set_stamp(event, 1000 + (uint64_t)which, -5);
}

static bool same_encoding(const spar_event *event, const unsigned char *bytes, size_t length)
{
    unsigned char *again = NULL;
    size_t n = 0;
    bool same = !spar_event_encode(event, &again, &n) && n == length && memcmp(again, bytes, n) == 0;
    spar_bytes_free(again);
    return same;
}

/* Any byte changed: refused, or decoded to an event that has just these bytes. */
static bool changed_bytes(const unsigned char *bytes, size_t length, spar_event *into)
{
    unsigned char *bad = malloc(length);
    bool good = bad != NULL;
    for (size_t i = 0; good && i < length; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            memcpy(bad, bytes, length);
            bad[i] ^= (unsigned char)(1u << bit);
            spar_status status = spar_event_decode(into, bad, length, &err);
            good &=
                status ? err.text[0] && spar_event_kind_of(into) == SPAR_EVENT_NONE : same_encoding(into, bad, length);
        }
    free(bad);
    return good;
}

static void comes_back(int which)
{
    spar_event *event = make(), *back = make(), *copy = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    set_example(event, which);
    const char *name = spar_event_kind_name(spar_event_kind_of(event));
    bool good = !spar_event_encode(event, &bytes, &length) && !spar_event_decode(back, bytes, length, &err);
    ok(good && same_encoding(back, bytes, length), "%s: %zu bytes, which come back", name, length);
    ok(!spar_event_dup(event, &copy) && same_encoding(copy, bytes, length), "%s: a copy has the same", name);
    unsigned char *longer = calloc(length + 1, 1);
    if (!longer)
        abort();
    memcpy(longer, bytes, length);
    bool refused = spar_event_decode(back, longer, length + 1, &err) == SPAR_CORRUPT;
    for (size_t cut = 0; cut < length; cut++)
        refused &= spar_event_decode(back, bytes, cut, &err) == SPAR_CORRUPT;
    longer[2]++; /* the head says so, too */
    refused &= spar_event_decode(back, longer, length + 1, &err) == SPAR_CORRUPT;
    ok(refused, "%s: refused if cut short, or if something follows", name);
    ok(changed_bytes(bytes, length, back), "%s: any changed bit is refused or another event", name);
    bool clean = true;
    spar_status status = SPAR_NOMEM;
    for (size_t k = 1; status && k < 40; k++) {
        spar_event_free(copy);
        spar__alloc_fail_at(k);
        status = spar_event_dup(event, &copy);
        spar__alloc_fail_at(0);
        clean &= status ? status == SPAR_NOMEM && !copy : same_encoding(copy, bytes, length);
    }
    ok(clean && !status, "%s: every allocation fails once", name);
    free(longer);
    spar_bytes_free(bytes);
    spar_event_free(event);
    spar_event_free(back);
    spar_event_free(copy);
}

/* The documented bytes, written by hand. */
static void documented(void)
{
    static const unsigned char screen[] = {
        1,   6,    105,  0,    0,    0,                                                    /* version, kind, length */
        240, 3,    0,    0,    0,    0,    0,    0,                                        /* sequence number 1008 */
        251, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,                                     /* -5 microseconds */
        9,   0,    0,    0,    0,    0,    0,    0,                                        /* number */
        12,  0,    0,    0,    0,    0,    0,    0,                                        /* voter */
        5,   0,    0,    0,    0,    0,    0,    0,                                        /* basis */
        1,   0,    0,    0,    0xff, 0xff, 0xff, 0xff,                                     /* engine, no item */
        3,   0,    0,    0,    0,    0,    0,    0,                                        /* slots, no points */
        2,   0,    0,    0,    7,    0,    0,    0,    0, 0,    0,    0, 0, 0, 0xf0, 0x3f, /* place, arm, probability */
        0,   0,    0,    0,    0,    0,    0,    0,    0, 0,    0,    0, 0, 0, 0xd0, 0x3f, 1, 0, 0, 0, 7,
        0,   0,    0,    0,    0,    0,    0,    0,    0, 0xf0, 0x3f, 2, 0, 0, 0,    0,    0, 0, 0, 0, /* two numbers in
                                                                                                          the memo */
        252, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    spar_event *event = make();
    set_example(event, 8);
    ok(sizeof screen - 22 == screen[2] && same_encoding(event, screen, sizeof screen), "a screen as documented");
    ok(!spar_event_decode(event, screen, sizeof screen, &err) && spar_event_number(event) == 9 &&
           spar_event_voter(event) == 12 && spar_event_basis(event) == 5 && spar_event_engine(event) == 1 &&
           spar_event_item(event) == SPAR_NO_ITEM && spar_event_slots(event) == 3 && spar_event_place(event, 0) == 2 &&
           spar_event_place(event, 3) == SPAR_NO_SLOT && spar_round_arm(spar_event_round(event), 2) == 7 &&
           spar_round_prob(spar_event_round(event), 1) == 0.25 && spar_round_asked(spar_event_round(event)) &&
           spar_event_round(event)->memo[1] == -4 && spar_event_time(event) == -5 && spar_event_sequence(event) == 1008,
       "and can be read");
    ok(!spar_event_answer(event) && !spar_event_key(event) && !spar_event_hash(event) && !spar_event_policy(event) &&
           spar_event_arm(event) == SPAR_NO_ARM && !spar_event_features(event) && spar_event_revision(event) == 0,
       "without what a screen does not have");
    unsigned char newer[sizeof screen];
    memcpy(newer, screen, sizeof newer);
    newer[0] = 3;
    ok(spar_event_decode(event, newer, sizeof newer, &err) == SPAR_UNSUPPORTED && strstr(err.text, "newer"),
       "refused: %s", err.text);
    newer[0] = 1;
    newer[1] = 12;
    ok(spar_event_decode(event, newer, sizeof newer, &err) == SPAR_CORRUPT, "refused: %s", err.text);
    newer[1] = 7;
    ok(spar_event_decode(event, newer, sizeof newer, &err) == SPAR_CORRUPT, "refused: %s", err.text);
    spar_event_free(event);
}

static void fields(void)
{
    spar_event *e = make();
    set_example(e, 1);
    ok(spar_event_seed(e) == 77 && spar_event_horizon(e) == 100 && spar_event_asks(e) == SPAR_ANSWER_RANKING &&
           spar_event_shuffle(e) && strcmp(spar_event_policy(e), "random") == 0 &&
           spar_arms_continuous(spar_event_space(e)) && spar_arms_dim(spar_event_space(e)) == 5,
       "created");
    set_example(e, 2);
    ok(spar_event_slots(e) == 4 && spar_event_results(e) == SPAR_RESULTS_PUBLIC &&
           spar_event_access(e) == SPAR_ACCESS_INVITED && !spar_event_hash(e) && !spar_event_space(e),
       "settings");
    set_example(e, 3);
    ok(spar_event_arm(e) == 6 && spar_event_version(e) == 2 && spar_event_dim(e) == 2 &&
           spar_event_features(e)[1] == -1 && memcmp(spar_event_hash(e), hash, sizeof hash) == 0,
       "option");
    ok(spar_event_set_outputs(e, 1, 0, 0, NULL) == SPAR_INVALID && spar_event_group(e) == SPAR_NO_GROUP &&
           spar_event_outputs(e) == 0,
       "only items have outputs");
    set_example(e, 6);
    ok(spar_event_item(e) == 3 && spar_event_version(e) == 2 && spar_event_group(e) == 1 &&
           spar_event_outputs(e) == 2 && spar_event_output(e, 1) == 5 && spar_event_output(e, 2) == SPAR_NO_ARM,
       "item");
    ok(spar_event_set_outputs(e, 3, 0, 2, (size_t[]){5, 5}) == SPAR_INVALID && spar_event_version(e) == 2,
       "options that do not rise are refused");
    set_example(e, 9);
    spar_event_set_basis(e, 8, 8);
    spar_event_set_horizon(e, 8);
    spar_event_set_shuffle(e, true);
    spar_event_set_shown_item(e, 8);
    ok(spar_event_number(e) == 9 && spar_event_revision(e) == 2 && spar_event_taken(e) == 1500 &&
           spar_event_flags(e) == 1 && spar_answer_count(spar_event_answer(e)) == 2 && spar_event_basis(e) == 0 &&
           spar_event_horizon(e) == 0 && !spar_event_shuffle(e) && spar_event_item(e) == SPAR_NO_ITEM,
       "answer");
    set_example(e, 13);
    spar_event_set_hash(e, hash);
    ok(spar_event_key(e)[0] == key[0] && spar_event_slots(e) == 2 && !spar_round_asked(spar_event_round(e)) &&
           spar_answer_winner(spar_event_answer(e)) == 1 && !spar_event_hash(e),
       "imported");
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_event_set_stamp(e, 0, 0);
    ok(spar_event_encode(e, &bytes, &length) == SPAR_INVALID && !bytes, "an event without a place is not encoded");
    spar_round *round = NULL;
    if (spar_round_new(2, &round) || spar_round_set(round, 2, (size_t[]){0, 1}) ||
        spar_event_set_screen(e, 1, round, (size_t[]){0, ((size_t)1 << 32) + 1}))
        abort();
    spar_event_set_stamp(e, 1, 0);
    ok(spar_event_encode(e, &bytes, &length) == SPAR_INVALID && !bytes, "nor is a slot in a place that is too large");
    spar_round_free(round);
    spar_event *none = make();
    spar_event_set_stamp(none, 1, 0);
    ok(spar_event_encode(none, &bytes, &length) == SPAR_INVALID && !bytes, "nor is one without a kind");
    ok(spar_event_set_created(e, "", 1, SPAR_ANSWER_WINNER) == SPAR_INVALID &&
           spar_event_set_created(e, "random", 1, SPAR_ANSWER_TIE) == SPAR_INVALID &&
           spar_event_set_settings(e, 0, SPAR_RESULTS_PUBLIC, SPAR_ACCESS_OPEN) == SPAR_INVALID &&
           spar_event_set_option(e, (size_t)1 << 40, 1, 0, NULL) == SPAR_INVALID &&
           spar_event_set_option(e, 0, 0, 0, NULL) == SPAR_INVALID &&
           spar_event_set_retired(e, UINT32_MAX) == SPAR_INVALID,
       "values out of range are refused");
    ok(!spar_event_kind_name((spar_event_kind)12) && !spar_event_kind_name(SPAR_EVENT_NONE),
       "other kinds have no name");
    spar_event_free(e);
    spar_event_free(none);
    spar_event_free(NULL);
}

/* What an event is given may be its own. */
static void own_fields(void)
{
    spar_event *e = make();
    set_created(e, false);
    ok(!spar_event_set_created(e, spar_event_policy(e), 5, SPAR_ANSWER_WINNER) &&
           strcmp(spar_event_policy(e), "random") == 0 && spar_event_seed(e) == 5,
       "its own policy");
    set_answer(e);
    spar_event_set_hash(e, spar_event_hash(e));
    ok(spar_event_hash(e) && memcmp(spar_event_hash(e), hash, sizeof hash) == 0, "its own hash");
    ok(!spar_event_set_answer(e, 4, 1, spar_event_answer(e)) && spar_event_number(e) == 4 &&
           spar_answer_count(spar_event_answer(e)) == 2 && !spar_event_hash(e),
       "its own answer");
    set_screen(e, false);
    ok(!spar_event_set_screen(e, 10, spar_event_round(e), NULL) && spar_event_slots(e) == 3 &&
           spar_event_place(e, 0) == 0 && spar_event_round(e)->memo[1] == -4 && spar_event_voter(e) == 0,
       "its own round");
    set_imported(e);
    ok(!spar_event_set_imported(e, spar_event_key(e), spar_event_round(e), spar_event_answer(e)) &&
           spar_event_slots(e) == 2 && spar_answer_winner(spar_event_answer(e)) == 1 &&
           memcmp(spar_event_key(e), key, sizeof key) == 0,
       "its own key, round and answer");
    spar_event_free(e);
}

/* A round that a policy asked, as the round of an import. */
static void imports_an_asked_round(void)
{
    spar_event *screen = make(), *e = make();
    spar_answer *skip = NULL;
    set_screen(screen, false);
    if (spar_answer_new(&skip) || spar_event_set_imported(e, key, spar_event_round(screen), skip))
        abort();
    const spar_round *round = spar_event_round(e);
    ok(round->m == 3 && !round->asked && round->memo[1] == 0 && round->prob[1] == 1 && round->arm[0] == 7,
       "the round of an import was not asked");
    spar_answer_free(skip);
    spar_event_free(screen);
    spar_event_free(e);
}

int main(void)
{
    own_fields();
    imports_an_asked_round();
    for (size_t i = 0; i < SPAR_HASH_SIZE; i++) {
        hash[i] = (unsigned char)(i + 1);
        key[i] = (unsigned char)(200 - i);
    }
    for (int which = 0; which < EXAMPLES; which++)
        comes_back(which);
    documented();
    fields();
    return done();
}
