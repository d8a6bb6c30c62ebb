#include "rank/interleaving.h"

static spar_status check_click(const char *click, size_t top, spar_error *err)
{
    spar__click *any = NULL;
    spar_status status = spar__click_new(click, 1, top, &any, err);
    spar__click_free(any);
    return status;
}

spar_status spar__interleaving_open(const char *mix, const char *click, const spar__queries_options *data,
                                    spar__interleaving *out, spar_error *err)
{
    *out = (spar__interleaving){0};
    spar_status status = spar__mixer_new(mix, &out->mixer, err);
    if (!status)
        status = check_click(click, data->top, err);
    if (!status)
        status = spar__queries_open(data, &out->queries, err);
    if (!status)
        status = spar__click_new(click, spar__queries_grades(out->queries), spar__queries_top(out->queries),
                                 &out->click, err);
    if (status)
        spar__interleaving_close(out);
    return status;
}

void spar__interleaving_close(spar__interleaving *interleaving)
{
    spar__click_free(interleaving->click);
    spar__queries_free(interleaving->queries);
    *interleaving = (spar__interleaving){0};
}
