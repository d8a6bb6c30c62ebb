#include "rank/desk.h"

#include "sampler/rng.h"

enum { DRAWS = 20000 };

/* Documents and teams as text: "1a3b" shows 1 of list 0 and 3 of list 1. */
static void read_off(const spar_mix *mix, char *text)
{
    for (size_t r = 0; r < mix->shown; r++) {
        *text++ = (char)('0' + mix->doc[r]);
        for (size_t j = 0; j < mix->m; j++)
            if (mix->credit[r * mix->m + j] == 1)
                *text++ = (char)('a' + j);
    }
    *text = '\0';
}

/* The courses the draft can take, all equally likely. */
static void check_courses(const char *what, desk d, size_t top, size_t n, const char *const *course)
{
    spar_rng rng = desk_rng(7);
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    size_t count[8] = {0}, unknown = 0;
    for (size_t k = 0; k < DRAWS; k++) {
        char text[64];
        size_t i = 0;
        (void)desk_mix(&d, "team_draft", top, &rng, mix);
        read_off(mix, text);
        while (i < n && strcmp(course[i], text))
            i++;
        if (i < n)
            count[i]++;
        else
            unknown++;
    }
    ok(!unknown, "%s: no other course (%zu)", what, unknown);
    for (size_t i = 0; i < n; i++)
        near((double)count[i], (double)DRAWS / (double)n, 5 * sqrt((double)DRAWS / (double)n), "%s: %s", what,
             course[i]);
    spar_mix_free(mix);
}

/* Wins and losses of two lists with a user who clicks whatever is there, less further down, and may leave. */
static void check_blind_clicks(void)
{
    spar_rng rng = desk_rng(11);
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    for (size_t top = 2; top <= 9; top++) {
        double count[4] = {0};
        desk d = desk_random(2, 9, 12, &rng);
        for (size_t n = 0; n < DRAWS; n++) {
            bool clicked[9] = {0};
            (void)desk_mix(&d, "team_draft", top, &rng, mix);
            for (size_t r = 0; r < top; r++) {
                clicked[r] = spar_rng_uniform(&rng) < 0.6 / (double)(r + 1);
                if (clicked[r] && spar_rng_uniform(&rng) < 0.3)
                    break;
            }
            count[spar__mix_compare(mix, clicked, 0, 1)]++;
        }
        double decided = count[SPAR_WIN] + count[SPAR_LOSS];
        near(count[SPAR_WIN], decided / 2, 2.5 * sqrt(decided), "top %zu: blind clicks favour no list", top);
    }
    spar_mix_free(mix);
}

static void check_parts(void)
{
    spar_rng rng = desk_rng(13);
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    desk d = desk_random(6, 5, 40, &rng);
    double parts[6] = {0};
    bool good = true;
    for (size_t n = 0; n < DRAWS; n++) {
        size_t total = 0;
        (void)desk_mix(&d, "team_draft", 4, &rng, mix);
        for (size_t j = 0; j < 6; j++) {
            size_t added = 0;
            for (size_t r = 0; r < 4; r++)
                added += mix->credit[r * 6 + j] == 1;
            good = good && added <= 1 && mix->reach[j] == (added ? 4u : 0u);
            total += added;
            parts[j] += (double)added;
        }
        good = good && total == 4;
    }
    ok(good, "six lists, four places: four have a part");
    for (size_t j = 0; j < 6; j++)
        near(parts[j], DRAWS * 4 / 6., 5 * sqrt(DRAWS * 2 / 9.), "list %zu as often as the others", j);
    spar_mix_free(mix);
}

/* The single document of list 0 goes first or second; then list 1 is alone. */
static void check_used_up(void)
{
    spar_rng rng = desk_rng(17);
    spar_mix *mix;
    (void)spar_mix_new(&mix);
    desk d = desk_of(2, (const char *[]){"1", "23456"});
    bool good = true;
    for (size_t n = 0; n < 100; n++) {
        (void)desk_mix(&d, "team_draft", 5, &rng, mix);
        size_t place = mix->doc[0] == 1 ? 0 : 1;
        good = good && mix->doc[place] == 1 && mix->shown == 5 && mix->reach[0] == place + 1 && mix->reach[1] == 5;
        bool clicked[5] = {0};
        clicked[4] = true;
        good = good && spar__mix_compare(mix, clicked, 0, 1) == SPAR_TIE;
    }
    ok(good, "what comes after a list is used up does not count against it");
    spar_mix_free(mix);
}

int main(void)
{
    check_courses("one shared document", desk_of(2, (const char *[]){"12", "13"}), 2, 2,
                  (const char *[]){"1a3b", "1b2a"});
    check_courses("two turns", desk_of(2, (const char *[]){"123", "214"}), 4, 4,
                  (const char *[]){"1a2b3a4b", "1a2b4b3a", "2b1a3a4b", "2b1a4b3a"});
    check_courses("an odd place", desk_of(2, (const char *[]){"123", "123"}), 3, 4,
                  (const char *[]){"1a2b3a", "1a2b3b", "1b2a3a", "1b2a3b"});
    check_courses("three lists", desk_of(3, (const char *[]){"1", "2", "3"}), 3, 6,
                  (const char *[]){"1a2b3c", "1a3c2b", "2b1a3c", "2b3c1a", "3c1a2b", "3c2b1a"});
    check_courses("a list used up by another", desk_of(2, (const char *[]){"1", "12"}), 2, 2,
                  (const char *[]){"1a2b", "1b2b"});
    check_blind_clicks();
    check_parts();
    check_used_up();
    spar_rng rng = desk_rng(19);
    for (size_t m = 2; m <= 8; m++) {
        desk d = desk_random(m, 10, m % 2 ? 10 : 30, &rng);
        ok(desk_bias(&d, "team_draft", 10, 20000, m) < 5, "%zu lists: the same credit at every place", m);
    }
    return done();
}
