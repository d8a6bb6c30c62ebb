/* saved.h - an object as a frame, filled by an archive: what most save and load functions are. The first section of the
 * kind holds the state, the second, if there is one, its caches (spar__archive.cache). */
#ifndef SPAR_BASE_SAVED_H
#define SPAR_BASE_SAVED_H

#include "base/archive.h"
#include "base/frame.h"

/* Saving: the frame around what the archive and its cache hold, which is freed. *bytes is NULL on failure. */
spar_status spar__saved_write(const spar__frame_kind *kind, spar__archive *ar, unsigned char **bytes, size_t *length);

/* Loading: an archive that reads the state, and one for the caches (NULL: not wanted); then, when all was read, how
 * that went. */
spar_status spar__saved_open(const spar__frame_kind *kind, const unsigned char *bytes, size_t length, spar__archive *ar,
                             spar_error *err);
spar_status spar__saved_open_both(const spar__frame_kind *kind, const unsigned char *bytes, size_t length,
                                  spar__archive *ar, spar__archive *cache, spar_error *err);
spar_status spar__saved_close(const spar__frame_kind *kind, const spar__archive *ar, spar_error *err);

#endif
