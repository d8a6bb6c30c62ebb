#include "plot/svg.h"

#include "tap.h"

#include <stdlib.h>

/* The lightness of a colour as the eye sees it: CIE L*, 0 to 100. */
static double lightness(double share)
{
    char color[SPAR__RAMP_SIZE];
    spar__ramp(share, color);
    long rgb = strtol(color + 1, NULL, 16);
    const double weight[] = {0.2126, 0.7152, 0.0722};
    double y = 0;
    for (int i = 0; i < 3; i++) {
        double c = (double)(rgb >> (16 - 8 * i) & 0xff) / 255;
        y += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return 116 * cbrt(y) - 16;
}

static void is(double share, const char *wanted)
{
    char color[SPAR__RAMP_SIZE];
    spar__ramp(share, color);
    same_text(color, wanted, "colour of %g", share);
}

int main(void)
{
    is(0, "#2c0256");
    is(1, "#feef75");
    is(-3, "#2c0256");
    is(HUGE_VAL, "#feef75");
    is(0.5, "#2c8e93");
    is(NAN, "#e4e4e4");
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < 64; i++) {
        double step = (lightness((i + 1) / 64.0) - lightness(i / 64.0)) * 64;
        least = fmin(least, step);
        most = fmax(most, step);
    }
    ok(least > 0, "always lighter: readable in grey");
    ok(lightness(1) - lightness(0) > 80, "from dark to light");
    bool even = true;
    for (int i = 0; i <= 16; i++) {
        double straight = lightness(0) + (lightness(1) - lightness(0)) * i / 16;
        even = even && fabs(lightness(i / 16.0) - straight) < 3;
    }
    ok(even, "in even steps (%.0f to %.0f)", least, most);
    return done();
}
