/* remarks.h - what may come with an answer. */
#ifndef SPAR_LIVE_REMARKS_H
#define SPAR_LIVE_REMARKS_H

#include <spar/experiment.h>

struct spar_remarks {
    char *comment; /* NULL: none */
    uint32_t taken, flags, revision;
    bool revised; /* the revision was set */
};

#endif
