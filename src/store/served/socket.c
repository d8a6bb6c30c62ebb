/* socket.c - see socket.h. The address of a Unix socket has room for 107 bytes. A longer path goes through a descriptor
 * of its folder, /proc/self/fd/N/NAME; a long NAME becomes a hash of it. */
#define _GNU_SOURCE /* struct ucred, O_PATH */
#include "store/served/socket.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "store/class.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { LONGEST_NAME = 80, BACKLOG = 64 };

char *spar__served_path(const char *path)
{
    char *real = realpath(path, NULL), *copy = spar__strdup(real ? real : path);
    free(real);
    return copy;
}

/* --- where it is --- */

typedef struct socket_place {
    struct sockaddr_un address;
    char file[LONGEST_NAME + 8]; /* in its folder */
    int folder;
} socket_place;

static void leave_place(const socket_place *place)
{
    if (place->folder >= 0)
        (void)close(place->folder);
}

static void set_file(socket_place *place, const char *name)
{
    size_t length = strlen(name);
    if (length <= LONGEST_NAME)
        (void)snprintf(place->file, sizeof place->file, "%s-socket", name);
    else
        (void)snprintf(place->file, sizeof place->file, "spar-%016llx-socket",
                       (unsigned long long)spar__hash_of(name, length));
}

static spar_status open_folder(socket_place *place, const char *path, size_t length, spar_error *err)
{
    spar__buf folder = {0};
    spar__buf_add(&folder, path, length);
    place->folder = folder.failed ? -1 : open(folder.text, O_PATH | O_DIRECTORY | O_CLOEXEC);
    spar_status status = folder.failed       ? spar__fail_memory(err)
                         : place->folder < 0 ? spar__fail_file(err, folder.text, "open")
                                             : SPAR_OK;
    spar__buf_free(&folder);
    return status;
}

/* leave_place when it is no longer needed, also after a failure. */
static spar_status find_place(const char *path, socket_place *place, spar_error *err)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, room = sizeof place->address.sun_path;
    *place = (socket_place){.address.sun_family = AF_UNIX, .folder = -1};
    set_file(place, path + folder);
    spar_status status = folder ? open_folder(place, path, folder, err) : open_folder(place, ".", 1, err);
    if (status)
        return status;
    int used = folder + strlen(place->file) < room
                   ? snprintf(place->address.sun_path, room, "%.*s%s", (int)folder, path, place->file)
                   : snprintf(place->address.sun_path, room, "/proc/self/fd/%d/%s", place->folder, place->file);
    if (used < 0 || (size_t)used >= room)
        return spar__fail(err, SPAR_IO, "%s: the name is too long for a socket beside it", path);
    return SPAR_OK;
}

/* --- the server --- */

/* Removes what a dead server left. */
static spar_status clear(const socket_place *place, const char *name, spar_error *err)
{
    struct stat info;
    if (fstatat(place->folder, place->file, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return SPAR_OK;
    if (!S_ISSOCK(info.st_mode))
        return spar__fail(err, SPAR_IO, "%s: cannot be served: %s beside it is no socket; move it away", name,
                          place->file);
    if (unlinkat(place->folder, place->file, 0) != 0)
        return spar__fail_file(err, place->file, "remove");
    return SPAR_OK;
}

static spar_status listen_at(const socket_place *place, const char *name, int *out, spar_error *err)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(0177); /* for the whole process: what others make meanwhile is closer kept than it need be */
    bool good = fd >= 0 && bind(fd, (const struct sockaddr *)&place->address, sizeof place->address) == 0;
    int error = errno;
    (void)umask(before);
    if (good && listen(fd, BACKLOG) == 0) {
        *out = fd;
        return SPAR_OK;
    }
    errno = good ? errno : error;
    spar_status status = spar__fail(err, SPAR_IO, "%s: cannot make %s: %s", name, place->file, strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    return status;
}

spar_status spar__socket_listen(const char *path, const char *name, int *out, spar_error *err)
{
    socket_place place;
    *out = -1;
    spar_status status = find_place(path, &place, err);
    if (!status)
        status = clear(&place, name, err);
    if (!status)
        status = listen_at(&place, name, out, err);
    leave_place(&place);
    return status;
}

void spar__socket_remove(const char *path)
{
    socket_place place;
    if (!find_place(path, &place, NULL))
        (void)unlinkat(place.folder, place.file, 0);
    leave_place(&place);
}

/* --- who is there --- */

static bool peer_of(int fd, uid_t *user)
{
    struct ucred peer = {0};
    socklen_t length = sizeof peer;
    bool good = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && length == sizeof peer;
    *user = peer.uid;
    return good;
}

bool spar__socket_is_ours(int socket)
{
    uid_t user;
    return peer_of(socket, &user) && (user == geteuid() || user == 0);
}

static bool may_trust(int fd, const char *path)
{
    uid_t user;
    struct stat info;
    if (!peer_of(fd, &user))
        return false;
    return user == geteuid() || (geteuid() == 0 && stat(path, &info) == 0 && info.st_uid == user);
}

/* --- the client --- */

static spar_status fail_connect(const char *name, int error, bool *absent, spar_error *err)
{
    *absent = error == ENOENT || error == ECONNREFUSED;
    if (*absent)
        return spar__fail(err, SPAR_IO, "%s: is not served", name);
    if (error == EACCES || error == EPERM)
        return spar__fail(err, SPAR_IO, "%s: is served by another user, who alone can write to it", name);
    if (error == EAGAIN)
        return spar__fail(err, SPAR_BUSY, "%s: its server has not answered for more than %g seconds", name,
                          spar__store_patience / 1e3);
    return spar__fail(err, SPAR_IO, "%s: cannot reach its server: %s", name, strerror(error));
}

static spar_status connect_to(const socket_place *place, const char *path, const char *name, int fd, bool *absent,
                              spar_error *err)
{
    struct timeval most = {.tv_sec = (time_t)(spar__store_patience / 1000),
                           .tv_usec = (suseconds_t)(spar__store_patience % 1000) * 1000};
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    if (connect(fd, (const struct sockaddr *)&place->address, sizeof place->address) != 0)
        return fail_connect(name, errno, absent, err);
    if (!may_trust(fd, path))
        return spar__fail(err, SPAR_IO, "%s: is served by another user, who is not trusted with it", name);
    return SPAR_OK;
}

spar_status spar__socket_connect(const char *path, const char *name, int *out, bool *absent, spar_error *err)
{
    socket_place place;
    *out = -1;
    *absent = false;
    spar_status status = find_place(path, &place, err);
    int fd = status ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!status)
        status = fd < 0 ? fail_connect(name, errno, absent, err) : connect_to(&place, path, name, fd, absent, err);
    leave_place(&place);
    if (!status)
        *out = fd;
    else if (fd >= 0)
        (void)close(fd);
    return status;
}

/* --- bytes --- */

/* Waits until the socket is ready; false, with errno. */
static bool wait_for(int fd, short events, double until)
{
    for (;;) {
        double left = (until - spar__clock_wall()) / 1e6;
        struct pollfd one = {.fd = fd, .events = events};
        int n = poll(&one, 1, left > 0 ? (int)left + 1 : 0);
        if (n > 0)
            return true;
        if (n == 0)
            errno = ETIMEDOUT;
        if (n == 0 || errno != EINTR)
            return false;
    }
}

static bool again(void)
{
    return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
}

bool spar__socket_send(int socket, const void *bytes, size_t length, unsigned milliseconds)
{
    double until = spar__clock_wall() + 1e6 * milliseconds;
    const char *at = bytes;
    while (length > 0) {
        ssize_t n = wait_for(socket, POLLOUT, until) ? send(socket, at, length, MSG_NOSIGNAL | MSG_DONTWAIT) : -2;
        if (n == -2 || (n < 0 && !again()))
            return false;
        at += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool spar__socket_receive(int socket, void *bytes, size_t length, unsigned milliseconds)
{
    double until = spar__clock_wall() + 1e6 * milliseconds;
    char *at = bytes;
    while (length > 0) {
        errno = 0;
        ssize_t n = wait_for(socket, POLLIN, until) ? recv(socket, at, length, MSG_DONTWAIT) : -2;
        if (n == -2 || n == 0 || (n < 0 && !again()))
            return false;
        at += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}
