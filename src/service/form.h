/* form.h - what a form of a page sends (application/x-www-form-urlencoded or multipart/form-data), as the JSON object
 * that a program would send: the same checks and the same readers serve both.
 *
 * The schema says what a value is: a flag ("true", "on" or "1"), a number, a list (the name may come more than once), a
 * reason ("true" or a text); all else, and what the schema does not have, is a text. A value that is empty, or of
 * blanks alone, is as missing, except that of a list. Files are items of a list: {"file": its name, "bytes": base64}.
 * Line ends are "\n". */
#ifndef SPAR_SERVICE_FORM_H
#define SPAR_SERVICE_FORM_H

#include "service/schema.h"

/* Appends the object. type: the header Content-Type, NULL for the first kind. SPAR_PARSE: badly encoded, or a name
 * twice that is no list. */
spar_status spar__form_json(const char *type, const char *text, size_t length, const spar__schema *schema,
                            spar__buf *out, spar_error *err);

#endif
