/* remarks.c - see remarks.h. */
#include "live/remarks.h"

#include "base/alloc.h"
#include "live/prose.h"

spar_status spar_remarks_new(spar_remarks **out)
{
    if (!out)
        return SPAR_INVALID;
    *out = spar__alloc(1, sizeof **out);
    return *out ? SPAR_OK : SPAR_NOMEM;
}

void spar_remarks_free(spar_remarks *remarks)
{
    if (!remarks)
        return;
    spar__free(remarks->comment);
    spar__free(remarks);
}

spar_status spar_remarks_set_comment(spar_remarks *remarks, const char *comment, spar_error *err)
{
    static const spar__prose words = {"comment", 0, SPAR__MOST_COMMENT, true};
    if (!remarks)
        return spar__fail(err, SPAR_INVALID, "there are no remarks for a comment");
    comment = comment && *comment ? comment : NULL;
    spar_status status = comment ? spar__prose_check(&words, comment, err) : SPAR_OK;
    char *copy = comment && !status ? spar__strdup(comment) : NULL;
    if (!status && comment && !copy)
        status = spar__fail_memory(err);
    if (status)
        return status;
    spar__free(remarks->comment);
    remarks->comment = copy;
    return SPAR_OK;
}

void spar_remarks_set_taken(spar_remarks *remarks, uint32_t milliseconds)
{
    if (remarks)
        remarks->taken = milliseconds;
}

void spar_remarks_set_flags(spar_remarks *remarks, uint32_t flags)
{
    if (remarks)
        remarks->flags = flags;
}

void spar_remarks_set_revision(spar_remarks *remarks, uint32_t revision)
{
    if (!remarks)
        return;
    remarks->revision = revision;
    remarks->revised = true;
}
