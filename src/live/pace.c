#include "live/pace.h"

/* Widths of a column in seconds, a minute to a year of 52 weeks: each is a multiple of the one before, so that columns
 * are joined exactly. */
static const int64_t widths[] = {60, 300, 900, 3600, 10800, 21600, 43200, 86400, 604800, 2419200, 31449600};

static int64_t floor_to(int64_t time, int64_t width)
{
    int64_t rest = time % width;
    return time - rest - (rest < 0 ? width : 0);
}

static int64_t wider(int64_t width)
{
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (widths[i] > width)
            return widths[i];
    return 2 * width;
}

static void widen(spar__pace *pace)
{
    uint64_t count[SPAR__PACE_COLUMNS] = {0};
    int64_t width = wider(pace->width), begin = floor_to(pace->begin, width);
    size_t last = 0;
    for (size_t i = 0; i < pace->n; i++) {
        last = (size_t)((pace->begin + (int64_t)i * pace->width - begin) / width);
        count[last] += pace->count[i];
    }
    for (size_t i = 0; i < SPAR__PACE_COLUMNS; i++)
        pace->count[i] = count[i];
    pace->begin = begin;
    pace->width = width;
    pace->n = last + 1;
}

void spar__pace_add(spar__pace *pace, int64_t microseconds)
{
    int64_t time = floor_to(microseconds, 1000000) / 1000000;
    if (!pace->width) {
        pace->width = widths[0];
        pace->begin = floor_to(time, pace->width);
    }
    if (time < pace->begin)
        time = pace->begin; /* a clock that was set back */
    while ((time - pace->begin) / pace->width >= SPAR__PACE_COLUMNS)
        widen(pace);
    size_t column = (size_t)((time - pace->begin) / pace->width);
    pace->count[column]++;
    pace->n = column + 1 > pace->n ? column + 1 : pace->n;
}

typedef struct pace_reading {
    spar__pace *pace;
    uint64_t most;
} pace_reading;

static spar_status note_answer(spar__pace *pace, const spar_event *event, spar_error *err)
{
    spar__pace_add(pace, spar_event_time(event));
    if (!spar_event_flags(event))
        return SPAR_OK;
    if (spar__key_table_reserve(&pace->hasty, 1))
        return spar__fail_memory(err);
    (void)spar__key_get(&pace->hasty, spar_event_number(event), spar_event_revision(event));
    pace->flagged++;
    return SPAR_OK;
}

static void note_undo(spar__pace *pace, const spar_event *event)
{
    size_t at = spar__key_find(&pace->hasty, spar_event_number(event), spar_event_revision(event));
    if (at == SPAR__NO_KEY || pace->hasty.entry[at].count)
        return;
    pace->hasty.entry[at].count = 1;
    pace->flagged--;
}

static spar_status note(void *context, const spar_event *event, const unsigned char *hash, spar_error *err)
{
    pace_reading *reading = context;
    spar_status status = SPAR_OK;
    (void)hash;
    if (!reading->most--)
        return SPAR_INTERRUPTED;
    if (spar_event_kind_of(event) == SPAR_EVENT_ANSWER)
        status = note_answer(reading->pace, event, err);
    else if (spar_event_kind_of(event) == SPAR_EVENT_UNDO)
        note_undo(reading->pace, event);
    if (!status)
        reading->pace->read = spar_event_sequence(event);
    return status;
}

spar_status spar__pace_read(spar__pace *pace, spar_experiment *experiment, uint64_t most, spar_error *err)
{
    pace_reading reading = {pace, most};
    if (pace->seed != spar_experiment_seed(experiment) || pace->read > spar_experiment_sequence(experiment))
        spar__pace_fini(pace);
    pace->seed = spar_experiment_seed(experiment);
    if (pace->read >= spar_experiment_sequence(experiment))
        return SPAR_OK;
    spar_status status = spar_experiment_each(experiment, pace->read + 1, note, &reading, err);
    return status == SPAR_INTERRUPTED ? SPAR_OK : status;
}

void spar__pace_fini(spar__pace *pace)
{
    spar__key_table_fini(&pace->hasty);
    *pace = (spar__pace){0};
}
