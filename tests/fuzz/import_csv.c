/* Any bytes as rows of answers: refused with a sentence that names the line, or rows that are sound; and the same rows
 * when they are read again. */
#include "fuzz.h"

#include "live/exchange/exchange.h"
#include "text/names.h"

#include <stdlib.h>
#include <string.h>

typedef struct seen_rows {
    const spar__names *names;
    uint64_t rows;
    unsigned char keys[SPAR_HASH_SIZE]; /* of all rows, one over the other */
} seen_rows;

static spar_status take(void *context, const spar__import_row *row, spar_error *err)
{
    static spar_feedback *feedback;
    seen_rows *seen = context;
    (void)err;
    if (!feedback)
        require(!spar_feedback_new(2, &feedback));
    require(row->m >= 2 && row->line > 0 && row->answer != NULL);
    for (size_t i = 0; i < row->m; i++)
        require(row->shown[i] < seen->names->n);
    require(row->m > 200 || !spar_answer_feedback(row->answer, row->m, feedback, NULL));
    for (size_t i = 0; i < sizeof seen->keys; i++)
        seen->keys[i] ^= (unsigned char)(row->key[i] + seen->rows);
    seen->rows++;
    return SPAR_OK;
}

void fuzz_import_csv(const uint8_t *data, size_t size)
{
    spar__import_text text = {(const char *)data, "f", size};
    spar__import_reader reader = spar__import_csv(&text);
    seen_rows seen[2] = {{0}};
    (void)spar__import_is_csv((const char *)data, size);
    for (int i = 0; i < 2; i++) {
        spar__names names = {0};
        spar_error err = {0};
        seen[i].names = &names;
        spar_status status = reader.each(reader.context, &names, take, &seen[i], &err);
        require(!status || strncmp(err.text, "f:", 2) == 0);
        spar__names_free(&names);
        seen[i].names = NULL;
    }
    require(memcmp(&seen[0], &seen[1], sizeof seen[0]) == 0);
}
