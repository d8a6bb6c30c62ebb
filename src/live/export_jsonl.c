/* export_jsonl.c - the log as JSON lines: a line that says what it is, a line an event, a line a name (if wanted), and
 * a line with the end of the chain. */
#include "live/export.h"

#include "live/event_json.h"
#include "live/text_json.h"
#include "text/escape.h"

#include <inttypes.h>
#include <string.h>

typedef struct jsonl_export {
    spar__export *export;
    spar__buf line;
    uint64_t last;
    unsigned char hash[SPAR_HASH_SIZE];
} jsonl_export;

static void add_hash(spar__json *json, const char *key, const unsigned char *hash)
{
    spar__buf text = {0};
    spar__hex_add(&text, hash, SPAR_HASH_SIZE);
    spar__json_add_string(json, key, text.text);
    json->out->failed = json->out->failed || text.failed;
    spar__buf_free(&text);
}

static spar_status end_line(jsonl_export *x, spar__json *json, spar_error *err)
{
    spar__json_end_object(json);
    spar__buf_adds(&x->line, "\n");
    return spar__export_put(x->export, &x->line, err);
}

static spar_status add_head(jsonl_export *x, spar_error *err)
{
    spar__json json = {.out = &x->line};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "kind", "log");
    spar__json_add_unsigned(&json, "version", 1);
    return end_line(x, &json, err);
}

spar_status spar__event_line(const spar__history_entry *entry, spar__buf *out, spar_error *err)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar_status status = spar__event_json_add(&json, entry->bytes, entry->length, err);
    if (!status && entry->text && spar__text_json_add(&json, "text", entry->text))
        status = spar__fail_memory(err);
    if (status)
        return status;
    add_hash(&json, "hash", entry->hash);
    spar__json_end_object(&json);
    return SPAR_OK;
}

static spar_status add_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    jsonl_export *x = context;
    spar_status status = spar__export_step(x->export, entry->sequence, err);
    if (!status)
        status = spar__event_line(entry, &x->line, err);
    if (status)
        return status;
    spar__buf_adds(&x->line, "\n");
    x->export->rows++;
    x->last = entry->sequence;
    memcpy(x->hash, entry->hash, sizeof x->hash);
    return spar__export_put(x->export, &x->line, err);
}

static spar_status add_voter(void *context, const spar__store_text *text, spar_error *err)
{
    jsonl_export *x = context;
    spar__json json = {.out = &x->line};
    char voter[17];
    (void)snprintf(voter, sizeof voter, "%016" PRIx64, text->owner);
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "kind", "voter");
    spar__json_add_string(&json, "voter", voter);
    if (spar__text_json_add(&json, "text", text))
        return spar__fail_memory(err);
    return end_line(x, &json, err);
}

static spar_status add_end(jsonl_export *x, spar_error *err)
{
    spar__json json = {.out = &x->line};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "kind", "end");
    spar__json_add_unsigned(&json, "events", x->last);
    add_hash(&json, "head", x->hash);
    return end_line(x, &json, err);
}

spar_status spar__export_jsonl(spar__export *export, spar_error *err)
{
    jsonl_export x = {.export = export};
    spar_status status = add_head(&x, err);
    if (!status)
        status = spar__history_each(export->history, add_event, &x, err);
    if (!status && export->names)
        status = spar__history_voters(export->history, add_voter, &x, err);
    if (!status)
        status = add_end(&x, err);
    spar__buf_free(&x.line);
    return status;
}
