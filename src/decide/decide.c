/* decide.c - a decision: answers come in (a fold), verdicts and numbers come out, and it is saved and loaded.
 *
 * An answer of m slots costs O(m^2) and a few hashes, a verdict a pass over the options. */
#include "decide/decide.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "num/elementary.h"
#include "prefer/evidence.h"
#include "types/feedback.h"
#include "types/round.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_TIMES ((uint64_t)1 << 40)
#define MOST_STATED 0x1p49 /* far below the count that a saved decision may have, whatever is rounded */

/* Room for a record of each of n options. */
static spar_status decision_reserve_records(spar_decision *d, size_t n)
{
    spar__option_record *record = spar__grow(d->record, &d->record_room, n, 0, sizeof *record);
    if (!record)
        return SPAR_NOMEM;
    d->record = record;
    return SPAR_OK;
}

/* Room for `more` observations. */
static spar_status decision_reserve_log(spar_decision *d, size_t more)
{
    spar__observation *log = spar__grow(d->log, &d->log_room, d->log_count + more, 0, sizeof *log);
    if (!log)
        return SPAR_NOMEM;
    d->log = log;
    return SPAR_OK;
}

/* delta and eps are given and good. */
static spar_status decision_make(size_t options, const spar_decision_settings *s, spar_decision **out)
{
    spar_decision *d = *out = spar__alloc(1, sizeof *d);
    if (!d)
        return SPAR_NOMEM;
    d->live = s->live;
    d->first_only = s->first_only;
    if (spar__evidence_init(&d->evidence, options, s->delta, spar__delta_of_first(s->delta, s->live), s->eps) ||
        decision_reserve_records(d, options)) {
        spar_decision_free(d);
        *out = NULL;
        return SPAR_NOMEM;
    }
    d->evidence.unordered = s->unordered;
    return SPAR_OK;
}

spar_status spar_decision_new(size_t options, const spar_decision_settings *settings, spar_decision **out,
                              spar_error *err)
{
    if (!SPAR__CLEAR(out))
        return spar__fail_null(err);
    spar_decision_settings s = {0};
    if (settings && settings->size < offsetof(spar_decision_settings, eps))
        return spar__fail(err, SPAR_INVALID, "the settings of a decision have the size %zu, expected %zu",
                          settings->size, sizeof s);
    if (settings) /* what an older caller does not know is 0, the default */
        memcpy(&s, settings, settings->size < sizeof s ? settings->size : sizeof s);
    s.delta = s.delta == 0 ? 0.05 : s.delta;
    s.eps = s.eps == 0 ? 0.2 : s.eps;
    if (!(s.delta > 0 && s.delta < 1))
        return spar__fail(err, SPAR_INVALID, "delta is %g, expected a number between 0 and 1", s.delta);
    if (!(s.eps > 0 && s.eps <= 20))
        return spar__fail(err, SPAR_INVALID, "eps is %g, expected a number above 0, at most 20", s.eps);
    return decision_make(options, &s, out) ? spar__fail_memory(err) : SPAR_OK;
}

void spar_decision_free(spar_decision *d)
{
    if (!d)
        return;
    spar__evidence_fini(&d->evidence);
    spar__key_table_fini(&d->voters);
    spar__key_table_fini(&d->items);
    spar__key_table_fini(&d->seen);
    spar__free(d->record);
    spar__free(d->log);
    spar_feedback_free(d->told);
    spar__free(d);
}

spar_status spar_decision_add(spar_decision *d, size_t *option, spar_error *err)
{
    if (!d)
        return spar__fail_null(err);
    size_t n = d->evidence.n;
    if (d->evidence.started && !d->live)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "an option was added after the first answer to a decision that is not live");
    if (decision_reserve_records(d, n + 1) || spar__evidence_add(&d->evidence))
        return spar__fail_memory(err);
    d->record[n] = (spar__option_record){0};
    if (option)
        *option = n;
    return SPAR_OK;
}

static spar_status refuse_option(const spar_decision *d, size_t option, spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "option %zu is not among the %zu options", option, d->evidence.n);
}

spar_status spar_decision_retire(spar_decision *d, size_t option, spar_error *err)
{
    if (!d)
        return spar__fail_null(err);
    if (option >= d->evidence.n)
        return refuse_option(d, option, err);
    spar__evidence_retire(&d->evidence, option);
    return SPAR_OK;
}

/* The matrix must not contradict itself. */
static spar_status check_ballot(const spar_decision *d, const spar_ballot *b, spar_error *err)
{
    if (!(b->weight >= 0 && b->weight <= 1))
        return spar__fail(err, SPAR_INVALID, "a weight is %g, expected a number above 0, at most 1", b->weight);
    if (b->m && (!b->option || !b->outcome))
        return spar__fail_null(err);
    if (b->times > MOST_TIMES)
        return spar__fail(err, SPAR_INVALID, "a ballot counts %" PRIu64 " times, expected at most 2^40", b->times);
    for (size_t j = 0; j < b->m; j++) {
        if (b->option[j] >= d->evidence.n)
            return refuse_option(d, b->option[j], err);
        for (size_t k = 0; k < j; k++) {
            unsigned x = b->outcome[j * b->m + k], y = b->outcome[k * b->m + j];
            if (x > 3 || y != (x ? 4 - x : 0))
                return spar__fail(err, SPAR_INVALID, "outcomes of slots %zu and %zu contradict each other", k + 1,
                                  j + 1);
        }
    }
    return SPAR_OK;
}

static bool says_anything(const spar_ballot *b)
{
    for (size_t j = 0; j < b->m; j++)
        for (size_t k = 0; k < j; k++)
            if (b->outcome[j * b->m + k] != 0)
                return true;
    return false;
}

/* The keys of seen: 32 bits each of voter, item, a and b. */
static uint64_t who_key(size_t voter, size_t item)
{
    return (uint64_t)voter << 32 | (uint32_t)item;
}

static uint64_t pair_key(const spar__stated *s)
{
    return (uint64_t)s->a << 32 | s->b;
}

/* Leaves out the pairs on which the voter has answered before. */
static size_t only_first(const spar_decision *d, const spar_ballot *b, size_t count, spar__stated *stated)
{
    if (!d->first_only || b->voter == 0)
        return count;
    size_t voter = spar__key_find(&d->voters, b->voter, 0), item = spar__key_find(&d->items, b->item, 0), kept = 0;
    if (voter == SPAR__NO_KEY || item == SPAR__NO_KEY)
        return count;
    for (size_t i = 0; i < count; i++)
        if (spar__key_find(&d->seen, who_key(voter, item), pair_key(&stated[i])) == SPAR__NO_KEY)
            stated[kept++] = stated[i];
    return kept;
}

/* Is there no place in the log for that many pairs? */
static bool log_ends(const spar_decision *d, size_t count)
{
    return d->log_dropped || (d->live && d->log_count + 2 * count > SPAR__MOST_OBSERVED);
}

/* Everything that cannot fail: who answered what. */
static void note(spar_decision *d, const spar_ballot *b, uint64_t times, size_t count, const spar__stated *stated)
{
    size_t item = spar__key_get(&d->items, b->item, 0), voter = SPAR__UNKNOWN_VOTER;
    d->items.entry[item].count += times;
    if (b->voter) {
        voter = spar__key_get(&d->voters, b->voter, 0);
        d->voters.entry[voter].count += times;
    }
    if (log_ends(d, count)) {
        spar__free(d->log);
        d->log = NULL;
        d->log_count = d->log_room = 0;
        d->log_dropped = true;
    }
    for (size_t i = 0; i < count; i++) {
        const spar__stated *s = &stated[i];
        if (!d->log_dropped) {
            uint32_t at = (uint32_t)(spar__pair_find(&d->evidence.pairs, s->a, s->b) - d->evidence.pairs.row);
            bool both = s->won[0] > 0 && s->won[1] > 0;
            if (s->won[0] > 0)
                d->log[d->log_count++] = (spar__observation){both ? at | SPAR__JOINED : at, (uint32_t)voter, s->won[0]};
            if (s->won[1] > 0)
                d->log[d->log_count++] = (spar__observation){at, (uint32_t)voter, -s->won[1]};
        }
        if (d->first_only && b->voter)
            (void)spar__key_get(&d->seen, who_key(voter, item), pair_key(s));
    }
}

/* Was the option of slot j before some other, behind and level with none? */
static bool chosen(const spar_ballot *b, size_t j)
{
    bool won = false;
    for (size_t k = 0; k < b->m; k++) {
        unsigned outcome = b->outcome[j * b->m + k];
        if (b->option[k] == b->option[j] || outcome == 0)
            continue;
        if (outcome != 3)
            return false;
        won = true;
    }
    return won;
}

spar_status spar_decision_answer(spar_decision *d, const spar_ballot *given, spar_error *err)
{
    if (!d || !given)
        return spar__fail_null(err);
    if (given->size < offsetof(spar_ballot, independent))
        return spar__fail(err, SPAR_INVALID, "a ballot has the size %zu, expected %zu", given->size, sizeof *given);
    spar_ballot known = {0};
    memcpy(&known, given, given->size < sizeof known ? given->size : sizeof known);
    const spar_ballot *b = &known;
    spar_status status = check_ballot(d, b, err);
    if (status)
        return status;
    spar__stated *stated = spar__evidence_scratch(&d->evidence, b->m);
    if (!stated)
        return spar__fail_memory(err);
    uint64_t times = b->times == 0 ? 1 : b->times;
    double weight = (b->weight == 0 ? 1 : b->weight) * (double)times;
    size_t count = spar__stated_of(b->m, b->option, b->outcome, b->independent, weight, stated);
    count = only_first(d, b, count, stated);
    /* No count may grow so large that one more is no other number. */
    double total = d->evidence.total;
    for (size_t i = 0; i < count; i++)
        total += spar__stated_weight(&stated[i]);
    if (total > MOST_STATED || (double)d->answers + (double)d->skipped + (double)times > MOST_STATED)
        return spar__fail(err, SPAR_INVALID, "the answers add up to more than 2^49 statements about pairs");
    if (d->evidence.pairs.count + count >= SPAR__JOINED ||
        (!log_ends(d, count) && decision_reserve_log(d, 2 * count)) || spar__key_table_reserve(&d->voters, 1) ||
        spar__key_table_reserve(&d->items, 1) || (d->first_only && spar__key_table_reserve(&d->seen, count)) ||
        spar__evidence_learn(&d->evidence, count, stated))
        return spar__fail_memory(err);
    /* Copies of an option on one screen count once: the first slot stands for all. */
    for (size_t j = 0; j < b->m; j++) {
        bool first = true, won = false;
        for (size_t k = 0; k < j; k++)
            first = first && b->option[k] != b->option[j];
        for (size_t k = j; k < b->m && first; k++)
            won = won || (b->option[k] == b->option[j] && chosen(b, k));
        d->record[b->option[j]].shown += first ? times : 0;
        d->record[b->option[j]].chosen += won ? times : 0;
    }
    if (says_anything(b)) {
        d->answers += times;
        note(d, b, times, count, stated);
    } else
        d->skipped += times;
    return SPAR_OK;
}

spar_status spar_decision_tell(spar_decision *d, const spar_round *round, const spar_answer *answer, uint64_t voter,
                               uint32_t item, spar_error *err)
{
    if (!d || !round || !answer)
        return spar__fail_null(err);
    if (round->dim > 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "a decision is about a list of options, not about a continuous space");
    if (!d->told && spar_feedback_new(round->m, &d->told))
        return spar__fail_memory(err);
    spar_status status = spar_answer_feedback(answer, round->m, d->told, err);
    if (!status && spar_answer_kind_of(answer) == SPAR_ANSWER_BAD) /* an answer, which puts none before another */
        status = spar_feedback_tie(d->told);
    if (status)
        return status;
    spar_ballot ballot = {.size = sizeof ballot, .m = round->m, .option = round->arm, .outcome = d->told->outcome};
    ballot.voter = voter;
    ballot.item = item == SPAR_NO_ITEM ? 0 : (uint64_t)item + 1;
    return spar_decision_answer(d, &ballot, err);
}

/* --- What it says, in numbers --- */

enum { FEWEST_ANSWERS = 10 };

const char *spar_verdict_name(spar_verdict verdict)
{
    static const char *const name[] = {"none", "early", "best", "equal", "practical", "no_scale", "open"};
    return (size_t)verdict < sizeof name / sizeof *name ? name[verdict] : "unknown";
}

bool spar__all_out(const spar__evidence *ev)
{
    return ev->live > 0 && spar__evidence_running_count(ev) == 0;
}

spar_verdict spar__evidence_verdict(const spar__evidence *ev, uint64_t answers, size_t *option)
{
    *option = SPAR_NO_OPTION;
    if (answers < FEWEST_ANSWERS)
        return answers == 0 ? SPAR_VERDICT_NONE : SPAR_VERDICT_EARLY;
    if ((*option = spar__evidence_best(ev)) != SPAR_NO_OPTION)
        return SPAR_VERDICT_BEST;
    if (spar__evidence_equal(ev))
        return SPAR_VERDICT_EQUAL;
    if ((*option = spar__evidence_practical(ev)) != SPAR_NO_OPTION)
        return SPAR_VERDICT_PRACTICAL;
    return spar__all_out(ev) ? SPAR_VERDICT_NO_SCALE : SPAR_VERDICT_OPEN;
}

spar_verdict spar_decision_verdict(const spar_decision *d)
{
    if (!d)
        return SPAR_VERDICT_NONE;
    size_t option;
    return spar__evidence_verdict(&d->evidence, d->answers, &option);
}

/* The largest share of wins among those in the running; of several the first, and *alone is false. */
static size_t leading_option(const spar__evidence *ev, bool *alone)
{
    size_t best = SPAR_NO_OPTION;
    double best_share = 0;
    for (size_t i = 0; i < ev->n; i++) {
        const spar__option_evidence *o = &ev->option[i];
        double share = (o->won + 1) / (o->won + o->lost + 2);
        if (!spar__evidence_running(ev, i) || share < best_share)
            continue;
        *alone = share > best_share;
        best = *alone ? i : best;
        best_share = share;
    }
    return best;
}

size_t spar_decision_leader(const spar_decision *d)
{
    if (!d)
        return SPAR_NO_OPTION;
    size_t named;
    bool alone = false;
    (void)spar__evidence_verdict(&d->evidence, d->answers, &named);
    if (named != SPAR_NO_OPTION)
        return named;
    size_t best = leading_option(&d->evidence, &alone);
    return alone ? best : SPAR_NO_OPTION;
}

size_t spar_decision_options(const spar_decision *d)
{
    return d ? d->evidence.n : 0;
}

uint64_t spar_decision_answers(const spar_decision *d)
{
    return d ? d->answers : 0;
}

uint64_t spar_decision_skipped(const spar_decision *d)
{
    return d ? d->skipped : 0;
}

int spar_decision_is_live(const spar_decision *d, size_t option)
{
    return d && option < d->evidence.n && d->evidence.option[option].live;
}

int spar_decision_in_running(const spar_decision *d, size_t option)
{
    return d && option < d->evidence.n && spar__evidence_running(&d->evidence, option);
}

size_t spar_decision_running(const spar_decision *d)
{
    return d ? spar__evidence_running_count(&d->evidence) : 0;
}

spar_status spar_decision_record(const spar_decision *d, size_t option, uint64_t *shown, uint64_t *chosen)
{
    if (!d || option >= d->evidence.n)
        return SPAR_INVALID;
    if (shown)
        *shown = d->record[option].shown;
    if (chosen)
        *chosen = d->record[option].chosen;
    return SPAR_OK;
}

spar_status spar_decision_pair(const spar_decision *d, size_t a, size_t b, double *before, double *behind, double *ties)
{
    if (!d || a >= d->evidence.n || b >= d->evidence.n || a == b)
        return SPAR_INVALID;
    spar__against pair = spar__evidence_against(&d->evidence, a, b);
    if (before)
        *before = pair.won;
    if (behind)
        *behind = pair.lost;
    if (ties)
        *ties = pair.ties;
    return SPAR_OK;
}

spar_status spar_decision_interval(const spar_decision *d, size_t a, size_t b, int alone, double *low, double *high)
{
    if (!d || !low || !high)
        return SPAR_INVALID;
    double won, lost;
    if (spar_decision_pair(d, a, b, &won, &lost, NULL))
        return SPAR_INVALID;
    double threshold = alone ? spar__log(2 / d->evidence.delta) : spar__evidence_interval_threshold(&d->evidence, a, b);
    spar__win_rate_interval(won, lost, threshold, low, high);
    return SPAR_OK;
}

/* The least `most` of a stream of pairs, in order of two numbers, and of equal ones those that came first. */
typedef struct least_pairs {
    size_t most, count;
    size_t *a, *b;
} least_pairs;

/* By the least evidence for a over b, fewer answers first; for the closest pairs by how far from one half the share is,
 * drawn to it as by ten answers, more answers first. */
static void rank(const spar_decision *d, bool closest, size_t a, size_t b, double out[2])
{
    spar__against pair = spar__evidence_against(&d->evidence, a, b);
    double answers = pair.won + pair.lost;
    out[0] = closest ? fabs((pair.won + 5) / (answers + 10) - 0.5) : pair.log_e;
    out[1] = closest ? -answers : answers;
}

static void insert_pair(const spar_decision *d, bool closest, least_pairs *list, size_t a, size_t b)
{
    double x[2], y[2];
    size_t at = list->count;
    rank(d, closest, a, b, x);
    for (; at > 0; at--) {
        rank(d, closest, list->a[at - 1], list->b[at - 1], y);
        if (!(x[0] < y[0] || (x[0] == y[0] && x[1] < y[1])))
            break;
        if (at < list->most) {
            list->a[at] = list->a[at - 1];
            list->b[at] = list->b[at - 1];
        }
    }
    if (at == list->most)
        return;
    list->count += list->count < list->most;
    list->a[at] = a;
    list->b[at] = b;
}

size_t spar_decision_closest(const spar_decision *d, size_t most, size_t *a, size_t *b)
{
    if (!d || (most && !a) || (most && !b))
        return 0;
    const spar__evidence *ev = &d->evidence;
    least_pairs list = {.most = most, .a = a, .b = b};
    for (size_t r = 0; r < ev->pairs.count; r++) {
        const spar__pair_row *row = &ev->pairs.row[r];
        if (row->won[0] + row->won[1] > 0 && spar__evidence_running(ev, row->a) && spar__evidence_running(ev, row->b))
            insert_pair(d, true, &list, row->a, row->b);
    }
    return list.count;
}

size_t spar_decision_next(const spar_decision *d, size_t most, size_t *a, size_t *b)
{
    if (!d || (most && !a) || (most && !b))
        return 0;
    const spar__evidence *ev = &d->evidence;
    size_t leader;
    bool alone;
    spar_verdict verdict = spar__evidence_verdict(ev, d->answers, &leader);
    if (verdict == SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_EQUAL)
        return 0;
    if (leader == SPAR_NO_OPTION)
        leader = leading_option(ev, &alone);
    least_pairs list = {.most = most, .a = a, .b = b};
    for (size_t j = 0; j < ev->n && leader != SPAR_NO_OPTION; j++)
        if (j != leader && ev->option[j].live && !spar__evidence_against(ev, leader, j).settled)
            insert_pair(d, false, &list, leader, j);
    return list.count;
}

/* --- To bytes and back --- */

static const spar__frame_kind frame_kind = {"saved decision", "deci", 1, {{"stat", 0}}};

/* The second of a joined pair is of the same row, and negative. */
static bool observation_is_sound(const spar_decision *d, size_t i)
{
    const spar__observation *o = &d->log[i];
    bool joined = o->row & SPAR__JOINED, second = i > 0 && (o[-1].row & SPAR__JOINED);
    if (second && (joined || o->won > 0 || o->row != (o[-1].row & ~SPAR__JOINED) || o->voter != o[-1].voter))
        return false;
    return (!joined || (i + 1 < d->log_count && o->won > 0)) && (o->row & ~SPAR__JOINED) < d->evidence.pairs.count &&
           (o->voter < d->voters.n || o->voter == SPAR__UNKNOWN_VOTER) && fabs(o->won) > 0 && fabs(o->won) < 0x1p50;
}

#define DROPPED ((size_t)UINT32_MAX) /* more than any log has */

static void archive_state(spar_decision *d, spar__archive *ar)
{
    spar__evidence_archive(&d->evidence, ar);
    spar__archive_u64(ar, &d->answers);
    spar__archive_u64(ar, &d->skipped);
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, decision_reserve_records(d, d->evidence.n));
    for (size_t i = 0; i < d->evidence.n && !ar->failed; i++) {
        spar__archive_u64(ar, &d->record[i].shown);
        spar__archive_u64(ar, &d->record[i].chosen);
        spar__archive_check(ar, d->record[i].chosen <= d->record[i].shown);
    }
    spar__key_table_archive(&d->voters, ar);
    spar__key_table_archive(&d->items, ar);
    spar__key_table_archive(&d->seen, ar);
    for (size_t i = 0; i < d->voters.n && ar->loading; i++)
        spar__archive_check(ar, d->voters.entry[i].count <= d->answers);
    size_t logged = d->log_dropped ? DROPPED : d->log_count;
    spar__archive_size(ar, &logged);
    if (ar->loading)
        d->log_dropped = logged == DROPPED;
    if (ar->loading && !d->log_dropped) {
        if (spar__archive_holds(ar, logged))
            spar__archive_step(ar, decision_reserve_log(d, logged));
        d->log_count = ar->failed ? 0 : logged;
    }
    for (size_t i = 0; i < d->log_count; i++) {
        spar__observation *o = &d->log[i];
        uint64_t word = (uint64_t)o->voter << 32 | o->row;
        spar__archive_u64(ar, &word);
        spar__archive_f64(ar, &o->won);
        if (ar->loading) {
            o->row = (uint32_t)word;
            o->voter = (uint32_t)(word >> 32);
        }
    }
    for (size_t i = 0; i < d->log_count && ar->loading && !ar->failed; i++)
        spar__archive_check(ar, observation_is_sound(d, i));
}

/* The settings, which a new decision is made from, and then its state. */
static void archive_decision(spar_decision **decision, spar__archive *ar)
{
    double delta = 0, eps = 0;
    bool live = false, first_only = false, unordered = false;
    if (!ar->loading) {
        delta = (*decision)->evidence.delta;
        eps = (*decision)->evidence.eps;
        live = (*decision)->live;
        first_only = (*decision)->first_only;
        unordered = (*decision)->evidence.unordered;
    }
    spar__archive_f64(ar, &delta);
    spar__archive_f64(ar, &eps);
    spar__archive_bool(ar, &live);
    spar__archive_bool(ar, &first_only);
    spar__archive_bool(ar, &unordered);
    spar__archive_check(ar, delta > 0 && delta < 1 && eps > 0 && eps <= 20);
    spar_decision_settings settings = {sizeof settings, delta, eps, live, first_only, unordered};
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, decision_make(0, &settings, decision));
    if (!ar->failed)
        archive_state(*decision, ar);
}

spar_status spar_decision_save(const spar_decision *decision, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !decision || !length)
        return SPAR_INVALID;
    spar_decision *d = (spar_decision *)(uintptr_t)decision; /* the archive only reads when it saves */
    spar__archive ar = {.loading = false};
    archive_decision(&d, &ar);
    return spar__saved_write(&frame_kind, &ar, bytes, length);
}

spar_status spar_decision_load(const unsigned char *bytes, size_t length, spar_decision **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&frame_kind, bytes, length, &ar, err);
    if (status)
        return status;
    archive_decision(out, &ar);
    status = spar__saved_close(&frame_kind, &ar, err);
    if (status) {
        spar_decision_free(*out);
        *out = NULL;
    }
    return status;
}
