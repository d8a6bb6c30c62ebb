#include "cli/experiment/experiment.h"

#include "base/file.h"
#include "cli/common.h"
#include "text/option_rows.h"

#include <stdio.h>
#include <string.h>

enum { IMAGE_BYTES = 8 << 20 };

spar_status spar__need_operands(const spar__settings *settings, size_t needed, spar_error *err)
{
    const spar__command *command = settings->command;
    if (settings->n_operands >= needed)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: %s; usage: spar %s %s", command->name,
                      settings->n_operands ? "something is missing" : "the file of an experiment is needed",
                      command->name, command->operands);
}

spar_status spar__experiment_of(const spar__settings *settings, spar_experiment_mode mode, spar_experiment **out,
                                spar_error *err)
{
    *out = NULL;
    spar_status status = spar__need_operands(settings, 1, err);
    return status ? status : spar_experiment_open(settings->operand[0], mode, out, err);
}

static spar_status set_image(spar_option *option, const char *path, spar_error *err)
{
    spar__buf bytes = {0};
    spar_status status = spar__file_read(path, IMAGE_BYTES, &bytes, err);
    const char *type = status ? NULL : spar__image_type(bytes.text ? bytes.text : "", bytes.length);
    if (!status && !type)
        status = spar__fail(err, SPAR_PARSE, "%s: expected an image (PNG, JPEG, GIF, WebP or SVG)", path);
    if (!status)
        status = spar_option_set_image(option, type, (const unsigned char *)bytes.text, bytes.length, err);
    spar__buf_free(&bytes);
    return status;
}

/* The errors of an option do not say where it stands. */
static spar_status add_place(const spar__option_row *row, const char *path, spar_status status, spar_error *err)
{
    if (!status || status == SPAR_NOMEM || !err)
        return status;
    if (row->line)
        return spar__fail(err, status, "%s:%zu: %s", path, row->line, err->text);
    return spar__fail(err, status, "%s: %s", row->image, err->text);
}

static spar_status make_option(const spar__option_rows *rows, size_t i, const char *path, spar_option **out,
                               spar_error *err)
{
    const spar__option_row *row = &rows->row[i];
    spar_status status = spar_option_new(row->id, out, err);
    if (!status && row->title)
        status = spar_option_set_title(*out, row->title, err);
    if (!status && row->body)
        status = spar_option_set_body(*out, row->body, err);
    if (!status && rows->dim)
        status = spar_option_set_features(*out, rows->dim, rows->x + i * rows->dim, err);
    status = add_place(row, path, status, err);
    return !status && row->image ? set_image(*out, row->image, err) : status;
}

static spar_status take_rows(const spar__option_rows *rows, const char *path, spar__option_take *take, void *context,
                             spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < rows->n && !status; i++) {
        spar_option *option = NULL;
        status = make_option(rows, i, path, &option, err);
        if (!status)
            status = add_place(&rows->row[i], path, take(context, option, err), err);
        spar_option_free(option);
    }
    return status;
}

static spar_status take_file(const char *path, spar__option_check *check, spar__option_take *take, void *context,
                             spar_error *err)
{
    spar__option_rows rows;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    spar_status status = spar__option_rows_load(path, &rows, err);
    if (!status && check)
        status = check(context, &rows, name, err);
    if (!status)
        status = take_rows(&rows, name, take, context, err);
    spar__option_rows_free(&rows);
    return status;
}

spar_status spar__each_option(const spar__settings *settings, size_t first, spar__option_check *check,
                              spar__option_take *take, void *context, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = first; i < settings->n_operands && !status; i++) {
        spar_option *option = NULL;
        status = spar_option_new(settings->operand[i], &option, err);
        if (!status)
            status = take(context, option, err);
        spar_option_free(option);
    }
    const char *path = spar__setting_text(settings, "options");
    return status || !path ? status : take_file(path, check, take, context, err);
}

spar_status spar__item_fail(const spar__item_list *list, size_t i, const char *path, spar_status status,
                            spar_error *err)
{
    if (!status || status == SPAR_NOMEM || !err)
        return status;
    return spar__fail(err, status, "%s:%zu: %s", strcmp(path, "-") == 0 ? "standard input" : path, list->line[i],
                      err->text);
}

bool spar__no_item_serves(const spar_experiment *experiment)
{
    return spar_experiment_items(experiment) && !spar_experiment_items_left(experiment, NULL);
}

void spar__note_no_item_serves(const spar_experiment *experiment)
{
    if (spar__no_item_serves(experiment))
        spar__note("no item has outputs of enough live options for a screen: nothing can be compared; 'spar add "
                   "--items' adds outputs");
}

const char *spar__status_word(spar_status status)
{
    switch (status) {
    case SPAR_OK:
        return "ok";
    case SPAR_NOMEM:
        return "memory";
    case SPAR_INVALID:
        return "invalid";
    case SPAR_PARSE:
        return "parse";
    case SPAR_UNKNOWN:
        return "unknown";
    case SPAR_UNSUPPORTED:
        return "unsupported";
    case SPAR_IO:
        return "io";
    case SPAR_CORRUPT:
        return "corrupt";
    case SPAR_INTERRUPTED:
        return "interrupted";
    case SPAR_CONFLICT:
        return "conflict";
    case SPAR_BUSY:
        return "busy";
    case SPAR_FULL:
        return "full";
    case SPAR_ALL_SEEN:
        return "all_seen";
    }
    return "unknown";
}

void spar__hash_text(const unsigned char hash[SPAR_HASH_SIZE], char text[2 * SPAR_HASH_SIZE + 1])
{
    for (size_t i = 0; i < SPAR_HASH_SIZE; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", hash[i]);
}

void spar__shell_word(const char *word, spar__buf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./#:-";
    bool quoted = !*word || word[strspn(word, plain)];
    if (quoted)
        spar__buf_adds(out, "'");
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1) {
        spar__buf head = {0};
        spar__buf_add(&head, word, (size_t)(quote - word));
        spar__buf_add_printable(out, head.text ? head.text : "");
        spar__buf_free(&head);
        spar__buf_adds(out, "'\\''");
    }
    spar__buf_add_printable(out, word);
    if (quoted)
        spar__buf_adds(out, "'");
}

spar_status spar__remove_texts(const spar__settings *settings, spar__text_remover *remove, const char *word,
                               const char *the_rest, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    size_t removed = 0;
    spar_status status = spar__need_operands(settings, 2, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status)
        status = remove(experiment, settings->operand[1], &removed, err);
    if (!status && removed == 0) /* an earlier call had to leave old bytes behind */
        spar__buf_adds(out, "completed: nothing is left in the file of what was removed before\n");
    else if (!status)
        spar__buf_printf(out, "%s: %zu %s removed from the file; %s\n", word, removed, removed == 1 ? "text" : "texts",
                         the_rest);
    spar_experiment_close(experiment);
    return status;
}
