/* image_type.h - what kind of image some bytes are, by the bytes themselves. */
#ifndef SPAR_TEXT_IMAGE_TYPE_H
#define SPAR_TEXT_IMAGE_TYPE_H

#include <stddef.h>

/* "image/png", "image/jpeg", "image/gif", "image/webp" or "image/svg+xml"; NULL: none of these. */
const char *spar__image_type(const char *bytes, size_t length);

#endif
