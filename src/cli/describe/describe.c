/* describe.c - spar describe: who wins in a preference matrix, and what holds for it.
 *
 * The matrix comes from a file of probabilities or of win counts, or is that of an environment. prefer/ finds winners
 * and measures transitivity, in O(n^3); win counts are also weighed as a decision, because a share of few votes is no
 * preference. Arms are counted from 0. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"
#include "base/spec.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "env/data.h"
#include "env/env.h"
#include "prefer/prefer.h"
#include "text/json.h"

#include <spar/decide.h>

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct description {
    const char *source; /* as given on the command line */
    size_t n;
    bool counts;             /* from win counts */
    char *note;              /* of the environment, or NULL */
    double *p;               /* n x n, P(row beats column) */
    char **name;             /* of each arm, or NULL */
    double smallest_gap;     /* the least |P - 1/2| of two arms; 1/2 for a single arm */
    spar_decision *decision; /* what the counts show; NULL without counts, or if these are not whole numbers */
    spar__prefer_report report;
} description;

/* --- the matrix --- */

static const size_t LARGEST_FILE = (size_t)1 << 32;

/* The counts as a decision. There is none where they are fractions, or more than a decision can count. */
static spar_status weigh(const char *text, size_t length, description *d, spar_error *err)
{
    static const unsigned char outcome[] = {SPAR_MISSING, SPAR_WIN, SPAR_LOSS, SPAR_MISSING};
    spar__matrix wins;
    spar_decision_settings settings = {.size = sizeof settings, .unordered = 1};
    spar_status status = spar__wins_parse(text, length, d->source, &wins, err);
    if (status)
        return status == SPAR_NOMEM ? status : SPAR_OK;
    status = spar_decision_new(wins.n, &settings, &d->decision, err);
    for (size_t at = 0; !status && at < wins.n * wins.n; at++) {
        const size_t option[] = {at / wins.n, at % wins.n};
        const spar_ballot ballot = {
            .size = sizeof ballot, .m = 2, .option = option, .outcome = outcome, .times = (uint64_t)wins.p[at]};
        if (wins.p[at] > 0)
            status = spar_decision_answer(d->decision, &ballot, err);
    }
    spar__matrix_free(&wins);
    if (status == SPAR_INVALID) {
        spar_decision_free(d->decision);
        d->decision = NULL;
    }
    return status == SPAR_INVALID ? SPAR_OK : status;
}

/* A matrix of probabilities or, as d->counts says, of counts. What was read before a failure is freed with the rest of
 * d. */
static spar_status read_file(const char *path, description *d, spar_error *err)
{
    spar__buf text = {0};
    spar__matrix matrix = {0};
    spar_status status = spar__file_read(path, LARGEST_FILE, &text, err);
    const char *start = text.text ? text.text : "";
    if (!status)
        status = spar__matrix_parse(start, text.length, path, d->counts, 1e-6, &matrix, err);
    d->n = matrix.n;
    d->p = matrix.p;
    d->name = matrix.names;
    if (!status && d->counts)
        status = weigh(start, text.length, d, err);
    spar__buf_free(&text);
    return status;
}

/* Is source an environment? An existing file is a file; a name that is neither is refused. */
static spar_status is_spec(const char *source, bool *spec, spar_error *err)
{
    struct stat info;
    *spec = false;
    if (strcmp(source, "-") == 0 || stat(source, &info) == 0)
        return SPAR_OK;
    *spec = strchr(source, '(');
    if (*spec || strpbrk(source, "./"))
        return SPAR_OK;
    spar__nearest nearest = spar__nearest_to(source);
    const spar_entry *entry;
    for (size_t i = 0; (entry = spar_catalog_entry(SPAR_FAMILY_ENV, i)); i++)
        spar__nearest_offer(&nearest, entry->name);
    *spec = nearest.best && nearest.distance == 0;
    if (*spec)
        return SPAR_OK;
    if (nearest.best)
        return spar__fail(err, SPAR_UNKNOWN, "describe: '%.80s' is no file and no environment; did you mean '%s'?",
                          source, nearest.best);
    return spar__fail(err, SPAR_IO, "%.400s: cannot open: %s", source, strerror(ENOENT));
}

/* A world has its arms in a random order; the report has them in the order of the environment. (Those of a random
 * subset have no such order: only their names tell which they are.) */
static spar_status copy_world(const spar_world *world, uint64_t seed, description *d)
{
    const spar_arms *arms = spar_world_arms(world);
    d->n = arms->n;
    size_t *item = spar__alloc(d->n, sizeof *item);
    d->p = spar__alloc(d->n, d->n * sizeof *d->p);
    d->name = arms->name ? spar__alloc(d->n, sizeof *d->name) : NULL;
    spar_status status = item && d->p && (d->name || !arms->name) ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar_rng rng;
        spar__world_labels(&rng, seed, 0, d->n, item);
    }
    for (size_t i = 0; !status && i < d->n; i++) {
        if (d->name && arms->name[i] && !(d->name[item[i]] = spar__strdup(arms->name[i])))
            status = SPAR_NOMEM;
        for (size_t j = 0; j < d->n; j++)
            d->p[item[i] * d->n + item[j]] = spar_world_prefer(world, 1, i, j);
    }
    spar__free(item);
    return status;
}

static spar_status read_env(const char *spec, uint64_t seed, description *d, spar_error *err)
{
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_status status = spar_env_new(spec, &env, err);
    if (!status && spar_env_plain(env))
        status = spar__fail(err, SPAR_UNSUPPORTED, "describe: %.200s has rewards, not comparisons", spec);
    if (!status)
        status = spar_world_new(env, seed, 0, &world, err);
    if (!status && spar__arms_continuous(spar_world_arms(world)))
        status = spar__fail(err, SPAR_UNSUPPORTED, "describe: %.200s is continuous: it has no list of arms", spec);
    if (!status && spar_world_arms(world)->n > SPAR__MATRIX_MOST)
        status = spar__fail(err, SPAR_UNSUPPORTED, "describe: %.200s has %zu arms; at most %d can be described", spec,
                            spar_world_arms(world)->n, SPAR__MATRIX_MOST);
    const char *note = status ? NULL : spar_env_note(env);
    if (!status && (copy_world(world, seed, d) || (note && !(d->note = spar__strdup(note)))))
        status = spar__fail_memory(err);
    spar_world_free(world);
    spar_env_free(env);
    return status;
}

/* --- how sure counts are --- */

enum { CLOSEST = 5, LISTED = 8 }; /* pairs; arms that are named */

/* For a sentence: the name, or "arm 3". */
typedef struct arm_namer {
    const description *d;
    char number[32];
} arm_namer;

static const char *name_of(void *context, size_t option)
{
    arm_namer *namer = context;
    (void)snprintf(namer->number, sizeof namer->number, "arm %zu", option);
    return namer->d->name ? namer->d->name[option] : namer->number;
}

/* The name, or the number if there is none. */
static void add_option(const description *d, size_t option, spar__buf *out)
{
    if (d->name && d->name[option])
        spar__buf_add_printable(out, d->name[option]);
    else
        spar__buf_printf(out, "%zu", option);
}

/* Is there a vote on the pair, is there any on the option? */
static bool is_compared(const description *d, size_t a, size_t b)
{
    double before = 0, behind = 0;
    (void)spar_decision_pair(d->decision, a, b, &before, &behind, NULL);
    return before + behind > 0;
}

static bool is_voted_on(const description *d, size_t option)
{
    uint64_t shown = 0;
    (void)spar_decision_record(d->decision, option, &shown, NULL);
    return shown > 0;
}

static void add_running(const description *d, spar__buf *out)
{
    size_t n = spar_decision_running(d->decision), listed = 0;
    if (n < 2)
        return;
    spar__buf_adds(out, "  cannot be told apart  ");
    for (size_t i = 0; i < d->n && listed < LISTED; i++)
        if (spar_decision_in_running(d->decision, i)) {
            spar__buf_adds(out, listed++ ? ", " : "");
            add_option(d, i, out);
        }
    spar__buf_printf(out, n > LISTED ? " and %zu more\n" : "\n", n - LISTED);
}

static void add_sure(const description *d, spar__buf *out)
{
    if (!d->decision) {
        spar__buf_adds(out, "  unknown: the counts are not whole numbers, or too large\n");
        return;
    }
    char text[4096];
    arm_namer namer = {.d = d};
    spar_decision_names names = {.size = sizeof names, .context = &namer, .option = name_of};
    (void)spar_decision_sentence(d->decision, &names, text, sizeof text);
    spar__buf_adds(out, "  verdict               ");
    spar__buf_add_printable(out, text);
    spar__buf_adds(out, "\n");
    add_running(d, out);
    size_t a[CLOSEST], b[CLOSEST], n = spar_decision_closest(d->decision, CLOSEST, a, b);
    for (size_t i = 0; i < n; i++) {
        double before = 0, behind = 0, low = 0, high = 1;
        (void)spar_decision_pair(d->decision, a[i], b[i], &before, &behind, NULL);
        (void)spar_decision_interval(d->decision, a[i], b[i], 0, &low, &high);
        spar__buf_printf(out, "  %-20s  ", i ? "" : "closest");
        add_option(d, a[i], out);
        spar__buf_adds(out, " over ");
        add_option(d, b[i], out);
        spar__buf_printf(out, ": %.0f of %.0f, %.0f %% (%.0f to %.0f %%)\n", before, before + behind,
                         100 * before / (before + behind), 100 * low, 100 * high);
    }
    /* Pairs without a vote, but for options that have none at all. */
    size_t pairs = 0, options = 0;
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = i + 1; j < d->n; j++)
            if (is_voted_on(d, i) && is_voted_on(d, j) && !is_compared(d, i, j) && pairs++ < LISTED) {
                spar__buf_adds(out, pairs == 1 ? "  never compared        " : ", ");
                add_option(d, i, out);
                spar__buf_adds(out, " and ");
                add_option(d, j, out);
            }
    if (pairs > LISTED)
        spar__buf_printf(out, " and %zu more pairs", pairs - LISTED);
    spar__buf_adds(out, pairs ? ": unknown, not a tie\n" : "");
    for (size_t i = 0; i < d->n; i++)
        if (!is_voted_on(d, i) && options++ < LISTED) {
            spar__buf_adds(out, options == 1 ? "  without votes         " : ", ");
            add_option(d, i, out);
        }
    if (options > LISTED)
        spar__buf_printf(out, " and %zu more", options - LISTED);
    spar__buf_adds(out, options ? "\n" : "");
}

/* --- as text --- */

/* An assumption of some policies, and whether it holds here. */
typedef struct assumption {
    const char *key;  /* in JSON */
    const char *text; /* with the policies that need it */
    bool holds;
} assumption;

enum { ASSUMPTIONS = 6 };

static void find_assumptions(const spar__prefer_report *report, assumption out[ASSUMPTIONS])
{
    const spar__transitivity *t = &report->transitivity;
    bool known = !t->skipped;
    const assumption all[ASSUMPTIONS] = {
        {"condorcet", "a Condorcet winner (most policies)", report->has_condorcet},
        {"total_order", "a total order (interleaved_filter)", report->has_order},
        {"strong_transitivity", "strong stochastic transitivity (interleaved_filter)", known && !t->strong.count},
        {"triangle_inequality", "the stochastic triangle inequality (interleaved_filter, beat_the_mean)",
         known && !t->triangle.count},
        {"relaxed_transitivity", "relaxed transitivity (beat_the_mean)", known && t->has_relaxed},
        {"approximate_linearity", "approximate linearity (self_sparring)",
         known && t->has_linearity && t->linearity > 0},
    };
    for (size_t i = 0; i < ASSUMPTIONS; i++)
        out[i] = all[i];
}

static void add_number(double value, spar__buf *out)
{
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print_fixed(text, value, 4);
    spar__buf_adds(out, text);
}

static void add_arm(const description *d, size_t arm, spar__buf *out)
{
    spar__buf_printf(out, "%zu", arm);
    if (d->name && d->name[arm]) {
        const char *name = d->name[arm];
        spar__buf_adds(out, " (");
        spar__buf_add_printable(out, name);
        spar__buf_adds(out, ")");
    }
}

static void add_arms(const description *d, const spar__arm_list *list, const char *between, spar__buf *out)
{
    for (size_t i = 0; i < list->count && i < LISTED; i++) {
        spar__buf_adds(out, i ? between : "");
        add_arm(d, list->arm[i], out);
    }
    if (list->count > LISTED)
        spar__buf_printf(out, " and %zu more", list->count - LISTED);
}

static void add_heading(const char *text, bool styled, spar__buf *out)
{
    spar__buf_printf(out, "\n%s%s%s\n", styled ? "\033[1m" : "", text, styled ? "\033[0m" : "");
}

static void add_line(const char *name, spar__buf *out)
{
    spar__buf_printf(out, "  %-20s ", name);
}

static void add_winners(const description *d, spar__buf *out)
{
    const spar__prefer_report *r = &d->report;
    add_line("Condorcet", out);
    if (r->has_condorcet) {
        add_arm(d, r->condorcet, out);
        spar__buf_adds(out, ", by at least ");
        add_number(r->condorcet_gap, out);
    } else {
        spar__buf_adds(out, "none: no arm beats all others");
    }
    spar__buf_adds(out, "\n");
    add_line("Copeland", out);
    add_arms(d, &r->copeland, ", ", out);
    spar__buf_printf(out, ", beating %zu of %zu\n", r->copeland_score, d->n - 1);
    add_line("Borda", out);
    add_arms(d, &r->borda, ", ", out);
    spar__buf_adds(out, ", winning ");
    add_number(r->borda_score, out);
    spar__buf_adds(out, " of its duels\n");
    const spar__arm_list *support = &d->report.von_neumann_support;
    add_line("von Neumann", out);
    for (size_t i = 0; i < support->count && i < LISTED; i++) {
        spar__buf_adds(out, i ? ", " : "");
        add_arm(d, support->arm[i], out);
        if (support->count > 1) {
            spar__buf_adds(out, " with ");
            add_number(d->report.von_neumann[support->arm[i]], out);
        }
    }
    if (support->count > LISTED)
        spar__buf_printf(out, " and %zu more", support->count - LISTED);
    spar__buf_adds(out, "\n");
    add_line("top cycle", out);
    add_arms(d, &r->top_cycle, ", ", out);
    spar__buf_adds(out, "\n");
    add_line("order", out);
    if (r->has_order)
        add_arms(d, &r->order, " > ", out);
    else
        spar__buf_adds(out, "none: some arms tie or go in circles");
    spar__buf_adds(out, "\n");
}

static void add_law(const char *name, const spar__violations *broken, size_t of, const char *what, spar__buf *out)
{
    const char *plural = of == 1 ? "" : "s";
    add_line(name, out);
    if (broken->count) {
        spar__buf_printf(out, "broken by %zu of %zu %s%s, at worst by ", broken->count, of, what, plural);
        add_number(broken->worst, out);
    } else if (of) {
        spar__buf_printf(out, "holds (%zu %s%s)", of, what, plural);
    } else {
        spar__buf_printf(out, "holds, as there are no %ss", what);
    }
    spar__buf_adds(out, "\n");
}

static void add_gamma(const char *name, bool exists, double value, const char *without, spar__buf *out)
{
    add_line(name, out);
    if (exists)
        add_number(value, out);
    else
        spar__buf_adds(out, without);
    spar__buf_adds(out, "\n");
}

static void print_text(const description *d, bool styled, spar__buf *out)
{
    size_t start = out->length;
    spar__buf_add_printable(out, d->source);
    spar__buf_printf(out, ": %zu arm%s, smallest gap ", d->n, d->n == 1 ? "" : "s");
    add_number(d->smallest_gap, out);
    spar__buf_adds(out, "\n");
    if (d->note) {
        spar__buf_add_printable(out, d->note);
        spar__buf_adds(out, "\n");
    }
    if (d->counts) {
        add_heading("how sure: error at most 5 %, intervals for all pairs at once ('spar decide' says more)", styled,
                    out);
        add_sure(d, out);
    }
    add_heading(d->counts ? "winners, if the shares of the votes were exact and pairs without votes even" : "winners",
                styled, out);
    add_winners(d, out);
    add_heading("transitivity", styled, out);
    const spar__transitivity *t = &d->report.transitivity;
    if (t->skipped) {
        spar__buf_printf(out, "  not measured: more than %d arms\n", SPAR__TRIPLES_MAX_ARMS);
    } else {
        add_law("weak", &t->weak, t->chains, "chain", out);
        add_law("strong", &t->strong, t->chains, "chain", out);
        add_law("triangle inequality", &t->triangle, t->triples, "triple", out);
        add_gamma("linearity gamma", t->has_linearity, t->linearity, "none: no three arms in strict order", out);
        add_gamma("relaxed gamma", t->has_relaxed, t->relaxed, "none: no Condorcet winner", out);
    }
    add_heading("what a policy may assume", styled, out);
    assumption assumptions[ASSUMPTIONS];
    find_assumptions(&d->report, assumptions);
    for (size_t i = 0; i < ASSUMPTIONS; i++)
        spar__buf_printf(out, "  %-3s  %s\n", assumptions[i].holds ? "yes" : "no", assumptions[i].text);
    spar__fit(out, start, spar__output_width());
}

/* --- as JSON --- */

static void json_add_arms(spar__json *json, const char *key, const spar__arm_list *list)
{
    spar__json_key(json, key);
    spar__json_begin_array(json);
    for (size_t i = 0; i < list->count; i++)
        spar__json_unsigned(json, list->arm[i]);
    spar__json_end_array(json);
}

/* What counts show: the verdict, who cannot be told apart, and every pair that has votes with its interval. */
static void json_add_sure(spar__json *json, const description *d)
{
    spar__json_key(json, "sure");
    if (!d->decision) {
        spar__json_null(json);
        return;
    }
    size_t leader = spar_decision_leader(d->decision);
    spar__json_begin_object(json);
    spar__json_add_number(json, "delta", 0.05);
    spar__json_add_string(json, "verdict", spar_verdict_name(spar_decision_verdict(d->decision)));
    if (leader < d->n)
        spar__json_add_unsigned(json, "leader", leader);
    else
        spar__json_add_null(json, "leader");
    spar__json_key(json, "not_told_apart");
    spar__json_begin_array(json);
    for (size_t i = 0; i < d->n; i++)
        if (spar_decision_in_running(d->decision, i))
            spar__json_unsigned(json, i);
    spar__json_end_array(json);
    spar__json_key(json, "without_votes");
    spar__json_begin_array(json);
    for (size_t i = 0; i < d->n; i++)
        if (!is_voted_on(d, i))
            spar__json_unsigned(json, i);
    spar__json_end_array(json);
    spar__json_key(json, "pairs");
    spar__json_begin_array(json);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = i + 1; j < d->n; j++)
            if (is_compared(d, i, j)) {
                double before = 0, behind = 0, low = 0, high = 1;
                (void)spar_decision_pair(d->decision, i, j, &before, &behind, NULL);
                (void)spar_decision_interval(d->decision, i, j, 0, &low, &high);
                spar__json_begin_object(json);
                spar__json_add_unsigned(json, "a", i);
                spar__json_add_unsigned(json, "b", j);
                spar__json_add_number(json, "won", before);
                spar__json_add_number(json, "lost", behind);
                spar__json_add_number(json, "low", low);
                spar__json_add_number(json, "high", high);
                spar__json_end_object(json);
            }
    spar__json_end_array(json);
    spar__json_end_object(json);
}

static void json_add_winners(spar__json *json, const spar__prefer_report *r)
{
    if (r->has_condorcet)
        spar__json_add_unsigned(json, "condorcet", r->condorcet);
    else
        spar__json_add_null(json, "condorcet");
    spar__json_add_number(json, "condorcet_gap", r->has_condorcet ? r->condorcet_gap : NAN); /* NaN: null */
    spar__json_key(json, "copeland");
    spar__json_begin_object(json);
    json_add_arms(json, "arms", &r->copeland);
    spar__json_add_unsigned(json, "score", r->copeland_score);
    spar__json_end_object(json);
    spar__json_key(json, "borda");
    spar__json_begin_object(json);
    json_add_arms(json, "arms", &r->borda);
    spar__json_add_number(json, "score", r->borda_score);
    spar__json_end_object(json);
    spar__json_key(json, "von_neumann");
    spar__json_begin_object(json);
    json_add_arms(json, "arms", &r->von_neumann_support);
    spar__json_key(json, "weights");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->von_neumann_support.count; i++)
        spar__json_number(json, r->von_neumann[r->von_neumann_support.arm[i]]);
    spar__json_end_array(json);
    spar__json_add_number(json, "exploitability", r->exploitability);
    spar__json_end_object(json);
    json_add_arms(json, "top_cycle", &r->top_cycle);
    if (r->has_order)
        json_add_arms(json, "order", &r->order);
    else
        spar__json_add_null(json, "order");
}

static void json_add_law(spar__json *json, const char *key, const spar__violations *broken)
{
    spar__json_key(json, key);
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "violations", broken->count);
    spar__json_add_number(json, "worst", broken->worst);
    spar__json_end_object(json);
}

static void json_add_transitivity(spar__json *json, const spar__transitivity *t)
{
    spar__json_key(json, "transitivity");
    if (t->skipped) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "chains", t->chains);
    spar__json_add_unsigned(json, "triples", t->triples);
    json_add_law(json, "weak", &t->weak);
    json_add_law(json, "strong", &t->strong);
    json_add_law(json, "triangle", &t->triangle);
    spar__json_add_number(json, "linearity", t->has_linearity ? t->linearity : NAN);
    spar__json_add_number(json, "relaxed", t->has_relaxed ? t->relaxed : NAN);
    spar__json_add_number(json, "relaxed_all", t->relaxed_all);
    spar__json_end_object(json);
}

static void print_json(const description *d, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "source", d->source);
    if (d->note)
        spar__json_add_string(&json, "note", d->note);
    spar__json_add_unsigned(&json, "arms", d->n);
    spar__json_key(&json, "names");
    if (d->name) {
        spar__json_begin_array(&json);
        for (size_t i = 0; i < d->n; i++)
            spar__json_string(&json, d->name[i]);
        spar__json_end_array(&json);
    } else {
        spar__json_null(&json);
    }
    spar__json_add_number(&json, "smallest_gap", d->smallest_gap);
    if (d->counts)
        json_add_sure(&json, d);
    json_add_winners(&json, &d->report);
    json_add_transitivity(&json, &d->report.transitivity);
    spar__json_key(&json, "assume");
    spar__json_begin_object(&json);
    assumption assumptions[ASSUMPTIONS];
    find_assumptions(&d->report, assumptions);
    for (size_t i = 0; i < ASSUMPTIONS; i++)
        spar__json_add_boolean(&json, assumptions[i].key, assumptions[i].holds);
    spar__json_end_object(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

/* --- the command --- */

static spar_status describe(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    if (!settings->n_operands)
        return spar__fail(err, SPAR_INVALID, "describe: a matrix file or an environment is needed");
    description d = {.source = settings->operand[0], .counts = spar__setting_number(settings, "counts")};
    bool spec = false;
    spar_status status = is_spec(d.source, &spec, err);
    if (!status)
        status =
            spec ? read_env(d.source, spar__setting_number(settings, "seed"), &d, err) : read_file(d.source, &d, err);
    if (!status)
        status = spar__prefer_analyse(d.n, d.p, &d.report, err);
    if (!status) {
        d.smallest_gap = 0.5;
        for (size_t i = 0; i < d.n; i++)
            for (size_t j = 0; j < i; j++)
                d.smallest_gap = fmin(d.smallest_gap, fabs(d.p[i * d.n + j] - 0.5));
        if (spar__setting_number(settings, "json"))
            print_json(&d, out);
        else
            print_text(&d, spar__output_styled(), out);
    }
    spar_decision_free(d.decision);
    spar__prefer_report_free(&d.report);
    for (size_t i = 0; d.name && i < d.n; i++)
        spar__free(d.name[i]);
    spar__free(d.name);
    spar__free(d.p);
    spar__free(d.note);
    return status;
}

static const spar__option options[] = {
    SPAR__COUNT_OPTION("seed", "S", "1", 0, UINT64_MAX, "of environments that draw their arms at random"),
    SPAR__SWITCH_OPTION("counts", "the file holds win counts, not probabilities: also says how sure they are"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_describe = {
    .name = "describe",
    .brief = "Describe a preference matrix: winners, transitivity, what may be assumed",
    .operands = "FILE|ENV [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "FILE holds a matrix ('-' is standard input), ENV is an environment as for 'spar run'. Arms count from 0.",
    .example = "spar describe 'utility(set=arith,link=logit)'",
    .run = describe,
};
