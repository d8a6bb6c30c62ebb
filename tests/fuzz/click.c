/* Any text as a click model: refused with a sentence, or all its numbers are probabilities, and clicks can be drawn.
 * The first byte is the number of grades. */
#include "rank/comparison.h"

#include "fuzz.h"

enum { TOP = 12 };

static bool is_chance(double p)
{
    return p >= 0 && p <= 1;
}

void fuzz_click(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    unsigned grades = fuzz_byte(&in) % (SPAR__GRADES + 2);
    char *spec = fuzz_text(in.at, in.left);
    spar__click *click = NULL;
    spar_error err = {0};
    spar_rng rng;
    uint8_t grade[TOP];
    bool clicked[TOP];
    spar_rng_seed(&rng, 1, 1, 1);
    spar_status status = spar__click_new(spec, grades, TOP, &click, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (click != NULL));
    for (size_t g = 0; click && g < grades; g++)
        require(is_chance(click->click[g]) && is_chance(click->stop[g]));
    for (size_t r = 0; click && r < TOP; r++) {
        require(is_chance(click->examine[r]));
        grade[r] = (uint8_t)(r % grades);
    }
    if (click)
        spar__click_draw(click, TOP, grade, &rng, clicked);
    spar__click_free(click);
    free(spec);
}
