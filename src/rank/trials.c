#include "rank/trials.h"

#include "base/alloc.h"

struct spar__trials {
    const spar__mixer *mixer;
    const spar__click *click;
    bool (*stop)(void);
    spar_mix *mix;
    uint8_t *grade; /* of the places; as many as the click model has */
    bool *clicked;
};

spar_status spar__trials_new(const spar__mixer *mixer, const spar__click *click, bool (*stop)(void), spar__trials **out)
{
    *out = NULL;
    spar__trials *s = spar__alloc(1, sizeof *s);
    if (!s)
        return SPAR_NOMEM;
    s->mixer = mixer;
    s->click = click;
    s->stop = stop;
    s->grade = spar__alloc(click->top, sizeof *s->grade);
    s->clicked = spar__alloc(click->top, sizeof *s->clicked);
    if (!s->grade || !s->clicked || spar_mix_new(&s->mix)) {
        spar__trials_free(s);
        return SPAR_NOMEM;
    }
    *out = s;
    return SPAR_OK;
}

void spar__trials_free(spar__trials *s)
{
    if (!s)
        return;
    spar_mix_free(s->mix);
    spar__free(s->grade);
    spar__free(s->clicked);
    spar__free(s);
}

/* Twice what the first list gets: 0, 1 or 2. */
static unsigned duel(spar__trials *s, const uint8_t *grade, spar_rng *rng)
{
    for (size_t place = 0; place < s->mix->shown; place++)
        s->grade[place] = grade[s->mix->doc[place]];
    spar__click_draw(s->click, s->mix->shown, s->grade, rng, s->clicked);
    spar_outcome answer = spar__mix_compare(s->mix, s->clicked, 0, 1);
    return answer == SPAR_WIN ? 2 : answer != SPAR_LOSS;
}

spar_status spar__trials_duel(spar__trials *s, const uint8_t *grade, size_t depth, const uint64_t *first,
                              const uint64_t *second, size_t draws, spar_rng *rng, spar__trial_mean *out)
{
    *out = (spar__trial_mean){.p = 0.5};
    if (!depth || !draws)
        return SPAR_OK;
    spar__mixing mixing;
    spar_status status = spar__mixing_start(s->mixer, 2, (const uint64_t *const[]){first, second},
                                            (const size_t[]){depth, depth}, depth, rng, &mixing, NULL);
    if (status)
        return status;
    uint64_t sum = 0, squares = 0;
    for (size_t n = 0; n < draws && !status; n++) {
        bool stopped = n % 16 == 0 && s->stop && s->stop();
        status = stopped ? SPAR_INTERRUPTED : spar__mixing_draw(&mixing, rng, s->mix);
        unsigned points = status ? 0 : duel(s, grade, rng);
        sum += points;
        squares += (uint64_t)points * points;
    }
    spar__mixing_end(&mixing);
    if (status)
        return status;
    double n = (double)draws, mean = (double)sum / n;
    out->p = mean / 2;
    if (draws > 1)
        out->variance = ((double)squares - (double)sum * mean) / (4 * n * (n - 1));
    return SPAR_OK;
}
