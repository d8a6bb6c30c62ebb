/* listen.h - the socket that a server listens on. */
#ifndef SPAR_SERVICE_LISTEN_H
#define SPAR_SERVICE_LISTEN_H

#include <spar/status.h>

/* "127.0.0.1:8080", "[::1]:8080", "localhost:0" (any free port), ":8080" (all addresses). The port goes to *port. */
spar_status spar__listen(const char *where, int *out, unsigned *port, spar_error *err);

#endif
