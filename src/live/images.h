/* images.h - images of options, named by their content. */
#ifndef SPAR_LIVE_IMAGES_H
#define SPAR_LIVE_IMAGES_H

#include <spar/experiment.h>

/* SHA-256 of the image of an option as it is now; NULL if it has none. Computed once for each version. Borrowed. */
const unsigned char *spar__live_image_hash(spar_experiment *experiment, size_t arm);

#endif
