/* Any bytes: every reader of options refuses them with a sentence, or gives options that are sound. */
#include "fuzz.h"

#include "text/option_rows.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(const spar__option_rows *rows)
{
    require(rows->n > 0 && rows->n <= SPAR__OPTION_ROWS && rows->dim <= SPAR__OPTION_FEATURES);
    for (size_t i = 0; i < rows->n; i++) {
        const spar__option_row *row = &rows->row[i];
        require(row->id && *row->id && row->line > 0);
        require((!row->title || *row->title) && (!row->body || *row->body) && (!row->image || *row->image));
        for (size_t k = 0; k < i && k < 20; k++)
            require(strcmp(row->id, rows->row[k].id) != 0);
    }
    for (size_t i = 0; i < rows->n * rows->dim; i++)
        require(isfinite(rows->x[i]));
}

void fuzz_option_files(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    (void)spar__image_type(text, size);
    (void)spar__option_form_of("-", text, size);
    for (int form = SPAR__OPTIONS_YAML; form <= SPAR__OPTIONS_LINES; form++) {
        spar__option_rows rows;
        spar_error err = {0};
        spar_status status = spar__option_rows_parse((spar__option_form)form, text, size, "d/f", &rows, &err);
        if (status)
            require(!rows.row && !rows.x && err.status == status && strncmp(err.text, "d/f:", 4) == 0);
        else
            check(&rows);
        spar__option_rows_free(&rows);
    }
}
