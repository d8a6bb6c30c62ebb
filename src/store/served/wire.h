/* clang-format off */
/* wire.h - what a shell command and the server of a file say to each other through the socket of the file.
 *
 * A connection is for one write, or for one lock and what is written under it: the client sends a request, the server
 * replies, and when the client closes the connection a lock that it still has is given up. Whole numbers are
 * little-endian; bytes are a u32 length and that many bytes; a name is the same and ends with a 0 byte, which counts.
 *
 *     request                                        reply
 *     offset  bytes                                  offset  bytes
 *          0      4   n, the length of the body           0      4   n, the length of the body
 *          4      1   version: 1                          4      1   version: 1
 *          5      1   what to do                          5      1   what was done; 0: it was refused unread
 *          6      1   1: under the lock, else 0           6      1   1: the lock was taken back before, else 0
 *          7      1   locks lost in a row                 7      1   0
 *          8      4   milliseconds to wait for a lock     8      4   status, as a positive number
 *         12      8   experiment, or 0                   12      8   number: experiment, screen, texts dropped
 *         20  n - 12  by what is to be done              20      1   1: an earlier drop was completed, else 0
 *                                                        21  n - 13  bytes: the sentence, at most 511; u32 entries,
 *                                                                    for each u32 status, u64 sequence number
 *
 *     hello, lock, next_screen   nothing
 *     create, secret_drop        name
 *     secret_put                 name; bytes
 *     secret_add                 u32 n; for each name, bytes
 *     secret_swap                the same, of 2: what was, what shall be
 *     append                     u32 entries; for each bytes of the event, with sequence number 1; u32 texts, the texts
 *     text_put                   a text: u8 kind; u64 owner; u32 version; 32 bytes salt; bytes
 *     text_drop                  u32 keys; for each u8 kind, u64 owner, u32 version
 *     snapshot_put               u64 sequence number; u32 engine; 32 bytes hash; bytes
 *     snapshot_keep              u32 n; u64 sequence number each
 *
 * Both sides check all they read: what was read would be written as the same bytes. */
/* clang-format on */
#ifndef SPAR_STORE_SERVED_WIRE_H
#define SPAR_STORE_SERVED_WIRE_H

#include "base/buf.h"
#include "store/store.h"

#define SPAR__WIRE_VERSION 1
#define SPAR__WIRE_HEAD 8                   /* bytes before the body */
#define SPAR__WIRE_MOST ((size_t)256 << 20) /* bytes of a body */

typedef enum spar__wire_op {
    SPAR__WIRE_HELLO = 1,
    SPAR__WIRE_CREATE = 2,
    SPAR__WIRE_LOCK = 3,
    SPAR__WIRE_APPEND = 4,
    SPAR__WIRE_NEXT_SCREEN = 5,
    SPAR__WIRE_TEXT_PUT = 6,
    SPAR__WIRE_TEXT_DROP = 7,
    SPAR__WIRE_SNAPSHOT_PUT = 8,
    SPAR__WIRE_SNAPSHOT_KEEP = 9,
    SPAR__WIRE_SECRET_PUT = 10,
    SPAR__WIRE_SECRET_DROP = 11,
    SPAR__WIRE_SECRET_ADD = 12,
    SPAR__WIRE_SECRET_SWAP = 13
} spar__wire_op;

typedef struct spar__wire_request {
    spar__wire_op op;
    bool locked;
    unsigned char lapses;
    uint32_t patience;
    uint64_t experiment;
    const char *name;
    const unsigned char *bytes; /* of a secret or a snapshot */
    size_t length;
    spar__store_snapshot snapshot;
    spar__store_text text;
    size_t n; /* of one of these */
    spar__store_entry *entry;
    spar__text_key *key;
    uint64_t *sequence;
    spar__store_secret *secret;
} spar__wire_request;

typedef struct spar__wire_result {
    spar_status status;
    uint64_t sequence;
} spar__wire_result;

typedef struct spar__wire_reply {
    spar__wire_op op;
    bool lapsed, completed;
    spar_error err; /* its status is that of the call */
    uint64_t number;
    size_t n;
    spar__wire_result *result;
} spar__wire_reply;

/* The length of the body that follows a head. SPAR_IO: another version; SPAR_INVALID: too long. */
spar_status spar__wire_head(const unsigned char head[SPAR__WIRE_HEAD], size_t *length, spar_error *err);

/* Whole frames. An entry whose event cannot be encoded is left out, with its status SPAR_INVALID. Memory: out->failed.
 */
void spar__wire_request_write(const spar__wire_request *request, spar__buf *out);
void spar__wire_reply_write(const spar__wire_reply *reply, spar__buf *out);

/* And back. Names, texts and bytes stay where they are in the frame; the rest is new, until fini. SPAR_CORRUPT. */
spar_status spar__wire_request_read(const unsigned char *frame, size_t length, spar__wire_request *request,
                                    spar_error *err);
void spar__wire_request_fini(spar__wire_request *request);
spar_status spar__wire_reply_read(const unsigned char *frame, size_t length, spar__wire_reply *reply, spar_error *err);
void spar__wire_reply_fini(spar__wire_reply *reply);

#endif
