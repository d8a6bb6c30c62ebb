#include "live/setting_rows.h"

#include "base/alloc.h"
#include "live/space.h"

static spar_status reserve(spar__setting_rows *rows, size_t more)
{
    size_t *shown = spar__grow(rows->shown, &rows->room, rows->n + more, 256, sizeof *shown);
    if (!shown)
        return SPAR_NOMEM;
    rows->shown = shown;
    return spar__key_table_reserve(&rows->screens, 1);
}

/* The number of the option that is this setting. */
static spar_status find_option(const spar__setting_rows *rows, const double *point, size_t *value, spar__labels *labels,
                               size_t *option)
{
    spar__buf words = {0};
    spar_axes_nearest(rows->axes, point, value);
    spar__space_words(rows->axes, value, &words);
    spar_status status = words.failed ? SPAR_NOMEM : spar__labels_add(labels, words.text, words.length, option);
    spar__buf_free(&words);
    return status;
}

static spar_status keep_screen(spar__setting_rows *rows, const spar_event *event, spar__labels *labels)
{
    size_t m = spar_event_slots(event), *value = spar__alloc(spar_axes_count(rows->axes), sizeof *value);
    spar_status status = value ? reserve(rows, m) : SPAR_NOMEM;
    if (!status)
        rows->screens.entry[spar__key_get(&rows->screens, spar_event_number(event), 0)].count = rows->n;
    for (size_t slot = 0; slot < m && !status; slot++) {
        const double *point = spar_round_point(spar_event_round(event), slot);
        size_t *option = &rows->shown[rows->n + spar_event_place(event, slot)];
        status = point ? find_option(rows, point, value, labels, option) : SPAR_CORRUPT;
    }
    rows->n += status ? 0 : m;
    spar__free(value);
    return status;
}

spar_status spar__setting_rows_event(spar__setting_rows *rows, const spar_event *event, spar__labels *labels,
                                     spar_error *err)
{
    if (spar_event_kind_of(event) == SPAR_EVENT_CREATED && spar_event_axes(event) && !rows->axes)
        return spar_axes_new(spar_event_axes(event), &rows->axes, err);
    if (spar_event_kind_of(event) != SPAR_EVENT_SCREEN || !rows->axes)
        return SPAR_OK;
    spar_status status = keep_screen(rows, event, labels);
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
