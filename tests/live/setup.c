/* New experiments: the defaults that suit people, and what is refused. */
#include "live/live.h"

#include "live/world.h"

extern const spar__store_class spar__store_memory;

static size_t slots_of(size_t n, size_t body, const char *policy)
{
    spar_setup *setup = new_setup(0, 1);
    spar_experiment *experiment = NULL;
    char text[2000] = "";
    memset(text, 'x', body);
    for (size_t i = 0; i < n; i++) {
        char id[24];
        (void)snprintf(id, sizeof id, "tea%zu", i);
        spar_option *option = new_option(id);
        must(spar_option_set_body(option, body ? text : NULL, &err));
        must(spar_setup_add_option(setup, option, &err));
        spar_option_free(option);
    }
    must(spar_setup_set_policy(setup, policy, &err));
    must(spar_experiment_create(new_place(&spar__store_memory), setup, &experiment, &err));
    size_t m = spar_experiment_slots(experiment);
    spar_experiment_close(experiment);
    spar_setup_free(setup);
    return m;
}

static void test_defaults(void)
{
    const char *place = new_place(&spar__store_memory);
    spar_setup *setup = NULL;
    spar_experiment *a = NULL, *b = NULL;
    must(spar_setup_new(&setup));
    must(spar_experiment_create(place, setup, &a, &err));
    must(spar_experiment_create(new_place(&spar__store_memory), setup, &b, &err));
    same_text(spar_experiment_policy(a), "focus(live=1)/self_sparring(distinct=1)/thompson/beta", "the policy");
    ok(spar_experiment_asks(a) == SPAR_ANSWER_WINNER && spar_experiment_results(a) == SPAR_RESULTS_MANAGERS &&
           spar_experiment_access(a) == SPAR_ACCESS_OPEN && !spar_experiment_question(a) &&
           spar_experiment_options(a) == 0 && !spar_experiment_is_closed(a),
       "winner, results for managers, open, no question, no options");
    ok(spar_experiment_seed(a) != spar_experiment_seed(b), "seeds are random");
    spar_screen *screen = NULL;
    ok(spar_experiment_ask(a, NULL, &screen, &err) == SPAR_UNSUPPORTED && !screen, "nothing to ask: %s", err.text);
    spar_experiment_close(b);
    ok(spar_experiment_create(place, setup, &b, &err) == SPAR_CONFLICT && !b, "made once: %s", err.text);
    spar_experiment_close(a);
    spar_setup_free(setup);
    ok(slots_of(2, 0, NULL) == 2 && slots_of(3, 0, NULL) == 3 && slots_of(4, 0, NULL) == 4 &&
           slots_of(9, 280, NULL) == 4,
       "m is 2 of two options, else at most 4");
    ok(slots_of(9, 281, NULL) == 2, "and 2 where texts are long");
    ok(slots_of(9, 0, "self_sparring(distinct=1)") == 4, "other policies");
}

static bool refuses(const char *policy)
{
    spar_setup *setup = new_setup(3, 1);
    spar_status status = spar_setup_set_policy(setup, policy, &err);
    spar_setup_free(setup);
    printf("# %s\n", err.text);
    return status != SPAR_OK;
}

static void test_refusals(void)
{
    ok(refuses("self_sparring/thompson/beta") && strstr(err.text, "focus") && strstr(err.text, "distinct=1"),
       "a policy that shows an option twice, with a list of those that do not");
    ok(refuses("mdb") && strstr(err.text, "how many"), "a policy that does not care for m");
    ok(refuses("nonsense") && refuses("thompson/beta") && refuses("random("), "other policies that cannot be");
    spar_setup *setup = new_setup(3, 1);
    ok(spar_setup_set_slots(setup, 1, &err) == SPAR_INVALID && spar_setup_set_slots(setup, 13, &err) == SPAR_INVALID,
       "m: %s", err.text);
    ok(spar_setup_set_answer(setup, SPAR_ANSWER_TIE, &err) == SPAR_INVALID, "kinds of answers: %s", err.text);
    ok(spar_setup_set_question(setup, "\x1b", &err) == SPAR_INVALID && spar_setup_set_question(setup, "", &err),
       "questions: %s", err.text);
    spar_option *option = new_option("tea1"), *other = new_option("new");
    ok(spar_setup_add_option(setup, option, &err) == SPAR_CONFLICT, "twice the same id: %s", err.text);
    must(spar_option_set_features(other, 1, (double[]){1}, &err));
    ok(spar_setup_add_option(setup, other, &err) == SPAR_INVALID, "features that the others lack: %s", err.text);
    ok(spar_setup_add_option(setup, NULL, &err) == SPAR_INVALID && spar_setup_add_option(NULL, option, &err) &&
           spar_setup_set_question(NULL, "a", &err) && spar_setup_set_policy(NULL, "a", &err) &&
           spar_setup_set_slots(NULL, 2, &err) && spar_setup_set_answer(NULL, SPAR_ANSWER_WINNER, &err) &&
           spar_setup_new(NULL),
       "NULL");
    spar_experiment *experiment = NULL;
    must(spar_setup_set_slots(setup, 5, &err));
    ok(spar_experiment_create(NULL, setup, &experiment, &err) == SPAR_INVALID &&
           spar_experiment_create("memory:x", NULL, &experiment, &err) == SPAR_INVALID &&
           spar_experiment_create("memory:x", setup, NULL, &err) == SPAR_INVALID &&
           spar_experiment_create("ftp://x", setup, &experiment, &err) == SPAR_UNKNOWN && !experiment,
       "no place: %s", err.text);
    ok(spar_experiment_open("memory:nowhere", SPAR_EXPERIMENT_WRITE, &experiment, &err) && !experiment &&
           spar_experiment_open(NULL, SPAR_EXPERIMENT_WRITE, &experiment, &err) == SPAR_INVALID &&
           spar_experiment_open("memory:x", (spar_experiment_mode)7, &experiment, &err) == SPAR_INVALID,
       "nothing to open: %s", err.text);
    spar_option_free(option);
    spar_option_free(other);
    spar_setup_free(setup);
}

/* Several experiments in one place. */
static void test_names(void)
{
    const char *place = new_place(&spar__store_memory);
    char first[160], second[160];
    (void)snprintf(first, sizeof first, "%s#one", place);
    (void)snprintf(second, sizeof second, "%s#two", place);
    spar_experiment *a = new_experiment(first, 3, 1), *b = new_experiment(second, 4, 2), *c = NULL;
    ok(spar_experiment_options(a) == 3 && spar_experiment_options(b) == 4, "two experiments in one store");
    ok(spar_experiment_open(place, SPAR_EXPERIMENT_READ, &c, &err) == SPAR_UNKNOWN && strstr(err.text, "two"),
       "which of them? %s", err.text);
    must(tell(b, ask(b, "ann"), "ann", 0));
    c = open_at(second, SPAR_EXPERIMENT_READ);
    ok(same_bytes(state_of(b), state_of(c)) && spar_experiment_sequence(a) == 5, "each has a log of its own");
    spar_experiment_close(a);
    spar_experiment_close(b);
    spar_experiment_close(c);
}

int main(void)
{
    test_defaults();
    test_refusals();
    test_names();
    close_places();
    return done();
}
