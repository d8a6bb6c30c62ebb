/* setting_rows.h - the settings of a space as options of rows: what each screen showed, by places. */
#ifndef SPAR_LIVE_SETTING_ROWS_H
#define SPAR_LIVE_SETTING_ROWS_H

#include "live/answers.h"
#include "live/labels.h"

#include <spar/axes.h>

typedef struct spar__setting_rows { /* all zero: empty */
    spar_axes *axes;
    spar__key_table screens; /* by number; the count is where its settings begin in `shown` */
    size_t *shown;           /* options of labels, place by place */
    size_t n, room;
} spar__setting_rows;

/* The settings become options of the labels. */
spar_status spar__setting_rows_event(spar__setting_rows *rows, const spar_event *event, spar__labels *labels,
                                     spar_error *err);

/* The answer, in terms of these options; borrowed until the next event. False: its screen is not there. */
bool spar__setting_rows_answer(const spar__setting_rows *rows, const spar__answered *answered, spar__answered *out);
void spar__setting_rows_free(spar__setting_rows *rows);

#endif
