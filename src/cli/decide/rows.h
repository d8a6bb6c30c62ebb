/* rows.h - answers as rows of csv, which `spar export` wrote or people did, as what `spar decide` decides about. */
#ifndef SPAR_CLI_DECIDE_ROWS_H
#define SPAR_CLI_DECIDE_ROWS_H

#include "live/exchange/history.h"
#include "live/exchange/exchange.h"

typedef struct spar__decide_rows {
    spar__import_text file;
    spar__names options, voters, items;
} spar__decide_rows;

/* Reads all rows once: checks them and collects the names. The text must stay. */
spar_status spar__decide_rows_read(spar__decide_rows *rows, spar_error *err);
void spar__decide_rows_free(spar__decide_rows *rows);

/* Gives every row to answers->answer, as an import whose voter is 1 + the number in voters (0: not known). Its screen,
 * if not 0, says that the options are known to have stood in this order. */
spar_status spar__decide_rows_each(spar__decide_rows *rows, const spar__answers *answers, spar_error *err);

#endif
