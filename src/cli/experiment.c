/* experiment.c - what the commands for live experiments have in common: opening the one that the first operand names,
 * and options and items from the command line and from files, with errors that name the file and the line. */
#include "cli/experiment.h"

#include "base/file.h"
#include "cli/common.h"
#include "text/option_rows.h"

#include <stdio.h>
#include <string.h>

enum { IMAGE_BYTES = 8 << 20 };

spar_status spar__need_operands(const spar__settings *settings, size_t needed, spar_error *err)
{
    return settings->n_operands >= needed ? SPAR_OK
                                          : spar__fail_missing(settings->command, "", settings->n_operands, err);
}

spar_status spar__experiment_of(const spar__settings *settings, spar_experiment_mode mode, spar_experiment **out,
                                spar_error *err)
{
    *out = NULL;
    spar_status status = spar__need_operands(settings, 1, err);
    return status ? status : spar_experiment_open(settings->operand[0], mode, out, err);
}

spar_status spar__with_experiment(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status)
        status = settings->command->act(settings, experiment, out, err);
    spar_experiment_close(experiment);
    return status;
}

/* --- options from the command line and from files --- */

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

/* Those of a file, which check has seen whole. */
static spar_status take_file(const char *path, spar__option_check *check, spar__option_take *take, void *context,
                             spar_error *err)
{
    spar__option_rows rows;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    spar_status status = spar__option_rows_load(path, &rows, err);
    if (!status && check)
        status = check(context, &rows, name, err);
    for (size_t i = 0; !status && i < rows.n; i++) {
        spar_option *option = NULL;
        status = make_option(&rows, i, name, &option, err);
        if (!status)
            status = add_place(&rows.row[i], name, take(context, option, err), err);
        spar_option_free(option);
    }
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

void spar__hash_text(const unsigned char hash[SPAR_HASH_SIZE], char text[2 * SPAR_HASH_SIZE + 1])
{
    for (size_t i = 0; i < SPAR_HASH_SIZE; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", hash[i]);
}
