/* decide.c - spar decide: what may be concluded from votes collected anywhere.
 *
 * A file of any form becomes votes (here), or answers of a log (decide_log.c). They are folded in their order into a
 * decision, whose verdict may be looked at any number of times, and once more into standings, a model of choices. Then
 * the report is printed and drawn. Reading and folding are linear in the votes; standings cost what report/standings.c
 * allows. */
#include "cli/decide/decide.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "decide/decide.h"
#include "env/data.h"
#include "text/votes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- from a file of any form to votes --- */

static const size_t LARGEST_FILE = (size_t)1 << 32; /* a device may never end */

static spar_status parse_counts(const char *text, size_t length, const char *path, spar__votes *out, spar_error *err)
{
    spar__matrix wins;
    *out = (spar__votes){.unordered = true};
    spar_status status = spar__wins_parse(text, length, path, &wins, err);
    if (status == SPAR_PARSE)
        return spar__fail(err, status, "%s; expected a square of win counts, a row a line, as in '0,21' and '19,0'",
                          err->text);
    if (status)
        return status;
    bool added = true;
    for (size_t i = 0; i < wins.n && added; i++) {
        char number[24];
        size_t option;
        (void)snprintf(number, sizeof number, "%zu", i);
        const char *name = wins.names ? wins.names[i] : number;
        added = !spar__names_get(&out->options, name, strlen(name), &option);
    }
    for (size_t at = 0; at < wins.n * wins.n && added; at++) {
        if (!(wins.p[at] > 0))
            continue;
        added = !spar__votes_begin(out, SPAR__VOTE_ORDER, 0) && !spar__votes_add(out, at / wins.n, 0) &&
                !spar__votes_add(out, at % wins.n, 1);
        if (added) /* all wins of one over another are one vote */
            out->vote[out->n - 1].times = (uint64_t)wins.p[at];
    }
    spar__matrix_free(&wins);
    if (added)
        return SPAR_OK;
    spar__votes_free(out);
    return spar__fail_memory(err);
}

static spar__votes_form form_of(const char *format, const spar__buf *text, size_t *line)
{
    spar__votes_form guess = spar__votes_guess(text->text, text->length, line);
    if (guess == SPAR__VOTES_EMPTY || strcmp(format, "auto") == 0)
        return guess;
    if (strcmp(format, "arena") == 0)
        return guess == SPAR__VOTES_JSON ? SPAR__VOTES_JSON : SPAR__VOTES_CSV;
    return strcmp(format, "lines") == 0    ? SPAR__VOTES_LINES
           : strcmp(format, "counts") == 0 ? SPAR__VOTES_COUNTS
                                           : SPAR__VOTES_PREFLIB;
}

static spar_status parse(const char *format, const spar__buf *text, const spar__votes_columns *columns,
                         spar__decide_report *report, spar_error *err)
{
    static const char *const name[] = {"empty", NULL, "rows", "rows", "lines", "counts", "preflib"};
    size_t line;
    spar__votes_form form = form_of(format, text, &line);
    report->form = name[form];
    switch (form) {
    case SPAR__VOTES_EMPTY:
        return SPAR_OK;
    case SPAR__VOTES_CSV:
    case SPAR__VOTES_JSON:
        return spar__columns_parse(form == SPAR__VOTES_JSON, text->text, text->length, report->source, columns,
                                   &report->votes, err);
    case SPAR__VOTES_LINES:
        return spar__votes_parse_lines(text->text, text->length, report->source, &report->votes, err);
    case SPAR__VOTES_COUNTS:
        return parse_counts(text->text, text->length, report->source, &report->votes, err);
    case SPAR__VOTES_PREFLIB:
        return spar__preflib_parse(text->text, text->length, report->source, &report->votes, err);
    default:
        return spar__fail(
            err, SPAR_PARSE,
            "%s:%zu: cannot tell the form of the votes; expected a header such as 'model_a,model_b,winner', JSON "
            "objects with these members, lines such as 'A > B', a square of win counts, or a PrefLib file",
            report->source, line);
    }
}

spar_status spar__decide_read(const char *path, const char *format, const spar__votes_columns *columns,
                              spar__decide_report *report, spar_error *err)
{
    bool log = strcmp(format, "auto") == 0 || strcmp(format, "log") == 0;
    report->source = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!log || !spar__decide_is_place(path)) {
        spar__buf text = {0};
        spar_status status = spar__file_read(path, LARGEST_FILE, &text, err);
        spar__buf_add(&text, "", 0); /* never NULL */
        if (!status && text.failed)
            status = spar__fail_memory(err);
        bool named = columns->a || columns->b || columns->winner; /* then these are the columns */
        if (!status)
            report->form = spar__decide_log_form(format, &text, named);
        if (!status && report->form)
            status = spar__decide_log_open(report->source, &text, report, err);
        else if (!status)
            status = parse(named && strcmp(format, "auto") == 0 ? "arena" : format, &text, columns, report, err);
        spar__buf_free(&text);
        return status;
    }
    report->form = "log";
    return spar__decide_log_open(path, NULL, report, err);
}

/* --- are votes in the order they were given? ---
 *
 * A file sorted by the winner is not, and the evidence along it would be that of a long row of wins. Of w wins and l
 * losses of a pair in any order equally likely, two neighbours differ 2 w l / (w + l) times on average (Wald and
 * Wolfowitz 1940). */

static const double FEWEST_CHANGES = -3; /* in standard deviations from the mean */

typedef struct pair_runs {
    uint32_t won[2], changes, last;
} pair_runs;

/* Do wins and losses of the same pair follow each other so rarely that the file must be sorted by them? */
static spar_status looks_sorted(const spar_decision *d, bool *sorted)
{
    size_t n = d->evidence.pairs.count;
    pair_runs *runs = spar__alloc(n, sizeof *runs);
    if (!runs)
        return SPAR_NOMEM;
    for (size_t i = 0; i < d->log_count; i++) {
        pair_runs *r = &runs[d->log[i].row & ~SPAR__JOINED];
        uint32_t winner = d->log[i].won < 0;
        r->changes += r->won[0] + r->won[1] > 0 && r->last != winner;
        r->won[winner]++;
        r->last = winner;
    }
    double surplus = 1, variance = 0; /* one change more: a single loss is at an end of the file easily enough */
    for (size_t i = 0; i < n; i++) {
        double w = runs[i].won[0], l = runs[i].won[1], all = w + l, wl = 2 * w * l;
        surplus += all > 0 ? runs[i].changes - wl / all : 0;
        variance += all > 1 ? wl * (wl - all) / (all * all * (all - 1)) : 0;
    }
    *sorted = variance > 0 && surplus < FEWEST_CHANGES * sqrt(variance);
    spar__free(runs);
    return SPAR_OK;
}

/* --- votes as what a decision and standings take --- */

/* A vote as a ballot, which a decision takes, and as an answer to a screen, which standings take. */
typedef struct vote_maker {
    spar_ballot ballot;
    size_t *option, *place, *slot, *level; /* as many as the largest vote has */
    unsigned char *outcome;
    spar_answer *answer;
} vote_maker;

static spar_status maker_start(const spar__votes *votes, vote_maker *maker)
{
    size_t most = 0;
    for (size_t i = 0; i < votes->n; i++)
        most = votes->vote[i].m > most ? votes->vote[i].m : most;
    maker->option = spar__alloc(4 * most, sizeof *maker->option);
    maker->outcome = spar__alloc(most * most, 1);
    if (!maker->option || !maker->outcome)
        return SPAR_NOMEM;
    maker->place = maker->option + most;
    maker->slot = maker->place + most;
    maker->level = maker->slot + most;
    maker->ballot = (spar_ballot){.size = sizeof maker->ballot, .option = maker->option, .outcome = maker->outcome};
    return spar_answer_new(&maker->answer);
}

static void maker_finish(vote_maker *maker)
{
    spar__free(maker->option);
    spar__free(maker->outcome);
    spar_answer_free(maker->answer);
}

static void set_options(const spar__votes *votes, const spar__vote *vote, vote_maker *maker)
{
    for (size_t j = 0; j < vote->m; j++) {
        maker->option[j] = votes->slot[vote->first + j].option;
        maker->place[j] = j;
    }
}

static unsigned char outcome_of(const spar__vote *vote, uint32_t mine, uint32_t other)
{
    if (vote->kind != SPAR__VOTE_ORDER)
        return vote->kind == SPAR__VOTE_BAD ? SPAR_TIE : SPAR_MISSING;
    return mine == other ? SPAR_TIE : mine < other ? SPAR_WIN : SPAR_LOSS;
}

static const spar_ballot *make_ballot(const spar__votes *votes, const spar__vote *vote, vote_maker *maker)
{
    const spar__vote_slot *slot = votes->slot + vote->first;
    set_options(votes, vote, maker);
    for (size_t j = 0; j < vote->m; j++)
        for (size_t k = 0; k < vote->m; k++)
            maker->outcome[j * vote->m + k] = j == k ? SPAR_MISSING : outcome_of(vote, slot[j].place, slot[k].place);
    maker->ballot.m = vote->m;
    maker->ballot.voter = vote->voter;
    maker->ballot.item = vote->item;
    maker->ballot.times = vote->times;
    return &maker->ballot;
}

static spar_status make_answer(const spar__votes *votes, const spar__vote *vote, vote_maker *maker, spar_error *err)
{
    set_options(votes, vote, maker);
    if (vote->kind != SPAR__VOTE_ORDER) {
        (vote->kind == SPAR__VOTE_BAD ? spar_answer_set_bad : spar_answer_set_skip)(maker->answer);
        return SPAR_OK;
    }
    /* The slots of a vote, best first; slots of one place keep their order. */
    const spar__vote_slot *from = votes->slot + vote->first;
    size_t *slot = maker->slot;
    size_t *level = maker->level;
    for (size_t j = 0; j < vote->m; j++) {
        size_t at = j;
        for (; at > 0 && level[at - 1] > from[j].place; at--) {
            slot[at] = slot[at - 1];
            level[at] = level[at - 1];
        }
        slot[at] = j;
        level[at] = from[j].place;
    }
    return spar_answer_set_ranking(maker->answer, vote->m, maker->slot, maker->level, err);
}

/* --- votes become a decision --- */

static bool is_tie(const spar__votes *votes, const spar__vote *vote)
{
    for (size_t i = 1; i < vote->m; i++)
        if (votes->slot[vote->first + i].place != votes->slot[vote->first].place)
            return false;
    return vote->kind == SPAR__VOTE_ORDER;
}

static const char *option_name(void *context, size_t option)
{
    const spar__decide_report *r = context;
    return spar__names_at(&r->votes.options, option);
}

static const char *voter_name(void *context, uint64_t voter)
{
    const spar__decide_report *r = context;
    return spar__names_at(&r->votes.voters, voter - 1);
}

static spar_status fold(spar__decide_report *r, bool unordered, spar_error *err)
{
    spar_decision_free(r->decision);
    r->total = r->ties = r->bad = 0;
    r->settings.unordered = unordered;
    if (r->log)
        return spar__decide_log_fold(r, unordered, err);
    vote_maker maker = {0};
    spar_status status = spar_decision_new(r->votes.options.n, &r->settings, &r->decision, err);
    r->voters = r->votes.voters.n;
    if (!status && maker_start(&r->votes, &maker))
        status = spar__fail_memory(err);
    for (size_t i = 0; i < r->votes.n && !status; i++) {
        const spar__vote *vote = &r->votes.vote[i];
        r->total += vote->times;
        r->ties += is_tie(&r->votes, vote) ? vote->times : 0;
        r->bad += vote->kind == SPAR__VOTE_BAD ? vote->times : 0;
        status = spar_decision_answer(r->decision, make_ballot(&r->votes, vote, &maker), err);
        if (status == SPAR_INVALID) {
            /* The sentence of a vote that was refused, behind its place in the file. */
            spar_error why = *err;
            if (vote->line > 0)
                (void)spar__fail(err, SPAR_INVALID, "%s:%zu: %s", r->source, vote->line, why.text);
            else /* a count of a matrix */
                (void)spar__fail(err, SPAR_INVALID, "%s: %s", r->source, why.text);
        }
    }
    maker_finish(&maker);
    return status;
}

spar_status spar__decide_judge(spar__decide_report *r, spar_error *err)
{
    spar_status status = fold(r, r->votes.unordered, err);
    bool may_be_sorted = !r->votes.unordered && strcmp(r->form, "log") != 0;
    if (!status && may_be_sorted && looks_sorted(r->decision, &r->sorted))
        status = spar__fail_memory(err);
    if (!status && r->sorted)
        status = fold(r, true, err);
    if (status)
        return status;
    r->verdict = (spar__verdict_report){.decision = r->decision,
                                        .delta = r->settings.delta,
                                        .unit = "vote",
                                        .units = "votes",
                                        .option = option_name,
                                        .voter = voter_name,
                                        .context = r};
    if ((r->log && spar__decide_log_names(r)) || spar__verdict_look(&r->verdict))
        return spar__fail_memory(err);
    return SPAR_OK;
}

void spar__decide_report_free(spar__decide_report *r)
{
    spar__verdict_free(&r->verdict);
    spar_decision_free(r->decision);
    spar__standings_report_free(&r->standings);
    spar__votes_free(&r->votes);
    spar__decide_log_free(r->log);
}

/* --- votes become standings --- */

spar_status spar__decide_repeats(spar__key_table *seen, uint64_t voter, uint32_t item, size_t m, const size_t *option,
                                 bool *repeated)
{
    uint64_t sum = spar__hash_of(&item, sizeof item); /* the same in any order; of 4 bytes, unlike options */
    for (size_t j = 0; j < m; j++)
        sum += spar__hash_of(&option[j], sizeof option[j]);
    if (spar__key_table_reserve(seen, 1))
        return SPAR_NOMEM;
    size_t before = seen->n;
    (void)spar__key_get(seen, voter, sum);
    *repeated = seen->n == before;
    return SPAR_OK;
}

spar_status spar__decide_stand(spar__decide_report *r, spar__standings_how how, spar_error *err)
{
    const spar__votes *votes = &r->votes;
    vote_maker maker = {0};
    spar__key_table seen = {0}; /* voters=first: who was asked about what */
    bool placed = strcmp(r->form, "rows") == 0;
    if (how == SPAR__STANDINGS_NONE || spar_decision_answers(r->decision) == 0)
        return SPAR_OK;
    spar_status status = spar_standings_new(spar_decision_options(r->decision), &r->standings.standings, err);
    if (!status && r->log)
        status = spar__decide_log_stand(r, err);
    else if (!status && maker_start(votes, &maker))
        status = spar__fail_memory(err);
    for (size_t i = 0; !r->log && !status && i < votes->n; i++) {
        const spar__vote *vote = &votes->vote[i];
        bool repeated = false;
        if (vote->m < 2)
            continue;
        status = make_answer(votes, vote, &maker, err);
        if (!status && r->settings.first_only && vote->voter &&
            spar__decide_repeats(&seen, vote->voter, vote->item, vote->m, maker.option, &repeated))
            status = spar__fail_memory(err);
        if (!status && !repeated)
            status = spar_standings_answer(r->standings.standings, vote->m, maker.option, placed ? maker.place : NULL,
                                           maker.answer, r->ties > 0, vote->times, err);
    }
    if (!status)
        status = spar__standings_look(&r->standings, how, r->settings.delta, err);
    maker_finish(&maker);
    spar__key_table_fini(&seen);
    return status;
}

/* --- the report --- */

/* The warning about votes that are not in the order they were given. */
static const char warn_sorted[] = "equal outcomes stand together, as in a sorted file: only the totals are used";

/* '40 votes on 4 options: 3 ties, 1 skipped'. */
static void add_summary(const spar__decide_report *r, spar__buf *out)
{
    const char *before = ": ";
    uint64_t skipped = spar_decision_skipped(r->decision);
    spar__verdict_count(r->total, r->verdict.unit, r->verdict.units, out);
    spar__buf_adds(out, " on ");
    spar__verdict_count(r->verdict.n, "option", "options", out);
    struct {
        uint64_t count;
        const char *one, *many;
    } const part[] = {{r->ties, "tie", "ties"},
                      {r->bad, r->log ? "bad" : "both bad", r->log ? "bad" : "both bad"},
                      {skipped, "skipped", "skipped"}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].count) {
            spar__buf_adds(out, before);
            spar__verdict_count(part[i].count, part[i].one, part[i].many, out);
            before = ", ";
        }
    spar__buf_adds(out, "\n");
}

void spar__decide_text(const spar__decide_report *r, spar__layout layout, spar__buf *out)
{
    spar__verdict_sentence(&r->verdict, layout, out);
    add_summary(r, out);
    if (r->settings.first_only)
        spar__buf_adds(out, "of each voter only the first vote on each pair counts\n");
    if (r->votes.unranked)
        spar__buf_printf(out, "%" PRIu64 " voter%s left options out; these count as behind all that they ranked\n",
                         r->votes.unranked, spar__plural(r->votes.unranked));
    spar__verdict_options(&r->verdict, layout, out);
    spar__standings_text(&r->standings, &r->verdict, layout, out);
    spar__verdict_closest(&r->verdict, layout, out);
    spar__verdict_next(&r->verdict, layout, out);
    spar__verdict_warnings(&r->verdict, &r->standings, r->sorted ? warn_sorted : NULL, layout, out);
}

void spar__decide_json(const spar__decide_report *r, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__verdict_report verdict = r->verdict;
    if (r->id) { /* as status has it: the id, and the title beside it */
        verdict.title = verdict.option;
        verdict.option = r->id;
    }
    spar__json_begin_object(&json);
    spar__verdict_json_head(&verdict, &json);
    spar__json_add_string(&json, "source", r->source);
    spar__json_add_string(&json, "form", r->form);
    spar__json_add_number(&json, "delta", r->settings.delta);
    spar__json_add_number(&json, "eps", r->settings.eps);
    spar__json_add_string(&json, "voters", r->settings.first_only ? "first" : "all");
    spar__json_add_boolean(&json, "ordered", !r->settings.unordered);
    spar__json_add_unsigned(&json, "votes", r->total);
    spar__json_add_unsigned(&json, "answers", spar_decision_answers(r->decision));
    spar__json_add_unsigned(&json, "skipped", spar_decision_skipped(r->decision));
    spar__json_add_unsigned(&json, "ties", r->ties);
    spar__json_add_unsigned(&json, "both_bad", r->bad);
    spar__json_add_unsigned(&json, "left_out", r->votes.unranked);
    spar__json_add_unsigned(&json, "named_voters", r->voters);
    spar__verdict_json_options(&verdict, &json);
    spar__verdict_json_pairs(&verdict, &json);
    spar__json_key(&json, "warnings");
    spar__json_begin_array(&json);
    spar__verdict_json_warnings(&r->verdict, &json);
    spar__standings_json_warnings(&r->standings, &r->verdict, &json);
    if (r->sorted)
        spar__verdict_json_warning("sorted", warn_sorted, &json);
    spar__json_end_array(&json);
    spar__verdict_json_all_pairs(&verdict, &json);
    spar__standings_json(&r->standings, &verdict, &json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static void write_subtitle(const spar__decide_report *r, size_t room, char *out)
{
    (void)snprintf(out, room, "%.100s: %" PRIu64 " vote%s on %zu options", r->source, r->total,
                   r->total == 1 ? "" : "s", r->verdict.n);
}

spar_status spar__decide_plot(const spar__decide_report *r, spar__buf *out)
{
    char subtitle[200];
    write_subtitle(r, sizeof subtitle, subtitle);
    return spar__verdict_plot(&r->verdict, subtitle, out);
}

spar_status spar__decide_plot_standings(const spar__decide_report *r, spar__buf *out)
{
    char subtitle[200];
    write_subtitle(r, sizeof subtitle, subtitle);
    return spar__standings_plot(&r->standings, &r->verdict, subtitle, out);
}

/* --- the command --- */

static spar_status read_number(const spar__settings *settings, const char *name, double above, double most, bool closed,
                               double *out, spar_error *err)
{
    const char *text = spar__setting_text(settings, name);
    if (spar__parse_double(text, out) && *out > above && (*out < most || (closed && *out == most)))
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not a number above %g, %s %g",
                      spar__setting_of(settings, name)->origin, text, above, closed ? "at most" : "below", most);
}

static spar_status write_files(const spar__settings *settings, const spar__decide_report *r, spar_error *err)
{
    spar__output_file file[] = {{.name = "decide.json"}, {.name = "decide", .picture = true}, {"standings", {0}, true}};
    if (!spar__report_has_files(settings))
        return SPAR_OK;
    spar__stop_catch(); /* files are written whole; until here a signal ends the command at once */
    spar__decide_json(r, &file[0].text);
    file[1].text.failed |= spar__decide_plot(r, &file[1].text) != SPAR_OK;
    if (r->standings.standings)
        file[2].text.failed |= spar__decide_plot_standings(r, &file[2].text) != SPAR_OK;
    return spar__report_write(settings, sizeof file / sizeof *file, file, err);
}

static spar_status decide(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    if (!settings->n_operands)
        return spar__fail(err, SPAR_INVALID, "decide: a file with votes is needed ('-' is standard input)");
    spar__decide_report r = {
        .settings = {.size = sizeof r.settings, .first_only = spar__setting_is(settings, "voters", "first")}};
    spar__votes_columns columns = {0};
    spar_status status = read_number(settings, "delta", 0, 1, false, &r.settings.delta, err);
    if (!status)
        status = read_number(settings, "eps", 0, 20, true, &r.settings.eps, err);
    if (!status)
        status = spar__columns_of(settings, &columns, err);
    if (!status)
        status = spar__report_check_files(settings, "decide", true, err);
    if (!status)
        status = spar__decide_read(settings->operand[0], spar__setting_text(settings, "format"), &columns, &r, err);
    if (!status && r.settings.first_only && !r.log && r.votes.n && !r.votes.one_each && !r.votes.voters.n)
        status = spar__fail(err, SPAR_INVALID,
                            "%s: --voters first needs the names of voters: a column 'judge', or --columns voter=NAME",
                            r.source);
    if (!status)
        status = spar__decide_judge(&r, err);
    if (!status)
        status = spar__decide_stand(&r, spar__standings_how_of(spar__setting_text(settings, "standings")), err);
    if (!status && spar__setting_number(settings, "json"))
        spar__decide_json(&r, out);
    else if (!status)
        spar__decide_text(&r, spar__layout_of_output(), out);
    if (!status) /* printed even if a file cannot be written */
        status = write_files(settings, &r, err);
    spar__decide_report_free(&r);
    return status;
}

static const spar__option options[] = {
    {.name = "delta",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "D",
     .standard = "0.05",
     .help = "a false statement is made with at most this probability"},
    {.name = "eps",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "E",
     .standard = "0.2",
     .help = "what is practically the same, in log-odds"},
    SPAR__CHOICE_OPTION("voters", "WHICH", "all", "all|first",
                        "count all votes, or of each voter the first on each pair (and item)"),
    SPAR__OPTION_COLUMNS,
    SPAR__CHOICE_OPTION("format", "F", "auto", "auto|arena|lines|counts|preflib|csv|log", "the form of the file"),
    SPAR__OPTION_STANDINGS,
    SPAR__TEXT_OPTION("plot", "FILE.svg", "also write a picture there"),
    SPAR__TEXT_OPTION("out", "DIR", "also write decide.json, decide.svg, decide.png and the standings there"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_decide = {
    .name = "decide",
    .brief = "Say what may be concluded from votes: which option is best, or what is still open",
    .operands = "FILE [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "FILE ('-' is standard input) holds votes in one of these forms:\n"
             "  arena    CSV with a header, or JSON objects: model_a, model_b, winner (model_a, model_b, tie,\n"
             "           tie (bothbad) or the winner's name; empty: skipped), and the voter in judge\n"
             "  lines    A > B    A = B    A > B = C > D\n"
             "  counts   a square of win counts: how often the row was preferred to the column\n"
             "  preflib  soc, soi, toc, toi from preflib.org\n"
             "  csv      rows of 'spar export --format csv', or with shown, kind and answer only\n"
             "  log      a live experiment (tea.db), or a log that 'spar export' wrote\n"
             "Rows and lines are votes in the order they were given. Small ones:\n"
             "  printf 'tea > coffee\\ntea > juice\\n' | spar decide -",
    .example = "spar decide votes-arena.csv --plot votes.svg",
    .run = decide,
};
