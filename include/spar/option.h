/* option.h - an option of a live experiment: what people see and choose from.
 *
 *   id        short text, unique in the experiment: what answers and files name
 *   title     one line; the id where none was set
 *   body      Markdown, or
 *   image     the bytes of a picture and its media type (image/png, image/jpeg, image/gif, image/webp, image/svg+xml)
 *   features  numbers, for policies with dependent arms
 *
 * Limits: id and title 200 characters, body 64 KiB, image 8 MiB; valid UTF-8 without control characters (a body may
 * have line breaks and tabs).
 *
 * Threads: an option may be read by several threads at once; a thread that changes it must be alone. NULL: refused with
 * SPAR_INVALID, or NULL, 0 is returned, unless said otherwise; err may be NULL. */
#ifndef SPAR_OPTION_H
#define SPAR_OPTION_H

#include <spar/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_option spar_option;

/* An option with an id alone. */
SPAR_API spar_status spar_option_new(const char *id, spar_option **out, spar_error *err);
SPAR_API spar_status spar_option_dup(const spar_option *option, spar_option **out);
SPAR_API void spar_option_free(spar_option *option); /* NULL is fine */

/* Each is checked and copied; NULL takes it away. After a failure the option is as it was. */
SPAR_API spar_status spar_option_set_title(spar_option *option, const char *title, spar_error *err);
SPAR_API spar_status spar_option_set_body(spar_option *option, const char *body, spar_error *err);
SPAR_API spar_status spar_option_set_image(spar_option *option, const char *type, const unsigned char *bytes,
                                           size_t length, spar_error *err);
SPAR_API spar_status spar_option_set_features(spar_option *option, size_t n, const double *x, spar_error *err);

/* Borrowed until the option changes; NULL where it has none (title: the id). */
SPAR_API const char *spar_option_id(const spar_option *option);
SPAR_API const char *spar_option_title(const spar_option *option);
SPAR_API const char *spar_option_body(const spar_option *option);
SPAR_API const char *spar_option_image_type(const spar_option *option);
SPAR_API const unsigned char *spar_option_image(const spar_option *option, size_t *length);
SPAR_API const double *spar_option_features(const spar_option *option, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
