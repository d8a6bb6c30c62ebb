/* Any bytes as an exported log: refused with a sentence that names the line, or events that are sound. */
#include "fuzz.h"

#include "live/exchange/history.h"

#include <stdlib.h>
#include <string.h>

static spar_status take_entry(void *context, const spar__history_entry *entry, spar_error *err)
{
    uint64_t *last = context;
    (void)err;
    require(entry->sequence == ++*last && entry->length >= 22 && entry->line > 0);
    require(!entry->text || (entry->text->bytes && entry->text->bytes[entry->text->length] == 0));
    return SPAR_OK;
}

static spar_status take_name(void *context, const spar__store_text *text, spar_error *err)
{
    (void)context;
    (void)err;
    require(text->kind == SPAR__TEXT_VOTER && text->bytes);
    return SPAR_OK;
}

static spar_status take_answer(void *context, const spar__answered *answered, spar_error *err)
{
    static spar_feedback *feedback;
    (void)context;
    (void)err;
    if (!feedback)
        require(!spar_feedback_new(2, &feedback));
    require(answered->m > 200 || (!spar_answer_feedback(answered->placed, answered->m, feedback, NULL) &&
                                  !spar_answer_feedback(answered->given, answered->m, feedback, NULL)));
    return SPAR_OK;
}

static void sound(spar_status status, const spar_error *err)
{
    require(!status || strncmp(err->text, "f:", 2) == 0);
}

void fuzz_log(const uint8_t *data, size_t size)
{
    spar__history *history = NULL;
    uint64_t last = 0, end = 0;
    unsigned char hash[SPAR_HASH_SIZE];
    spar__answers answers = {.answer = take_answer};
    spar_error err = {0};
    (void)spar__history_is_log((const char *)data, size);
    require(!spar__history_of_text((const char *)data, size, "f", &history, NULL));
    sound(spar__history_each(history, take_entry, &last, &err), &err);
    sound(spar__history_voters(history, take_name, NULL, &err), &err);
    sound(spar__history_end(history, &end, hash, &err), &err);
    sound(spar__answers_each(history, &answers, &err), &err);
    spar__history_free(history);
}
