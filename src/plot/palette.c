#include "plot/palette.h"

/* Found by a search that starts with those of Okabe and Ito and moves them as little as possible. */
static const char *const colors[SPAR__COLORS][2] = {
    {"#0171b2", "#46aaea"}, {"#be4f03", "#fe8732"}, {"#179f67", "#3acb90"}, {"#c978ad", "#f7b6ce"},
    {"#3797cf", "#8cd0ff"}, {"#bd8621", "#f9bf3f"}, {"#000000", "#f3f2f3"}, {"#892255", "#cc4880"},
    {"#6f7a8f", "#979bae"}, {"#45379b", "#8576f2"},
};

static const char *const dashes[SPAR__DASHES] = {"", "7 3", "2 2.5", "9 3 2 3"};

/* The dash of each colour where there are many. */
static const unsigned char own_dash[SPAR__COLORS] = {0, 1, 2, 3, 1, 3, 0, 2, 3, 3};

spar__style spar__palette(size_t i)
{
    const char *const *color = colors[i % SPAR__COLORS];
    return (spar__style){color[0], color[1], dashes[i / SPAR__COLORS % SPAR__DASHES]};
}

spar__style spar__palette_among(size_t i, size_t n)
{
    spar__style style = spar__palette(i);
    if (n >= SPAR__MANY_SERIES)
        style.dash = dashes[(own_dash[i % SPAR__COLORS] + i / SPAR__COLORS) % SPAR__DASHES];
    return style;
}
