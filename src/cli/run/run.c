/* run.c - spar run: policies against simulated users.
 *
 * Environments x m are plans, each with all policies and all values of their parameters; the cells of all plans are
 * played together (sim/plan.c), and every plan is then reported. */
#include "cli/run/run.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/common.h"
#include "cli/list/list.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"
#include "policy/policy.h"
#include "sim/sweep.h"

#include <stdio.h>
#include <string.h>

const spar__option spar__run_options[] = {
    SPAR__LIST_OPTION(
        "env", "environments", "E",
        "an environment, see 'spar list envs'; matrix(file=F) is one of your own; several give a result each"),
    SPAR__LIST_OPTION("policy", "policies", "P",
                      "a policy, see 'spar list policies'; several are compared on the same random numbers"),
    {.name = "m",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "M",
     .standard = "2",
     .plural = "m",
     .low = 1,
     .high = 1000000,
     .help = "slots: how many arms are shown together; several give a result each"},
    {.name = "param",
     .plural = "parameters",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "P=A:B:..",
     .map = true,
     .help = "every policy that has parameter P, once with each of these values"},
    SPAR__OPTION_FEEDBACK,
    SPAR__OPTION_ROUNDS,
    SPAR__COUNT_OPTION("runs", "N", "100", 1, 10000000, "independent runs, each with arms in a random order"),
    SPAR__OPTION_SEED,
    SPAR__OPTION_THREADS,
    SPAR__OPTION_REGRET("what showing an arm costs, see below"),
    SPAR__COUNT_OPTION("horizon", "T", NULL, 0, SPAR__EXACT,
                       "the number of rounds policies are told; 0 is unknown (default: the value of --rounds)"),
    SPAR__TEXT_OPTION("stop", "RULE",
                      "after every answer: is one arm shown to be best? best(delta=0.05), practical(eps=0.2); end=1 "
                      "ends a run there"),
    SPAR__SWITCH_OPTION("identify",
                        "from which round on is the arm that beats most others a best one in 95 % of the runs?"),
    SPAR__CHOICE_OPTION("readout", "HOW", "copeland", "copeland|pl",
                        "what --identify names: the arm that beats most others, or the strongest by the belief pl"),
    SPAR__LIST_OPTION(
        "snapshots", "snapshots", "T,T,..",
        "with --out: draw what each policy believes after these rounds of the first run; arms need features"),
    SPAR__TEXT_OPTION("out", "DIR",
                      "also write curves.csv, runs.csv and plots there; continues what was interrupted there"),
    SPAR__OPTION_PART,
    SPAR__OPTION_PLAN_ONLY,
    SPAR__CHOICE_OPTION("band", "BAND", "sd", "sd|quantile|none",
                        "plot: mean +- one sd, median with 5 to 95 %, or the mean alone"),
    SPAR__CHOICE_OPTION("log", "AXES", NULL, "x|y|xy", "plot: logarithmic axes"),
    SPAR__TEXT_OPTION("title", "TEXT", "plot: a title in place of the environment"),
    SPAR__LIST_OPTION("label", "labels", "P=NAME", "plot: what policy P is called in the legend"),
    SPAR__TEXT_OPTION("size", "WxH", "plot: width and height of a panel in pixels, as in 900x460"),
    SPAR__OPTION_JSON,
    {.name = NULL},
};

/* --- how the plots look --- */

/* Where the name begins in "POLICY=NAME"; parameters of the policy contain equals signs, too. 0: there is none. */
static size_t name_at(const char *text)
{
    int depth = 0;
    size_t at = 0;
    for (; text[at] && (text[at] != '=' || depth > 0); at++)
        depth += (text[at] == '(') - (text[at] == ')');
    return text[at] && at > 0 && text[at + 1] ? at + 1 : 0;
}

static bool is_label_of(const char *label, const char *policy)
{
    size_t name = name_at(label);
    return strlen(policy) + 1 == name && strncmp(label, policy, name - 1) == 0;
}

static spar_status check_label(const spar__settings *settings, const char *label, spar_error *err)
{
    const spar__setting *policies = spar__setting_of(settings, "policy");
    char policy[200];
    size_t name = name_at(label);
    if (!name)
        return spar__fail(err, SPAR_INVALID,
                          "--label: '%.80s' is not POLICY=NAME, as in 'dts=Double Thompson sampling'", label);
    (void)snprintf(policy, sizeof policy, "%.*s", (int)(name - 1), label);
    spar__nearest nearest = spar__nearest_to(policy);
    for (size_t i = 0; i < policies->n; i++) {
        if (is_label_of(label, policies->text[i]))
            return SPAR_OK;
        spar__nearest_offer(&nearest, policies->text[i]);
    }
    return spar__fail_unknown(err, "--label", "policy of this run", &nearest);
}

/* "900x460" */
static spar_status read_size(const char *text, spar__plot_style *style, spar_error *err)
{
    enum { SMALLEST = 200, LARGEST = 10000 };
    char width[16] = "";
    size_t length = strcspn(text, "x");
    uint64_t w = 0, h = 0;
    if (length < sizeof width)
        memcpy(width, text, length);
    if (!text[length] || !spar__parse_u64(width, &w) || !spar__parse_u64(text + length + 1, &h) || w < SMALLEST ||
        w > LARGEST || h < SMALLEST || h > LARGEST)
        return spar__fail(err, SPAR_INVALID,
                          "--size: '%.80s' is not WIDTHxHEIGHT in pixels from %d to %d, as in 900x460", text, SMALLEST,
                          LARGEST);
    style->width = (double)w;
    style->height = (double)h;
    return SPAR_OK;
}

/* --band, --log, --title, --label and --size. Refuses a label of a policy that is not run. */
static spar_status plot_style_of(const spar__settings *settings, spar__plot_style *out, spar_error *err)
{
    const char *axes = spar__setting_text(settings, "log"), *size = spar__setting_text(settings, "size");
    *out = (spar__plot_style){.log_x = axes && strchr(axes, 'x'),
                              .log_y = axes && strchr(axes, 'y'),
                              .title = spar__setting_text(settings, "title"),
                              .labels = spar__setting_of(settings, "label")};
    if (spar__setting_is(settings, "band", "quantile"))
        out->band = SPAR__BAND_QUANTILE;
    if (spar__setting_is(settings, "band", "none"))
        out->band = SPAR__BAND_NONE;
    spar_status status = size ? read_size(size, out, err) : SPAR_OK;
    for (size_t i = 0; !status && i < out->labels->n; i++)
        status = check_label(settings, out->labels->text[i], err);
    return status;
}

const char *spar__plot_name(const spar__plot_style *style, const char *policy)
{
    for (size_t i = 0; i < style->labels->n; i++)
        if (is_label_of(style->labels->text[i], policy))
            return style->labels->text[i] + name_at(style->labels->text[i]);
    return policy;
}

const char *spar__plot_title(const spar__plot_style *style, const spar_plan *plan, size_t panels, char room[200])
{
    if (!style->title || panels == 1)
        return style->title ? style->title : plan->env;
    (void)snprintf(room, 200, "%.95s: %.95s", style->title, plan->env);
    return room;
}

/* --- what is compared: policies x values of parameters --- */

enum { MOST_POLICIES = 100000 };

/* The values of one parameter, in the order given. */
typedef struct axis {
    char *name;
    char **value;
    double *number;
    size_t n;
} axis;

/* A policy on its way through the axes. */
typedef struct point {
    char *policy;
    char **value; /* one per axis; NULL: unknown */
} point;

typedef struct points {
    point *list;
    size_t n;
} points;

static void free_points(points *p)
{
    for (size_t i = 0; i < p->n; i++) {
        spar__free(p->list[i].policy);
        spar__free(p->list[i].value);
    }
    spar__free(p->list);
    *p = (points){0};
}

/* Room for one more; NULL: out of memory. */
static point *add_point(points *p, const char *policy, size_t axes, char *const *values)
{
    if ((p->n & (p->n - 1)) == 0) { /* at powers of two */
        point *grown = spar__realloc(p->list, p->n, p->n ? 2 * p->n : 1, sizeof *grown);
        if (!grown)
            return NULL;
        p->list = grown;
    }
    point one = {spar__strdup(policy), spar__alloc(axes ? axes : 1, sizeof *one.value)};
    if (!one.policy || !one.value) {
        spar__free(one.policy);
        spar__free(one.value);
        return NULL;
    }
    if (values)
        memcpy(one.value, values, axes * sizeof *one.value);
    p->list[p->n] = one;
    return &p->list[p->n++];
}

static spar_status add_value(axis *a, const char *origin, const char *text, size_t length, spar_error *err)
{
    char **values = spar__realloc(a->value, a->n, a->n + 1, sizeof *values);
    if (values)
        a->value = values;
    double *numbers = spar__realloc(a->number, a->n, a->n + 1, sizeof *numbers);
    if (numbers)
        a->number = numbers;
    char *copy = spar__alloc(length + 1, 1);
    if (!values || !numbers || !copy) {
        spar__free(copy);
        return spar__fail_memory(err);
    }
    memcpy(copy, text, length);
    a->value[a->n++] = copy;
    if (!spar__parse_double(copy, &a->number[a->n - 1]))
        return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not a number, expected P=A:B:...", origin, copy);
    for (size_t i = 0; i + 1 < a->n; i++)
        if (a->number[i] == a->number[a->n - 1])
            return spar__fail(err, SPAR_INVALID, "%s: %s=%.80s is given twice; once is enough", origin, a->name, copy);
    return SPAR_OK;
}

static axis *find_axis(axis *axes, size_t *n, const char *name, size_t length)
{
    for (size_t i = 0; i < *n; i++)
        if (strlen(axes[i].name) == length && strncmp(axes[i].name, name, length) == 0)
            return &axes[i];
    axis *fresh = &axes[*n];
    fresh->name = spar__alloc(length + 1, 1);
    if (!fresh->name)
        return NULL;
    memcpy(fresh->name, name, length);
    (*n)++;
    return fresh;
}

/* One value of the option: "eta=0.5:1:2". */
static spar_status read_axis(const char *origin, const char *text, axis *axes, size_t *n, spar_error *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not of the form P=A:B:...", origin, text);
    axis *a = find_axis(axes, n, text, (size_t)(equals - text));
    spar_status status = a ? SPAR_OK : spar__fail_memory(err);
    for (const char *at = equals + 1; !status;) {
        size_t length = strcspn(at, ":");
        status = add_value(a, origin, at, length, err);
        if (!at[length])
            break;
        at += length + 1;
    }
    return status;
}

/* The policies at all values of an axis. A policy that does not know the parameter stays as it is; *known is set if one
 * does, and err says why the others do not. */
static spar_status cross(const points *from, const axis *a, size_t place, size_t axes, points *to, bool *known,
                         spar_error *err)
{
    for (size_t i = 0; i < from->n; i++) {
        const point *p = &from->list[i];
        spar__knob knob;
        spar_error why = {0};
        spar_status status = spar__knob_new(p->policy, a->name, &knob, &why);
        if (status == SPAR_UNKNOWN) {
            if (!*known && !err->status)
                *err = why;
            if (!add_point(to, p->policy, axes, p->value))
                return SPAR_NOMEM;
            continue;
        }
        if (status) {
            *err = why;
            return status;
        }
        *known = true;
        for (size_t k = 0; !status && k < a->n; k++) {
            spar__buf text = {0};
            spar__knob_write(&knob, a->number[k], &text);
            point *made = text.failed ? NULL : add_point(to, text.text, axes, p->value);
            if (made)
                made->value[place] = a->value[k];
            spar__buf_free(&text);
            status = made ? SPAR_OK : SPAR_NOMEM;
            if (made && to->n > MOST_POLICIES)
                status = spar__fail(err, SPAR_INVALID, "all combinations are more than %d policies", MOST_POLICIES);
        }
        spar__knob_free(&knob);
        if (status)
            return status;
    }
    return SPAR_OK;
}

static spar_status cross_all(const spar__setting *policies, const axis *axes, size_t n, points *out, spar_error *err)
{
    for (size_t i = 0; i < policies->n; i++)
        if (!add_point(out, policies->text[i], n, NULL))
            return spar__fail_memory(err);
    for (size_t a = 0; a < n; a++) {
        points next = {0};
        bool known = false;
        spar_error why = {0};
        spar_status status = cross(out, &axes[a], a, n, &next, &known, &why);
        free_points(out);
        *out = next;
        if (status == SPAR_NOMEM)
            return spar__fail_memory(err);
        if (status || !known)
            return spar__fail(err, why.status, "--param %s: %s", axes[a].name, why.text);
    }
    return SPAR_OK;
}

/* Texts of the points become the grid's own. */
static spar_status take_points(spar__run_grid *grid, points *p)
{
    grid->policy = spar__alloc(p->n, sizeof *grid->policy);
    grid->value = spar__alloc(p->n * (grid->n_params ? grid->n_params : 1), sizeof *grid->value);
    if (!grid->policy || !grid->value)
        return SPAR_NOMEM;
    grid->n_policies = p->n;
    for (size_t i = 0; i < p->n; i++) {
        grid->policy[i] = p->list[i].policy;
        p->list[i].policy = NULL;
        for (size_t k = 0; k < grid->n_params; k++) {
            const char *value = p->list[i].value[k];
            char **to = &grid->value[i * grid->n_params + k];
            if (value && !(*to = spar__strdup(value)))
                return SPAR_NOMEM;
        }
    }
    return SPAR_OK;
}

static spar_status take_sizes(spar__run_grid *grid, const spar__setting *m, spar_error *err)
{
    grid->m = spar__alloc(m->n, sizeof *grid->m);
    if (!grid->m)
        return spar__fail_memory(err);
    for (size_t i = 0; i < m->n; i++) {
        uint64_t value = 0;
        (void)spar__parse_u64(m->text[i], &value); /* was checked */
        for (size_t k = 0; k < i; k++)
            if (grid->m[k] == value)
                return spar__fail(err, SPAR_INVALID, "%s: %s is given twice", m->origin, m->text[i]);
        grid->m[i] = (size_t)value;
    }
    grid->n_m = m->n;
    return SPAR_OK;
}

static spar_status take_names(spar__run_grid *grid, axis *axes, size_t n)
{
    grid->param = spar__alloc(n ? n : 1, sizeof *grid->param);
    if (!grid->param)
        return SPAR_NOMEM;
    grid->n_params = n;
    for (size_t i = 0; i < n; i++) {
        grid->param[i] = axes[i].name;
        axes[i].name = NULL;
    }
    return SPAR_OK;
}

spar_status spar__run_grid_make(const spar__settings *settings, spar__run_grid *out, spar_error *err)
{
    const spar__setting *envs = spar__setting_of(settings, "env"), *params = spar__setting_of(settings, "param");
    const spar__setting *m = spar__setting_of(settings, "m");
    *out = (spar__run_grid){.env = envs->text, .n_envs = envs->n, .many = m->n > 1 || params->n};
    points p = {0};
    size_t n = 0;
    axis *axes = spar__alloc(params->n ? params->n : 1, sizeof *axes);
    spar_status status = axes ? take_sizes(out, m, err) : spar__fail_memory(err);
    for (size_t i = 0; !status && i < params->n; i++)
        status = read_axis(params->origin, params->text[i], axes, &n, err);
    if (!status)
        status = cross_all(spar__setting_of(settings, "policy"), axes, n, &p, err);
    if (!status && (take_names(out, axes, n) || take_points(out, &p)))
        status = spar__fail_memory(err);
    free_points(&p);
    for (size_t i = 0; axes && i < n; i++) {
        for (size_t k = 0; k < axes[i].n; k++)
            spar__free(axes[i].value[k]);
        spar__free(axes[i].value);
        spar__free(axes[i].number);
        spar__free(axes[i].name);
    }
    spar__free(axes);
    return status;
}

void spar__run_grid_free(spar__run_grid *grid)
{
    for (size_t i = 0; grid->policy && i < grid->n_policies; i++)
        spar__free(grid->policy[i]);
    for (size_t i = 0; grid->value && i < grid->n_policies * grid->n_params; i++)
        spar__free(grid->value[i]);
    for (size_t i = 0; grid->param && i < grid->n_params; i++)
        spar__free(grid->param[i]);
    spar__free(grid->policy);
    spar__free(grid->value);
    spar__free(grid->param);
    spar__free(grid->m);
    *grid = (spar__run_grid){0};
}

/* --- the command --- */

/* The plans, one for each environment and m, with what they give. */
static spar_status make_trials(const spar__settings *settings, const spar__run_grid *grid, spar__trial **trials,
                               size_t *n, spar_error *err)
{
    *n = grid->n_envs * grid->n_m;
    *trials = spar__alloc(*n, sizeof **trials);
    spar_status status = *trials ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; !status && i < *n; i++) {
        spar__trial *trial = &(*trials)[i];
        spar_plan *plan = &trial->plan;
        *plan = spar__plan_of(settings, grid->env[i / grid->n_m]);
        plan->policies = (const char *const *)grid->policy;
        plan->n_policies = grid->n_policies;
        plan->m = grid->m[i % grid->n_m];
        if (spar__setting_of(settings, "horizon")->n)
            plan->horizon = spar__setting_number(settings, "horizon");
        plan->stop = spar__setting_text(settings, "stop");
        plan->identify = spar__setting_number(settings, "identify");
        plan->strongest = spar__setting_is(settings, "readout", "pl");
        trial->grid = grid;
        /* What is wrong with the plan is said before --snapshots checks what it needs. */
        if (spar__setting_of(settings, "snapshots")->n && !settings->merge)
            status = spar__plan_verify(plan, NULL, err);
        if (!status)
            status = spar__snapshots_open(&trial->snapshots, settings, plan, err);
    }
    return status;
}

static size_t count_complete(const spar__trial *trials, size_t done)
{
    size_t complete = 0;
    for (size_t i = 0; i < done; i++)
        for (size_t k = 0; k < trials[i].results->n_policies * trials[i].results->runs; k++)
            complete += trials[i].results->run[k].complete;
    return complete;
}

static spar_status simulate(spar__sweeping *sweeping, spar__trial *trials, size_t n, spar_error *err)
{
    spar__plan_cells cells;
    spar__planned *planned = spar__alloc(n, sizeof *planned);
    if (!planned)
        return spar__fail_memory(err);
    for (size_t i = 0; i < n; i++)
        planned[i] = (spar__planned){.plan = &trials[i].plan, .observed = spar__snapshots_archive};
    spar_status status = spar__plan_cells_init(&cells, planned, n, err);
    if (!status)
        status = spar__sweeping_play(sweeping, &cells.cells, err);
    if (!status)
        status = spar__plan_cells_finish(&cells, err);
    for (size_t i = 0; !status && i < n; i++) {
        trials[i].results = planned[i].results;
        planned[i].results = NULL;
    }
    spar__plan_cells_fini(&cells);
    spar__free(planned);
    return status;
}

static spar_status plot_snapshots(const spar__trial *trials, size_t i, size_t n, const char *dir, spar_error *err)
{
    const spar__trial *trial = &trials[i];
    spar_status status = SPAR_OK;
    if (trial->snapshots.dim > 2)
        spar__note("%s: arms with %zu features are not drawn; snapshots.csv has the numbers", trial->plan.env,
                   trial->snapshots.dim);
    for (size_t k = 0; !status && k < trial->plan.n_policies; k++) {
        char name[80];
        if (n > 1)
            (void)snprintf(name, sizeof name, "snapshots-%zu-%zu", i + 1, k + 1);
        else
            (void)snprintf(name, sizeof name, "snapshots-%zu", k + 1);
        spar__drawing drawing = {0};
        if (spar__snapshots_plot(&trial->snapshots, &trial->plan, k, &drawing) || drawing.svg.failed)
            status = spar__fail_memory(err);
        else if (drawing.svg.length)
            status = spar__outdir_figure(dir, name, &drawing, "All numbers are in <code>snapshots.csv</code>.", err);
        spar__drawing_free(&drawing);
    }
    return status;
}

/* The plots of --stop and --identify. */
static spar_status write_shares(const spar__trial *trials, size_t n, const char *dir, const spar__plot_style *style,
                                spar_error *err)
{
    static const char *const names[] = {[SPAR__SHARE_DECIDED] = "decided", [SPAR__SHARE_NAMED_RIGHT] = "named-right"};
    const bool wanted[] = {trials[0].plan.stop != NULL, trials[0].plan.identify};
    spar_status status = SPAR_OK;
    for (unsigned kind = 0; !status && kind < 2; kind++) {
        spar__drawing drawing = {0};
        if (wanted[kind] &&
            (spar__report_shares(trials, n, (spar__share_kind)kind, style, &drawing) || drawing.svg.failed))
            status = spar__fail_memory(err);
        else if (wanted[kind])
            status = spar__outdir_figure(dir, names[kind], &drawing,
                                         "When each run was decided is in <code>runs.csv</code>.", err);
        spar__drawing_free(&drawing);
    }
    return status;
}

/* A page of panels that nobody could read is not drawn. */
static bool is_drawn(const spar__trial *trials, size_t n)
{
    enum { MOST_PANELS = 100, MOST_LINES = 50 };
    if (n <= MOST_PANELS && (!trials[0].grid->many || trials[0].plan.n_policies <= MOST_LINES))
        return true;
    spar__note(
        "nothing is drawn for %zu panel%s of %zu lines, at most %d panels of %d lines are; the files have the numbers",
        n, n == 1 ? "" : "s", trials[0].plan.n_policies, MOST_PANELS, MOST_LINES);
    return false;
}

/* The numbers, as files. Times stand apart: two equal runs write the same bytes into all other files. */
static spar_status write_numbers(const spar__trial *trials, size_t n, const char *dir, spar_error *err)
{
    static const struct {
        const char *name;
        spar_status (*write)(const spar__trial *trials, size_t n, spar__buf *out);
    } files[] = {{"curves.csv", spar__report_curves_csv},
                 {"runs.csv", spar__report_runs_csv},
                 {"timing.json", spar__report_timing}};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++) {
        spar__buf text = {0};
        status = files[i].write(trials, n, &text) || text.failed ? spar__fail_memory(err)
                                                                 : spar__outdir_write(dir, files[i].name, &text, err);
        spar__buf_free(&text);
    }
    return status;
}

static spar_status write_files(const spar__trial *trials, size_t n, const char *dir, spar__plot_style style,
                               spar_error *err)
{
    static const char caption[] = "All numbers are in <code>curves.csv</code>, the final regret of every run is in "
                                  "<code>runs.csv</code>.";
    spar__drawing drawing = {0};
    bool drawn = is_drawn(trials, n);
    spar_status status = write_numbers(trials, n, dir, err);
    if (!status && drawn && (spar__report_plot(trials, n, style, &drawing) || drawing.svg.failed))
        status = spar__fail_memory(err);
    if (!status && drawn)
        status = spar__outdir_figure(dir, "regret", &drawing, caption, err);
    if (!status && drawn)
        status = write_shares(trials, n, dir, &style, err);
    if (!status && trials[0].snapshots.n_times) {
        size_t dim = 0;
        for (size_t i = 0; i < n; i++)
            dim = trials[i].snapshots.dim > dim ? trials[i].snapshots.dim : dim;
        spar__buf csv = {0};
        spar__snapshots_csv_head(dim, &csv);
        for (size_t i = 0; i < n; i++)
            spar__snapshots_csv(&trials[i].snapshots, &trials[i].plan, dim, &csv);
        status = csv.failed ? spar__fail_memory(err) : spar__outdir_write(dir, "snapshots.csv", &csv, err);
        spar__buf_free(&csv);
        for (size_t i = 0; !status && i < n; i++)
            status = plot_snapshots(trials, i, n, dir, err);
    }
    spar__drawing_free(&drawing);
    return status;
}

/* Where rounding cost a belief more than its last digits. */
static void warn_of_lost_digits(const spar__trial *trials, size_t n)
{
    static const double worth_saying = 1e-6;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < trials[i].results->n_policies; k++) {
            const spar__run_numbers *first = &trials[i].results->run[k * trials[i].results->runs];
            if (first->complete && !(first->accuracy <= worth_saying))
                spar__note("%s: its belief is accurate to about %.0e only; a larger noise= needs fewer digits",
                           trials[i].plan.policies[k], first->accuracy);
        }
}

/* The table comes before the files, so that a full disk does not lose the results of a long simulation. Without a
 * complete run no files are written, which could replace those of an earlier simulation. */
static spar_status report(const spar__trial *trials, size_t n, const spar__settings *settings, spar__buf *out,
                          spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    spar__plot_style style;
    spar_status status = plot_style_of(settings, &style, err);
    if (status)
        return status;
    status = spar__setting_number(settings, "json") ? spar__report_json(trials, n, out)
                                                    : spar__report_table(trials, n, spar__output_styled(), out);
    if (status)
        return spar__fail_memory(err);
    warn_of_lost_digits(trials, n);
    if (!dir || !count_complete(trials, n))
        return SPAR_OK;
    status = spar__owner_sign(dir, settings, err);
    return status ? status : write_files(trials, n, dir, style, err);
}

static spar_status check_settings(const spar__settings *settings, spar_error *err)
{
    if (!spar__setting_of(settings, "env")->n)
        return spar__fail(err, SPAR_INVALID, "run: no environment; give --env E, see 'spar list envs'");
    if (!spar__setting_of(settings, "policy")->n)
        return spar__fail(err, SPAR_INVALID, "run: no policy; give --policy P, see 'spar list policies'");
    spar__plot_style style; /* what is wrong with it is said before anything runs */
    spar_status status = spar__check_out(settings, err);
    if (!status)
        status = plot_style_of(settings, &style, err);
    if (!status && spar__setting_of(settings, "snapshots")->n && !spar__setting_text(settings, "out"))
        status = spar__fail(err, SPAR_INVALID, "run: --snapshots needs --out DIR for its files");
    return status;
}

static spar_status play_and_report(spar__sweeping *sweeping, spar__trial *trials, size_t n, spar__buf *out,
                                   spar_error *err)
{
    const spar__settings *settings = sweeping->settings;
    spar_status status = SPAR_OK;
    if (sweeping->out && !sweeping->sweep.list && !spar__sweeping_helps())
        status = spar__owner_check(sweeping->out, sweeping->settings, err);
    if (!status)
        status = simulate(sweeping, trials, n, err);
    if (status || !sweeping->reports)
        return status;
    /* Of trials that were interrupted before they began, all but the first are left out. */
    size_t done = n;
    while (done > 1 && trials[done - 1].results->interrupted && !count_complete(&trials[done - 1], 1))
        done--;
    /* In JSON notes are part of the report. */
    for (size_t i = 0; !spar__setting_number(settings, "json") && i < done; i++)
        if (trials[i].results->note)
            spar__note("%s: %s", trials[i].plan.env, trials[i].results->note);
    status = report(trials, done, settings, out, err);
    if (!status && (done < n || trials[done - 1].results->interrupted)) {
        size_t wanted = 0;
        for (size_t i = 0; i < n; i++)
            wanted += trials[i].plan.n_policies * (size_t)trials[i].plan.runs;
        status =
            spar__fail(err, SPAR_INTERRUPTED, "interrupted; the report is on the %zu of %zu runs that were complete%s",
                       count_complete(trials, done), wanted, spar__sweeping_continues(sweeping));
    }
    return status;
}

static spar_status run(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__sweeping sweeping;
    spar__run_grid grid;
    spar__trial *trials = NULL;
    size_t n = 0;
    spar_status status = check_settings(settings, err);
    if (status)
        return status;
    status = spar__sweeping_begin(&sweeping, settings, out, err);
    if (!status)
        status = spar__run_grid_make(settings, &grid, err);
    else
        grid = (spar__run_grid){0};
    if (!status)
        status = make_trials(settings, &grid, &trials, &n, err);
    if (!status)
        status = play_and_report(&sweeping, trials, n, out, err);
    for (size_t i = 0; trials && i < n; i++) {
        spar_results_free(trials[i].results);
        spar__snapshots_free(&trials[i].snapshots);
    }
    spar__free(trials);
    spar__run_grid_free(&grid);
    return spar__sweeping_end(&sweeping, status, false, err);
}

/* The names that --env, --policy and --feedback take. */
static void list_names(spar__buf *out)
{
    size_t n;
    const spar__list_family *families = spar__list_families(&n);
    for (size_t i = 0; i < n; i++)
        spar__list_line(&families[i], out);
}

const spar__command spar__command_run = {
    .name = "run",
    .brief = "Simulate policies and report their regret",
    .operands = "[FILE.yaml] --env E --policy P [--policy P ...] [OPTIONS]",
    .max_operands = 1,
    .runfile = true,
    .options = spar__run_options,
    .notes =
        "FILE.yaml holds the same options: 'rounds: 20000', lists under 'environments:', 'policies:' and 'm:', and\n"
        "'parameters:' with lists of values; all of them are combined. doc/sweeps.md has sweeps over many machines.\n"
        "Ctrl-C reports the runs that are complete; a second one ends at once.\n\n"
        "--regret: what a round costs, over its slots\n"
        "  sum          P(best beats arm) - 1/2, best the arm that beats all others\n"
        "  weak         the least of these, not their sum\n"
        "  borda        how far the mean chance to win against the others is below the highest\n"
        "  copeland     how many others less an arm beats than the one that beats most, divided by n - 1\n"
        "  von_neumann  what the optimal mixed strategy wins against the arm\n"
        "  best_fixed   P(i beats arm) - 1/2, i the arm for which the sum over all rounds is largest\n"
        "Refused are sum and weak where no arm beats all others (a cycle); all others over a continuous space;\n"
        "and borda, copeland and von_neumann with rewards instead of comparisons, or more than 4096 arms.",
    .more_help = list_names,
    .example = "spar run --env 'utility(set=arith,link=linear)' --policy ind_self_sparring --policy sparring/ucb1 "
               "--m 4 --rounds 2000 --runs 20",
    .run = run,
};
