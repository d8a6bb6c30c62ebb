/* share.h - the progress line of work that reports the share that is done; Ctrl-C stops it. */
#ifndef SPAR_CLI_SHARE_H
#define SPAR_CLI_SHARE_H

#include "cli/progress.h"

typedef struct spar__share_line {
    spar__progress_line line;
} spar__share_line;

void spar__share_begin(spar__share_line *line, const char *what);
bool spar__share_show(void *context, double share); /* a spar_progress_fn */
void spar__share_end(spar__share_line *line);

#endif
