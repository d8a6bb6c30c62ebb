/* The life of a decision: answers of any kind, options that come and go, saved and loaded, in any order. It is a fold:
 * a decision that was saved and loaded after every third step has the same bytes as one that was not. What is out of
 * the running is so for good while answers come in their order (SPAR_VERDICT_BEST is kept, too). */
#include "fuzz.h"

#include <spar/decide.h>
#include <spar/feedback.h>

enum { STEPS = 48, SLOTS = 3, MOST_OPTIONS = 8 };

typedef struct decision_pair {
    spar_decision *plain, *restored;
} decision_pair;

static void save(const spar_decision *decision, fuzz_saved *out)
{
    require(!spar_decision_save(decision, &out->bytes, &out->length));
}

static void restore(decision_pair *d)
{
    fuzz_saved a, b;
    spar_decision *loaded = NULL;
    spar_error err = {0};
    save(d->plain, &a);
    save(d->restored, &b);
    require(a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0);
    require(!spar_decision_load(b.bytes, b.length, &loaded, &err));
    spar_bytes_free(a.bytes);
    spar_bytes_free(b.bytes);
    spar_decision_free(d->restored);
    d->restored = loaded;
}

/* Any ballot, sound or not; both decisions take it, or neither does. */
static void answer(decision_pair *d, fuzz_input *in)
{
    size_t option[SLOTS], m = 1 + fuzz_below(in, SLOTS);
    unsigned char outcome[SLOTS * SLOTS];
    uint8_t how = fuzz_byte(in);
    spar_error err = {0};
    memset(outcome, SPAR_MISSING, sizeof outcome);
    for (size_t j = 0; j < m; j++) {
        option[j] = fuzz_below(in, spar_decision_options(d->plain) + 1);
        for (size_t k = 0; k < j; k++) {
            unsigned char said = fuzz_byte(in) % 5;
            outcome[j * m + k] = said;
            outcome[k * m + j] = said ? (unsigned char)(SPAR_LOSS + SPAR_WIN - said) : said;
        }
    }
    spar_ballot ballot = {.size = sizeof ballot, .m = m, .option = option, .outcome = outcome};
    ballot.independent = how & 1;
    ballot.voter = how >> 1 & 3;
    ballot.item = how >> 3 & 1;
    ballot.times = how & 16 ? (uint64_t)1 << (how >> 5) : 0;
    ballot.weight = how & 32 ? (how & 64 ? 1.5 : 0.5) : 0;
    spar_status status = spar_decision_answer(d->plain, &ballot, &err);
    fuzz_refused(status, &err, NULL);
    require(spar_decision_answer(d->restored, &ballot, &err) == status);
}

static void change_options(decision_pair *d, fuzz_input *in)
{
    uint8_t what = fuzz_byte(in);
    spar_error err = {0};
    bool add = what & 1;
    if (add && spar_decision_options(d->plain) >= MOST_OPTIONS)
        return;
    spar_status status =
        add ? spar_decision_add(d->plain, NULL, &err) : spar_decision_retire(d->plain, what >> 1, &err);
    fuzz_refused(status, &err, NULL);
    require((add ? spar_decision_add(d->restored, NULL, &err) : spar_decision_retire(d->restored, what >> 1, &err)) ==
            status);
}

static void look(const spar_decision *d, unsigned *out)
{
    char text[500];
    unsigned now = 0;
    size_t n = spar_decision_options(d), running = 0;
    for (size_t i = 0; i < n; i++) {
        now |= spar_decision_in_running(d, i) ? 0 : 1u << i;
        running += spar_decision_in_running(d, i) ? 1 : 0;
        require(spar_decision_is_live(d, i) || !spar_decision_in_running(d, i));
    }
    require(running == spar_decision_running(d) && spar_verdict_name(spar_decision_verdict(d))[0]);
    (void)spar_decision_sentence(d, NULL, text, sizeof text);
    *out = now;
}

void fuzz_decision_life(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    uint8_t how = fuzz_byte(&in);
    decision_pair d = {0};
    spar_decision_settings settings = {.size = sizeof settings, .live = how & 1, .first_only = how >> 1 & 1};
    settings.unordered = how >> 2 & 1;
    settings.delta = how & 8 ? 0.4 : 0;
    require(!spar_decision_new(how >> 5, &settings, &d.plain, NULL) &&
            !spar_decision_new(how >> 5, &settings, &d.restored, NULL));
    unsigned out = 0, now = 0;
    for (int t = 0; t < STEPS && in.left; t++) {
        bool answered = fuzz_byte(&in) % 8 != 0;
        if (answered)
            answer(&d, &in);
        else
            change_options(&d, &in);
        look(d.plain, &now);
        require(!answered || settings.unordered || (now & out) == out);
        out = now;
        if (t % 3 == 2)
            restore(&d);
    }
    restore(&d);
    spar_decision_free(d.plain);
    spar_decision_free(d.restored);
}
