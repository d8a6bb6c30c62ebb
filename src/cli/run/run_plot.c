/* run_plot.c - the plots of `spar run`: regret against rounds, shares of runs that are decided or name a best arm, and
 * with --snapshots what each policy believes after given rounds of the first run, as rows and as pictures. */
#include "base/alloc.h"
#include "base/buf.h"
#include "cli/common.h"
#include "cli/run/run.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "sampler/rng.h"
#include "text/csv.h"
#include "types/arms.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- curves: one panel per trial --- */

enum { SMALL_WIDTH = 460, SMALL_HEIGHT = 300, MOST_COLUMNS = 6, POINTS = 201 /* of a line of shares */ };

/* What the lines of a plot are. */
typedef enum curve_kind { DECIDED = SPAR__SHARE_DECIDED, NAMED_RIGHT = SPAR__SHARE_NAMED_RIGHT, REGRET } curve_kind;

/* The memory of one figure. */
typedef struct panel {
    spar__series *series;
    double *number; /* n values of x, then y, lo and hi of each policy */
    size_t n;
    char **label;
    char title[200], subtitle[200];
} panel;

static void panel_free(panel *p, size_t policies)
{
    for (size_t i = 0; p->label && i < policies; i++)
        spar__free(p->label[i]);
    spar__free(p->label);
    spar__free(p->series);
    spar__free(p->number);
}

/* "rucb  161.2 ± 0.9": the policy and its final regret. */
static char *make_label(const char *policy, const spar__summary *last)
{
    spar__buf text = {0};
    int places = fabs(last->mean) >= 1000 ? 0 : fabs(last->mean) >= 10 ? 1 : 3;
    if (last->n)
        spar__buf_printf(&text, "%s  %.*f \xC2\xB1 %.*f", policy, places, last->mean, places, last->se);
    else
        spar__buf_printf(&text, "%s  no complete run", policy);
    char *label = text.failed ? NULL : spar__strdup(text.text);
    spar__buf_free(&text);
    return label;
}

/* The regret of a policy at every checkpoint, and in the end. */
static spar_status fill_regret(const spar__trial *trial, size_t policy, spar__band band, double *y, size_t n,
                               spar__summary *last)
{
    double *lo = y + n, *hi = lo + n;
    for (size_t c = 0; c < n; c++) {
        spar_status status = spar__score_at(trial, policy, c, last);
        if (status)
            return status;
        bool quantile = band == SPAR__BAND_QUANTILE;
        y[c] = quantile ? last->median : last->mean;
        lo[c] = quantile ? last->q05 : last->mean - last->sd;
        hi[c] = quantile ? last->q95 : last->mean + last->sd;
    }
    return SPAR_OK;
}

/* A share of the runs, with two standard errors to each side. */
static void fill_share(const spar__trial *trial, size_t policy, curve_kind kind, const double *x, double *y)
{
    double *lo = y + POINTS, *hi = lo + POINTS;
    size_t runs = trial->results->runs;
    for (size_t i = 0; i < POINTS; i++) {
        uint64_t t = (uint64_t)x[i];
        y[i] = kind == DECIDED ? spar_results_decided_by(trial->results, policy, t)
                               : spar_results_named_right(trial->results, policy, t);
        double reach = runs ? 2 * sqrt(y[i] * (1 - y[i]) / (double)runs) : 0;
        lo[i] = fmax(y[i] - reach, 0);
        hi[i] = fmin(y[i] + reach, 1);
    }
}

/* The series of a policy at its place in the legend. Colours follow the order of the options, in all panels alike.
 * Small panels have one legend for all. */
static spar_status fill_series(const spar__trial *trial, size_t policy, size_t place, curve_kind kind,
                               const spar__plot_style *style, panel *p)
{
    double *y = p->number + p->n * (1 + 3 * place);
    spar__summary last = {0};
    spar_status status = SPAR_OK;
    if (kind == REGRET)
        status = fill_regret(trial, policy, style->band, y, p->n, &last);
    else
        fill_share(trial, policy, kind, p->number, y);
    const char *name = spar__plot_name(style, trial->plan.policies[policy]);
    p->label[place] = kind != REGRET || trial->grid->many ? spar__strdup(name) : make_label(name, &last);
    bool bare = style->band == SPAR__BAND_NONE;
    p->series[place] = (spar__series){.label = p->label[place],
                                      .n = p->n,
                                      .x = p->number,
                                      .y = y,
                                      .lo = bare ? NULL : y + p->n,
                                      .hi = bare ? NULL : y + 2 * p->n,
                                      .color = policy + 1};
    return status || p->label[place] ? status : SPAR_NOMEM;
}

/* Where the last run decides, so that the plot does not end with a long level line; all rounds where one is open. */
static double last_round(const spar__trial *trial, curve_kind kind)
{
    uint64_t last = 1;
    size_t n = trial->results->n_policies * trial->results->runs;
    for (size_t i = 0; i < n && kind == DECIDED; i++) {
        const spar__run_numbers *run = &trial->results->run[i];
        if (run->complete && !run->decided)
            return (double)trial->plan.rounds;
        last = run->complete && run->decided > last ? run->decided : last;
    }
    return kind == DECIDED ? (double)last : (double)trial->plan.rounds;
}

/* The curves of the trial: those of regret with the best policy first. */
static spar_status fill_all(const spar__trial *trial, curve_kind kind, const spar__plot_style *style, panel *p)
{
    size_t policies = trial->plan.n_policies;
    p->n = kind == REGRET ? trial->results->n_checkpoints : POINTS;
    p->series = spar__alloc(policies, sizeof *p->series);
    p->label = spar__alloc(policies, sizeof *p->label);
    p->number = spar__alloc(p->n * (1 + 3 * policies), sizeof *p->number);
    if (!p->series || !p->label || !p->number)
        return SPAR_NOMEM;
    bool log_x = style->log_x;
    double last = last_round(trial, kind);
    for (size_t i = 0; i < p->n; i++) {
        double part = (double)i / (POINTS - 1);
        p->number[i] = kind == REGRET ? (double)trial->results->checkpoint[i]
                                      : floor(0.5 + (log_x ? spar__pow(last, part) : last * part));
    }
    spar__score *score = NULL;
    size_t *order = NULL;
    spar_status status = kind == REGRET ? spar__scores_of(trial, &score, &order) : SPAR_OK;
    for (size_t i = 0; !status && i < policies; i++)
        status = fill_series(trial, order ? order[i] : i, i, kind, style, p);
    spar__free(score);
    spar__free(order);
    return status;
}

static const char *const notes[] = {
    [SPAR__BAND_SD] = "lines: mean, bands: \xC2\xB1 1 sd, numbers: mean \xC2\xB1 se",
    [SPAR__BAND_QUANTILE] = "lines: median, bands: 5 to 95 %, numbers: mean \xC2\xB1 se",
    [SPAR__BAND_NONE] = "lines: mean, numbers: mean \xC2\xB1 se",
};

static const char *const axes[] = {
    [SPAR_REGRET_SUM] = "cumulative regret",
    [SPAR_REGRET_WEAK] = "cumulative weak regret",
    [SPAR_REGRET_BEST_FIXED] = "regret to the best arm in hindsight",
    [SPAR_REGRET_BORDA] = "cumulative Borda regret",
    [SPAR_REGRET_COPELAND] = "cumulative Copeland regret",
    [SPAR_REGRET_VON_NEUMANN] = "cumulative von Neumann regret",
};

static spar_status make_figure(const spar__trial *trial, size_t panels, curve_kind kind, const spar__plot_style *style,
                               panel *p, spar__figure *figure)
{
    const spar_plan *plan = &trial->plan;
    const char *bare_note = style->band == SPAR__BAND_NONE ? NULL : "bands: \xC2\xB1 2 standard errors of the share";
    const char *interrupted = trial->results->interrupted ? " (interrupted)" : "";
    bool small = kind == REGRET && trial->grid->many;
    spar_status status = fill_all(trial, kind, style, p);
    if (status)
        return status;
    int length = snprintf(p->subtitle, sizeof p->subtitle, "m = %zu, %.80s, %" PRIu64 " run%s", plan->m, plan->feedback,
                          plan->runs, spar__plural(plan->runs));
    (void)snprintf(p->subtitle + length, sizeof p->subtitle - (size_t)length, "%s%.60s%s", kind == REGRET ? "" : ", ",
                   kind == REGRET    ? ""
                   : kind == DECIDED ? plan->stop
                                     : "read-out copeland",
                   interrupted);
    *figure = (spar__figure){
        .title = spar__plot_title(style, plan, panels, p->title),
        .subtitle = p->subtitle,
        .x_label = kind == REGRET ? "round" : "screens",
        .y_label = kind == REGRET    ? axes[plan->regret]
                   : kind == DECIDED ? "share of runs decided"
                                     : "share of runs that name a best arm",
        .log_x = style->log_x,
        .log_y = kind == REGRET && style->log_y,
        .width = small ? SMALL_WIDTH : style->width,
        .height = small ? SMALL_HEIGHT : style->height,
        .n_series = plan->n_policies,
        .series = p->series,
        .band_note = kind == REGRET ? notes[style->band] : bare_note,
    };
    return SPAR_OK;
}

static spar_status draw_curves(const spar__trial *trials, size_t n, curve_kind kind, const spar__plot_style *style,
                               spar__drawing *out)
{
    panel *panels = spar__alloc(n, sizeof *panels);
    spar__figure *figures = spar__alloc(n, sizeof *figures);
    spar_status status = panels && figures ? SPAR_OK : SPAR_NOMEM;
    size_t columns = n == 1 ? 1 : 2;
    const spar__run_grid *grid = trials[0].grid;
    if (n > 1 && kind == REGRET) /* a row for each environment, a column for each m */
        columns = grid->n_m > 1 && grid->n_m <= MOST_COLUMNS ? grid->n_m : grid->many ? 3 : 2;
    for (size_t i = 0; !status && i < n; i++)
        status = make_figure(&trials[i], n, kind, style, &panels[i], &figures[i]);
    if (!status)
        status = spar__draw_panels(figures, n, columns, out);
    for (size_t i = 0; panels && i < n; i++)
        panel_free(&panels[i], trials[i].plan.n_policies);
    spar__free(panels);
    spar__free(figures);
    return status;
}

spar_status spar__report_plot(const spar__trial *trials, size_t n, spar__plot_style style, spar__drawing *out)
{
    out->name = style.title ? style.title : "Regret of the policies";
    return draw_curves(trials, n, REGRET, &style, out);
}

spar_status spar__report_shares(const spar__trial *trials, size_t n, spar__share_kind kind,
                                const spar__plot_style *style, spar__drawing *out)
{
    out->name = kind == SPAR__SHARE_DECIDED ? "Share of runs that are decided" : "Share of runs that name a best arm";
    return draw_curves(trials, n, (curve_kind)kind, style, out);
}

/* --- --snapshots --- */

static int by_time(const void *a, const void *b)
{
    uint64_t s = *(const uint64_t *)a, t = *(const uint64_t *)b;
    return (s > t) - (s < t);
}

/* One value of the option, "5" or "5,20,100", added to the times. */
static spar_status read_times(const spar__setting *setting, const char *text, uint64_t rounds, spar__snapshots *set,
                              spar_error *err)
{
    for (bool more = true; more; text++) {
        char word[32] = "";
        size_t length = strcspn(text, ",");
        if (length < sizeof word)
            memcpy(word, text, length);
        uint64_t t;
        if (!spar__parse_u64(word, &t) || t < 1 || t > rounds)
            return spar__fail(err, SPAR_INVALID, "%s: '%.*s' is not a round from 1 to %" PRIu64, setting->origin,
                              (int)(length < 40 ? length : 40), text, rounds);
        uint64_t *grown = spar__realloc(set->time, set->n_times, set->n_times + 1, sizeof *grown);
        if (!grown)
            return spar__fail_memory(err);
        set->time = grown;
        set->time[set->n_times++] = t;
        text += length;
        more = *text == ',';
    }
    return SPAR_OK;
}

/* Does this policy keep a belief? SPAR_UNSUPPORTED: no. */
static spar_status check_policy(const spar__snapshots *set, const spar_plan *plan, const char *spec,
                                const spar_arms *arms, spar_error *err)
{
    spar_policy *policy = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, plan->seed, 0, 0);
    spar_status status = spar_policy_new(spec, arms, plan->m, spar__plan_horizon(plan), &rng, &policy, err);
    if (status)
        return status;
    double *mean = spar__alloc(arms->n, sizeof *mean), *sd = spar__alloc(arms->n, sizeof *sd);
    status = mean && sd ? spar_policy_belief(policy, set->scratch, arms->n, mean, sd, NULL) : SPAR_NOMEM;
    if (status && status != SPAR_UNSUPPORTED)
        (void)spar__fail(err, status, "%s: %s", spec, spar_status_text(status));
    spar__free(mean);
    spar__free(sd);
    spar_policy_free(policy);
    return status;
}

/* Those without a belief are left out, with a note; one must be left. */
static spar_status check_policies(const spar__snapshots *set, const spar_plan *plan, const spar_arms *arms,
                                  spar_error *err)
{
    size_t without = 0;
    spar_status status = SPAR_OK;
    spar__buf names = {0};
    for (size_t i = 0; !status && i < plan->n_policies; i++) {
        status = check_policy(set, plan, plan->policies[i], arms, err);
        if (status == SPAR_UNSUPPORTED) {
            spar__buf_printf(&names, "%s%s", without++ ? ", " : "", plan->policies[i]);
            status = SPAR_OK;
        }
    }
    if (!status && names.failed)
        status = spar__fail_memory(err);
    else if (!status && without == plan->n_policies)
        status = spar__fail(err, SPAR_UNSUPPORTED,
                            "--snapshots: %s: no belief is kept; policies over thompson keep one", names.text);
    else if (!status && without)
        spar__note("--snapshots: not drawn, since they keep no belief: %s", names.text);
    spar__buf_free(&names);
    return status;
}

static spar_status check(spar__snapshots *set, const spar_plan *plan, spar_error *err)
{
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_status status = spar_env_new(plan->env, &env, err);
    if (!status)
        status = spar_world_new(env, plan->seed, 0, &world, err);
    if (!status) {
        const spar_arms *arms = spar_world_arms(world);
        set->dim = arms->dim;
        set->plain = spar_env_plain(env);
        if (!arms->dim)
            status = spar__fail(err, SPAR_UNSUPPORTED, "--snapshots: the arms of %s have no features to plot them by",
                                plan->env);
        if (!status)
            status = check_policies(set, plan, arms, err);
    }
    spar_world_free(world);
    spar_env_free(env);
    return status;
}

static spar_status make_kept(spar__kept_belief *kept, size_t n, size_t dim)
{
    kept->tally = spar__alloc(n, sizeof *kept->tally);
    kept->number = spar__alloc(n, (dim + 5) * sizeof *kept->number);
    if (!kept->tally || !kept->number)
        return SPAR_NOMEM;
    kept->x = kept->number;
    kept->mean = kept->x + n * dim;
    kept->sd = kept->mean + n;
    kept->truth = kept->sd + n;
    kept->won = kept->truth + n;
    kept->lost = kept->won + n;
    return SPAR_OK;
}

/* What the policy tries to learn about an arm: its chance against the best arm, or its mean reward; NaN for points of a
 * continuous space, which are no arms of the world. */
static double truth_of(const spar__snapshots *set, const spar_snapshot *snapshot, size_t arm)
{
    if (spar__arms_continuous(spar_world_arms(snapshot->world)))
        return NAN;
    if (set->plain)
        return spar_world_utilities(snapshot->world)[arm];
    return spar_world_prefer(snapshot->world, snapshot->t, arm, spar_world_best(snapshot->world, snapshot->t));
}

/* Called by the simulation after each of the rounds. */
static spar_status keep(void *context, const spar_snapshot *snapshot, spar_error *err)
{
    spar__snapshots *set = context;
    const spar_arms *arms = spar_policy_arms(snapshot->policy);
    size_t k = 0, n = arms->n;
    while (set->time[k] != snapshot->t)
        k++;
    spar__kept_belief *kept = &set->kept[snapshot->index * set->n_times + k];
    spar_status status = make_kept(kept, n, set->dim);
    if (!status)
        status = spar_policy_belief(snapshot->policy, set->scratch, n, kept->mean, kept->sd, NULL);
    if (status == SPAR_UNSUPPORTED) /* it keeps none: nothing is kept of it */
        return SPAR_OK;
    if (status)
        return spar__fail(err, status, "%s", spar_status_text(status));
    memcpy(kept->x, arms->x, n * set->dim * sizeof *kept->x);
    memcpy(kept->tally, snapshot->tally, n * sizeof *kept->tally);
    for (size_t i = 0; i < n; i++) {
        kept->truth[i] = truth_of(set, snapshot, i);
        kept->won[i] = snapshot->tally[i].won;
        kept->lost[i] = snapshot->tally[i].lost;
    }
    kept->n = n;
    return SPAR_OK;
}

void spar__snapshots_archive(void *context, size_t policy, spar__archive *ar)
{
    spar__snapshots *set = context;
    for (size_t k = 0; k < set->n_times && !ar->failed; k++) {
        spar__kept_belief *kept = &set->kept[policy * set->n_times + k];
        size_t n = kept->n;
        spar__archive_size(ar, &n);
        if (ar->loading) {
            spar__free(kept->tally);
            spar__free(kept->number);
            *kept = (spar__kept_belief){0};
            if (n && spar__archive_holds(ar, n) && !ar->failed)
                spar__archive_step(ar, make_kept(kept, n, set->dim));
        }
        if (ar->failed || !n || !kept->number)
            continue;
        for (size_t i = 0; i < n; i++) {
            spar__archive_u64(ar, &kept->tally[i].plays);
            spar__archive_f64(ar, &kept->tally[i].won);
            spar__archive_f64(ar, &kept->tally[i].lost);
        }
        spar__archive_f64s(ar, kept->number, n * (set->dim + 5));
        kept->n = ar->failed ? 0 : n;
    }
}

spar_status spar__snapshots_open(spar__snapshots *set, const spar__settings *settings, spar_plan *plan, spar_error *err)
{
    const spar__setting *setting = spar__setting_of(settings, "snapshots");
    if (!setting->n)
        return SPAR_OK;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < setting->n; i++)
        status = read_times(setting, setting->text[i], plan->rounds, set, err);
    if (status)
        return status;
    /* Ascending, without duplicates. */
    qsort(set->time, set->n_times, sizeof *set->time, by_time);
    size_t kept = 1;
    for (size_t i = 1; i < set->n_times; i++)
        if (set->time[i] > set->time[kept - 1])
            set->time[kept++] = set->time[i];
    set->n_times = kept;
    set->n_policies = plan->n_policies;
    set->kept = spar__alloc(plan->n_policies, set->n_times * sizeof *set->kept);
    if (!set->kept || spar_scratch_new(&set->scratch))
        return spar__fail_memory(err);
    plan->snapshot = set->time;
    plan->n_snapshots = set->n_times;
    plan->observer = keep;
    plan->observer_context = set;
    return check(set, plan, err);
}

void spar__snapshots_free(spar__snapshots *set)
{
    for (size_t i = 0; set->kept && i < set->n_policies * set->n_times; i++) {
        spar__free(set->kept[i].tally);
        spar__free(set->kept[i].number);
    }
    spar__free(set->kept);
    spar__free(set->time);
    spar_scratch_free(set->scratch);
    *set = (spar__snapshots){0};
}

void spar__snapshots_csv_head(size_t max_dim, spar__buf *out)
{
    static const char *const before[] = {"env", "policy", "t", "arm"};
    static const char *const after[] = {"mean", "sd", "truth", "plays", "won", "lost"};
    spar__csv_writer csv = {.out = out};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        spar__csv_text(&csv, before[i]);
    for (size_t d = 1; d <= max_dim; d++) {
        char name[32];
        (void)snprintf(name, sizeof name, "x%zu", d);
        spar__csv_text(&csv, name);
    }
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        spar__csv_text(&csv, after[i]);
    spar__csv_end_row(&csv);
}

void spar__snapshots_csv(const spar__snapshots *set, const spar_plan *plan, size_t max_dim, spar__buf *out)
{
    spar__csv_writer csv = {.out = out};
    for (size_t place = 0; place < set->n_policies * set->n_times; place++) {
        const spar__kept_belief *kept = &set->kept[place];
        for (size_t i = 0; i < kept->n; i++) {
            spar__csv_text(&csv, plan->env);
            spar__csv_text(&csv, plan->policies[place / set->n_times]);
            spar__csv_integer(&csv, (int64_t)set->time[place % set->n_times]);
            spar__csv_integer(&csv, (int64_t)i);
            for (size_t d = 0; d < max_dim; d++)
                spar__csv_number(&csv, d < set->dim ? kept->x[i * set->dim + d] : (double)NAN);
            spar__csv_number(&csv, kept->mean[i]);
            spar__csv_number(&csv, kept->sd[i]);
            spar__csv_number(&csv, kept->truth[i]);
            spar__csv_integer(&csv, (int64_t)kept->tally[i].plays);
            spar__csv_number(&csv, kept->won[i]);
            spar__csv_number(&csv, kept->lost[i]);
            spar__csv_end_row(&csv);
        }
    }
}

spar_status spar__snapshots_plot(const spar__snapshots *set, const spar_plan *plan, size_t policy, spar__drawing *out)
{
    typedef char label[48];
    spar__belief *belief = spar__alloc(set->n_times, sizeof *belief);
    label *labels = spar__alloc(set->n_times, sizeof *labels);
    spar_status status = belief && labels ? SPAR_OK : SPAR_NOMEM;
    size_t n = 0;
    for (size_t k = 0; !status && k < set->n_times; k++) {
        const spar__kept_belief *s = &set->kept[policy * set->n_times + k];
        if (!s->n)
            continue;
        (void)snprintf(labels[k], sizeof *labels, "after %" PRIu64 " round%s", set->time[k],
                       set->time[k] == 1 ? "" : "s");
        belief[n] = (spar__belief){.label = labels[k],
                                   .n = s->n,
                                   .x = s->x,
                                   .mean = s->mean,
                                   .sd = s->sd,
                                   .truth = s->truth,
                                   .won = s->won,
                                   .lost = s->lost};
        n++;
    }
    char subtitle[400];
    (void)snprintf(subtitle, sizeof subtitle, "%.200s, m = %zu, %.80s, first run of seed %" PRIu64, plan->env, plan->m,
                   plan->feedback, plan->seed);
    out->name = "What the policy believes";
    spar__beliefs fig = {.title = plan->policies[policy],
                         .subtitle = subtitle,
                         .dim = set->dim,
                         .feature = {set->dim == 1 ? "x" : "x1", "x2"},
                         .value = set->plain ? "mean reward" : "chance to win",
                         .truth = set->plain ? "true mean reward" : "P(arm beats the best)",
                         .n = n,
                         .belief = belief};
    if (!status && n && set->dim <= 2)
        status = spar__draw_beliefs(&fig, out);
    spar__free(belief);
    spar__free(labels);
    return status;
}
