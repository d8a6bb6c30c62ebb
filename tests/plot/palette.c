#include "plot/palette.h"

#include "tap.h"

int main(void)
{
    int same = 0;
    size_t n = SPAR__COLORS * SPAR__DASHES;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            spar__style a = spar__palette(i), b = spar__palette(j);
            same += strcmp(a.color, b.color) == 0 && strcmp(a.dash, b.dash) == 0;
        }
    ok(same == 0, "%zu looks differ", n);
    int solid = 0;
    for (size_t i = 0; i < SPAR__COLORS; i++)
        solid += spar__palette(i).dash[0] == '\0';
    ok(solid == SPAR__COLORS, "the first %d are solid", SPAR__COLORS);
    same_text(spar__palette(n).color, spar__palette(0).color, "then they repeat");
    return done();
}
