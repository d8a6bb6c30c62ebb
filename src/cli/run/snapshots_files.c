#include "cli/run/snapshots.h"

#include "base/alloc.h"
#include "text/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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
