#include "plot/palette.h"

/* Those of Okabe and Ito without yellow, which is invisible on white, and three darker ones of different lightness. */
static const char *const colors[SPAR__COLORS] = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#882255", "#7F7F7F", "#44379B",
};

static const char *const dashes[SPAR__DASHES] = {"", "7 3", "2 2.5", "9 3 2 3"};

spar__style spar__palette(size_t i)
{
    return (spar__style){colors[i % SPAR__COLORS], dashes[i / SPAR__COLORS % SPAR__DASHES]};
}
