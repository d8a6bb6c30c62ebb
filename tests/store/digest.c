/* Known answers of SHA-256 and HMAC, and the chain by hand. */
#include "store/digest.h"

#include "tap.h"

#include <stdio.h>
#include <string.h>

static const char *hex(const unsigned char *bytes)
{
    static char text[2 * SPAR_HASH_SIZE + 1];
    for (size_t i = 0; i < SPAR_HASH_SIZE; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return text;
}

int main(void)
{
    unsigned char out[SPAR_HASH_SIZE], key[SPAR_HASH_SIZE] = {0};
    spar__sha256("abc", 3, out); /* FIPS 180-2, appendix B.1 */
    ok(strcmp(hex(out), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") == 0, "SHA-256 of abc");
    memset(key, 0x0b, 20); /* RFC 4231, case 1: a shorter key is one with zeros behind it */
    spar__hmac(key, "Hi There", 8, out);
    ok(strcmp(hex(out), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7") == 0, "HMAC of RFC 4231");

    unsigned char both[SPAR_HASH_SIZE + 5], by_hand[SPAR_HASH_SIZE];
    memcpy(both, out, SPAR_HASH_SIZE);
    memcpy(both + SPAR_HASH_SIZE, "event", 5);
    spar__sha256(both, sizeof both, by_hand);
    spar__chain_next(out, "event", 5, out);
    ok(memcmp(out, by_hand, SPAR_HASH_SIZE) == 0, "the next hash is that of the last one and the event");

    unsigned char a[16] = {0}, b[16] = {0};
    ok(!spar__random_bytes(a, sizeof a, NULL) && !spar__random_bytes(b, sizeof b, NULL), "random bytes");
    ok(memcmp(a, b, sizeof a) != 0, "random bytes are not the same twice");
    return done();
}
