/* The largest of values that come in pieces, against one look at them all. */
#include "posterior/gp/gp.h"

#include "base/alloc.h"
#include "posterior/stat.h"
#include "tap.h"

#include <stdint.h>

enum { N = 700 };

typedef struct course {
    double value[N];
    size_t map[N]; /* reversed, with holes */
    bool open[N];
} course;

static void lay_out(course *c, spar_rng *rng, double levels, size_t closed)
{
    for (size_t i = 0; i < N; i++) {
        c->value[i] = floor(levels * sin(0.01 * (double)i + 6 * spar_rng_uniform(rng))) - 3;
        c->map[i] = i % 7 == 3 ? SIZE_MAX : N - 1 - i;
        c->open[N - 1 - i] = spar_rng_below(rng, 10) >= closed;
    }
}

static spar__gp_max run(const course *c, spar_rng *rng, const size_t *map, size_t piece)
{
    spar__gp_max max = {0};
    for (size_t start = 0; start < N; start += piece)
        spar__gp_max_add(&max, rng, N - start < piece ? N - start : piece, c->value + start, start, map, c->open);
    return max;
}

static bool right(const course *c, const size_t *map, const spar__gp_max *max)
{
    double most = -INFINITY;
    size_t ties = 0;
    bool among = false;
    for (size_t i = 0; i < N; i++) {
        size_t p = map ? map[i] : i;
        if (p == SIZE_MAX || !c->open[p])
            continue;
        if (c->value[i] > most) {
            most = c->value[i];
            ties = 0;
            among = false;
        }
        ties += c->value[i] == most;
        among |= c->value[i] == most && p == max->index;
    }
    return max->ties == ties && (!ties || (among && max->value == most));
}

int main(void)
{
    static course c;
    spar_rng rng;
    spar_rng_seed(&rng, 3, 1, 1);
    for (size_t closed = 0; closed <= 10; closed += 5)
        for (double levels = 2; levels < 1e7; levels *= 1000) {
            bool good = true;
            for (size_t t = 0; t < 200; t++) {
                lay_out(&c, &rng, levels, closed);
                for (size_t piece = t % 5 + 1; piece <= N; piece = 3 * piece + 50) {
                    spar__gp_max plain = run(&c, &rng, NULL, piece), mapped = run(&c, &rng, c.map, piece);
                    good &= right(&c, NULL, &plain) && right(&c, c.map, &mapped);
                }
            }
            ok(good, "%zu points in ten closed, about %g values", closed, levels);
        }
    double count[N] = {0}, even[N] = {0};
    size_t ties = 0;
    lay_out(&c, &rng, 3, 3);
    for (size_t t = 0; t < 40000; t++) {
        spar__gp_max max = run(&c, &rng, c.map, 100);
        ties = max.ties;
        count[max.index]++;
    }
    for (size_t i = 0; i < N; i++)
        if (c.map[i] != SIZE_MAX && c.open[c.map[i]] && count[c.map[i]] > 0)
            even[c.map[i]] = 40000.0 / (double)ties;
    double square = 0;
    for (size_t p = 0; p < N; p++)
        square += even[p] > 0 ? (count[p] - even[p]) * (count[p] - even[p]) / even[p] : 0;
    ok(ties > 10 && fabs(chi_sigma(square, (double)(ties - 1))) < 5, "each of %zu that tie is as likely (%.1f sigma)",
       ties, chi_sigma(square, (double)(ties - 1)));
    return done();
}
