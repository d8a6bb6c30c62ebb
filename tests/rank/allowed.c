#include "rank/optimised.h"

#include "base/alloc.h"
#include "rank/desk.h"
#include "sampler/rng.h"

/* The definition: each start of the list is a union of starts of the lists mixed. */
static bool is_allowed(const spar__lists *lists, size_t shown, const size_t *doc)
{
    for (size_t place = 0; place < shown; place++) {
        bool found = false;
        for (size_t j = 0; j < lists->m && !found; j++) {
            size_t r = 0;
            while (r < lists->length[j]) {
                size_t s = 0;
                while (s < place && doc[s] != lists->doc[j][r])
                    s++;
                if (s == place)
                    break;
                r++;
            }
            found = r < lists->length[j] && lists->doc[j][r] == doc[place];
        }
        if (!found)
            return false;
    }
    return true;
}

static bool distinct(const spar__allowed *allowed, size_t shown)
{
    for (size_t l = 0; l < allowed->n; l++)
        for (size_t k = 0; k < l; k++)
            if (memcmp(allowed->doc + l * shown, allowed->doc + k * shown, shown * sizeof *allowed->doc) == 0)
                return false;
    return true;
}

/* How many of all orders of the documents are allowed. */
static size_t count_allowed(const spar__lists *lists, size_t shown, size_t *doc, size_t place)
{
    if (place == shown)
        return is_allowed(lists, shown, doc);
    size_t n = 0;
    for (size_t d = 0; d < lists->docs; d++) {
        size_t s = 0;
        while (s < place && doc[s] != d)
            s++;
        doc[place] = d;
        if (s == place)
            n += count_allowed(lists, shown, doc, place + 1);
    }
    return n;
}

static void check(desk d, size_t top, size_t limit, size_t wanted)
{
    spar__mixer mixer;
    spar__mixing mixing;
    spar__allowed allowed;
    spar_rng rng = desk_rng(4);
    size_t doc[DESK_DOCS];
    if (!desk_start(&d, "team_draft", top, &rng, &mixer, &mixing))
        return;
    bool good = !spar__allowed_make(&mixing, limit, &rng, &allowed);
    for (size_t l = 0; l < allowed.n; l++)
        good = good && is_allowed(&mixing.lists, mixing.shown, allowed.doc + l * mixing.shown);
    ok(good && distinct(&allowed, mixing.shown), "%zu lists, top %zu: allowed, and no two the same", d.m, top);
    if (wanted)
        ok(allowed.n == wanted, "%zu of them", allowed.n);
    else if (allowed.n < limit)
        ok(allowed.n == count_allowed(&mixing.lists, mixing.shown, doc, 0), "all %zu of them", allowed.n);
    else
        ok(allowed.n == limit, "a sample of %zu", limit);
    spar__allowed_free(&allowed);
    spar__mixing_end(&mixing);
}

/* 32 lists, and 31 draws: some come twice. */
static void check_scarce(void)
{
    spar__mixer mixer;
    spar__mixing mixing;
    spar__allowed allowed;
    spar_rng rng = desk_rng(5);
    desk d = desk_of(2, (const char *[]){"12345", "67890"});
    (void)desk_start(&d, "team_draft", 5, &rng, &mixer, &mixing);
    (void)spar__allowed_make(&mixing, 31, &rng, &allowed);
    ok(allowed.n > 10 && allowed.n < 31 && distinct(&allowed, 5), "what is drawn twice is kept once (%zu)", allowed.n);
    spar__allowed_free(&allowed);
    spar__mixing_end(&mixing);
}

int main(void)
{
    spar_rng rng = desk_rng(1);
    check(desk_of(2, (const char *[]){"12", "21"}), 2, 100, 2);
    check(desk_of(2, (const char *[]){"1234", "1234"}), 3, 100, 1);
    check(desk_of(2, (const char *[]){"12345", "67890"}), 5, 32, 32);
    check(desk_of(3, (const char *[]){"", "1", "23"}), 3, 100, 3);
    for (size_t m = 2; m <= 4; m++)
        for (size_t n = 0; n < 5; n++) {
            check(desk_random(m, 5, 5, &rng), 5, 4000, 0);
            check(desk_random(m, 3, 6, &rng), 4, 4000, 0);
        }
    check(desk_random(2, 20, 40, &rng), 20, 500, 0);
    check_scarce();
    spar__mixer mixer;
    spar__mixing mixing;
    spar__allowed allowed;
    desk d = desk_random(2, 5, 5, &rng);
    (void)desk_start(&d, "team_draft", 5, &rng, &mixer, &mixing);
    for (size_t k = 1; k <= 2; k++) {
        spar__alloc_fail_at(k);
        ok(spar__allowed_make(&mixing, 9, &rng, &allowed) == SPAR_NOMEM && !allowed.doc, "allocation %zu fails", k);
    }
    spar__alloc_fail_at(0);
    spar__mixing_end(&mixing);
    return done();
}
