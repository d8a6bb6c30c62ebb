/* print.c - invitations for programs: JSON, and CSV for mail merges. */
#include "cli/invite/invite.h"

#include "text/csv.h"
#include "base/clock.h"

static void print_json(size_t n, const spar__invitation *invitation, char *const *link, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_array(&json);
    for (size_t i = 0; i < n; i++) {
        spar__json_begin_object(&json);
        spar__json_add_unsigned(&json, "number", invitation[i].number);
        spar__json_add_string(&json, "label", invitation[i].label);
        spar__json_add_string(&json, "experiment", invitation[i].experiment);
        spar__json_add_unsigned(&json, "voters", invitation[i].used);
        spar__json_add_unsigned(&json, "most_voters", invitation[i].most);
        spar__verb_time(&json, "created", invitation[i].created);
        spar__verb_time(&json, "expires", invitation[i].expires);
        if (link)
            spar__json_add_string(&json, "link", link[i]);
        spar__json_end_object(&json);
    }
    spar__json_end_array(&json);
    spar__buf_adds(out, "\n");
}

static void add_time(spar__csv_writer *csv, int64_t seconds)
{
    char utc[SPAR__UTC_SIZE];
    spar__utc_print(utc, seconds * 1000000);
    spar__csv_text(csv, seconds ? utc : "");
}

static void print_csv(size_t n, const spar__invitation *invitation, char *const *link, spar__buf *out)
{
    spar__csv_writer csv = {.out = out};
    spar__buf_printf(out, "number,label,experiment,voters,most_voters,created,expires%s\n", link ? ",link" : "");
    for (size_t i = 0; i < n; i++) {
        spar__csv_integer(&csv, (int64_t)invitation[i].number);
        spar__csv_text(&csv, invitation[i].label);
        spar__csv_text(&csv, invitation[i].experiment);
        spar__csv_integer(&csv, invitation[i].used);
        spar__csv_integer(&csv, invitation[i].most);
        add_time(&csv, invitation[i].created);
        add_time(&csv, invitation[i].expires);
        if (link)
            spar__csv_text(&csv, link[i]);
        spar__csv_end_row(&csv);
    }
}

void spar__invitations_print(const spar__verb_call *call, size_t n, const spar__invitation *invitation,
                             char *const *link, spar__buf *out)
{
    (call->json ? print_json : print_csv)(n, invitation, link, out);
}
