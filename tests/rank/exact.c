#include "rank/comparison.h"

#include "base/alloc.h"
#include "rank/desk.h"

enum { DOCS = 64 };

static const char *const models[] = {"perfect", "navigational", "informational", "position",
                                     "position(law=geometric,gamma=0.7,stop=0.2:0.5:0.9)"};
enum { MODELS = sizeof models / sizeof *models };

typedef struct game {
    const spar__click *click;
    const uint8_t *grade;
    const uint16_t *list[2];
    size_t depth;
    uint16_t shown[DOCS];
    int team[DOCS];
    double win, loss, tie;
} game;

/* Every way in which the list on the desk can be clicked. */
static void click_all(game *g, size_t place, double p, int ahead)
{
    if (place == g->depth || p == 0) {
        *(ahead > 0 ? &g->win : ahead < 0 ? &g->loss : &g->tie) += p;
        return;
    }
    uint8_t grade = g->grade[g->shown[place]];
    double click = g->click->examine[place] * g->click->click[grade], stop = g->click->stop[grade];
    int after = ahead + (g->team[place] ? -1 : 1);
    click_all(g, place + 1, p * (1 - click), ahead);
    click_all(g, place + 1, p * click * (1 - stop), after);
    click_all(g, g->depth, p * click * stop, after);
}

static void add_best(game *g, size_t place, int team)
{
    for (size_t r = 0; r < g->depth; r++) {
        size_t s = 0;
        while (s < place && g->shown[s] != g->list[team][r])
            s++;
        if (s == place) {
            g->shown[place] = g->list[team][r];
            g->team[place] = team;
            return;
        }
    }
}

/* Every course of the draft: one coin a turn. */
static void draft_all(game *g, size_t place, double p)
{
    if (place >= g->depth) {
        click_all(g, 0, p, 0);
        return;
    }
    for (int first = 0; first < 2; first++) {
        add_best(g, place, first);
        if (place + 1 < g->depth)
            add_best(g, place + 1, 1 - first);
        draft_all(g, place + 2, p / 2);
    }
}

static spar__duel_odds exact_of(const spar__click *click, const uint8_t *grade, size_t depth, const uint16_t *a,
                              const uint16_t *b)
{
    spar__exact *x = NULL;
    if (spar__exact_new(click, depth, &x))
        return (spar__duel_odds){0};
    spar__exact_query(x, grade, depth);
    spar__exact_first(x, a);
    spar__duel_odds o = spar__exact_second(x, b);
    spar__exact_free(x);
    return o;
}

static void random_list(spar_rng *rng, size_t docs, size_t depth, uint16_t *list)
{
    size_t order[DOCS];
    for (size_t k = 0; k < docs; k++)
        order[k] = k;
    spar_rng_shuffle(rng, order, docs);
    for (size_t r = 0; r < depth; r++)
        list[r] = (uint16_t)order[r];
}

/* Sometimes a start in common, or a few neighbours swapped, as real rankers have. */
static void random_pair(spar_rng *rng, size_t docs, size_t depth, uint16_t *a, uint16_t *b)
{
    random_list(rng, docs, depth, a);
    random_list(rng, docs, depth, b);
    uint64_t kind = spar_rng_below(rng, 3);
    if (kind)
        memcpy(b, a, depth * sizeof *a);
    for (size_t n = 0; kind && n < 2 * kind; n++) {
        size_t r = (size_t)spar_rng_below(rng, depth - 1);
        uint16_t swap = b[r];
        b[r] = b[r + 1];
        b[r + 1] = swap;
    }
}

static void check_all_courses(const char *spec)
{
    spar__click *click;
    spar_rng rng = desk_rng(31);
    (void)spar__click_new(spec, 3, 8, &click, NULL);
    double worst = 0, mirror = 0;
    for (size_t n = 0; n < 300; n++) {
        size_t depth = 2 + n % 6, docs = depth + (size_t)spar_rng_below(&rng, 6);
        uint16_t a[8], b[8];
        uint8_t grade[DOCS];
        for (size_t d = 0; d < docs; d++)
            grade[d] = (uint8_t)spar_rng_below(&rng, 3);
        random_pair(&rng, docs, depth, a, b);
        game g = {.click = click, .grade = grade, .list = {a, b}, .depth = depth};
        draft_all(&g, 0, 1);
        spar__duel_odds o = exact_of(click, grade, depth, a, b), back = exact_of(click, grade, depth, b, a);
        worst = fmax(worst, fmax(fabs(o.win - g.win), fmax(fabs(o.loss - g.loss), fabs(o.tie - g.tie))));
        mirror = fmax(mirror, fmax(fabs(o.win - back.loss), fabs(o.tie - back.tie)));
    }
    ok(worst < 1e-13, "%s: all drafts and all clicks (%.1e)", spec, worst);
    ok(mirror < 1e-13, "%s: the same from the other side (%.1e)", spec, mirror);
    spar__click_free(click);
}

/* Ten places and more, against play. */
static void check_against_play(const char *spec, size_t depth, size_t docs)
{
    enum { DRAWS = 40000 };
    spar__click *click;
    spar__mixer mixer;
    spar__trials *trials;
    spar__trial_mean mean;
    spar_rng rng = desk_rng(32);
    (void)spar__click_new(spec, 3, depth, &click, NULL);
    (void)spar__mixer_new("team_draft", &mixer, NULL);
    (void)spar__trials_new(&mixer, click, NULL, &trials);
    uint16_t a[DOCS], b[DOCS];
    uint64_t first[DOCS], second[DOCS];
    uint8_t grade[DOCS];
    for (size_t d = 0; d < docs; d++)
        grade[d] = (uint8_t)spar_rng_below(&rng, 3);
    double worst = 0;
    for (size_t n = 0; n < 4; n++) {
        random_pair(&rng, docs, depth, a, b);
        for (size_t r = 0; r < depth; r++) {
            first[r] = a[r];
            second[r] = b[r];
        }
        (void)spar__trials_duel(trials, grade, depth, first, second, DRAWS, &rng, &mean);
        double p = spar__duel_odds_p(exact_of(click, grade, depth, a, b));
        worst = fmax(worst, fabs(mean.p - p) / (sqrt(mean.variance) + 1e-9));
    }
    ok(worst < 5, "%s, %zu of %zu documents: as played (%.2f sd)", spec, depth, docs, worst);
    spar__trials_free(trials);
    spar__click_free(click);
}

/* Two documents, grades 2 and 0, perfect clicks: whoever adds the good one wins; each of two equal lists does half the
 * time. With lists 0 1 and 1 0 the first list always adds the good one. */
static void check_by_hand(void)
{
    spar__click *click;
    (void)spar__click_new("perfect", 3, 10, &click, NULL);
    const uint8_t grade[] = {2, 0, 1};
    spar__duel_odds o = exact_of(click, grade, 2, (const uint16_t[]){0, 1}, (const uint16_t[]){1, 0});
    ok(o.win == 1 && o.loss == 0 && o.tie == 0, "the good document on top against the bad one");
    o = exact_of(click, grade, 2, (const uint16_t[]){0, 1}, (const uint16_t[]){0, 1});
    ok(o.win == 0.5 && o.loss == 0.5, "a list against itself");
    /* 0 by coin; then the other list adds its second: 2, clicked half the time, or 1, never clicked. */
    o = exact_of(click, grade, 2, (const uint16_t[]){0, 2}, (const uint16_t[]){0, 1});
    ok(o.win == 0.5 && o.loss == 0.25 && o.tie == 0.25, "a second document that is sometimes clicked");
    o = exact_of(click, grade, 1, (const uint16_t[]){0}, (const uint16_t[]){1});
    ok(o.tie == 1 && spar__duel_odds_p(o) == 0.5, "one place: nothing to compare");
    spar__click_free(click);
}

static void check_same_list(void)
{
    spar_rng rng = desk_rng(33);
    bool half = true;
    for (size_t m = 0; m < MODELS; m++) {
        spar__click *click;
        (void)spar__click_new(models[m], 3, 15, &click, NULL);
        for (size_t depth = 1; depth <= 15; depth++) {
            uint16_t a[15], b[15];
            uint8_t grade[20];
            for (size_t d = 0; d < 20; d++)
                grade[d] = (uint8_t)spar_rng_below(&rng, 3);
            random_list(&rng, 20, depth, a);
            memcpy(b, a, sizeof b);
            half = half && spar__duel_odds_p(exact_of(click, grade, depth, a, b)) == 0.5;
        }
        spar__click_free(click);
    }
    ok(half, "the same list: one half, to the last bit");
}

/* One object over many queries and lists keeps nothing of the last. */
static void check_reuse(void)
{
    spar__click *click;
    spar__exact *x;
    spar_rng rng = desk_rng(34);
    (void)spar__click_new("navigational", 3, 40, &click, NULL);
    (void)spar__exact_new(click, 40, &x);
    bool same = true, whole = true;
    for (size_t n = 0; n < 200; n++) {
        size_t depth = 1 + (size_t)spar_rng_below(&rng, 40);
        uint16_t a[40], b[40];
        uint8_t grade[DOCS];
        for (size_t d = 0; d < DOCS; d++)
            grade[d] = (uint8_t)spar_rng_below(&rng, 3);
        spar__exact_query(x, grade, depth);
        random_list(&rng, DOCS, depth, a);
        spar__exact_first(x, a);
        for (size_t k = 0; k < 3; k++) {
            random_list(&rng, DOCS, depth, b);
            spar__duel_odds o = spar__exact_second(x, b), again = exact_of(click, grade, depth, a, b);
            same = same && o.win == again.win && o.loss == again.loss && o.tie == again.tie;
            whole = whole && fabs(o.win + o.loss + o.tie - 1) < 1e-12;
        }
    }
    ok(same, "queries one after the other do not disturb each other");
    ok(whole, "win, loss and tie make 1");
    spar__exact_free(x);
    spar__click_free(click);
}

int main(void)
{
    check_by_hand();
    check_same_list();
    check_reuse();
    for (size_t m = 0; m < MODELS; m++) {
        check_all_courses(models[m]);
        check_against_play(models[m], 10, 14);
        check_against_play(models[m], 25, 30);
    }
    spar__exact *x;
    spar__click click = {0};
    for (size_t k = 1; k <= 7; k++) {
        spar__alloc_fail_at(k);
        ok(spar__exact_new(&click, 10, &x) == SPAR_NOMEM && !x, "allocation %zu fails cleanly", k);
    }
    spar__alloc_fail_at(0);
    spar__exact_free(NULL);
    return done();
}
