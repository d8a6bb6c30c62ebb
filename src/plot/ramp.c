#include "plot/ramp.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* A path through Oklab from lightness 0.25 to 0.94 while the hue turns from violet (298 degrees) over teal to yellow
 * (102 degrees), with as much chroma as sRGB allows; cut into 16 pieces of equal length. */
static const uint32_t anchor[] = {
    0x2c0256, 0x2b1667, 0x272a71, 0x203c7a, 0x174d81, 0x105e87, 0x106e8c, 0x1c7e90, 0x2c8e93,
    0x409d95, 0x55ac96, 0x6cbb95, 0x86c892, 0xa1d48c, 0xbfdf85, 0xdee87d, 0xfeef75,
};

static unsigned channel(uint32_t from, uint32_t to, int shift, double part)
{
    double a = (double)(from >> shift & 0xff), b = (double)(to >> shift & 0xff);
    return (unsigned)floor(a + (b - a) * part + 0.5);
}

void spar__ramp(double share, char color[SPAR__RAMP_SIZE])
{
    if (isnan(share)) {
        (void)snprintf(color, SPAR__RAMP_SIZE, "#e4e4e4");
        return;
    }
    const int pieces = (int)(sizeof anchor / sizeof *anchor) - 1;
    double place = fmin(fmax(share, 0), 1) * pieces;
    int i = (int)fmin(floor(place), pieces - 1);
    uint32_t from = anchor[i], to = anchor[i + 1];
    (void)snprintf(color, SPAR__RAMP_SIZE, "#%02x%02x%02x", channel(from, to, 16, place - i) & 0xff,
                   channel(from, to, 8, place - i) & 0xff, channel(from, to, 0, place - i) & 0xff);
}
