#include "mpi/mail.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SHORTEST = 20000, LONGEST = 4000000 }; /* nanoseconds of sleep */

/* A message on its way. */
typedef struct letter {
    struct letter *next;
    MPI_Request request;
    spar__buf bytes;
} letter;

static letter *sent;
static long pause_time = SHORTEST;

int spar__mail_rank(void)
{
    int rank;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int spar__mail_ranks(void)
{
    int n;
    (void)MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
}

static void give_up(const char *why)
{
    (void)fprintf(stderr, "spar: rank %d: %s\n", spar__mail_rank(), why);
    (void)MPI_Abort(MPI_COMM_WORLD, 1);
}

static void rest(void)
{
    struct timespec t = {0, pause_time};
    (void)nanosleep(&t, NULL);
    pause_time = pause_time < LONGEST / 2 ? 2 * pause_time : LONGEST;
}

static void receive(spar__mail *mail, const MPI_Status *status)
{
    int length = 0;
    (void)MPI_Get_count(status, MPI_BYTE, &length);
    char *bytes = spar__alloc((size_t)length + 1, 1);
    if (!bytes) {
        give_up("out of memory");
        return;
    }
    (void)MPI_Recv(bytes, length, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *mail = (spar__mail){(spar__mail_kind)status->MPI_TAG,
                         status->MPI_SOURCE,
                         {.text = bytes, .length = (size_t)length, .capacity = (size_t)length + 1}};
}

bool spar__mail_next(spar__mail *mail, bool patient)
{
    int there = 0;
    MPI_Status status;
    (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there) {
        pause_time = SHORTEST;
        receive(mail, &status);
        return true;
    }
    (void)spar__mail_settled();
    if (patient)
        rest();
    return false;
}

void spar__mail_send(int rank, spar__mail_kind kind, const uint64_t *word, size_t n_words, const spar__buf *bytes)
{
    letter *l = spar__alloc(1, sizeof *l);
    for (size_t i = 0; l && i < n_words; i++) {
        unsigned char number[8];
        spar__put_u64(number, word[i]);
        spar__buf_add(&l->bytes, (const char *)number, sizeof number);
    }
    if (l && bytes && bytes->length)
        spar__buf_add(&l->bytes, bytes->text, bytes->length);
    if (!l || l->bytes.failed || l->bytes.length > INT_MAX) {
        give_up(l && l->bytes.length > INT_MAX ? "cells of more than 2 GB cannot be sent" : "out of memory");
        return;
    }
    l->next = sent;
    sent = l;
    (void)MPI_Isend(l->bytes.text, (int)l->bytes.length, MPI_BYTE, rank, (int)kind, MPI_COMM_WORLD, &l->request);
}

bool spar__mail_settled(void)
{
    for (letter **at = &sent; *at;) {
        letter *l = *at;
        int done = 0;
        (void)MPI_Test(&l->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        spar__buf_free(&l->bytes);
        spar__free(l);
    }
    return !sent;
}

uint64_t spar__mail_word(const spar__mail *mail, size_t i)
{
    return mail->bytes.length < 8 * (i + 1) ? 0 : spar__get_u64((const unsigned char *)mail->bytes.text + 8 * i);
}

const unsigned char *spar__mail_rest(const spar__mail *mail, size_t n, size_t *length)
{
    *length = mail->bytes.length < 8 * n ? 0 : mail->bytes.length - 8 * n;
    return (const unsigned char *)mail->bytes.text + (*length ? 8 * n : 0);
}
