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

bool spar__address_parse(const char *text, size_t length, spar__address *out)
{
    char plain[INET6_ADDRSTRLEN];
    const char *close = length && *text == '[' ? memchr(text, ']', length) : NULL, *colon = memchr(text, ':', length);
    if (close)
        length = (size_t)(close - ++text);
    else if (colon && !memchr(colon + 1, ':', length - (size_t)(colon + 1 - text))) /* one colon: IPv4 and port */
        length = (size_t)(colon - text);
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

spar__address spar__address_client(spar__address peer, const char *forwarded, size_t n, const spar__network *trusted)
{
    size_t length = forwarded ? strlen(forwarded) : 0;
    while (length &&
           spar__networks_have(n, trusted, &peer)) { /* from the right: each hop is vouched for by the next one */
        size_t start = length;
        while (start && forwarded[start - 1] != ',')
            start--;
        const char *word = forwarded + start + strspn(forwarded + start, " \t"), *end = forwarded + length;
        while (end > word && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        spar__address next;
        if (end <= word || !spar__address_parse(word, (size_t)(end - word), &next))
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

spar_status spar__listen(const char *where, int *out, unsigned *port, spar_error *err)
{
    const int yes = 1;
    char host[256];
    const char *start = where, *colon = strrchr(where, ':');
    size_t length = colon ? (size_t)(colon - where) : 0;
    if (!colon || !colon[1] || length >= sizeof host)
        return spar__fail(err, SPAR_INVALID, "'%.80s': expected ADDRESS:PORT, such as 127.0.0.1:8080", where);
    if (length >= 2 && where[0] == '[' && where[length - 1] == ']') { /* an IPv6 address */
        start++;
        length -= 2;
    }
    memcpy(host, start, length);
    host[length] = '\0';
    size_t digits = strspn(colon + 1, "0123456789");
    if (colon[1 + digits] || digits > 5 || strtoul(colon + 1, NULL, 10) > 65535) /* 80999 would be taken for 15463 */
        return spar__fail(err, SPAR_INVALID, "'%.80s': expected a port from 0 to 65535 after the last colon", where);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
    int error = getaddrinfo(*host ? host : NULL, colon + 1, &hints, &found);
    if (error)
        return spar__fail(err, SPAR_INVALID, "'%.80s': %s; expected ADDRESS:PORT", where, gai_strerror(error));
    int fd = socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, found->ai_protocol);
    bool good = fd >= 0;
    if (good) {
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        good = bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 1024) == 0;
    }
    error = errno;
    freeaddrinfo(found);
    if (!good) {
        if (fd >= 0)
            (void)close(fd);
        const char *advice = error == EADDRINUSE ? "; another program listens there, --listen takes another port"
                             : error == EACCES   ? "; ports below 1024 need root or a capability, see doc/operating.md"
                             : error == EADDRNOTAVAIL ? "; this machine does not have that address"
                                                      : "";
        return spar__fail(err, SPAR_IO, "cannot listen on %.80s: %s%s", where, strerror(error), advice);
    }
    struct sockaddr_in6 address = {0};
    socklen_t size = sizeof address;
    *out = fd;
    *port = getsockname(fd, (struct sockaddr *)&address, &size) ? 0 : ntohs(address.sin6_port); /* as for IPv4 */
    return SPAR_OK;
}
