/* The verdict as a sentence. */
#include "base/buf.h"
#include "decide/decide.h"

#include <string.h>

enum { LISTED = 6 }; /* more names than this become 'and 7 others' */

static void add_bytes(spar__words *w, const char *bytes, size_t length)
{
    if (w->length + 1 < w->room) {
        size_t fits = w->room - 1 - w->length;
        memcpy(w->out + w->length, bytes, length < fits ? length : fits);
    }
    w->length += length;
    if (w->room > 0)
        w->out[w->length < w->room ? w->length : w->room - 1] = 0;
}

void spar__words_add(spar__words *w, const char *text)
{
    add_bytes(w, text, strlen(text));
}

static void add_number(spar__words *w, double value)
{
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print_fixed(text, value, 6);
    spar__words_add(w, text);
}

void spar__words_count(spar__words *w, uint64_t number)
{
    char digits[21];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    add_bytes(w, digits + at, sizeof digits - at);
}

void spar__words_option(spar__words *w, size_t option)
{
    const char *name = w->names && w->names->option ? w->names->option(w->names->context, option) : NULL;
    spar__words_add(w, name ? name : "option ");
    if (!name)
        spar__words_count(w, option + 1);
}

void spar__words_voter(spar__words *w, uint64_t voter)
{
    const char *name = w->names && w->names->voter ? w->names->voter(w->names->context, voter) : NULL;
    spar__words_add(w, name ? name : "voter ");
    if (!name)
        spar__words_count(w, voter);
}

void spar__words_list(spar__words *w, const spar_decision *d, bool (*has)(const spar_decision *, size_t), size_t but)
{
    size_t total = 0, written = 0;
    for (size_t i = 0; i < d->evidence.n; i++)
        total += i != but && has(d, i);
    size_t listed = total > LISTED ? LISTED - 1 : total;
    for (size_t i = 0; i < d->evidence.n && written < listed; i++) {
        if (i == but || !has(d, i))
            continue;
        spar__words_add(w, written == 0 ? "" : written + 1 == total ? " and " : ", ");
        spar__words_option(w, i);
        written++;
    }
    if (listed == total)
        return;
    spar__words_add(w, " and ");
    spar__words_count(w, total - listed);
    spar__words_add(w, " others");
}

static bool in_running(const spar_decision *d, size_t option)
{
    return spar__evidence_running(&d->evidence, option);
}

static void say_none(spar__words *w, const spar_decision *d)
{
    spar__words_add(w, "no answers yet");
    if (d->skipped == 0)
        return;
    spar__words_add(w, "; ");
    spar__words_count(w, d->skipped);
    spar__words_add(w, d->skipped == 1 ? " screen was skipped" : " screens were skipped");
}

static void say_early(spar__words *w, const spar_decision *d)
{
    spar__words_count(w, d->answers);
    spar__words_add(w, d->answers == 1 ? " answer so far; a verdict needs at least 10"
                                       : " answers so far; a verdict needs at least 10");
}

static void say_open(spar__words *w, const spar_decision *d)
{
    size_t running = spar_decision_running(d), leader = spar_decision_leader(d);
    if (running == 0) {
        spar__words_add(w, "no option is left");
    } else if (running == 1) {
        spar__words_add(w, "only ");
        spar__words_list(w, d, in_running, SPAR_NO_OPTION);
        spar__words_add(w, " is still in the running");
    } else {
        if (leader == SPAR_NO_OPTION)
            spar__words_add(w, "no option");
        else
            spar__words_option(w, leader);
        spar__words_add(w, " leads; ");
        spar__words_list(w, d, in_running, leader);
        spar__words_add(w, running == 2 && leader != SPAR_NO_OPTION ? " is" : " are");
        spar__words_add(w, " still in the running");
    }
}

static void say_best(spar__words *w, const spar_decision *d, size_t option)
{
    spar__words_option(w, option);
    spar__words_add(w, " is best (error at most ");
    add_number(w, 100 * d->evidence.delta);
    spar__words_add(w, " %)");
}

static void say_practical(spar__words *w, const spar_decision *d, size_t option)
{
    spar__words_option(w, option);
    spar__words_add(w, " is within ");
    add_number(w, d->evidence.eps);
    spar__words_add(w, " of the best, if it is not the best");
}

size_t spar_decision_sentence(const spar_decision *d, const spar_decision_names *names, char *out, size_t room)
{
    if (!d || (room && !out))
        return 0;
    spar__words w = {out, room, 0, names};
    size_t option;
    switch (spar__evidence_verdict(&d->evidence, d->answers, &option)) {
    case SPAR_VERDICT_NONE:
        say_none(&w, d);
        break;
    case SPAR_VERDICT_EARLY:
        say_early(&w, d);
        break;
    case SPAR_VERDICT_BEST:
        say_best(&w, d, option);
        break;
    case SPAR_VERDICT_EQUAL:
        spar__words_add(&w, "the options still in the running are practically equal");
        break;
    case SPAR_VERDICT_PRACTICAL:
        say_practical(&w, d, option);
        break;
    case SPAR_VERDICT_NO_SCALE:
        spar__words_add(&w, "every option is beaten by another one: preferences go in a circle");
        break;
    case SPAR_VERDICT_OPEN:
        say_open(&w, d);
        break;
    }
    return w.length;
}
