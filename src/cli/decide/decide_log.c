/* decide_log.c - answers as what `spar decide` decides about: the log of a live experiment (a store, or an export of
 * it), in the order they were given, without those that were undone, with options that come and go and voters who are
 * known; or rows of csv, which `spar export` wrote or people did. A log is read twice for each fold; rows once.
 *
 * Without the library of live experiments there is none of this, and a sentence says so. */
#include "cli/decide/decide.h"

#ifdef SPAR__HAVE_LIVE

#include "base/alloc.h"
#include "live/exchange/exchange.h"
#include "live/exchange/history.h"
#include "live/exchange/rows.h"

#include <stdio.h>
#include <string.h>

struct spar__decide_log {
    spar__buf text;
    spar__key_table voters;
    spar__history *history; /* of a log, with: */
    spar__labels labels;
    char **title; /* of each option, with its id where two are alike; NULL: redacted */
    size_t n;
    spar__import_text rows; /* of csv, where there is no history, with: */
    spar__names row_options, row_voters, row_items;
};

/* --- rows of csv as answers --- */

typedef struct rows_fold {
    spar__decide_log *log;
    const spar__answers *answers;
    spar_event *event;
    spar_round *round;
    spar__json_tree tree;
} rows_fold;

/* 1 + its number; 0 where there is none. */
static spar_status number_of(spar__names *names, const char *name, size_t *out)
{
    *out = 0;
    if (!name || !*name)
        return SPAR_OK;
    if (spar__names_get(names, name, strlen(name), out))
        return SPAR_NOMEM;
    ++*out;
    return SPAR_OK;
}

static spar_status take_row(void *context, const spar__import_row *row, spar_error *err)
{
    rows_fold *f = context;
    size_t voter, item;
    spar__row_source source = {0};
    if (row->source)
        (void)spar__source_read(&f->tree, row->source, strlen(row->source), &source);
    if (number_of(&f->log->row_voters, row->voter, &voter) || number_of(&f->log->row_items, source.item, &item) ||
        spar_round_set(f->round, row->m, row->shown) ||
        spar_event_set_imported(f->event, row->key, f->round, row->answer))
        return spar__fail_memory(err);
    spar_event_set_voter(f->event, voter);
    spar__history_entry entry = {.event = f->event, .line = row->line};
    spar__answered answered = {.entry = &entry,
                               .id = row->key,
                               .screen = source.screen,
                               .item = item ? (uint32_t)(item - 1) : SPAR_NO_ITEM,
                               .round = f->round,
                               .given = row->answer,
                               .m = row->m,
                               .arm = row->shown,
                               .placed = row->answer};
    spar_error why = {0};
    spar_status status = f->answers->answer(f->answers->context, &answered, &why);
    return status ? spar__fail(err, status, "%s:%zu: %s", f->log->rows.path, row->line, why.text) : SPAR_OK;
}

/* Gives every row to answers->answer, as an import whose voter is 1 + the number in row_voters (0: not known). Its
 * screen, if not 0, says that the options are known to have stood in this order. */
static spar_status rows_each(spar__decide_log *log, const spar__answers *answers, spar_error *err)
{
    rows_fold f = {.log = log, .answers = answers};
    spar__import_reader reader = spar__import_csv(&log->rows);
    spar_status status = spar_event_new(&f.event) || spar_round_new(4, &f.round) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = reader.each(reader.context, &log->row_options, take_row, &f, err);
    spar_event_free(f.event);
    spar_round_free(f.round);
    spar__json_tree_free(&f.tree);
    return status;
}

/* To read all rows once, which checks them and collects the names. */
static spar_status take_nothing(void *context, const spar__answered *answered, spar_error *err)
{
    (void)context;
    (void)answered;
    (void)err;
    return SPAR_OK;
}

/* --- opening --- */

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool spar__decide_is_place(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[16] = "", *file = NULL, *name = NULL;
    if (starts(path, "sqlite:") || starts(path, "memory:") || starts(path, "postgresql:") || starts(path, "postgres:"))
        return true;
    if (strcmp(path, "-") == 0 || (strchr(path, '#') && spar__store_split(path, &file, &name, NULL)))
        return false;
    FILE *stream = fopen(file ? file : path, "rb");
    if (!stream && name)
        stream = fopen(path, "rb"); /* a file whose own name has a # */
    size_t n = stream ? fread(head, 1, sizeof head, stream) : 0;
    if (stream)
        (void)fclose(stream);
    spar__free(file);
    spar__free(name);
    return n == sizeof head && memcmp(head, magic, sizeof head) == 0;
}

const char *spar__decide_log_form(const char *format, const spar__buf *text, bool columns)
{
    bool automatic = strcmp(format, "auto") == 0;
    bool objects = text->text[strspn(text->text, " \t\r\n\xEF\xBB\xBF")] == '{'; /* as the lines of a log are */
    if (strcmp(format, "csv") == 0 ||
        (automatic && !objects && !columns && spar__import_is_csv(text->text, text->length)))
        return "csv";
    if (strcmp(format, "log") == 0 || (automatic && objects && spar__history_is_log(text->text, text->length)))
        return "log";
    return NULL;
}

spar_status spar__decide_log_open(const char *path, spar__buf *text, spar__decide_report *report, spar_error *err)
{
    spar__decide_log *log = report->log = spar__alloc(1, sizeof *log);
    if (!log)
        return spar__fail_memory(err);
    if (!text)
        return spar__history_open(path, NULL, NULL, &log->history, err);
    log->text = *text;
    *text = (spar__buf){0};
    if (strcmp(report->form, "log") == 0)
        return spar__history_of_text(log->text.text, log->text.length, path, &log->history, err);
    log->rows = (spar__import_text){log->text.text, path, log->text.length};
    return rows_each(log, &(spar__answers){.answer = take_nothing}, err);
}

void spar__decide_log_free(spar__decide_log *log)
{
    if (!log)
        return;
    for (size_t i = 0; log->title && i < log->n; i++)
        spar__free(log->title[i]);
    spar__free(log->title);
    spar__labels_free(&log->labels);
    spar__key_table_fini(&log->voters);
    spar__history_free(log->history);
    spar__names_free(&log->row_options);
    spar__names_free(&log->row_voters);
    spar__names_free(&log->row_items);
    spar__buf_free(&log->text);
    spar__free(log);
}

/* --- the decision --- */

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    spar__decide_report *r = context;
    const spar_event *event = entry->event;
    spar_status status = spar__labels_event(&r->log->labels, entry, err);
    if (status)
        return status;
    if (spar_event_kind_of(event) == SPAR_EVENT_OPTION && spar_event_version(event) == 1)
        return spar_decision_add(r->decision, NULL, err);
    if (spar_event_kind_of(event) == SPAR_EVENT_RETIRED)
        return spar_decision_retire(r->decision, spar_event_arm(event), err);
    return SPAR_OK;
}

static spar_status take_answer(void *context, const spar__answered *a, spar_error *err)
{
    spar__decide_report *r = context;
    spar__decide_log *log = r->log;
    uint64_t voter = spar_event_voter(a->entry->event);
    spar_answer_kind kind = spar_answer_kind_of(a->given);
    if (a->point)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: a decision is about a list of options, not about points",
                          r->source);
    if (voter && spar__key_table_reserve(&log->voters, 1))
        return spar__fail_memory(err);
    if (voter)
        (void)spar__key_get(&log->voters, voter, 0);
    r->total++;
    r->ties += kind == SPAR_ANSWER_TIE;
    r->bad += kind == SPAR_ANSWER_BAD;
    return spar_decision_tell(r->decision, a->round, a->given, voter, a->item, err);
}

static spar_status answers_each(spar__decide_log *log, spar__answers *answers, spar_error *err)
{
    return log->history ? spar__answers_each(log->history, answers, err) : rows_each(log, answers, err);
}

spar_status spar__decide_log_fold(spar__decide_report *r, bool unordered, spar_error *err)
{
    spar__decide_log *log = r->log;
    spar__answers answers = {.event = take_event, .answer = take_answer, .context = r};
    r->settings.unordered = unordered;
    r->settings.live = log->history != NULL;
    log->labels.names = true;
    spar_status status = spar_decision_new(log->row_options.n, &r->settings, &r->decision, err);
    if (!status && log->history)
        status = spar__labels_voters(&log->labels, log->history, err);
    if (!status)
        status = answers_each(log, &answers, err);
    if (!status && answers.lost)
        status = spar__fail(err, SPAR_CORRUPT, "%s: the log has answers to screens that it does not have", r->source);
    r->voters = log->voters.n;
    return status;
}

static const char *label_title(void *context, size_t option)
{
    return spar__label_title(&((const spar__decide_report *)context)->log->labels, option);
}

static const char *option_title(void *context, size_t option)
{
    const spar__decide_log *log = ((const spar__decide_report *)context)->log;
    if (!log->history)
        return spar__names_at(&log->row_options, option);
    return option < log->n ? log->title[option] : NULL;
}

/* Programs want the ids, which cannot be mistaken. */
static const char *option_id(void *context, size_t option)
{
    const spar__labels *labels = &((const spar__decide_report *)context)->log->labels;
    bool known = option < labels->n && labels->option[option].id;
    return known ? spar__label_option(labels, option, NULL) : NULL;
}

static const char *voter_name(void *context, uint64_t voter)
{
    const spar__decide_log *log = ((const spar__decide_report *)context)->log;
    const spar__labels *labels = &log->labels;
    if (!log->history)
        return spar__names_at(&log->row_voters, voter - 1);
    static char made[SPAR__LABEL_SIZE];
    return spar__key_find(&labels->voters, voter, 0) == SPAR__NO_KEY ? NULL : spar__label_voter(labels, voter, made);
}

spar_status spar__decide_log_names(spar__decide_report *r)
{
    r->verdict.unit = "answer";
    r->verdict.units = "answers";
    r->verdict.shown = " times shown";
    r->verdict.option = option_title;
    r->verdict.voter = voter_name;
    r->id = r->log->history ? option_id : NULL;
    if (!r->log->history)
        return SPAR_OK;
    r->log->n = r->log->labels.n;
    r->log->title = spar__alloc(r->log->n, sizeof *r->log->title);
    return r->log->title ? spar__verdict_titles(r->log->n, label_title, option_id, r, r->log->title) : SPAR_NOMEM;
}

/* --- the standings --- */

typedef struct log_standing {
    spar__decide_report *report;
    spar__key_table seen; /* voters=first: who was asked about what */
    size_t *place;        /* 0, 1, 2, ... */
    size_t room;
} log_standing;

/* What was imported has an order, but who knows whether it was that of the places. */
static spar_status stand_answer(void *context, const spar__answered *a, spar_error *err)
{
    log_standing *s = context;
    spar__decide_report *r = s->report;
    uint64_t voter = spar_event_voter(a->entry->event);
    bool repeated = false;
    if ((r->settings.first_only && voter && spar__decide_repeats(&s->seen, voter, a->item, a->m, a->arm, &repeated)) ||
        spar__places_reserve(&s->place, &s->room, a->m))
        return spar__fail_memory(err);
    return repeated ? SPAR_OK
                    : spar_standings_answer(r->standings.standings, a->m, a->arm, a->screen ? s->place : NULL,
                                            a->placed, r->ties > 0, 1, err);
}

spar_status spar__decide_log_stand(spar__decide_report *r, spar_error *err)
{
    log_standing s = {.report = r};
    spar__answers answers = {.answer = stand_answer, .context = &s};
    for (size_t i = 0; i < r->verdict.n; i++)
        if (!spar_decision_is_live(r->decision, i))
            (void)spar_standings_retire(r->standings.standings, i, NULL);
    spar_status status = answers_each(r->log, &answers, err);
    spar__key_table_fini(&s.seen);
    spar__free(s.place);
    return status;
}

#else

#include <string.h>

bool spar__decide_is_place(const char *path)
{
    (void)path;
    return false;
}

const char *spar__decide_log_form(const char *format, const spar__buf *text, bool columns)
{
    (void)text;
    (void)columns;
    return strcmp(format, "csv") == 0 || strcmp(format, "log") == 0 ? format : NULL;
}

spar_status spar__decide_log_open(const char *path, spar__buf *text, spar__decide_report *report, spar_error *err)
{
    (void)text;
    (void)report;
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: this program was built without live experiments", path);
}

void spar__decide_log_free(spar__decide_log *log)
{
    (void)log;
}

/* No log is ever open. */
spar_status spar__decide_log_fold(spar__decide_report *report, bool unordered, spar_error *err)
{
    (void)unordered;
    return spar__decide_log_open(report->source, NULL, report, err);
}

spar_status spar__decide_log_names(spar__decide_report *report)
{
    (void)report;
    return SPAR_UNSUPPORTED;
}

spar_status spar__decide_log_stand(spar__decide_report *report, spar_error *err)
{
    return spar__decide_log_fold(report, false, err);
}

#endif
