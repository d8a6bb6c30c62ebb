/* listen.c - see listen.h. */
#include "service/listen.h"

#include "base/error.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The system would take 80999 for 15463. */
static spar_status check_port(const char *where, const char *port, spar_error *err)
{
    size_t digits = strspn(port, "0123456789");
    if (port[digits] || digits > 5 || strtoul(port, NULL, 10) > 65535)
        return spar__fail(err, SPAR_INVALID, "'%.80s': expected a port from 0 to 65535 after the last colon", where);
    return SPAR_OK;
}

/* "host" and "port" of where; the brackets of an IPv6 address are taken off. */
static spar_status split(const char *where, char *host, size_t size, const char **port, spar_error *err)
{
    const char *colon = strrchr(where, ':');
    size_t length = colon ? (size_t)(colon - where) : 0;
    if (!colon || !colon[1] || length >= size)
        return spar__fail(err, SPAR_INVALID, "'%.80s': expected ADDRESS:PORT, such as 127.0.0.1:8080", where);
    const char *start = where;
    if (length >= 2 && where[0] == '[' && where[length - 1] == ']') {
        start++;
        length -= 2;
    }
    memcpy(host, start, length);
    host[length] = '\0';
    *port = colon + 1;
    return check_port(where, colon + 1, err);
}

static int open_socket(const struct addrinfo *info)
{
    const int yes = 1;
    int fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, info->ai_protocol);
    if (fd < 0)
        return -1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, 1024) == 0)
        return fd;
    int error = errno;
    (void)close(fd);
    errno = error;
    return -1;
}

static unsigned port_of(int fd)
{
    struct sockaddr_in6 address = {0};
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length))
        return 0;
    return ntohs(address.sin6_port); /* in the same place for IPv4 */
}

static spar_status fail_listen(const char *where, int error, spar_error *err)
{
    const char *advice = error == EADDRINUSE      ? "; another program listens there, --listen takes another port"
                         : error == EACCES        ? "; ports below 1024 need root or a capability, see doc/operating.md"
                         : error == EADDRNOTAVAIL ? "; this machine does not have that address"
                                                  : "";
    return spar__fail(err, SPAR_IO, "cannot listen on %.80s: %s%s", where, strerror(error), advice);
}

spar_status spar__listen(const char *where, int *out, unsigned *port, spar_error *err)
{
    char host[256];
    const char *service = NULL;
    spar_status status = split(where, host, sizeof host, &service, err);
    if (status)
        return status;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
    int error = getaddrinfo(*host ? host : NULL, service, &hints, &found);
    if (error)
        return spar__fail(err, SPAR_INVALID, "'%.80s': %s; expected ADDRESS:PORT", where, gai_strerror(error));
    int fd = open_socket(found);
    error = errno;
    freeaddrinfo(found);
    if (fd < 0)
        return fail_listen(where, error, err);
    *out = fd;
    *port = port_of(fd);
    return SPAR_OK;
}
