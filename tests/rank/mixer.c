#include "rank/mix.h"

#include "rank/desk.h"
#include "sampler/rng.h"

int main(void)
{
    spar_rng rng = desk_rng(1), other;
    desk d = desk_random(4, 12, 30, &rng);
    for (size_t i = 0; i < spar__n_mix_classes; i++) {
        const char *how = spar__mix_classes[i]->entry.name;
        spar__mixer mixer;
        spar__mixing mixing;
        spar_mix *one, *two;
        (void)spar_mix_new(&one);
        (void)spar_mix_new(&two);
        other = rng = desk_rng(3);
        ok(desk_start(&d, how, 10, &rng, &mixer, &mixing), "%s: starts", how);
        bool same = !spar__mixing_draw(&mixing, &rng, one) && !desk_mix(&d, how, 10, &other, two);
        same = same && memcmp(one->doc, two->doc, 10 * sizeof *one->doc) == 0 &&
               memcmp(one->credit, two->credit, 40 * sizeof *one->credit) == 0 &&
               memcmp(one->reach, two->reach, 4 * sizeof *one->reach) == 0;
        ok(same, "%s: the same luck gives the same mix", how);
        (void)spar_mix_copy(one, two);
        bool differs = false;
        for (size_t n = 0; n < 50; n++) {
            (void)spar__mixing_draw(&mixing, &rng, two);
            differs = differs || memcmp(one->doc, two->doc, 10 * sizeof *one->doc);
        }
        ok(differs, "%s: and further draws give others", how);
        spar_mix_free(one);
        spar_mix_free(two);
        spar__mixing_end(&mixing);
    }
    return done();
}
