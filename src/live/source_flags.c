/* source_flags.c - imported answers that were flagged where they come from. */
#include "live/live.h"

#include "live/source.h"

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
