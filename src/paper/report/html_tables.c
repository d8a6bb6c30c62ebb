/* html_tables.c - the final regrets of a figure, and its settings. */
#include "paper/report/html.h"

#include "paper/panels.h"
#include "plot/svg.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char DASH[] = "\xE2\x80\x93";

/* The k-th of a figure's settings that was run, or NULL. */
static const spar__paper_setting *setting_of(const spar__paper *paper, const char *const *names, size_t k)
{
    for (; *names; names++) {
        const spar__paper_setting *setting = spar__paper_find(paper, *names);
        if (setting && k-- == 0)
            return setting;
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

/* What a row shows; of custom runs only regret. */
struct regret_row {
    spar__summary regret, per_slot, set_size, best_share;
};

static spar_status summarize_row(const spar__cell *cell, struct regret_row *out)
{
    *out = (struct regret_row){0};
    spar_status status = spar__cell_summary(cell, cell->regret, &out->regret);
    if (!status)
        status = spar__cell_summary(cell, cell->per_slot, &out->per_slot);
    if (!status)
        status = spar__cell_summary(cell, cell->set_size, &out->set_size);
    return status ? status : spar__cell_summary(cell, cell->best_share, &out->best_share);
}

/* Where all sets have m arms the two kinds of regret are the same except for rounding. */
static bool differs(const struct regret_row *row)
{
    return fabs(row->per_slot.mean - row->regret.mean) > 1e-9 * (1 + fabs(row->regret.mean));
}

static spar_status find_best(const spar__paper_setting *setting, double *mean, double *median)
{
    *mean = *median = HUGE_VAL;
    for (size_t i = 0; i < setting->n_policies; i++) {
        spar__summary regret;
        spar_status status = spar__cell_summary(&setting->cell[i], setting->cell[i].regret, &regret);
        if (status)
            return status;
        *mean = fmin(*mean, regret.mean);
        *median = fmin(*median, regret.median);
    }
    return SPAR_OK;
}

/* The label, after a sample of its colour. */
static void add_policy(const spar__cell *cell, size_t place, spar__buf *out)
{
    size_t color = spar__policy_color(cell->spec.label);
    spar__html_add(
        out,
        "<td title=\"%s\"><svg class=\"swatch\" viewBox=\"0 0 26 14\" aria-hidden=\"true\"><rect width=\"26\" "
        "height=\"14\" rx=\"3\" fill=\"%s\"/></svg>%s</td>",
        cell->spec.policy, spar__palette(color ? color - 1 : place).color, cell->spec.label);
}

static void add_row(const struct regret_row *row, bool custom, double mean, double median, spar__buf *out)
{
    int places = mean >= 100 ? 1 : mean >= 1 ? 2 : 3; /* four digits of the best */
    add_number(out, row->regret.mean == mean ? " best" : "", row->regret.mean, places);
    add_number(out, "", row->regret.se, places);
    add_number(out, "", row->regret.sd, places);
    add_number(out, row->regret.median == median ? " best" : "", row->regret.median, places);
    add_number(out, "", !custom && differs(row) ? row->per_slot.mean : NAN, places);
    add_number(out, "", custom ? NAN : row->set_size.mean, 2);
    add_number(out, "", custom ? NAN : row->best_share.mean, 3);
}

static spar_status add_rows(const spar__paper_setting *setting, spar__buf *out)
{
    double mean, median;
    spar_status status = find_best(setting, &mean, &median);
    spar__buf_adds(out, "<tbody>\n");
    for (size_t i = 0; !status && i < setting->n_policies; i++) {
        struct regret_row row;
        status = summarize_row(&setting->cell[i], &row);
        spar__buf_adds(out, "<tr>");
        if (i == 0) {
            spar__buf_printf(out, "<th rowspan=\"%zu\" scope=\"rowgroup\">", setting->n_policies);
            spar__html_add(out, "%s</th>", setting->title);
        }
        add_policy(&setting->cell[i], i, out);
        add_row(&row, setting->cell[i].spec.custom, mean, median, out);
        spar__buf_adds(out, "</tr>\n");
    }
    spar__buf_adds(out, "</tbody>\n");
    return status;
}

/* The default is that of spar_user_new. */
static const char *feedback_of(const spar__paper_setting *setting)
{
    if (setting->feedback)
        return setting->feedback;
    return strncmp(setting->env, "rankers", 7) == 0 ? "multileave" : "all_pairs";
}

static void add_setting(const spar__paper_setting *setting, spar__buf *out)
{
    spar__html_add(out, "<tr><th>%s</th><td><code>%s</code></td>", setting->title, setting->shown);
    spar__buf_printf(out, "<td class=\"n\">%zu</td>", setting->m);
    spar__html_add(out, "<td>%s</td>", feedback_of(setting));
    spar__buf_printf(out, "<td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td></tr>\n", setting->rounds,
                     setting->runs);
}

/* Each note once, however many cells have it. */
static void add_notes(const spar__paper_setting *setting, spar__buf *out)
{
    for (size_t i = 0; i < setting->n_policies; i++) {
        const char *note = setting->cell[i].note;
        bool fresh = note && *note;
        for (size_t j = 0; fresh && j < i; j++)
            fresh = !setting->cell[j].note || strcmp(setting->cell[j].note, note) != 0;
        if (fresh)
            spar__html_add(out, "<p class=\"note\">%s: %s</p>\n", setting->title, note);
    }
}

static spar_status add_regrets(const spar__paper *paper, const char *const *names, spar__buf *out)
{
    spar_status status = SPAR_OK;
    const spar__paper_setting *setting;
    spar__sheet_begin_box(out, "Final regrets", "");
    spar__buf_adds(out, "<table class=\"regrets\">\n<thead><tr><th>setting</th>"
                        "<th>policy</th><th class=\"n\">mean regret</th><th class=\"n\">se</th><th class=\"n\">sd</th>"
                        "<th class=\"n\">median</th><th class=\"n\">per slot \xC3\x97 m</th>"
                        "<th class=\"n\">set size</th><th class=\"n\">best share</th></tr></thead>\n");
    for (size_t k = 0; !status && (setting = setting_of(paper, names, k)); k++)
        status = add_rows(setting, out);
    spar__buf_adds(out, "</table>");
    spar__sheet_end_box(out);
    return status;
}

static void add_settings(const spar__paper *paper, const char *const *names, spar__buf *out)
{
    const spar__paper_setting *setting;
    spar__sheet_begin_box(out, "Settings", "");
    spar__buf_adds(out, "<table class=\"settings\">\n<thead><tr><th>setting</th>"
                        "<th>environment</th><th class=\"n\">m</th><th>feedback</th><th class=\"n\">rounds</th>"
                        "<th class=\"n\">runs</th></tr></thead>\n<tbody>\n");
    for (size_t k = 0; (setting = setting_of(paper, names, k)); k++)
        add_setting(setting, out);
    spar__buf_adds(out, "</tbody></table>");
    spar__sheet_end_box(out);
    for (size_t k = 0; (setting = setting_of(paper, names, k)); k++)
        add_notes(setting, out);
}

spar_status spar__html_tables(const spar__paper *paper, const char *const *names, spar__buf *out, spar_error *err)
{
    enum { MANY = 4 };
    if (!setting_of(paper, names, 0))
        return SPAR_OK;
    bool many = setting_of(paper, names, MANY) != NULL; /* long tables are folded away */
    if (many)
        spar__buf_adds(out, "<details><summary>Final regrets and settings</summary>\n");
    spar_status status = add_regrets(paper, names, out);
    add_settings(paper, names, out);
    if (many)
        spar__buf_adds(out, "</details>\n");
    return status ? spar__fail_memory(err) : SPAR_OK;
}
