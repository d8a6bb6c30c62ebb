/* Any text: refused with a sentence, or axes whose values can be read and lead back to themselves. */
#include "fuzz.h"

#include "session/axes.h"

static void check(const spar_axes *axes, const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    size_t value[SPAR__AXES_MOST], again[SPAR__AXES_MOST], n = spar_axes_count(axes), dim = spar_axes_dim(axes);
    double *x = malloc(dim * sizeof *x);
    char text[SPAR__AXES_VALUE];
    require(x && n > 0 && n <= SPAR__AXES_MOST && dim >= n);
    for (size_t a = 0; a < n; a++) {
        require(spar_axes_values(axes, a) >= 2);
        value[a] = (size_t)(fuzz_word(&in) % spar_axes_values(axes, a));
        size_t length = spar_axes_write(axes, a, value[a], text, sizeof text);
        require(length > 0 && length < sizeof text && strlen(text) == length);
    }
    spar_axes_point(axes, value, x);
    spar_axes_nearest(axes, x, again);
    require(memcmp(value, again, n * sizeof *value) == 0);
    free(x);
}

void fuzz_axes(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    spar_axes *axes = NULL, *same = NULL;
    spar_error err = {0};
    spar_status status = spar_axes_new(text, &axes, &err);
    require(status ? !axes && *err.text : axes != NULL);
    if (axes) {
        check(axes, data, size);
        require(!spar_axes_new(spar_axes_text(axes), &same, &err) && spar_axes_dim(same) == spar_axes_dim(axes));
    }
    spar_axes_free(axes);
    spar_axes_free(same);
    free(text);
}
