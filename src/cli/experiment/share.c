#include "cli/experiment/share.h"

#include <stddef.h>

static const uint64_t ALL = 1000000;

void spar__share_begin(spar__share_line *line, const char *what)
{
    spar__stop_catch();
    spar__progress_begin(&line->line, what);
    line->line.unit = NULL;
}

bool spar__share_show(void *context, double share)
{
    spar__share_line *line = context;
    double done = share < 0 ? 0 : share > 1 ? 1 : share;
    return spar__progress_show(&line->line, (uint64_t)(done * (double)ALL), ALL);
}

void spar__share_end(spar__share_line *line)
{
    spar__progress_end(&line->line);
}
