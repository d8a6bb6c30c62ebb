/* arms_archive.h - the arms table to bytes and back. */
#ifndef SPAR_TYPES_ARMS_ARCHIVE_H
#define SPAR_TYPES_ARMS_ARCHIVE_H

#include "base/archive.h"
#include "types/arms.h"

/* Loading makes *arms (NULL before); on failure it is NULL and ar->failed is set. */
void spar__arms_archive(spar_arms **arms, spar__archive *ar);

#endif
