#include "reference/evidence.h"

#include <gsl/gsl_integration.h>
#include <math.h>
#include <string.h>

/* p^(w+4) (1-p)^(l+4), over its value at `peak`. */
typedef struct {
    double w, l, peak;
} ref_integrand;

static double integrand(double p, void *context)
{
    const ref_integrand *f = context;
    if (p <= 0 || p >= 1)
        return 0;
    return exp((f->w + 4) * (log(p) - log(f->peak)) + (f->l + 4) * (log1p(-p) - log1p(-f->peak)));
}

static double piece(const ref_integrand *f, double from, double to, gsl_integration_workspace *room)
{
    double value = 0, error = 0;
    gsl_function function = {integrand, (void *)(uintptr_t)f};
    if (from < to)
        gsl_integration_qag(&function, from, to, 0, 1e-12, 1000, GSL_INTEG_GAUSS31, room, &value, &error);
    return value;
}

/* The logarithm of the integral over (p0, 1) of p^(w+4) (1-p)^(l+4) / (p0^w (1-p0)^l), cut at the peak and around it.
 */
static double log_integral(double w, double l, double p0)
{
    static gsl_integration_workspace *room;
    if (!room)
        room = gsl_integration_workspace_alloc(1000);
    double mode = (w + 4) / (w + l + 8), peak = fmax(mode, p0), width = 1 / sqrt(w + l + 8), sum = 0;
    ref_integrand f = {w, l, peak};
    double cut[] = {p0,   fmax(p0, peak - 8 * width), fmax(p0, peak - width),
                    peak, fmin(1, peak + width),      fmin(1, peak + 8 * width),
                    1};
    for (int i = 0; i < 6; i++)
        sum += piece(&f, cut[i], cut[i + 1], room);
    return log(sum) + w * (log(peak) - log(p0)) + l * (log1p(-peak) - log1p(-p0)) + 4 * (log(peak) + log1p(-peak));
}

double ref_log_e(double w, double l, double p0)
{
    return log_integral(w, l, p0) - log_integral(0, 0, p0);
}

/* The same for whole numbers, remembered: a log asks for few of them, often. */
static double remembered(double w, double l, double p0)
{
    enum { MOST = 256 };
    static double value[MOST][MOST], asked[MOST][MOST], eps_value[MOST][MOST], eps_asked[MOST][MOST];
    if (w != floor(w) || l != floor(l) || w >= MOST || l >= MOST)
        return ref_log_e(w, l, p0);
    size_t i = (size_t)w, j = (size_t)l;
    double *known = p0 == 0.5 ? &asked[i][j] : &eps_asked[i][j], *is = p0 == 0.5 ? &value[i][j] : &eps_value[i][j];
    if (*known != p0) {
        *known = p0;
        *is = ref_log_e(w, l, p0);
    }
    return *is;
}

void ref_interval(double w, double l, double threshold, double *low, double *high)
{
    *low = 0, *high = 1;
    for (int step = 1; step < 2000; step++) { /* by scanning */
        double p = step / 2000.0;
        if (ref_log_e(w, l, p) >= log(threshold))
            *low = p;
        if (*high == 1 && ref_log_e(l, w, 1 - p) >= log(threshold))
            *high = p;
    }
}

static size_t slots_of(const ref_event *e, size_t option)
{
    size_t count = 0;
    for (size_t j = 0; j < e->m; j++)
        count += e->slot[j] == option;
    return count;
}

/* Does slot j against slot k count? */
static bool counts(const ref_event *e, size_t j, size_t k)
{
    if (e->slot[j] == e->slot[k])
        return false;
    return e->duels || (slots_of(e, e->slot[j]) == 1 && slots_of(e, e->slot[k]) == 1);
}

/* Does the answer say anything about the pair? */
static bool speaks_of(const ref_event *e, size_t x, size_t y)
{
    for (size_t j = 0; j < e->m; j++)
        for (size_t k = 0; k < e->m; k++)
            if (e->slot[j] == x && e->slot[k] == y && e->outcome[j][k] != 0 && counts(e, j, k))
                return true;
    return false;
}

/* Was the pair answered before by the same voter on the same item? */
static bool repeated(const ref_event *event, size_t at, size_t x, size_t y)
{
    for (size_t t = 0; t < at; t++)
        if (event[t].kind == REF_EVENT_ANSWER && event[t].voter == event[at].voter && event[t].item == event[at].item &&
            speaks_of(&event[t], x, y))
            return event[at].voter != 0;
    return false;
}

/* How often x came before y in the events up to and without `end`. */
static double wins(const ref_rules *rules, size_t end, const ref_event *event, size_t x, size_t y)
{
    double sum = 0;
    for (size_t t = 0; t < end; t++) {
        const ref_event *e = &event[t];
        if (e->kind != REF_EVENT_ANSWER || (rules->first && repeated(event, t, x, y)))
            continue;
        for (size_t j = 0; j < e->m; j++)
            for (size_t k = 0; k < e->m; k++)
                if (e->slot[j] == x && e->slot[k] == y && e->outcome[j][k] == 3 && counts(e, j, k))
                    sum += e->weight;
    }
    return sum;
}

/* The state as of now that thresholds depend on. */
typedef struct {
    bool started;
    size_t k, added;           /* options at the first answer, added since */
    size_t order[REF_OPTIONS]; /* 0 for those there at the first answer, else 1, 2, ... */
    bool raised;               /* one that was in the running has been retired */
    double factor;
} ref_history;

static double threshold_of(const ref_rules *rules, const ref_history *history, size_t x, size_t y)
{
    size_t i = history->order[x] > history->order[y] ? history->order[x] : history->order[y];
    double n = (double)(history->k + i), later = (double)i;
    double delta0 = rules->live ? 0.8 * rules->delta : rules->delta;
    double plain = i == 0 ? (double)history->k / delta0 : n * later * (later + 1) / (0.2 * rules->delta);
    return plain * history->factor;
}

static bool reached(double log_m, double threshold)
{
    return log_m >= log(threshold);
}

static void find_running(const ref_rules *rules, const ref_history *history, ref_conclusion *c)
{
    for (size_t j = 0; j < c->n; j++) {
        c->running[j] = c->alive[j];
        for (size_t x = 0; x < c->n; x++) {
            c->threshold[x][j] = history->started ? threshold_of(rules, history, x, j) : INFINITY;
            if (x != j && c->alive[x] && reached(c->log_m[x][j], c->threshold[x][j]))
                c->running[j] = false;
        }
    }
}

/* The one whose least maximum against a live rival is largest, if that reaches every threshold. */
static size_t over_all_rivals(const ref_conclusion *c, double log_m[REF_OPTIONS][REF_OPTIONS])
{
    size_t best = REF_OPTIONS;
    double best_least = 0;
    for (size_t x = 0; x < c->n; x++) {
        double least = INFINITY;
        bool all = c->alive[x];
        for (size_t j = 0; j < c->n; j++)
            if (j != x && c->alive[j]) {
                all = all && reached(log_m[x][j], c->threshold[x][j]);
                least = fmin(least, log_m[x][j]);
            }
        if (all && least < (double)INFINITY && (best == REF_OPTIONS || least > best_least))
            best = x, best_least = least;
    }
    return best;
}

static size_t count_of(const ref_conclusion *c, const bool *set)
{
    size_t count = 0;
    for (size_t i = 0; i < c->n; i++)
        count += set[i];
    return count;
}

static bool all_equal(const ref_conclusion *c, const ref_history *history)
{
    double ever = (double)(history->k + history->added);
    for (size_t x = 0; x < c->n; x++)
        for (size_t j = 0; j < c->n; j++)
            if (x != j && c->running[x] && c->running[j] && !reached(c->log_eps[x][j], (ever - 1) * c->threshold[x][j]))
                return false;
    return count_of(c, c->running) >= 2;
}

static ref_verdict first_that_holds(const ref_history *history, size_t answers, ref_conclusion *c)
{
    c->option = REF_OPTIONS;
    if (answers < 10)
        return answers == 0 ? REF_VERDICT_NONE : REF_VERDICT_EARLY;
    if ((c->option = over_all_rivals(c, c->log_m)) < REF_OPTIONS)
        return REF_VERDICT_BEST;
    if (all_equal(c, history))
        return REF_VERDICT_EQUAL;
    if ((c->option = over_all_rivals(c, c->log_eps)) < REF_OPTIONS)
        return REF_VERDICT_PRACTICAL;
    bool any_live = count_of(c, c->alive) > 0;
    return any_live && count_of(c, c->running) == 0 ? REF_VERDICT_NO_SCALE : REF_VERDICT_OPEN;
}

/* The state of an answer at position t: first the history, then all pairs from all answers up to it. */
static void take_answer(const ref_rules *rules, size_t t, const ref_event *event, ref_history *history,
                        ref_conclusion *c)
{
    double p_eps = 1 / (1 + exp(rules->eps));
    for (size_t x = 0; x < c->n; x++)
        for (size_t j = 0; j < c->n; j++) {
            if (!speaks_of(&event[t], x, j)) /* nothing new: the pair is as it was */
                continue;
            if (!history->started) {
                history->started = true;
                history->k = count_of(c, c->alive);
            }
            c->w[x][j] = wins(rules, t + 1, event, x, j);
            double l = wins(rules, t + 1, event, j, x);
            c->log_e[x][j] = remembered(c->w[x][j], l, 0.5);
            c->log_m[x][j] = fmax(c->log_m[x][j], c->log_e[x][j]);
            c->log_eps[x][j] = fmax(c->log_eps[x][j], remembered(c->w[x][j], l, p_eps));
        }
}

static bool says_something(const ref_event *e)
{
    for (size_t j = 0; j < e->m; j++)
        for (size_t k = 0; k < e->m; k++)
            if (j != k && e->outcome[j][k] != 0)
                return true;
    return false;
}

void ref_conclude(const ref_rules *rules, size_t count, const ref_event *event, ref_conclusion *out)
{
    ref_history history = {.factor = 1};
    size_t answers = 0;
    memset(out, 0, sizeof *out);
    out->n = rules->options;
    for (size_t i = 0; i < out->n; i++)
        out->alive[i] = true;
    for (size_t t = 0; t < count; t++) {
        const ref_event *e = &event[t];
        if (e->kind == REF_EVENT_ADD) {
            out->alive[out->n] = true;
            if (history.started)
                history.order[out->n] = ++history.added;
            out->n++;
        } else if (e->kind == REF_EVENT_RETIRE) {
            find_running(rules, &history, out);
            if (history.started && out->running[e->option] && !history.raised) {
                history.raised = true;
                history.factor = fmax(1, (double)(history.k + history.added) - 1);
            }
            out->alive[e->option] = false;
        } else {
            answers += says_something(e);
            take_answer(rules, t, event, &history, out);
        }
    }
    find_running(rules, &history, out);
    out->verdict = first_that_holds(&history, answers, out);
}
