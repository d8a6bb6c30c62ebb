/* wire.h - numbers in the binary format of PostgreSQL, and the types that are used here. */
#ifndef SPAR_STORE_POSTGRES_WIRE_H
#define SPAR_STORE_POSTGRES_WIRE_H

#include <stdint.h>

enum { SPAR__PG_BYTEA = 17, SPAR__PG_BIGINT = 20, SPAR__PG_TEXT = 25 }; /* fixed for ever: catalog/pg_type.dat */

void spar__pg_put_number(char out[8], uint64_t value);
uint64_t spar__pg_get_number(const char *bytes);

#endif
