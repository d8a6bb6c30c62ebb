/* words.c - the verdict of a decision as a sentence, and what may make it less sure than it sounds.
 *
 * Sentences go to the caller's text; what does not fit is only counted. They cost a pass over options and voters, but
 * for the warning about one voter, which folds the log again without each of the most frequent voters. */
#include "decide/decide.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "prefer/evidence.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LISTED = 6, NAME = 32 }; /* more names than this become 'and 7 others'; bytes of 'option 12' */

static const char in_a_circle[] = "every option is beaten by another one: preferences go in a circle";

typedef struct words {
    char *out;
    size_t room, length;
    const spar_decision_names *names;
} words;

__attribute__((format(printf, 2, 3))) static void say(words *w, const char *format, ...)
{
    size_t used = w->length < w->room ? w->length : w->room;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(w->room ? w->out + used : NULL, w->room - used, format, args);
    va_end(args);
    w->length += length > 0 ? (size_t)length : 0;
}

static const char *option_name(const words *w, size_t option, char room[NAME])
{
    const char *name = w->names && w->names->option ? w->names->option(w->names->context, option) : NULL;
    if (!name)
        (void)snprintf(room, NAME, "option %zu", option + 1);
    return name ? name : room;
}

/* 'A', 'A and B', 'A, B and C', 'A, B, C, D, E and 7 others': the options for which `has` holds, without `but`. */
static void say_list(words *w, const spar_decision *d, bool (*has)(const spar_decision *, size_t), size_t but)
{
    char name[NAME];
    size_t total = 0, written = 0;
    for (size_t i = 0; i < d->evidence.n; i++)
        total += i != but && has(d, i);
    size_t listed = total > LISTED ? LISTED - 1 : total;
    for (size_t i = 0; i < d->evidence.n && written < listed; i++) {
        if (i == but || !has(d, i))
            continue;
        say(w, "%s%s", written == 0 ? "" : written + 1 == total ? " and " : ", ", option_name(w, i, name));
        written++;
    }
    if (listed < total)
        say(w, " and %zu others", total - listed);
}

static bool in_running(const spar_decision *d, size_t option)
{
    return spar__evidence_running(&d->evidence, option);
}

size_t spar_decision_sentence(const spar_decision *d, const spar_decision_names *names, char *out, size_t room)
{
    if (!d || (room && !out))
        return 0;
    words w = {out, room, 0, names};
    char name[NAME], number[SPAR__NUMBER_SIZE];
    size_t option, running = spar_decision_running(d), leader = spar_decision_leader(d);
    switch (spar__evidence_verdict(&d->evidence, d->answers, &option)) {
    case SPAR_VERDICT_NONE:
        say(&w, "no answers yet");
        if (d->skipped)
            say(&w, "; %" PRIu64 " %s", d->skipped, d->skipped == 1 ? "screen was skipped" : "screens were skipped");
        break;
    case SPAR_VERDICT_EARLY:
        say(&w, "%" PRIu64 " answer%s so far; a verdict needs at least 10", d->answers, d->answers == 1 ? "" : "s");
        break;
    case SPAR_VERDICT_BEST:
        (void)spar__number_print_fixed(number, 100 * d->evidence.delta, 6);
        say(&w, "%s is best (error at most %s %%)", option_name(&w, option, name), number);
        break;
    case SPAR_VERDICT_EQUAL:
        say(&w, "the options still in the running are practically equal");
        break;
    case SPAR_VERDICT_PRACTICAL:
        (void)spar__number_print_fixed(number, d->evidence.eps, 6);
        say(&w, "%s is within %s of the best, if it is not the best", option_name(&w, option, name), number);
        break;
    case SPAR_VERDICT_NO_SCALE:
        say(&w, "%s", in_a_circle);
        break;
    case SPAR_VERDICT_OPEN:
        if (running == 0) {
            say(&w, "no option is left");
        } else if (running == 1) {
            say(&w, "only ");
            say_list(&w, d, in_running, SPAR_NO_OPTION);
            say(&w, " is still in the running");
        } else {
            say(&w, "%s leads; ", leader == SPAR_NO_OPTION ? "no option" : option_name(&w, leader, name));
            say_list(&w, d, in_running, leader);
            say(&w, " %s still in the running", running == 2 && leader != SPAR_NO_OPTION ? "is" : "are");
        }
    }
    return w.length;
}

/* --- Warnings --- */

enum { FEW = 20, CANDIDATES = 20, MOST_FOLDED = 2000000 };

/* The `most` entries with the largest counts, largest first, of equal ones the first to answer; returns how many. */
static size_t largest(const spar__key_table *table, size_t most, size_t *index)
{
    size_t count = 0;
    for (size_t i = 0; i < table->n; i++) {
        uint64_t c = table->entry[i].count;
        if (count == most && c <= table->entry[index[most - 1]].count)
            continue;
        size_t at = count < most ? count++ : count - 1;
        for (; at > 0 && table->entry[index[at - 1]].count < c; at--)
            index[at] = index[at - 1];
        index[at] = i;
    }
    return count;
}

static bool never_shown(const spar_decision *d, size_t option)
{
    return d->evidence.option[option].live && d->record[option].shown == 0;
}

/* Disjoint sets of options: the first of a set stands for it. */
static uint32_t first_of(uint32_t *set, uint32_t i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

/* Do the live options that were shown fall into several parts, connected by answers about pairs? */
static spar_status warn_disconnected(const spar_decision *d, words *w)
{
    const spar__evidence *ev = &d->evidence;
    uint32_t *set = spar__alloc(2 * ev->n, sizeof *set), *counted = set ? set + ev->n : NULL;
    if (!set)
        return SPAR_NOMEM;
    for (size_t i = 0; i < ev->n; i++)
        set[i] = (uint32_t)i;
    for (size_t r = 0; r < ev->pairs.count; r++) {
        uint32_t a = first_of(set, ev->pairs.row[r].a), b = first_of(set, ev->pairs.row[r].b);
        set[a > b ? a : b] = a < b ? a : b;
    }
    size_t parts = 0;
    for (size_t i = 0; i < ev->n; i++)
        if (ev->option[i].live && d->record[i].shown > 0)
            parts += counted[first_of(set, (uint32_t)i)]++ == 0;
    spar__free(set);
    if (parts > 1)
        say(w, "the options fall into %zu parts that were never compared with each other", parts);
    return SPAR_OK;
}

/* What the voter said about the best option x and each other one, taken from the present counts: if the evidence that
 * is left still reaches every threshold, so does its maximum, and x is best without the voter. */
static spar_status surely_same(const spar_decision *d, uint32_t voter, bool *same)
{
    const spar__evidence *ev = &d->evidence;
    size_t x;
    *same = false;
    if (spar__evidence_verdict(ev, d->answers - d->voters.entry[voter].count, &x) != SPAR_VERDICT_BEST)
        return SPAR_OK;
    double(*said)[2] = spar__alloc(ev->n, sizeof *said);
    if (!said)
        return SPAR_NOMEM;
    for (size_t i = 0; i < d->log_count; i++) {
        const spar__observation *o = &d->log[i];
        const spar__pair_row *row = &ev->pairs.row[o->row & ~SPAR__JOINED];
        if (o->voter == voter && (row->a == x || row->b == x))
            said[row->a == x ? row->b : row->a][(row->a == x) == (o->won < 0)] += fabs(o->won);
    }
    *same = true;
    for (size_t j = 0; *same && j < ev->n; j++) {
        spar__against pair = spar__evidence_against(ev, x, j);
        double won = fmax(0, pair.won - said[j][0]), lost = fmax(0, pair.lost - said[j][1]);
        *same =
            j == x || !ev->option[j].live || !(spar__log_evidence(won, lost, 0.5) < spar__evidence_threshold(ev, x, j));
    }
    spar__free(said);
    return SPAR_OK;
}

/* Is there another verdict when the statements of the log are learned again, but for one voter's? */
static spar_status changes_without(const spar_decision *d, uint32_t voter, bool *changes)
{
    spar__evidence ev;
    if (spar__evidence_blank(&d->evidence, &ev))
        return SPAR_NOMEM;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < d->log_count; i++) {
        const spar__observation *o = &d->log[i];
        const spar__pair_row *row = &d->evidence.pairs.row[o->row & ~SPAR__JOINED];
        spar__stated s = {.a = row->a, .b = row->b};
        s.won[o->won < 0] = fabs(o->won);
        if (o->row & SPAR__JOINED)
            s.won[1] = -d->log[++i].won;
        if (o->voter != voter)
            status = spar__evidence_learn(&ev, 1, &s);
    }
    size_t option, other;
    spar_verdict verdict = spar__evidence_verdict(&d->evidence, d->answers, &option);
    *changes =
        verdict != spar__evidence_verdict(&ev, d->answers - d->voters.entry[voter].count, &other) || option != other;
    spar__evidence_fini(&ev);
    return status;
}

spar_status spar_decision_one_voter(const spar_decision *d, uint64_t *voter)
{
    if (!d || !voter)
        return SPAR_INVALID;
    size_t index[CANDIDATES], count = largest(&d->voters, CANDIDATES, index), folded = 0;
    spar_verdict verdict = spar_decision_verdict(d);
    *voter = 0;
    if (d->log_dropped || verdict < SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_OPEN)
        return SPAR_OK;
    for (size_t i = 0; i < count; i++) {
        const spar__keyed *entry = &d->voters.entry[index[i]];
        bool same, changes = false;
        if (entry->count < 2 || 20 * entry->count < d->answers)
            break;
        if (surely_same(d, (uint32_t)index[i], &same))
            return SPAR_NOMEM;
        if (same || folded > MOST_FOLDED)
            continue;
        folded += d->log_count;
        if (changes_without(d, (uint32_t)index[i], &changes))
            return SPAR_NOMEM;
        if (changes) {
            *voter = entry->high;
            break;
        }
    }
    return SPAR_OK;
}

/* Of a voter who gave all answers FEW_VOTERS has said enough. */
static spar_status warn_one_voter(const spar_decision *d, words *w)
{
    uint64_t voter;
    if (d->voters.n == 1 && d->voters.entry[0].count == d->answers)
        return SPAR_OK;
    spar_status status = spar_decision_one_voter(d, &voter);
    if (status || voter == 0)
        return status;
    const char *name = w->names && w->names->voter ? w->names->voter(w->names->context, voter) : NULL;
    if (name)
        say(w, "without %s there would be another verdict", name);
    else
        say(w, "without voter %" PRIu64 " there would be another verdict", voter);
    return SPAR_OK;
}

spar_status spar_decision_warning(const spar_decision *d, spar_warning warning, const spar_decision_names *names,
                                  char *out, size_t room, size_t *length)
{
    if (!d || (room && !out) || !length)
        return SPAR_INVALID;
    words w = {out, room, 0, names};
    spar_status status = SPAR_OK;
    spar_verdict verdict = spar_decision_verdict(d);
    size_t count = 0, needed = 0, index[FEW];
    uint64_t given = 0;
    say(&w, "%s", "");
    switch (warning) {
    case SPAR_WARNING_FEW_VOTERS:
        /* The fewest voters who gave more than half of the answers: if they are at most 20 and answered twice on
         * average. */
        count = largest(&d->voters, FEW, index);
        while (needed < count && 2 * given <= d->answers)
            given += d->voters.entry[index[needed++]].count;
        if (d->answers == 0 || 2 * given <= d->answers || given < 2 * needed)
            break;
        say(&w, "%zu voter%s gave %" PRIu64 " of %" PRIu64 " answers: the verdict may be about their tastes", needed,
            needed == 1 ? "" : "s", given, d->answers);
        break;
    case SPAR_WARNING_ONE_VOTER:
        status = warn_one_voter(d, &w);
        break;
    case SPAR_WARNING_ONE_ITEM:
        if (d->items.n < 2 || largest(&d->items, 1, index) == 0)
            break;
        if (2 * d->items.entry[index[0]].count > d->answers && d->items.entry[index[0]].high != 0)
            say(&w, "one item had %" PRIu64 " of %" PRIu64 " answers: the verdict may be about that item",
                d->items.entry[index[0]].count, d->answers);
        break;
    case SPAR_WARNING_NEVER_SHOWN:
        for (size_t i = 0; i < d->evidence.n; i++)
            count += never_shown(d, i);
        if (count == 0)
            break;
        say_list(&w, d, never_shown, SPAR_NO_OPTION);
        say(&w, count == 1 ? " has never been shown" : " have never been shown");
        break;
    case SPAR_WARNING_DISCONNECTED:
        status = warn_disconnected(d, &w);
        break;
    case SPAR_WARNING_NO_SCALE:
        if (verdict >= SPAR_VERDICT_BEST && verdict != SPAR_VERDICT_NO_SCALE && spar__all_out(&d->evidence))
            say(&w, "%s", in_a_circle);
        break;
    default:
        status = SPAR_INVALID;
    }
    *length = w.length;
    return status;
}
