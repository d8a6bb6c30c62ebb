#include "plot/mark.h"

#include "plot/svg.h"

#include <math.h>

#define DARK " fill=\"#1a1a1a\" stroke=\"#fff\" stroke-width=\"0.7\""
#define HOLLOW " fill=\"#fff\" stroke=\"#1a1a1a\" stroke-width=\"0.9\""

static void half_disc(spar__buf *out, double x, double y, double radius, bool right, const char *attributes)
{
    spar__buf_adds(out, "<path d=\"M");
    spar__svg_pair(out, x, y - radius);
    spar__buf_adds(out, "A");
    spar__svg_pair(out, radius, radius);
    spar__buf_adds(out, right ? " 0 0 1 " : " 0 0 0 ");
    spar__svg_pair(out, x, y + radius);
    spar__buf_printf(out, "Z\"%s/>\n", attributes);
}

void spar__mark_draw(spar__buf *out, spar__mark mark, double x, double y, double radius)
{
    switch (mark) {
    case SPAR__MARK_LINE:
        break;
    case SPAR__MARK_WON:
        spar__svg_circle(out, x, y, radius, DARK);
        break;
    case SPAR__MARK_LOST:
        spar__svg_circle(out, x, y, radius, HOLLOW);
        break;
    case SPAR__MARK_WON_HALF:
        half_disc(out, x, y, radius, false, DARK);
        break;
    case SPAR__MARK_LOST_HALF:
        half_disc(out, x, y, radius, true, HOLLOW);
        break;
    case SPAR__MARK_FRAME: /* light within dark */
        spar__svg_rect(out, x - radius, y - radius, 2 * radius, 2 * radius,
                       " fill=\"none\" stroke=\"#1a1a1a\" stroke-width=\"3\"");
        spar__svg_rect(out, x - radius, y - radius, 2 * radius, 2 * radius,
                       " fill=\"none\" stroke=\"#fff\" stroke-width=\"1.4\"");
        break;
    }
}

double spar__mark_radius(double count, double most, double smallest, double largest)
{
    return count > 0 ? fmax(largest * sqrt(fmin(count / most, 1)), smallest) : 0;
}
