/* form_fields.h - the fields of a form, however it was sent. */
#ifndef SPAR_SERVICE_FORM_FIELDS_H
#define SPAR_SERVICE_FORM_FIELDS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SPAR__FORM_FIELDS = 20000 }; /* values of a form */

typedef struct spar__form_field {
    char *name, *value;
    char *file; /* the name of a file, whose bytes are the value in base64; NULL: a text */
    bool done;  /* written with an earlier one of the same name */
} spar__form_field;

typedef struct spar__form {
    spar__form_field *field;
    size_t n;
} spar__form;

/* form_parts.c: the fields of multipart/form-data (RFC 7578). type: the header Content-Type. A file without a name and
 * bytes is an input that was left empty, and is left out. */
spar_status spar__form_parts(spar__form *form, const char *type, const char *text, size_t length, spar_error *err);

/* Without the \r of line ends, in place; forms have \r\n whatever was typed. */
void spar__form_line_ends(char *text);

#endif
