/* wire.c - arrays in the binary format of PostgreSQL: whole batches go to the server as a few parameters (postgres.h).
 *
 *     int32 dimensions (1), int32 whether there are NULLs (0), int32 type of the elements, int32 count, int32 first
 * index, and for each element int32 length, its bytes; all big-endian. */
#include "store/postgres/wire.h"

#include "store/postgres/postgres.h"

static void put_u32(char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (char)(unsigned char)(value >> (24 - 8 * i));
}

void spar__pg_put_number(char out[8], uint64_t value)
{
    put_u32(out, (uint32_t)(value >> 32));
    put_u32(out + 4, (uint32_t)value);
}

uint64_t spar__pg_get_number(const char *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

/* The head is written with the first element; each one sets its count. */
static void add(spar__pg_array *array, uint32_t type, const void *bytes, size_t length)
{
    char head[20], size[4];
    if (array->n == 0) {
        put_u32(head, 1);
        put_u32(head + 4, 0);
        put_u32(head + 8, type);
        put_u32(head + 12, 0);
        put_u32(head + 16, 1);
        spar__buf_add(&array->bytes, head, sizeof head);
    }
    put_u32(size, (uint32_t)length);
    spar__buf_add(&array->bytes, size, sizeof size);
    spar__buf_add(&array->bytes, length ? bytes : "", length);
    array->n++;
    if (!array->bytes.failed)
        put_u32(array->bytes.text + 12, array->n);
}

void spar__pg_add_number(spar__pg_array *array, uint64_t number)
{
    char bytes[8];
    spar__pg_put_number(bytes, number);
    add(array, SPAR__PG_BIGINT, bytes, sizeof bytes);
}

void spar__pg_add_bytes(spar__pg_array *array, const void *bytes, size_t length)
{
    add(array, SPAR__PG_BYTEA, bytes, length);
}

void spar__pg_array_free(spar__pg_array *array)
{
    spar__buf_free(&array->bytes);
    array->n = 0;
}
