/* html_tables.c - final regrets, and in which setting they were had. */
#include "paper/html.h"

#include "paper/panels.h"
#include "plot/palette.h"
#include "plot/svg.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char DASH[] = "\xE2\x80\x93";

/* The k-th of a figure's scenes that was played, or NULL. */
static const spar__scene *scene_of(const spar__paper *paper, const char *const *names, size_t k)
{
    for (; *names; names++) {
        const spar__scene *scene = spar__paper_scene(paper, *names);
        if (scene && k-- == 0)
            return scene;
    }
    return NULL;
}

static void add_number(spar__buf *out, const char *look, double value, int places)
{
    spar__buf_printf(out, "<td class=\"n%s\">", look);
    if (isfinite(value))
        spar__buf_printf(out, "%.*f", places, value);
    else
        spar__buf_adds(out, DASH);
    spar__buf_adds(out, "</td>");
}

/* The sample of the policy's colour. */
static void add_key(spar__buf *out, const char *label, size_t place)
{
    size_t color = spar__policy_color(label);
    spar__buf_printf(out,
                     "<svg class=\"key\" viewBox=\"0 0 26 14\" aria-hidden=\"true\"><rect width=\"26\" height=\"14\" "
                     "rx=\"3\" fill=\"%s\"/></svg>",
                     spar__palette(color ? color - 1 : place).color);
}

/* What a row shows. */
typedef struct score {
    spar_summary regret, per_slot, set_size, best_share;
} score;

static spar_status find_score(const spar__scene *scene, const spar__cell *cell, score *out)
{
    *out = (score){0};
    spar_status status = spar__cell_summary(cell, cell->regret, &out->regret);
    if (status || scene->feat) /* a feat has no more than that */
        return status;
    status = spar__cell_summary(cell, cell->per_slot, &out->per_slot);
    if (!status)
        status = spar__cell_summary(cell, cell->set_size, &out->set_size);
    return status ? status : spar__cell_summary(cell, cell->best_share, &out->best_share);
}

/* Where all sets have m arms the two kinds of regret are one but for rounding. */
static bool differs(const score *row)
{
    return fabs(row->per_slot.mean - row->regret.mean) > 1e-9 * (1 + fabs(row->regret.mean));
}

static spar_status find_best(const spar__scene *scene, double *mean, double *median)
{
    *mean = *median = HUGE_VAL;
    for (size_t i = 0; i < scene->n_cells; i++) {
        spar_summary regret;
        spar_status status = spar__cell_summary(&scene->cell[i], scene->cell[i].regret, &regret);
        if (status)
            return status;
        *mean = fmin(*mean, regret.mean);
        *median = fmin(*median, regret.median);
    }
    return SPAR_OK;
}

static void add_policy(const spar__cell *cell, size_t place, spar__buf *out)
{
    spar__buf_adds(out, "<td title=\"");
    spar__svg_escape(out, cell->policy);
    spar__buf_adds(out, "\">");
    add_key(out, cell->label, place);
    spar__svg_escape(out, cell->label);
    spar__buf_adds(out, "</td>");
}

static spar_status add_scores(const spar__scene *scene, spar__buf *out)
{
    double mean, median;
    spar_status status = find_best(scene, &mean, &median);
    int places = mean >= 100 ? 1 : mean >= 1 ? 2 : 3; /* four digits of the best tell enough */
    spar__buf_adds(out, "<tbody>\n");
    for (size_t i = 0; !status && i < scene->n_cells; i++) {
        score row;
        status = find_score(scene, &scene->cell[i], &row);
        spar__buf_adds(out, "<tr>");
        if (i == 0) {
            spar__buf_printf(out, "<th rowspan=\"%zu\" scope=\"rowgroup\">", scene->n_cells);
            spar__svg_escape(out, scene->title);
            spar__buf_adds(out, "</th>");
        }
        add_policy(&scene->cell[i], i, out);
        add_number(out, row.regret.mean == mean ? " best" : "", row.regret.mean, places);
        add_number(out, "", row.regret.se, places);
        add_number(out, "", row.regret.sd, places);
        add_number(out, row.regret.median == median ? " best" : "", row.regret.median, places);
        add_number(out, "", !scene->feat && differs(&row) ? row.per_slot.mean : NAN, places);
        add_number(out, "", scene->feat ? NAN : row.set_size.mean, 2);
        add_number(out, "", scene->feat ? NAN : row.best_share.mean, 3);
        spar__buf_adds(out, "</tr>\n");
    }
    spar__buf_adds(out, "</tbody>\n");
    return status;
}

/* As spar_user_new has it. */
static const char *feedback_of(const spar__scene *scene)
{
    if (scene->feedback)
        return scene->feedback;
    return strncmp(scene->env, "rankers", 7) == 0 ? "multileave" : "all_pairs";
}

static void add_setting(const spar__scene *scene, spar__buf *out)
{
    spar__buf_adds(out, "<tr>");
    spar__html_text(out, "th", "", scene->title);
    spar__buf_adds(out, "<td>");
    spar__html_text(out, "code", "", scene->shown);
    spar__buf_adds(out, "</td>");
    spar__buf_printf(out, "<td class=\"n\">%zu</td><td>", scene->m);
    spar__svg_escape(out, feedback_of(scene));
    spar__buf_printf(out, "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td></tr>\n", scene->rounds,
                     scene->runs);
}

/* Each note once, however many cells have it. */
static void add_notes(const spar__scene *scene, spar__buf *out)
{
    for (size_t i = 0; i < scene->n_cells; i++) {
        const char *note = scene->cell[i].note;
        bool fresh = note && *note;
        for (size_t j = 0; fresh && j < i; j++)
            fresh = !scene->cell[j].note || strcmp(scene->cell[j].note, note) != 0;
        if (!fresh)
            continue;
        spar__buf_adds(out, "<p class=\"note\">");
        spar__svg_escape(out, scene->title);
        spar__buf_adds(out, ": ");
        spar__svg_escape(out, note);
        spar__buf_adds(out, "</p>\n");
    }
}

static spar_status add_regrets(const spar__paper *paper, const char *const *names, spar__buf *out)
{
    spar_status status = SPAR_OK;
    const spar__scene *scene;
    spar__buf_adds(out, "<div class=\"scroll\" tabindex=\"0\"><table class=\"regrets\">\n<thead><tr><th>scene</th>"
                        "<th>policy</th><th class=\"n\">mean regret</th><th class=\"n\">se</th><th class=\"n\">sd</th>"
                        "<th class=\"n\">median</th><th class=\"n\">per slot \xC3\x97 m</th>"
                        "<th class=\"n\">set size</th><th class=\"n\">best share</th></tr></thead>\n");
    for (size_t k = 0; !status && (scene = scene_of(paper, names, k)); k++)
        status = add_scores(scene, out);
    spar__buf_adds(out, "</table></div>\n");
    return status;
}

static void add_settings(const spar__paper *paper, const char *const *names, spar__buf *out)
{
    const spar__scene *scene;
    spar__buf_adds(out, "<div class=\"scroll\" tabindex=\"0\"><table class=\"settings\">\n<thead><tr><th>scene</th>"
                        "<th>environment</th><th class=\"n\">m</th><th>feedback</th><th class=\"n\">rounds</th>"
                        "<th class=\"n\">runs</th></tr></thead>\n<tbody>\n");
    for (size_t k = 0; (scene = scene_of(paper, names, k)); k++)
        add_setting(scene, out);
    spar__buf_adds(out, "</tbody></table></div>\n");
    for (size_t k = 0; (scene = scene_of(paper, names, k)); k++)
        add_notes(scene, out);
}

spar_status spar__html_tables(const spar__paper *paper, const char *const *names, spar__buf *out, spar_error *err)
{
    enum { MANY = 4 };
    if (!scene_of(paper, names, 0))
        return SPAR_OK;
    bool many = scene_of(paper, names, MANY) != NULL; /* long tables are folded away */
    if (many)
        spar__buf_adds(out, "<details><summary>Final regrets and settings</summary>\n");
    spar_status status = add_regrets(paper, names, out);
    add_settings(paper, names, out);
    if (many)
        spar__buf_adds(out, "</details>\n");
    return status ? spar__fail_memory(err) : SPAR_OK;
}
