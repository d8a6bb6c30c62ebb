/* socket.h - the Unix socket of a file that is served: FILE-socket beside it, for its owner only.
 *
 * Whoever is at the other end is known by its user (SO_PEERCRED), which the system tells and nobody can forge: a server
 * serves its own user and root, a client speaks to its own user, and root to the owner of the file as well. So a
 * socket that somebody else put there gets nothing, and nothing hangs on the permissions of the folder. */
#ifndef SPAR_STORE_SERVED_SOCKET_H
#define SPAR_STORE_SERVED_SOCKET_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the file really is, so that all names of it have the same socket and lock; new. Missing: as it was given. */
char *spar__served_path(const char *path);

/* A socket that listens; one that a dead server left is removed. Only for who holds the lock of servers. The socket
 * does not block. name: for messages. */
spar_status spar__socket_listen(const char *path, const char *name, int *out, spar_error *err);
void spar__socket_remove(const char *path);

/* SPAR_IO: it is another user's, or nobody listens there: then *absent is set. SPAR_BUSY: no answer in time. */
spar_status spar__socket_connect(const char *path, const char *name, int *out, bool *absent, spar_error *err);

/* May a server serve whoever is at the other end? */
bool spar__socket_is_ours(int socket);

/* Sends all of it, receives exactly that many bytes; false, with errno (ETIMEDOUT; 0: the other side closed it). */
bool spar__socket_send(int socket, const void *bytes, size_t length, unsigned milliseconds);
bool spar__socket_receive(int socket, void *bytes, size_t length, unsigned milliseconds);

#endif
