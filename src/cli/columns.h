/* columns.h - the option --columns: what rows of votes call their columns. */
#ifndef SPAR_CLI_COLUMNS_H
#define SPAR_CLI_COLUMNS_H

#include "cli/options.h"
#include "text/votes.h"

#define SPAR__OPTION_COLUMNS                                                                                           \
    SPAR__TEXT_OPTION("columns", "C",                                                                                  \
                      "the columns of rows, e.g. a=left,b=right,winner=winner,voter=worker,item=prompt,id=row")

/* 'a=left,b=right'; '-' is no column. The names are parts of the setting. */
spar_status spar__columns_of(const spar__settings *settings, spar__votes_columns *out, spar_error *err);

/* Rows of votes, from CSV or JSON objects. An error about a missing column says how to name it. */
spar_status spar__columns_parse(bool json, const char *text, size_t length, const char *path,
                                const spar__votes_columns *columns, spar__votes *out, spar_error *err);

#endif
