/* html_sets.c - what the scenarios are made of: their sets of utilities, and the links. */
#include "paper/report/html.h"

#include "base/alloc.h"
#include "env/env.h"
#include "paper/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int descending(const void *a, const void *b)
{
    double one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one < other) - (one > other);
}

/* Equal ones together: "0.8, 15 times 0.2". */
static void add_values(size_t n, const double *value, spar__buf *out)
{
    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && value[i + same] == value[i];)
            same++;
        spar__buf_adds(out, i ? ", " : "");
        if (same > 1)
            spar__buf_printf(out, "%zu \xC3\x97 ", same);
        spar__buf_printf(out, "%.3g", value[i]);
    }
}

static spar_status add_set(const char *set, spar__buf *out, spar_error *err)
{
    char name[64];
    spar_env *env = NULL;
    spar_world *world = NULL;
    (void)snprintf(name, sizeof name, "utility(set=%s,link=linear)", set);
    spar_status status = spar_env_new(name, &env, err);
    if (!status)
        status = spar_world_new(env, 1, 0, &world, err);
    double *value = status ? NULL : spar__alloc(world->n, sizeof *value);
    if (!status && !value)
        status = spar__fail_memory(err);
    if (!status) {
        memcpy(value, world->utility, world->n * sizeof *value);
        qsort(value, world->n, sizeof *value, descending);
        spar__html_add(out, "<tr><th scope=\"row\">%s</th><td>", set);
        add_values(world->n, value, out);
        spar__buf_printf(out, "</td><td class=\"n\">%.3g</td></tr>\n", value[0] - value[1]);
    }
    spar__free(value);
    spar_world_free(world);
    spar_env_free(env);
    return status;
}

spar_status spar__html_sets(spar__buf *out, spar_error *err)
{
    spar_status status = SPAR_OK;
    spar__buf_adds(out,
                   "<section id=\"sets\">\n<h2>The utility sets and links</h2>\n<p>A scenario is a link and a set of "
                   "utilities: arm i beats arm j with probability (1 + u<sub>i</sub> \xE2\x88\x92 u<sub>j</sub>) / 2 "
                   "under the <b>linear</b> link, 1 / (1 + exp(u<sub>j</sub> \xE2\x88\x92 u<sub>i</sub>)) under "
                   "<b>logit</b>, and u<sub>i</sub> / (u<sub>i</sub> + u<sub>j</sub>) under <b>natural</b>.</p>\n");
    spar__sheet_begin_box(out, "Utility sets", "");
    spar__buf_adds(out,
                   "<table class=\"sets\">\n<thead><tr><th scope=\"col\">set</th><th scope=\"col\">utilities, best "
                   "first</th><th scope=\"col\" class=\"n\">best \xE2\x88\x92 second</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; !status && i < SPAR__SCENARIO_SETS; i++)
        status = add_set(spar__scenario_sets[i], out, err);
    spar__buf_adds(out, "</tbody></table>");
    spar__sheet_end_box(out);
    spar__buf_adds(out, "</section>\n");
    return status;
}
