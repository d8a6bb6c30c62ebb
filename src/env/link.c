/* How utilities become preferences:
 *
 *     linear  P(x beats y) = (1 + x - y) / 2
 *     logit   P(x beats y) = 1 / (1 + exp(y - x))
 *     natural P(x beats y) = x / (x + y)
 *
 * The stronger side is computed; the weaker is 1 minus it, which is exact above 1/2, so the two always add up to 1. */
#include "env/env.h"
#include "num/elementary.h"

static double stronger(spar__link link, double x, double y)
{
    switch (link) {
    case SPAR__LINK_LINEAR:
        return 0.5 + (x - y) / 2;
    case SPAR__LINK_LOGIT:
        return 1 / (1 + spar__exp(y - x));
    case SPAR__LINK_NATURAL:
        break;
    }
    return 1 / (1 + y / x); /* x + y may overflow */
}

double spar__link_prefer(spar__link link, double x, double y)
{
    if (x == y)
        return 0.5;
    return x > y ? stronger(link, x, y) : 1 - stronger(link, y, x);
}

const char *spar__link_refuses(spar__link link, const double *utility, size_t n)
{
    double low = utility[0], high = utility[0];
    for (size_t i = 1; i < n; i++) {
        low = utility[i] < low ? utility[i] : low;
        high = utility[i] > high ? utility[i] : high;
    }
    if (link == SPAR__LINK_LINEAR && high - low > 1)
        return "the linear link needs utilities at most 1 apart";
    if (link == SPAR__LINK_NATURAL && !(low > 0))
        return "the natural link needs utilities above 0";
    return NULL;
}
