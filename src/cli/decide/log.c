#include "cli/decide/log.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "cli/decide/rows.h"
#include "live/exchange/history.h"
#include "live/exchange/rows.h"

#include <stdio.h>
#include <string.h>

struct spar__decide_log {
    spar__history *history; /* NULL: rows, and neither labels nor titles */
    spar__decide_rows rows;
    spar__buf text;
    spar__labels labels;
    char **title; /* of each option, with its id where two are alike; NULL: redacted */
    size_t n;
    spar__key_table voters;
};

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
    if (spar__store_split(path, &file, &name, NULL))
        return false;
    FILE *stream = strcmp(path, "-") == 0 ? NULL : fopen(file, "rb");
    if (!stream && name)
        stream = fopen(path, "rb"); /* a file whose own name has a # */
    size_t n = stream ? fread(head, 1, sizeof head, stream) : 0;
    if (stream)
        (void)fclose(stream);
    spar__free(file);
    spar__free(name);
    return n == sizeof head && memcmp(head, magic, sizeof head) == 0;
}

bool spar__decide_is_log(const char *text, size_t length)
{
    return spar__history_is_log(text, length);
}

bool spar__decide_is_rows(const char *text, size_t length)
{
    return spar__import_is_csv(text, length);
}

spar_status spar__decide_rows_open(const char *path, spar__buf *text, spar__decide_log **out, spar_error *err)
{
    spar__decide_log *log = spar__alloc(1, sizeof *log);
    *out = NULL;
    if (!log)
        return spar__fail_memory(err);
    log->text = *text;
    *text = (spar__buf){0};
    log->rows.file = (spar__import_text){log->text.text, path, log->text.length};
    spar_status status = spar__decide_rows_read(&log->rows, err);
    if (status)
        spar__decide_log_free(log);
    else
        *out = log;
    return status;
}

spar_status spar__decide_log_open(const char *path, spar__buf *text, spar__decide_log **out, spar_error *err)
{
    spar__decide_log *log = spar__alloc(1, sizeof *log);
    *out = NULL;
    if (!log)
        return spar__fail_memory(err);
    if (text) {
        log->text = *text;
        *text = (spar__buf){0};
    }
    spar_status status = text ? spar__history_of_text(log->text.text, log->text.length, path, &log->history, err)
                              : spar__history_open(path, NULL, NULL, &log->history, err);
    if (status)
        spar__decide_log_free(log);
    else
        *out = log;
    return status;
}

void spar__decide_log_free(spar__decide_log *log)
{
    if (!log)
        return;
    for (size_t i = 0; i < log->n; i++)
        spar__free(log->title[i]);
    spar__free(log->title);
    spar__labels_free(&log->labels);
    spar__key_table_fini(&log->voters);
    spar__history_free(log->history);
    spar__decide_rows_free(&log->rows);
    spar__buf_free(&log->text);
    spar__free(log);
}

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

static spar_status fold(spar__decide_report *r, spar_error *err)
{
    spar__answers answers = {.event = take_event, .answer = take_answer, .context = r};
    r->settings.live = 1;
    r->log->labels.names = true;
    spar_status status = spar_decision_new(0, &r->settings, &r->decision, err);
    if (!status)
        status = spar__labels_voters(&r->log->labels, r->log->history, err);
    if (!status)
        status = spar__answers_each(r->log->history, &answers, err);
    if (!status && answers.lost)
        status = spar__fail(err, SPAR_CORRUPT, "%s: the log has answers to screens that it does not have", r->source);
    r->voters = r->log->voters.n;
    return status;
}

/* Rows may have been sorted by anybody; a log cannot be. */
static spar_status fold_rows(spar__decide_report *r, bool unordered, spar_error *err)
{
    spar__answers answers = {.answer = take_answer, .context = r};
    r->total = r->ties = r->bad = 0;
    spar_decision_free(r->decision);
    r->settings.unordered = unordered;
    spar_status status = spar_decision_new(r->log->rows.options.n, &r->settings, &r->decision, err);
    if (!status)
        status = spar__decide_rows_each(&r->log->rows, &answers, err);
    r->voters = r->log->voters.n;
    return status;
}

static spar_status judge_rows(spar__decide_report *r, spar_error *err)
{
    spar_status status = fold_rows(r, false, err);
    if (!status && spar__decide_looks_sorted(r->decision, &r->sorted))
        status = spar__fail_memory(err);
    return !status && r->sorted ? fold_rows(r, true, err) : status;
}

/* Titles that two options have are followed by the id. */
static spar_status make_titles(spar__decide_log *log)
{
    const spar__labels *labels = &log->labels;
    size_t *times = spar__alloc(labels->texts.n + 1, sizeof *times);
    log->title = spar__alloc(labels->n, sizeof *log->title);
    for (size_t i = 0; i < labels->n && times; i++)
        times[labels->option[i].title]++;
    bool good = times && log->title;
    for (size_t i = 0; i < labels->n && good; i++) {
        spar__buf text = {0};
        char made[SPAR__LABEL_SIZE];
        log->n = i + 1;
        if (!labels->option[i].title)
            continue;
        spar__buf_adds(&text, spar__label_title(labels, i));
        if (times[labels->option[i].title] > 1)
            spar__buf_printf(&text, " (%s)", spar__label_option(labels, i, made));
        log->title[i] = text.text;
        good = !text.failed;
    }
    spar__free(times);
    return good ? SPAR_OK : SPAR_NOMEM;
}

static const char *option_title(void *context, size_t option)
{
    const spar__decide_log *log = ((const spar__decide_report *)context)->log;
    if (!log->history)
        return spar__names_at(&log->rows.options, option);
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
        return spar__names_at(&log->rows.voters, voter - 1);
    static char made[SPAR__LABEL_SIZE];
    return spar__key_find(&labels->voters, voter, 0) == SPAR__NO_KEY ? NULL : spar__label_voter(labels, voter, made);
}

spar_status spar__decide_log_judge(spar__decide_report *r, spar_error *err)
{
    spar_status status = r->log->history ? fold(r, err) : judge_rows(r, err);
    if (!status && r->log->history && make_titles(r->log))
        status = spar__fail_memory(err);
    r->verdict = (spar__verdict_report){.decision = r->decision,
                                        .delta = r->settings.delta,
                                        .unit = "answer",
                                        .units = "answers",
                                        .shown = " times shown",
                                        .option = option_title,
                                        .voter = voter_name,
                                        .context = r};
    r->id = r->log->history ? option_id : NULL;
    if (!status && spar__verdict_look(&r->verdict))
        status = spar__fail_memory(err);
    return status;
}

typedef struct log_standing {
    spar__decide_report *report;
    spar__key_table seen; /* (voter, options and item) */
    size_t *place;        /* 0, 1, 2, ... */
    size_t room;
} log_standing;

/* Has this voter answered about these options (and this item) before? */
static spar_status is_repeated(log_standing *s, const spar__answered *a, bool *repeated)
{
    uint64_t sum = spar__hash_of(&a->item, sizeof a->item); /* in whatever order they stood */
    for (size_t j = 0; j < a->m; j++)
        sum += spar__hash_of(&a->arm[j], sizeof a->arm[j]);
    if (spar__key_table_reserve(&s->seen, 1))
        return SPAR_NOMEM;
    size_t before = s->seen.n;
    (void)spar__key_get(&s->seen, spar_event_voter(a->entry->event), sum);
    *repeated = s->seen.n == before;
    return SPAR_OK;
}

/* What was imported has an order, but who knows whether it was that of the places. */
static spar_status stand_answer(void *context, const spar__answered *a, spar_error *err)
{
    log_standing *s = context;
    spar__decide_report *r = s->report;
    bool repeated = false;
    if (r->settings.first_only && spar_event_voter(a->entry->event) && is_repeated(s, a, &repeated))
        return spar__fail_memory(err);
    if (repeated)
        return SPAR_OK;
    if (spar__places_reserve(&s->place, &s->room, a->m))
        return spar__fail_memory(err);
    return spar_standings_answer(r->standings.standings, a->m, a->arm, a->screen ? s->place : NULL, a->placed,
                                 r->ties > 0, 1, err);
}

spar_status spar__decide_log_stand(spar__decide_report *r, spar_error *err)
{
    log_standing s = {.report = r};
    spar__answers answers = {.answer = stand_answer, .context = &s};
    for (size_t i = 0; i < r->verdict.n; i++)
        if (!spar_decision_is_live(r->decision, i))
            (void)spar_standings_retire(r->standings.standings, i, NULL);
    spar_status status = r->log->history ? spar__answers_each(r->log->history, &answers, err)
                                         : spar__decide_rows_each(&r->log->rows, &answers, err);
    spar__key_table_fini(&s.seen);
    spar__free(s.place);
    return status;
}
