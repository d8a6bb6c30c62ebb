/* html.c - the report as one page that needs no other files: what was found, the figures, the claims, the settings. */
#include "base/alloc.h"
#include "env/env.h"
#include "paper/paper.h"
#include "plot/plot.h"
#include "plot/svg.h"
#include "spar_version.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The claims as one table: verdict, numbers, and how each is judged. */

/* A word, a colour and a sign, in an element of this tag. */
static void add_verdict(spar__verdict verdict, const char *on, const char *tag, spar__buf *out)
{
    static const struct {
        const char *look, *sign;
    } looks[] = {
        [SPAR__NOT_JUDGED] = {"none", "\xE2\x80\x93"},
        [SPAR__HOLDS] = {"holds", "\xE2\x9C\x93"},
        [SPAR__HOLDS_IN_PART] = {"part", "\xE2\x97\x90"},
        [SPAR__DOES_NOT_HOLD] = {"fails", "\xE2\x9C\x97"},
        [SPAR__UNDECIDED] = {"none", "?"},
    };
    spar__buf_printf(out, "<%s class=\"verdict %s\">%s&nbsp;%s%s%s%s</%s>", tag, looks[verdict].look,
                     looks[verdict].sign, spar__verdict_text(verdict), on ? " (" : "", on ? on : "", on ? ")" : "",
                     tag);
}

/* How many claims have each verdict. */
static void add_totals(const spar__paper *paper, spar__buf *out)
{
    static const spar__verdict order[] = {SPAR__HOLDS, SPAR__HOLDS_IN_PART, SPAR__DOES_NOT_HOLD, SPAR__UNDECIDED,
                                          SPAR__NOT_JUDGED};
    size_t count[SPAR__VERDICTS];
    spar__paper_totals(paper, count);
    spar__buf_adds(out, "<ul class=\"sum\">");
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        if (count[order[k]] == 0)
            continue;
        spar__buf_printf(out, "<li>%zu ", count[order[k]]);
        add_verdict(order[k], NULL, "span", out);
        spar__buf_adds(out, "</li>");
    }
    spar__buf_adds(out, "</ul>\n");
}

/* Has the claim a figure of its own, and may it be drawn? */
static bool is_drawn(const spar__paper *paper, size_t i)
{
    return paper->claim[i]->draw && paper->finding[i].verdict != SPAR__NOT_JUDGED;
}

/* Is the claim listed? With one figure, only what that decides. */
static bool is_listed(const spar__paper *paper, size_t i)
{
    return !paper->options.figure || paper->finding[i].verdict != SPAR__NOT_JUDGED;
}

static bool has_figure(const spar__paper *paper, const char *name)
{
    for (size_t i = 0; name && i < paper->n_figures; i++)
        if (strcmp(paper->figure[i]->name, name) == 0)
            return true;
    return false;
}

/* Up to the end of the first sentence; one in parentheses belongs to the one before it. */
static size_t sentence(const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        size_t end = text[i] == '.' && text[i + 1] == ')' ? i + 2 : i + 1;
        if (text[i] == '.' && text[end] == ' ' && text[end + 1] != '(')
            return end;
    }
    return strlen(text);
}

/* `length` bytes of text, with a proper sign for plus or minus. */
static void add_plain(const char *text, size_t length, spar__buf *out)
{
    for (size_t i = 0, part; i < length; i += part) {
        const char *sign = strstr(text + i, "+-");
        bool plain = !sign || sign >= text + length;
        part = plain ? length - i : (size_t)(sign - text) - i;
        spar__svg_escape_part(out, text + i, part);
        if (!plain) {
            spar__buf_adds(out, "\xC2\xB1");
            part += 2;
        }
    }
}

static void add_claim_row(const spar__paper *paper, size_t i, spar__buf *out)
{
    const spar__claim *claim = paper->claim[i];
    const spar__finding *finding = &paper->finding[i];
    const char *figure = is_drawn(paper, i) ? claim->name : has_figure(paper, claim->figure) ? claim->figure : NULL;
    spar__html_add(out, "<tr id=\"claim-%s\"><td><b>%s</b>%s", claim->name, claim->title, claim->says);
    if (figure)
        spar__html_add(out, " (<a href=\"#figure-%s\">figure</a>)", figure);
    spar__html_add(out, "<details><summary>How it is judged</summary><p class=\"note\">%s</p></details></td>",
                   claim->test);
    add_verdict(finding->verdict, finding->on, "td", out);
    spar__buf_adds(out, "<td>");
    if (finding->numbers.text) {
        /* Each sentence on a line of its own. */
        const char *text = finding->numbers.text;
        while (*text) {
            size_t length = sentence(text);
            spar__buf_adds(out, "<p>");
            add_plain(text, length, out);
            spar__buf_adds(out, "</p>");
            text += length + strspn(text + length, " ");
        }
    }
    spar__buf_adds(out, "</td></tr>\n");
}

/* The table of claims: verdicts, numbers, and how each is judged. */
static void add_claims(const spar__paper *paper, spar__buf *out)
{
    if (paper->n_claims == 0)
        return;
    spar__buf_adds(out, "<section id=\"claims\">\n<h2>The claims and their tests</h2>\n");
    add_totals(paper, out);
    spar__sheet_begin_box(out, "Claims", " wide fits");
    spar__buf_adds(out, "<table class=\"claims\">\n<colgroup><col class=\"c\"><col class=\"v\"><col></colgroup>\n"
                        "<thead><tr><th scope=\"col\">claim</th><th scope=\"col\">verdict</th><th scope=\"col\">numbers"
                        "</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < paper->n_claims; i++)
        if (is_listed(paper, i))
            add_claim_row(paper, i, out);
    spar__buf_adds(out, "</tbody>\n</table>");
    spar__sheet_end_box(out);
    spar__buf_adds(out, "</section>\n");
}

/* The final regrets of a figure, and its settings. */

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
        /* The label, after a sample of its colour. */
        const spar__cell *cell = &setting->cell[i];
        size_t color = spar__policy_color(cell->spec.label);
        spar__html_add(
            out,
            "<td title=\"%s\"><svg class=\"swatch\" viewBox=\"0 0 26 14\" aria-hidden=\"true\"><rect width=\"26\" "
            "height=\"14\" rx=\"3\" fill=\"%s\"/></svg>%s</td>",
            cell->spec.policy, spar__palette(color ? color - 1 : i).color, cell->spec.label);
        bool custom = setting->cell[i].spec.custom;
        int places = mean >= 100 ? 1 : mean >= 1 ? 2 : 3; /* four digits of the best */
        add_number(out, row.regret.mean == mean ? " best" : "", row.regret.mean, places);
        add_number(out, "", row.regret.se, places);
        add_number(out, "", row.regret.sd, places);
        add_number(out, row.regret.median == median ? " best" : "", row.regret.median, places);
        /* Where all sets have m arms the two kinds of regret are the same except for rounding. */
        bool differs = fabs(row.per_slot.mean - row.regret.mean) > 1e-9 * (1 + fabs(row.regret.mean));
        add_number(out, "", !custom && differs ? row.per_slot.mean : NAN, places);
        add_number(out, "", custom ? NAN : row.set_size.mean, 2);
        add_number(out, "", custom ? NAN : row.best_share.mean, 3);
        spar__buf_adds(out, "</tr>\n");
    }
    spar__buf_adds(out, "</tbody>\n");
    return status;
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

static void add_settings(const spar__paper *paper, const char *const *names, spar__buf *out)
{
    const spar__paper_setting *setting;
    spar__sheet_begin_box(out, "Settings", "");
    spar__buf_adds(out, "<table class=\"settings\">\n<thead><tr><th>setting</th>"
                        "<th>environment</th><th class=\"n\">m</th><th>feedback</th><th class=\"n\">rounds</th>"
                        "<th class=\"n\">runs</th></tr></thead>\n<tbody>\n");
    for (size_t k = 0; (setting = setting_of(paper, names, k)); k++) {
        spar__html_add(out, "<tr><th>%s</th><td><code>%s</code></td>", setting->title, setting->shown);
        spar__buf_printf(out, "<td class=\"n\">%zu</td>", setting->m);
        const char *standard = strncmp(setting->env, "rankers", 7) == 0 ? "multileave" : "all_pairs";
        spar__html_add(out, "<td>%s</td>", setting->feedback ? setting->feedback : standard); /* of spar_user_new */
        spar__buf_printf(out, "<td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td></tr>\n",
                         setting->rounds, setting->runs);
    }
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
    add_settings(paper, names, out);
    if (many)
        spar__buf_adds(out, "</details>\n");
    return status ? spar__fail_memory(err) : SPAR_OK;
}

/* The first screen: what was found, in five sentences made of the results, beside the main figure. */

enum { SENTENCES = 5 };

/* The claims that the paper is about, in the order of their sentences; others follow where these were not judged. */
static const char *const chosen[] = {"beats-multi", "advantage", "competitive", "beats-kernel-multi"};
enum { CHOSEN = sizeof chosen / sizeof *chosen };

static bool has_brief(const spar__paper *paper, size_t i)
{
    return paper->finding[i].brief.length && paper->finding[i].verdict != SPAR__NOT_JUDGED;
}

static bool is_chosen(const char *name)
{
    for (size_t i = 0; i < CHOSEN; i++)
        if (strcmp(chosen[i], name) == 0)
            return true;
    return false;
}

static void add_sentence(const spar__paper *paper, size_t i, spar__buf *out)
{
    const spar__finding *finding = &paper->finding[i];
    spar__buf_adds(out, "<li>");
    add_plain(finding->brief.text, finding->brief.length, out);
    spar__html_add(out, " <a href=\"#claim-%s\">Claim</a>: ", paper->claim[i]->name);
    add_verdict(finding->verdict, finding->on, "span", out);
    spar__buf_adds(out, "</li>\n");
}

/* "We find that of 25 claims 18 hold, 3 hold in part ...", and which do not. */
static void add_last(const spar__paper *paper, spar__buf *out)
{
    spar__buf totals = {0};
    size_t failed = 0;
    spar__paper_totals_text(paper, &totals);
    const char *verdicts = totals.failed ? NULL : strchr(totals.text, ':');
    if (verdicts) {
        spar__buf_printf(out, "<li>We find that of the paper's %zu claims%s", paper->n_claims, verdicts + 1);
        for (size_t i = 0; i < paper->n_claims; i++)
            if (paper->finding[i].verdict == SPAR__DOES_NOT_HOLD)
                spar__html_add(out, "%s<a href=\"#claim-%s\">%s</a>",
                               failed++ ? "; " : ". Not so: ", paper->claim[i]->name, paper->claim[i]->title);
        spar__buf_adds(out, ".</li>\n");
    }
    out->failed |= totals.failed;
    spar__buf_free(&totals);
}

/* The figure of the first screen: the paper's main one, or the first there is. */
static spar_status add_main_figure(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    if (!paper->n_figures)
        return SPAR_OK;
    const spar__paper_figure *figure = paper->figure[0];
    for (size_t i = 0; i < paper->n_figures; i++)
        if (strcmp(paper->figure[i]->name, "multi") == 0)
            figure = paper->figure[i];
    spar__drawing drawing = {.name = figure->title};
    spar__buf caption = {0}, home = {0};
    spar__html_add(&caption, "%s; its settings and its data are <a href=\"#figure-%s\">below</a>.", figure->title,
                   figure->name);
    spar__html_add(&home, "figure-%s", figure->name);
    spar_status status = figure->draw(figure->data, paper, &drawing, err);
    if (!status && (caption.failed || home.failed || drawing.svg.failed))
        status = spar__fail_memory(err);
    if (!status && drawing.svg.length)
        spar__sheet_add_plot(out, &(spar__sheet_plot){&drawing, caption.text, home.text});
    spar__drawing_free(&drawing);
    spar__buf_free(&caption);
    spar__buf_free(&home);
    return status;
}

/* What was found, in five sentences, beside the main figure. */
static spar_status add_first_screen(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    if (paper->n_claims == 0)
        return SPAR_OK;
    spar__buf_adds(out, "<section id=\"findings\" class=\"first wide\">\n<h2>What we find</h2>\n");
    size_t said = 0;
    spar__buf_adds(out, "<ol class=\"findings\">\n");
    for (size_t k = 0; k < CHOSEN; k++) {
        const char *name = chosen[k];
        size_t i = 0;
        while (i < paper->n_claims && strcmp(paper->claim[i]->name, name) != 0)
            i++;
        if (i < paper->n_claims && has_brief(paper, i)) {
            add_sentence(paper, i, out);
            said++;
        }
    }
    for (size_t i = 0; i < paper->n_claims && said + 1 < SENTENCES; i++)
        if (has_brief(paper, i) && !is_chosen(paper->claim[i]->name)) {
            add_sentence(paper, i, out);
            said++;
        }
    add_last(paper, out);
    spar__buf_adds(out, "</ol>\n");
    spar_status status = add_main_figure(paper, out, err);
    spar__buf_adds(out, "</section>\n");
    return status;
}

/* Each figure with what it shows and the claim that this decides; below it its settings. */

/* One figure of the page, of the paper or of a claim. */
struct page_figure {
    const char *name, *title, *says;
    spar__paper_draw *draw;
    const void *data;
    const char *otherwise; /* where there is nothing to draw */
};

static void add_found(const char *text, size_t length, spar__buf *out)
{
    if (!length)
        return;
    spar__buf_adds(out, "<p class=\"found\">");
    add_plain(text, length, out);
    spar__buf_adds(out, "</p>\n");
}

static void add_claim_link(const spar__paper *paper, size_t i, spar__buf *out)
{
    if (!is_listed(paper, i))
        return;
    spar__html_add(out, "<p class=\"of\">Claim: <a href=\"#claim-%s\">%s</a> ", paper->claim[i]->name,
                   paper->claim[i]->title);
    add_verdict(paper->finding[i].verdict, paper->finding[i].on, "span", out);
    spar__buf_adds(out, "</p>\n");
}

/* What a figure of the paper shows: its own sentence, or those of the claims that name it. */
static spar_status add_findings(const spar__paper *paper, const spar__paper_figure *figure, spar__buf *out,
                                spar_error *err)
{
    spar__buf found = {0};
    spar_status status = figure->find ? figure->find(figure->data, paper, &found) : SPAR_OK;
    if (status || found.failed)
        status = spar__fail_memory(err);
    else
        add_found(found.text, found.length, out);
    for (size_t i = 0; i < paper->n_claims; i++) {
        const char *of = paper->claim[i]->figure;
        bool named = of && strcmp(of, figure->name) == 0;
        if (!figure->find && named)
            add_found(paper->finding[i].brief.text, paper->finding[i].brief.length, out);
        if (named || (figure->claim && strcmp(figure->claim, paper->claim[i]->name) == 0))
            add_claim_link(paper, i, out);
    }
    spar__buf_free(&found);
    return status;
}

static spar_status add_plot(const spar__paper *paper, const struct page_figure *figure, spar__buf *out, spar_error *err)
{
    spar__drawing drawing = {.name = figure->title};
    spar__buf caption = {0};
    spar__html_add(&caption, "The paper: %s", figure->says);
    spar_status status = figure->draw(figure->data, paper, &drawing, err);
    if (caption.failed || drawing.svg.failed || drawing.tables.failed || status == SPAR_NOMEM)
        status = spar__fail_memory(err);
    if (!status && drawing.svg.length)
        spar__sheet_add_plot(out, &(spar__sheet_plot){&drawing, caption.text, NULL});
    else if (!status)
        spar__html_add(out, "<p class=\"note\">%s</p>\n", figure->otherwise);
    spar__drawing_free(&drawing);
    spar__buf_free(&caption);
    return status;
}

static spar_status add_figures(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (paper->n_figures > 0)
        spar__buf_adds(out, "<h2 id=\"figures\">The figures of the paper</h2>\n");
    for (size_t i = 0; !status && i < paper->n_figures; i++) {
        const spar__paper_figure *figure = paper->figure[i];
        const struct page_figure on_page = {figure->name, figure->title, figure->says,
                                            figure->draw, figure->data,  "Its settings were not run."};
        spar__html_add(out, "<section id=\"figure-%s\">\n<div class=\"keep\">\n<h3>", figure->name);
        spar__buf_printf(out, "%zu. ", i + 1);
        spar__html_add(out, "%s</h3>\n", figure->title);
        status = add_findings(paper, figure, out, err);
        if (!status)
            status = add_plot(paper, &on_page, out, err);
        spar__buf_adds(out, "</div>\n");
        if (!status && figure->settings)
            status = spar__html_tables(paper, figure->settings, out, err);
        spar__buf_adds(out, "</section>\n");
    }
    return status;
}

/* After the figures of the paper, those that were made for claims. */
static spar_status add_claim_figures(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    spar_status status = SPAR_OK;
    size_t drawn = 0;
    for (size_t i = 0; !status && i < paper->n_claims; i++) {
        if (!is_drawn(paper, i))
            continue;
        if (!drawn++)
            spar__buf_adds(out, "<h2 id=\"more\">More figures, made for claims</h2>\n");
        const spar__claim *claim = paper->claim[i];
        const spar__finding *finding = &paper->finding[i];
        const struct page_figure on_page = {claim->name, claim->title, claim->says,
                                            claim->draw, claim->data,  "There is nothing to draw."};
        spar__html_add(out, "<section class=\"keep\" id=\"figure-%s\">\n<h3>%s</h3>\n", claim->name, claim->title);
        add_found(finding->brief.text, finding->brief.length, out);
        add_claim_link(paper, i, out);
        status = add_plot(paper, &on_page, out, err);
        spar__buf_adds(out, "</section>\n");
    }
    return status;
}

/* What the scenarios are made of: their sets of utilities, and the links. */

static int descending(const void *a, const void *b)
{
    double one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one < other) - (one > other);
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
        /* Equal ones together: "0.8, 15 times 0.2". */
        size_t n = world->n;
        for (size_t i = 0, same; i < n; i += same) {
            for (same = 1; i + same < n && value[i + same] == value[i];)
                same++;
            spar__buf_adds(out, i ? ", " : "");
            if (same > 1)
                spar__buf_printf(out, "%zu \xC3\x97 ", same);
            spar__buf_printf(out, "%.3g", value[i]);
        }
        spar__buf_printf(out, "</td><td class=\"n\">%.3g</td></tr>\n", value[0] - value[1]);
    }
    spar__free(value);
    spar_world_free(world);
    spar_env_free(env);
    return status;
}

/* The utilities of the scenarios. */
static spar_status add_sets(spar__buf *out, spar_error *err)
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

/* --- the page --- */

#define TITLE "Multi-dueling Bandits with Dependent Arms"

static void add_facts(const spar__paper *paper, const char *command, spar__buf *out)
{
    const spar__paper_options *options = &paper->options;
    char seed[32];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    spar__html_add(
        out,
        "<section id=\"about\">\n<h2>About this report</h2>\n<dl class=\"facts\">\n<dt>command</dt><dd><code>"
        "%s</code></dd>\n<dt>seed</dt><dd>%s</dd>\n<dt>version</dt><dd>spar " SPAR_VERSION
        "</dd>\n<dt>extent</dt><dd>%s</dd>\n",
        command, seed,
        options->quick ? "quick: fewer runs than the paper, so the numbers are rough"
                       : "full: as many runs and rounds as the paper");
    if (options->figure)
        spar__html_add(out, "<dt>only</dt><dd>%s</dd>\n", options->figure);
    if (options->swap_from && options->swap_to)
        spar__html_add(out, "<dt>swapped</dt><dd><code>%s</code> in place of <code>%s</code></dd>\n", options->swap_to,
                       options->swap_from);
    spar__buf_adds(out,
                   "</dl>\n<p>Regret is summed over all slots of a round, as in the paper. In one setting, runs with "
                   "the same number have the same world and the same random numbers for all policies. Files beside "
                   "this page: all final regrets in <code>results.csv</code>, all curves in <code>curves.csv</code>, "
                   "every figure as SVG, PNG and PDF. The same command gives the same page.</p>\n</section>\n");
}

/* Every heading of the page; figures have the numbers that they have there. */
static void add_contents(const spar__paper *paper, spar__buf *out)
{
    static const char item[] = "<li><a href=\"#figure-%s\">%s</a></li>\n";
    size_t drawn = 0, listed = 0;
    spar__buf_adds(out, "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ul class=\"toc\">\n");
    if (paper->n_figures) {
        spar__buf_adds(out, "<li><a href=\"#figures\">The figures of the paper</a>\n<ol>\n");
        for (size_t i = 0; i < paper->n_figures; i++)
            spar__html_add(out, item, paper->figure[i]->name, paper->figure[i]->title);
        spar__buf_adds(out, "</ol></li>\n");
    }
    for (size_t i = 0; i < paper->n_claims; i++) {
        listed += is_listed(paper, i);
        if (!is_drawn(paper, i))
            continue;
        if (!drawn++)
            spar__buf_adds(out, "<li><a href=\"#more\">More figures, made for claims</a>\n<ul>\n");
        spar__html_add(out, item, paper->claim[i]->name, paper->claim[i]->title);
    }
    spar__buf_adds(out, drawn ? "</ul></li>\n" : "");
    if (listed)
        spar__buf_printf(out, "<li><a href=\"#claims\">The %zu claims and their tests</a></li>\n", listed);
    spar__buf_adds(out, "<li><a href=\"#sets\">The utility sets and links</a></li>\n"
                        "<li><a href=\"#about\">About this report</a></li>\n</ul>\n</nav>\n");
}

spar_status spar__paper_html(const spar__paper *paper, const char *command, spar__buf *out, spar_error *err)
{
    spar__sheet_begin(out, TITLE ": figures and claims");
    spar__html_add(
        out,
        "<header class=\"wide\">\n<h1>" TITLE "</h1>\n<p class=\"lead\">Every experiment of the paper by Sui, Zhuang, "
        "Burdick and Yue (2017) repeated, every figure drawn again, and every claim judged by the "
        "numbers.%s</p>\n</header>\n<main>\n",
        paper->options.quick ? " This is the quick form: fewer runs than the paper, so the numbers are rough." : "");
    spar_status status = add_first_screen(paper, out, err);
    add_contents(paper, out);
    if (!status)
        status = add_figures(paper, out, err);
    if (!status)
        status = add_claim_figures(paper, out, err);
    add_claims(paper, out);
    if (!status)
        status = add_sets(out, err);
    if (status)
        return status;
    add_facts(paper, command, out);
    spar__buf_adds(out, "</main>\n");
    spar__sheet_end(out);
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}
