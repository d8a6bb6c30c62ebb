/* address.h - who is at the other end, for limits only: addresses are never stored or logged.
 *
 * An address is an IPv4 address or an IPv6 /64 (one household or one machine has a whole /64). Behind a trusted proxy
 * it is the last address in X-Forwarded-For that is not itself a trusted proxy. */
#ifndef SPAR_SERVICE_ADDRESS_H
#define SPAR_SERVICE_ADDRESS_H

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* All 16 bytes: IPv4 as ::ffff:a.b.c.d. Zeros: not known (a Unix socket). */
typedef struct spar__address {
    unsigned char byte[16];
} spar__address;

typedef struct spar__network { /* addresses whose first `bits` bits are these */
    spar__address address;
    unsigned bits;
} spar__network;

spar__address spar__address_of(const struct sockaddr *socket);

/* "192.0.2.1" or "2001:db8::1", in brackets or with a port too; false if it is none. */
bool spar__address_parse(const char *text, size_t length, spar__address *out);

/* "10.0.0.0/8", "::1", "2001:db8::/32". */
spar_status spar__network_parse(const char *text, spar__network *out, spar_error *err);
bool spar__network_has(const spar__network *network, const spar__address *address);

/* The one who asks: peer, or what a chain of n trusted networks says of it in `forwarded` (may be NULL). */
spar__address spar__address_client(spar__address peer, const char *forwarded, size_t n, const spar__network *trusted);

/* What limits count by: the address, of IPv6 its first 64 bits. */
spar__address spar__address_key(spar__address address);

#endif
