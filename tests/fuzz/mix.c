/* Any way to mix any lists: refused with a sentence, or a list of at most `top` different documents of the lists, whose
 * clicks become feedback, and which saves and loads. The input: m, top, a length for each list, the documents, the way.
 */
#include "rank/mix.h"
#include "base/archive.h"
#include "fuzz.h"
#include "sampler/rng.h"

#include <math.h>

enum { LISTS = 5, DOCS = 12, TOP = 14 };

typedef struct mix_lists {
    size_t m, top, length[LISTS];
    uint64_t doc[LISTS][DOCS];
    const uint64_t *list[LISTS];
} mix_lists;

static mix_lists read_lists(fuzz_input *in)
{
    mix_lists l = {.m = fuzz_below(in, LISTS + 1), .top = fuzz_below(in, TOP)};
    for (size_t j = 0; j < l.m; j++) {
        l.length[j] = fuzz_below(in, DOCS + 1);
        for (size_t i = 0; i < l.length[j]; i++)
            l.doc[j][i] = fuzz_byte(in) % 16;
    }
    return l;
}

static void check_docs(const spar_mix *mix, const mix_lists *l)
{
    require(spar_mix_slots(mix) == l->m && spar_mix_shown(mix) <= l->top && spar_mix_docs(mix) == mix->doc);
    for (size_t p = 0; p < mix->shown; p++) {
        bool found = false;
        for (size_t j = 0; j < l->m; j++)
            for (size_t i = 0; i < l->length[j]; i++)
                found |= l->doc[j][i] == mix->doc[p];
        for (size_t q = 0; q < p; q++)
            require(mix->doc[p] != mix->doc[q]);
        require(found);
    }
    for (size_t i = 0; i < mix->shown * mix->m; i++)
        require(isfinite(mix->credit[i]));
}

static void check_saving(const spar_mix *mix)
{
    unsigned char *bytes = NULL, *again = NULL;
    size_t length, n = 0;
    spar_mix *copy = NULL, *twin = NULL;
    require(!spar_mix_save(mix, &bytes, &length) && !spar_mix_load(bytes, length, &copy, NULL));
    require(!spar_mix_dup(copy, &twin) && !spar_mix_save(twin, &again, &n));
    require(n == length && memcmp(bytes, again, n) == 0);
    spar_mix_free(twin);
    spar_bytes_free(bytes);
    spar_bytes_free(again);
    spar_mix_free(copy);
}

static void check_clicks(const spar_mix *mix, size_t first)
{
    static spar_feedback *feedback;
    bool clicked[TOP];
    if (!feedback)
        require(!spar_feedback_new(LISTS, &feedback));
    for (size_t p = 0; p < mix->shown; p++)
        clicked[p] = (p + first) % 3 == 0;
    require(!spar_mix_feedback(mix, clicked, first % 2, feedback));
}

void fuzz_mix(const uint8_t *data, size_t size)
{
    static spar_mix *mix; /* used again */
    fuzz_input in = {data, size};
    mix_lists l = read_lists(&in);
    for (size_t j = 0; j < l.m; j++)
        l.list[j] = l.doc[j];
    spar_rng rng;
    spar_error err = {0};
    spar_rng_seed(&rng, 1, 1, fuzz_byte(&in));
    if (!mix)
        require(!spar_mix_new(&mix));
    char *how = fuzz_text(in.at, in.left);
    spar_status status = spar_mix_lists(how, l.m, l.list, l.length, l.top, &rng, mix, &err);
    fuzz_refused(status, &err, NULL);
    if (status) {
        require(spar_mix_shown(mix) == 0);
    } else {
        check_docs(mix, &l);
        check_clicks(mix, l.top);
        check_saving(mix);
    }
    free(how);
}
