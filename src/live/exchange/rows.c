/* rows.c - answers as rows of text, with names instead of numbers: what options, items and voters are called, what a
 * row says, and how it is read back. */
#include "live/exchange/rows.h"

#include "base/alloc.h"
#include "live/items/items.h"
#include "live/live.h"
#include "live/option.h"
#include "live/space/space.h"
#include "text/json.h"
#include "text/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- what a row said besides its answer --- */

void spar__source_print(const spar__row_source *source, spar__buf *out)
{
    spar__json json = {.out = out};
    if (!source->screen && !source->taken && !source->flags && !source->item && !source->comment)
        return;
    spar__json_begin_object(&json);
    if (source->screen)
        spar__json_add_unsigned(&json, "screen", source->screen);
    if (source->taken)
        spar__json_add_unsigned(&json, "taken", source->taken);
    if (source->flags)
        spar__json_add_unsigned(&json, "flags", source->flags);
    if (source->item)
        spar__json_add_string(&json, "item", source->item);
    if (source->comment)
        spar__json_add_string(&json, "comment", source->comment);
    spar__json_end_object(&json);
}

/* A number of at most 32 bits; 0 if it is not there. */
static bool get_number(const spar__json_tree *tree, const char *key, uint64_t most, uint64_t *out)
{
    const spar__json_node *node = spar__json_member(tree, spar__json_root(tree), key);
    *out = 0;
    return !node || (spar__json_get_unsigned(tree, node, out) && *out <= most);
}

bool spar__source_read(spar__json_tree *tree, const char *text, size_t length, spar__row_source *out)
{
    uint64_t taken, flags;
    *out = (spar__row_source){0};
    if (spar__json_tree_parse(tree, text, length, "source", 1, NULL))
        return false;
    const spar__json_node *root = spar__json_root(tree);
    bool good = root->kind == SPAR__JSON_OBJECT && get_number(tree, "screen", UINT64_MAX, &out->screen) &&
                get_number(tree, "taken", UINT32_MAX, &taken) && get_number(tree, "flags", UINT32_MAX, &flags);
    if (!good)
        return false;
    out->taken = (uint32_t)taken;
    out->flags = (uint32_t)flags;
    out->item = spar__json_text(tree, spar__json_member(tree, root, "item"));
    out->comment = spar__json_text(tree, spar__json_member(tree, root, "comment"));
    int known = (out->screen > 0) + (taken > 0) + (flags > 0) + (out->item != NULL) + (out->comment != NULL);
    return root->count == (size_t)known;
}

typedef struct flags_read {
    spar__json_tree tree;
    spar__key_table *flagged;
} flags_read;

static spar_status note(void *context, const spar__store_text *text, spar_error *err)
{
    flags_read *read = context;
    spar__row_source source;
    if (!spar__source_read(&read->tree, (const char *)text->bytes, text->length, &source) || !source.flags)
        return SPAR_OK;
    if (spar__key_table_reserve(read->flagged, 1))
        return spar__fail_memory(err);
    (void)spar__key_get(read->flagged, text->owner, 0);
    return SPAR_OK;
}

spar_status spar__source_flagged(spar_experiment *experiment, spar__key_table *flagged, spar_error *err)
{
    flags_read read = {.flagged = flagged};
    spar_status status = spar__store_text_each(experiment->store, experiment->id, SPAR__TEXT_SOURCE, note, &read, err);
    spar__json_tree_free(&read.tree);
    return status;
}

/* --- what options, items and voters are called --- */

void spar__labels_free(spar__labels *labels)
{
    spar__names_free(&labels->texts);
    spar__free(labels->option);
    spar__free(labels->item);
    spar__key_table_fini(&labels->voters);
    *labels = (spar__labels){0};
}

static spar_status keep(spar__labels *labels, const char *text, size_t length, size_t *number)
{
    size_t at = 0;
    spar_status status = spar__names_get(&labels->texts, text, length, &at);
    *number = status ? 0 : at + 1;
    return status;
}

static const char *kept(const spar__labels *labels, size_t number)
{
    return number ? spar__names_at(&labels->texts, number - 1) : NULL;
}

static spar_status keep_voter(void *context, const spar__store_text *text, spar_error *err)
{
    spar__labels *labels = context;
    size_t number = 0;
    if (memchr(text->bytes, '\0', text->length))
        return SPAR_OK;
    if (spar__key_table_reserve(&labels->voters, 1) || keep(labels, (const char *)text->bytes, text->length, &number))
        return spar__fail_memory(err);
    labels->voters.entry[spar__key_get(&labels->voters, text->owner, 0)].count = number;
    return SPAR_OK;
}

spar_status spar__labels_voters(spar__labels *labels, spar__history *history, spar_error *err)
{
    return spar__history_voters(history, keep_voter, labels, err);
}

static spar_status labels_reserve(spar__labels *labels, size_t arm)
{
    if (!spar__reserve(&labels->option, &labels->room, arm + 1, 16, sizeof *labels->option))
        return SPAR_NOMEM;
    labels->n = arm >= labels->n ? arm + 1 : labels->n;
    return SPAR_OK;
}

/* The new version of an option; its text may be gone. */
static spar_status take_option(spar__labels *labels, const spar__history_entry *entry)
{
    size_t arm = spar_event_arm(entry->event);
    spar_option *option = NULL;
    if (labels_reserve(labels, arm))
        return SPAR_NOMEM;
    spar__option_label *label = &labels->option[arm];
    label->id = label->title = 0;
    spar_status status =
        entry->text ? spar__option_read(entry->text->bytes, entry->text->length, &option, NULL) : SPAR_OK;
    if (!status && option)
        status = keep(labels, spar_option_id(option), strlen(spar_option_id(option)), &label->id);
    if (!status && option)
        status = keep(labels, spar_option_title(option), strlen(spar_option_title(option)), &label->title);
    spar_option_free(option);
    return status == SPAR_NOMEM ? SPAR_NOMEM : SPAR_OK; /* one that cannot be read has no name */
}

/* The texts of options and items may be gone. */
spar_status spar__labels_event(spar__labels *labels, const spar__history_entry *entry, spar_error *err)
{
    const spar__store_text *text = entry->text;
    size_t index = spar_event_item(entry->event);
    spar__piece id = {0}, group;
    spar_status status = SPAR_OK;
    switch (spar_event_kind_of(entry->event)) {
    case SPAR_EVENT_OPTION:
        status = take_option(labels, entry);
        break;
    case SPAR_EVENT_ITEM:
        if (!spar__reserve(&labels->item, &labels->items_room, index + 1, 16, sizeof *labels->item))
            return spar__fail_memory(err);
        labels->n_items = index >= labels->n_items ? index + 1 : labels->n_items;
        labels->item[index] = 0;
        if (text && spar__item_peek(text->bytes, text->length, &id, &group))
            status = keep(labels, id.text, id.length, &labels->item[index]);
        break;
    case SPAR_EVENT_RETIRED:
        status = labels_reserve(labels, spar_event_arm(entry->event));
        if (!status)
            labels->option[spar_event_arm(entry->event)].retired = true;
        break;
    case SPAR_EVENT_SETTINGS:
        labels->question = 0;
        if (text && !memchr(text->bytes, '\0', text->length))
            status = keep(labels, (const char *)text->bytes, text->length, &labels->question);
        break;
    default:
        break;
    }
    return status ? spar__fail_memory(err) : SPAR_OK;
}

static bool is_id(const spar__labels *labels, const char *text)
{
    for (size_t i = 0; i < labels->n; i++)
        if (labels->option[i].id && strcmp(kept(labels, labels->option[i].id), text) == 0)
            return true;
    return false;
}

const char *spar__label_option(const spar__labels *labels, size_t arm, char made[SPAR__LABEL_SIZE])
{
    const char *id = arm < labels->n ? kept(labels, labels->option[arm].id) : NULL;
    if (id)
        return id;
    size_t length = (size_t)snprintf(made, SPAR__LABEL_SIZE, "redacted-%zu", arm);
    while (length + 1 < SPAR__LABEL_SIZE && is_id(labels, made)) {
        made[length++] = '-';
        made[length] = '\0';
    }
    return made;
}

const char *spar__label_title(const spar__labels *labels, size_t arm)
{
    return arm < labels->n ? kept(labels, labels->option[arm].title) : NULL;
}

bool spar__label_is_made(const char *name)
{
    return strncmp(name, "voter-", 6) == 0 && strlen(name) == 22 && strspn(name + 6, "0123456789abcdef") == 16;
}

const char *spar__label_voter(const spar__labels *labels, uint64_t voter, char made[SPAR__LABEL_SIZE])
{
    if (voter == 0)
        return "";
    size_t at = spar__key_find(&labels->voters, voter, 0);
    const char *name = at == SPAR__NO_KEY ? NULL : kept(labels, (size_t)labels->voters.entry[at].count);
    if (name && (labels->names || spar__label_is_made(name)))
        return name;
    (void)snprintf(made, SPAR__LABEL_SIZE, "voter-%016" PRIx64, voter);
    return made;
}

/* --- settings of a space --- */

/* The number of the option that is this setting, which is added where it is missing: the log has no options. */
static spar_status find_option(const spar__setting_rows *rows, const double *point, size_t *value, spar__labels *labels,
                               size_t *option)
{
    spar__buf words = {0};
    spar_axes_nearest(rows->axes, point, value);
    spar__space_words(rows->axes, value, &words);
    spar_status status = words.failed || spar__names_get(&labels->texts, words.text, words.length, option) ||
                                 labels_reserve(labels, *option)
                             ? SPAR_NOMEM
                             : SPAR_OK;
    if (!status)
        labels->option[*option].id = *option + 1;
    spar__buf_free(&words);
    return status;
}

spar_status spar__setting_rows_event(spar__setting_rows *rows, const spar_event *event, spar__labels *labels,
                                     spar_error *err)
{
    if (spar_event_kind_of(event) == SPAR_EVENT_CREATED && spar_event_axes(event) && !rows->axes)
        return spar_axes_new(spar_event_axes(event), &rows->axes, err);
    if (spar_event_kind_of(event) != SPAR_EVENT_SCREEN || !rows->axes)
        return SPAR_OK;
    size_t m = spar_event_slots(event), *value = spar__alloc(spar_axes_count(rows->axes), sizeof *value);
    spar_status status = value && spar__reserve(&rows->shown, &rows->room, rows->n + m, 256, sizeof *rows->shown)
                             ? spar__key_table_reserve(&rows->screens, 1)
                             : SPAR_NOMEM;
    if (!status)
        rows->screens.entry[spar__key_get(&rows->screens, spar_event_number(event), 0)].count = rows->n;
    for (size_t slot = 0; slot < m && !status; slot++) {
        const double *point = spar_round_point(spar_event_round(event), slot);
        size_t *option = &rows->shown[rows->n + spar_event_place(event, slot)];
        status = point ? find_option(rows, point, value, labels, option) : SPAR_CORRUPT;
    }
    rows->n += status ? 0 : m;
    spar__free(value);
    return status == SPAR_CORRUPT ? spar__fail(err, status, "a screen of a space shows no point")
           : status               ? spar__fail_memory(err)
                                  : SPAR_OK;
}

bool spar__setting_rows_answer(const spar__setting_rows *rows, const spar__answered *answered, spar__answered *out)
{
    size_t at = spar__key_find(&rows->screens, answered->screen, 0);
    *out = *answered;
    if (at == SPAR__NO_KEY)
        return false;
    out->arm = rows->shown + rows->screens.entry[at].count;
    out->point = false;
    return true;
}

void spar__setting_rows_free(spar__setting_rows *rows)
{
    spar_axes_free(rows->axes);
    spar__key_table_fini(&rows->screens);
    spar__free(rows->shown);
}

/* --- rows --- */

bool spar__row_source_of(const spar__answered *answered, const spar__labels *labels, spar__json_tree *tree,
                         char made[SPAR__LABEL_SIZE], spar__row_source *out)
{
    const spar_event *event = answered->entry->event;
    const spar__store_text *text = answered->entry->text;
    *out = (spar__row_source){0};
    if (!answered->screen)
        return !text || spar__source_read(tree, (const char *)text->bytes, text->length, out);
    *out = (spar__row_source){.screen = answered->screen,
                              .taken = spar_event_taken(event),
                              .flags = spar_event_flags(event),
                              .comment = text ? (const char *)text->bytes : NULL};
    if (answered->item == SPAR_NO_ITEM)
        return true;
    out->item = answered->item < labels->n_items ? kept(labels, labels->item[answered->item]) : NULL;
    if (!out->item) {
        (void)snprintf(made, SPAR__LABEL_SIZE, "redacted-%zu", (size_t)answered->item);
        out->item = made;
    }
    return true;
}

static void add_label(const spar__answered *a, const spar__labels *labels, size_t place, spar__buf *out)
{
    char made[SPAR__LABEL_SIZE];
    spar__word_add(out, spar__label_option(labels, a->arm[place], made));
}

void spar__row_shown(const spar__answered *answered, const spar__labels *labels, spar__buf *out)
{
    for (size_t i = 0; i < answered->m; i++) {
        spar__buf_adds(out, i ? "," : "");
        add_label(answered, labels, i, out);
    }
}

void spar__row_answer(const spar__answered *answered, const spar__labels *labels, spar__buf *out)
{
    size_t winner = spar_answer_winner(answered->placed);
    if (winner != SPAR_NO_SLOT)
        add_label(answered, labels, winner, out);
    else if (spar_answer_kind_of(answered->placed) == SPAR_ANSWER_RANKING)
        for (size_t i = 0; i < spar_answer_count(answered->placed); i++) {
            bool tied = i && spar_answer_level(answered->placed, i) == spar_answer_level(answered->placed, i - 1);
            spar__buf_adds(out, !i ? "" : tied ? "=" : ",");
            add_label(answered, labels, spar_answer_slot(answered->placed, i), out);
        }
    else if (spar_answer_kind_of(answered->placed) == SPAR_ANSWER_PAIRS) {
        for (size_t i = 0, j = 0, k = 0; i < spar_answer_count(answered->placed); i++) {
            spar_outcome outcome = SPAR_TIE;
            (void)spar_answer_pair(answered->placed, i, &j, &k, &outcome);
            spar__buf_adds(out, i ? "," : "");
            add_label(answered, labels, j, out);
            spar__buf_adds(out, outcome == SPAR_WIN ? ">" : outcome == SPAR_LOSS ? "<" : "=");
            add_label(answered, labels, k, out);
        }
    }
}

/* --- rows, read --- */

static spar_status bad_words(spar_status status, const char *column, const char *text, spar_error *err)
{
    return status == SPAR_NOMEM
               ? spar__fail_memory(err)
               : spar__fail(err, SPAR_PARSE, "'%s' is '%.80s', expected names as in 'A,B,\"C, with a comma\"'", column,
                            text);
}

spar_status spar__row_read_shown(const char *text, spar__names *options, size_t *shown, size_t *m, spar_error *err)
{
    spar__word_list words = spar__words_of(text);
    spar_status status;
    bool more = true;
    *m = 0;
    while (!(status = spar__word_next(&words, &more)) && more) {
        const spar__buf *word = &words.scan.word;
        size_t at = 0;
        if (words.mark && words.mark != ',')
            status = SPAR_PARSE;
        else if (*m == SPAR__ROW_SLOTS)
            status = spar__fail(err, SPAR_UNSUPPORTED, "more than %d options are shown", SPAR__ROW_SLOTS);
        else if (spar__names_get(options, word->length ? word->text : "", word->length, &at))
            status = SPAR_NOMEM;
        if (status)
            break;
        shown[(*m)++] = at;
    }
    spar__words_close(&words);
    if (status == SPAR_UNSUPPORTED)
        return status;
    return status ? bad_words(status, "shown", text, err) : SPAR_OK;
}

/* Words of an answer, each one of those shown, and the marks behind them. */
typedef struct row_words {
    size_t *slot;
    char *mark;
    size_t n;
} row_words;

static spar_status read_words(const char *text, const spar__names *options, const size_t *shown, size_t m,
                              row_words *out, spar_error *err)
{
    spar__word_list words = spar__words_of(text);
    size_t room = strlen(text) + 1; /* more than there are words */
    bool more = true;
    *out = (row_words){spar__alloc(room, sizeof *out->slot), spar__alloc(room, 1), 0};
    spar_status status = out->slot && out->mark ? SPAR_OK : spar__fail_memory(err);
    while (!status) {
        status = spar__word_next(&words, &more);
        if (status || !more) {
            status = status ? bad_words(status, "answer", text, err) : SPAR_OK;
            break;
        }
        out->mark[out->n] = words.mark;
        const char *word = words.scan.word.length ? words.scan.word.text : "";
        size_t *slot = &out->slot[out->n++];
        for (*slot = 0; *slot < m && strcmp(spar__names_at(options, shown[*slot]), word) != 0;)
            ++*slot;
        if (*slot == m)
            status = spar__fail(err, SPAR_PARSE, "the answer names '%.80s', which was not shown", word);
    }
    spar__words_close(&words);
    return status;
}

static spar_status make_ranking(const row_words *words, spar_answer *out, spar_error *err)
{
    size_t *level = spar__alloc(words->n, sizeof *level);
    if (!level)
        return spar__fail_memory(err);
    spar_status status = SPAR_OK;
    for (size_t i = 1; i < words->n && !status; i++) {
        char mark = words->mark[i - 1];
        level[i] = level[i - 1] + (mark != '=');
        status = mark == '<' ? SPAR_PARSE : SPAR_OK;
    }
    if (!status)
        status = spar_answer_set_ranking(out, words->n, words->slot, level, err);
    spar__free(level);
    return status;
}

static spar_status make_pairs(const row_words *words, spar_answer *out, spar_error *err)
{
    spar_status status = words->n % 2 ? SPAR_PARSE : SPAR_OK;
    for (size_t i = 0; i < words->n && !status; i += 2) {
        char mark = words->mark[i], next = words->mark[i + 1];
        if (mark == ',' || !mark || (next && next != ','))
            return SPAR_PARSE;
        status = spar_answer_add_pair(out, words->slot[i], words->slot[i + 1],
                                      mark == '>'   ? SPAR_WIN
                                      : mark == '<' ? SPAR_LOSS
                                                    : SPAR_TIE,
                                      err);
    }
    return status;
}

static spar_status make_answer(spar_answer_kind kind, const row_words *words, spar_answer *out, spar_error *err)
{
    if (kind == SPAR_ANSWER_RANKING && words->n)
        return make_ranking(words, out, err);
    if (kind == SPAR_ANSWER_PAIRS && words->n)
        return make_pairs(words, out, err);
    if (kind == SPAR_ANSWER_WINNER && words->n == 1)
        spar_answer_set_winner(out, words->slot[0]);
    else if (kind == SPAR_ANSWER_TIE && !words->n)
        spar_answer_set_tie(out);
    else if (kind == SPAR_ANSWER_BAD && !words->n)
        spar_answer_set_bad(out);
    else if (kind != SPAR_ANSWER_SKIP || words->n)
        return SPAR_PARSE;
    return SPAR_OK;
}

spar_status spar__row_read_answer(const char *kind, const char *text, const spar__names *options, const size_t *shown,
                                  size_t m, spar_answer *out, spar_error *err)
{
    row_words words = {0};
    int number = SPAR_ANSWER_WINNER;
    while (number <= SPAR_ANSWER_SKIP && strcmp(spar_answer_kind_name((spar_answer_kind)number), kind) != 0)
        number++;
    if (number > SPAR_ANSWER_SKIP)
        return spar__fail(err, SPAR_PARSE, "'kind' is '%.40s', expected winner, ranking, pairs, tie, bad or skip",
                          kind);
    spar_answer_set_skip(out);
    spar_status status = read_words(text, options, shown, m, &words, err);
    if (!status) {
        spar_error why = {0};
        status = make_answer((spar_answer_kind)number, &words, out, &why);
        if (status == SPAR_NOMEM)
            (void)spar__fail_memory(err);
        else if (status)
            status = why.text[0] ? spar__fail(err, SPAR_PARSE, "the answer '%.80s': %s", text, why.text)
                                 : spar__fail(err, SPAR_PARSE,
                                              "the answer '%.80s' is no %s, expected a name for winner, 'B,A=C' for "
                                              "ranking, 'A>B,C=A' for pairs, and nothing for tie, bad and skip",
                                              text, kind);
    }
    spar__free(words.slot);
    spar__free(words.mark);
    return status;
}
