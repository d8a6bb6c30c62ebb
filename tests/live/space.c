/* Experiments over a space: settings on screens, answers, undo, verify, and what is believed. */
#include "live/space/space.h"
#include "live/world.h"
#include "session/axes.h"

static const char SPACE[] = "speed 0.1..2 m/s, gain 1..10 log, mode {a,b}";

static spar_experiment *make(const char *place, const char *space, bool against_last)
{
    spar_setup *setup = NULL;
    spar_experiment *experiment = NULL;
    must(spar_setup_new(&setup));
    must(spar_setup_set_space(setup, space, against_last, &err));
    spar_setup_set_seed(setup, 3);
    must(spar_experiment_create(place, setup, &experiment, &err));
    spar_setup_free(setup);
    return experiment;
}

/* Likes speeds about 1 and mode b. */
static double like(const spar_axes *axes, const size_t *value)
{
    double speed = spar_axes_number(axes, 0, value[0]);
    return 8 - 8 * (speed - 1) * (speed - 1) - (value[2] == 0 ? 2 : 0);
}

static size_t winner[3]; /* of the last answer */

static void answer(spar_experiment *experiment)
{
    const spar_axes *axes = spar_experiment_axes(experiment);
    spar_screen *screen = NULL;
    must(spar_experiment_ask(experiment, "ann", &screen, &err));
    size_t best = like(axes, spar_screen_setting(screen, 1)) > like(axes, spar_screen_setting(screen, 0));
    must(tell(experiment, spar_screen_number(screen), "ann", best));
    memcpy(winner, spar_screen_setting(screen, best), sizeof winner);
    spar_screen_free(screen);
}

static void test_screen(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar_experiment *experiment = make(place, SPACE, false);
    spar_screen *screen = NULL, *again = NULL;
    must(spar_experiment_ask(experiment, "ann", &screen, &err));
    ok(spar_experiment_slots(experiment) == 2 && spar_screen_slots(screen) == 2, "%s: two settings", cls->name);
    ok(strstr(spar_option_title(spar_screen_option(screen, 0)), " m/s, gain ") != NULL, "with units: %s",
       spar_option_title(spar_screen_option(screen, 0)));
    spar_experiment_close(experiment);
    experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    must(spar_experiment_screen(experiment, spar_screen_number(screen), &again, &err));
    same_text(spar_option_title(spar_screen_option(again, 1)), spar_option_title(spar_screen_option(screen, 1)),
              "the same after a restart");
    same_text(spar_axes_text(spar_experiment_axes(experiment)), SPACE, "and so is the space");
    ok(spar_screen_setting(screen, 2) == NULL && spar_screen_arm(screen, 0) == SPAR_NO_ARM, "there is no third place");
    spar_screen_free(screen);
    spar_screen_free(again);
    spar_experiment_close(experiment);
}

/* The best of another choice is at least as good as all settings on a grid that have one. */
static void check_other(const spar_axes *axes, const spar_belief *belief)
{
    enum { STEPS = 15, MODE = 2 };
    const size_t *best = spar_belief_best(belief);
    size_t found[3], at[3];
    double mean, top, highest = -INFINITY;
    ok(spar_axes_kind(axes, MODE) == SPAR_AXIS_CHOICE && spar_belief_other(belief, 0, found) == SPAR_INVALID &&
           spar_belief_other(belief, 3, found) == SPAR_INVALID,
       "only an axis of choices has another choice");
    must(spar_belief_other(belief, MODE, found));
    must(spar_belief_at(belief, found, &mean, NULL, NULL));
    for (size_t i = 0; i < STEPS * STEPS * spar_axes_values(axes, MODE); i++) {
        at[0] = i % STEPS * (spar_axes_values(axes, 0) - 1) / (STEPS - 1);
        at[1] = i / STEPS % STEPS * (spar_axes_values(axes, 1) - 1) / (STEPS - 1);
        at[MODE] = i / STEPS / STEPS;
        must(spar_belief_at(belief, at, &top, NULL, NULL));
        highest = at[MODE] != best[MODE] ? fmax(highest, top) : highest;
    }
    must(spar_belief_at(belief, best, &top, NULL, NULL));
    ok(found[MODE] != best[MODE] && mean >= highest && mean <= top,
       "the best with another choice: %.3f, on a grid %.3f", mean, highest);
}

static bool knows_the_winner(spar_experiment *experiment)
{
    spar_belief *belief = NULL;
    must(spar_experiment_belief(experiment, false, &belief, &err));
    bool same = memcmp(spar_belief_winner(belief), winner, sizeof winner) == 0;
    spar_belief_free(belief);
    return same;
}

static void test_believe(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar_experiment *experiment = make(place, SPACE, false);
    spar_belief *belief = NULL;
    spar_verification *found = NULL;
    must(spar_experiment_belief(experiment, false, &belief, &err));
    ok(spar_belief_answers(belief) == 0 && !spar_belief_winner(belief), "%s: nothing is known at first", cls->name);
    spar_belief_free(belief);
    size_t known = 0;
    for (size_t i = 0; i < 40; i++) {
        answer(experiment);
        known += i < 8 && knows_the_winner(experiment);
    }
    ok(known == 8, "the last winner is who won last");
    must(spar_experiment_undo(experiment, 7, "ann", SPAR_ANY_REVISION, NULL, &err));
    must(spar_experiment_belief(experiment, false, &belief, &err));
    const spar_axes *axes = spar_experiment_axes(experiment);
    const size_t *best = spar_belief_best(belief);
    double mean, low, high, chance;
    ok(spar_belief_answers(belief) == 39, "what was taken back does not count");
    ok(like(axes, best) > 7.2, "the recommended setting is liked: %.3g of 8", like(axes, best));
    must(spar_belief_at(belief, best, &mean, &low, &high));
    ok(low < mean && mean < high && low > 0, "it is better than the average: %.2f (%.2f to %.2f)", mean, low, high);
    must(spar_belief_chance(belief, best, best, &chance));
    near(chance, 0.5, 1e-12, "a setting against itself is a coin");
    must(spar_belief_chance(belief, best, (size_t[]){0, 0, 0}, &chance));
    ok(chance > 0.8, "it beats a bad one: %.3f", chance);
    check_other(axes, belief);
    must(spar_experiment_verify(place, NULL, NULL, NULL, &found, &err));
    ok(spar_verification_holds(found) && spar_verification_screens(found) == 40, "all screens are drawn again: %s",
       spar_verification_holds(found) ? "" : spar_verification_finding(found, 0));
    spar_verification_free(found);
    must(spar_experiment_replay(experiment, NULL, NULL, &err));
    spar_belief_free(belief);
    spar_experiment_close(experiment);
}

/* Five first duels an axis, fifteen at most. */
static void test_policy(const spar__store_class *cls)
{
    static const struct {
        const char *space, *says;
    } cases[] = {{"a 0..1", ",start=5)"},
                 {"a 0..1, b {x,y,z}", ",start=10)"},
                 {"a 0..1, b {x,y,z}, c {1,2}", ",start=15)"},
                 {"a 0..1, b 0..1, c 0..1, d 0..1, e 0..1", ",start=15)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spar_experiment *experiment = make(new_place(cls), cases[i].space, false);
        const char *policy = spar_experiment_policy(experiment);
        ok(strstr(policy, cases[i].says) != NULL, "'%s': %s", cases[i].space, policy);
        spar_experiment_close(experiment);
    }
}

/* Names that end like keys elsewhere. */
static void test_names(void)
{
    static const char *const slips[] = {"x: 1..2", "x= 1..2", "a 0..1, x: {a,b}", ": 1..2"};
    static const char *const names[] = {"a:b 1..2", ":x 1..2", "x' 1..2"};
    spar_setup *setup = NULL;
    spar_axes *axes = NULL;
    must(spar_setup_new(&setup));
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        ok(spar_setup_set_space(setup, slips[i], false, &err) == SPAR_PARSE && strstr(err.text, "ends with '"),
           "'%s' is refused: %s", slips[i], err.text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ok(!spar_setup_set_space(setup, names[i], false, &err), "'%s' is not", names[i]);
    ok(!spar_axes_new("x: 1..2", &axes, &err), "an experiment that has such a name is read");
    spar_axes_free(axes);
    spar_setup_free(setup);
}

/* Units that are log with one slip, and units that are not. */
static void test_units(void)
{
    static const char *const slips[] = {"lgo", "Log", "LOG", "lo", "logg", "loog", "lg", "dB Log", "lgo dB", "log2"};
    static const char *const units[] = {"l",    "lb",    "kg",  "lx",     "lm",     "g",     "m/s",
                                        "lo/s", "(lgo)", "log", "log lb", "logMAR", "log lo"};
    char text[64];
    spar_setup *setup = NULL;
    must(spar_setup_new(&setup));
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        (void)snprintf(text, sizeof text, "speed 0..1 m/s, gain 1..10 %s", slips[i]);
        ok(spar_setup_set_space(setup, text, false, &err) == SPAR_PARSE && strstr(err.text, "write log") &&
               strstr(err.text, "'gain'"),
           "'%s' is a slip: %s", slips[i], err.text);
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        (void)snprintf(text, sizeof text, "gain 1..10 %s", units[i]);
        ok(!spar_setup_set_space(setup, text, false, &err), "'%s' is none", units[i]);
    }
    ok(!spar_setup_set_space(setup, "level {1,2} lo", false, &err), "levels have no log");
    spar_axes *axes = NULL;
    ok(!spar_axes_new("gain 1..10 lgo", &axes, &err), "an experiment that has such a unit is read");
    spar_axes_free(axes);
    spar_setup_free(setup);
}

static void test_refused(const spar__store_class *cls)
{
    spar_experiment *experiment = make(new_place(cls), SPACE, true);
    spar_option *option = new_option("speed 1");
    spar_setup *setup = NULL;
    ok(spar_experiment_add(experiment, option, NULL, &err) == SPAR_UNSUPPORTED && strstr(err.text, "axes are fixed"),
       "nothing is added: %s", err.text);
    ok(spar_experiment_retire(experiment, "speed", &err) == SPAR_UNSUPPORTED, "or retired: %s", err.text);
    ok(spar_experiment_set_slots(experiment, 3, &err) == SPAR_UNSUPPORTED, "m stays 2: %s", err.text);
    must(spar_setup_new(&setup));
    ok(spar_setup_set_space(setup, "a 1..0", false, &err) == SPAR_PARSE, "a bad space: %s", err.text);
    must(spar_setup_set_space(setup, "a {x,y}", false, &err));
    ok(spar_setup_add_option(setup, option, &err) == SPAR_INVALID, "options and a space: %s", err.text);
    must(spar_setup_set_slots(setup, 3, &err));
    spar_experiment *none = NULL;
    ok(spar_experiment_create(new_place(cls), setup, &none, &err) == SPAR_INVALID && !none, "too few settings: %s",
       err.text);
    must(spar_setup_set_slots(setup, 2, &err));
    must(spar_setup_set_policy(setup, "rucb", &err));
    ok(spar_experiment_create(new_place(cls), setup, &none, &err) != SPAR_OK && !none, "a policy for lists: %s",
       err.text);
    spar_setup_free(setup);
    spar_option_free(option);
    spar_experiment_close(experiment);
}

/* Names that are long: the option is one all the same. */
static void test_long_names(void)
{
    spar__buf text = {0};
    spar_axes *axes = NULL;
    spar_option *option = NULL;
    size_t value[SPAR__AXES_MOST] = {0};
    for (int a = 0; a < 12; a++)
        spar__buf_printf(&text, "%sa\xc3\xa4rgerlich-lange-achse-%d 0..1 einheiten", a ? "," : "", a);
    must(spar_axes_new(text.text, &axes, &err));
    must(spar__space_option(axes, value, false, &option, &err));
    ok(strlen(spar_option_title(option)) <= 60 && strstr(spar_option_body(option), "achse-11 0 einheiten"),
       "a long setting stands in the body: %s", spar_option_title(option));
    spar_option_free(option);
    spar_axes_free(axes);
    spar__buf_free(&text);
}

int main(void)
{
    for (const spar__store_class *const *cls = spar__store_classes; *cls && strcmp((*cls)->name, "postgres") != 0;
         cls++) {
        test_screen(*cls);
        test_believe(*cls);
    }
    test_refused(spar__store_classes[0]);
    test_policy(spar__store_classes[0]);
    test_names();
    test_units();
    test_long_names();
    close_places();
    return done();
}
