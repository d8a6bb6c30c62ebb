/* logouts.c - see logouts.h. */
#include "service/logouts.h"

#include <string.h>

void spar__logouts_init(spar__logouts *logouts)
{
    logouts->n = 0;
    (void)pthread_mutex_init(&logouts->lock, NULL);
}

void spar__logouts_fini(spar__logouts *logouts)
{
    (void)pthread_mutex_destroy(&logouts->lock);
}

static bool has(const spar__logouts *logouts, const unsigned char *id)
{
    size_t n = logouts->n < SPAR__LOGOUTS_MOST ? logouts->n : SPAR__LOGOUTS_MOST;
    for (size_t i = 0; i < n; i++)
        if (memcmp(logouts->id[i], id, SPAR__SESSION_ID) == 0)
            return true;
    return false;
}

void spar__logouts_add(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID])
{
    (void)pthread_mutex_lock(&logouts->lock);
    if (!has(logouts, id))
        memcpy(logouts->id[logouts->n++ % SPAR__LOGOUTS_MOST], id, SPAR__SESSION_ID);
    (void)pthread_mutex_unlock(&logouts->lock);
}

bool spar__logouts_has(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID])
{
    (void)pthread_mutex_lock(&logouts->lock);
    bool found = has(logouts, id);
    (void)pthread_mutex_unlock(&logouts->lock);
    return found;
}
