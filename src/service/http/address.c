/* address.c - addresses and networks, who asks behind trusted proxies, and the socket that the server listens on. */
#include "base/error.h"
#include "service/http/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}; /* ::ffff:0:0/96 */

static bool is_v4(const spar__address *address)
{
    return memcmp(address->byte, mapped, sizeof mapped) == 0;
}

static spar__address from_v4(const void *four)
{
    spar__address out;
    memcpy(out.byte, mapped, sizeof mapped);
    memcpy(out.byte + sizeof mapped, four, 4);
    return out;
}

spar__address spar__address_of(const struct sockaddr *socket)
{
    spar__address out = {{0}};
    if (socket && socket->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, socket, sizeof v4);
        return from_v4(&v4.sin_addr);
    }
    if (socket && socket->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, socket, sizeof v6);
        memcpy(out.byte, &v6.sin6_addr, sizeof out.byte);
    }
    return out;
}

/* The part of text that is the address: without brackets and port. */
static void strip_port(const char **text, size_t *length)
{
    const char *close = *length && **text == '[' ? memchr(*text, ']', *length) : NULL;
    if (close) {
        *text += 1;
        *length = (size_t)(close - *text);
        return;
    }
    const char *colon = memchr(*text, ':', *length);
    if (colon && !memchr(colon + 1, ':', *length - (size_t)(colon + 1 - *text))) /* one colon: IPv4 and port */
        *length = (size_t)(colon - *text);
}

bool spar__address_parse(const char *text, size_t length, spar__address *out)
{
    char plain[INET6_ADDRSTRLEN];
    strip_port(&text, &length);
    if (length == 0 || length >= sizeof plain || memchr(text, '\0', length))
        return false;
    memcpy(plain, text, length);
    plain[length] = '\0';
    unsigned char four[4];
    if (inet_pton(AF_INET, plain, four) == 1) {
        *out = from_v4(four);
        return true;
    }
    return inet_pton(AF_INET6, plain, out->byte) == 1;
}

spar_status spar__network_parse(const char *text, spar__network *out, spar_error *err)
{
    const char *slash = strchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : strlen(text);
    if (!spar__address_parse(text, length, &out->address))
        return spar__fail(err, SPAR_INVALID, "'%.80s': expected an address or a network such as 10.0.0.0/8", text);
    unsigned most = is_v4(&out->address) ? 32 : 128;
    char *end = NULL;
    unsigned long bits = slash ? strtoul(slash + 1, &end, 10) : most;
    if (slash && (slash[1] < '0' || slash[1] > '9' || *end || bits > most))
        return spar__fail(err, SPAR_INVALID, "'%.80s': expected 0 to %u bits after the slash", text, most);
    out->bits = (unsigned)bits + 128 - most;
    return SPAR_OK;
}

bool spar__network_has(const spar__network *network, const spar__address *address)
{
    size_t whole = network->bits / 8;
    unsigned rest = network->bits % 8;
    if (memcmp(network->address.byte, address->byte, whole) != 0)
        return false;
    return rest == 0 || (network->address.byte[whole] ^ address->byte[whole]) >> (8 - rest) == 0;
}

bool spar__networks_have(size_t n, const spar__network *network, const spar__address *address)
{
    for (size_t i = 0; i < n; i++)
        if (spar__network_has(&network[i], address))
            return true;
    return false;
}

static size_t without_spaces(const char **text, size_t length)
{
    while (length && (**text == ' ' || **text == '\t')) {
        ++*text;
        length--;
    }
    while (length && ((*text)[length - 1] == ' ' || (*text)[length - 1] == '\t'))
        length--;
    return length;
}

spar__address spar__address_client(spar__address peer, const char *forwarded, size_t n, const spar__network *trusted)
{
    size_t length = forwarded ? strlen(forwarded) : 0;
    while (length &&
           spar__networks_have(n, trusted, &peer)) { /* from the right: each hop is vouched for by the next one */
        size_t start = length;
        while (start && forwarded[start - 1] != ',')
            start--;
        const char *word = forwarded + start;
        size_t size = without_spaces(&word, length - start);
        spar__address next;
        if (!spar__address_parse(word, size, &next))
            break;
        peer = next;
        length = start ? start - 1 : 0;
    }
    return peer;
}

spar__address spar__address_key(spar__address address)
{
    if (!is_v4(&address))
        memset(address.byte + 8, 0, 8);
    return address;
}

/* --- listening --- */

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
