/* Answers in words, out of JSON: every member, what is refused, and how it reaches a screen. */
#include "live/world.h"

#include "live/answer_request.h"
#include "live/screen.h"

static spar__json_tree tree;

/* What a request says; the tree keeps it until the next one. */
static spar_status reads(const char *text, spar__told *told)
{
    *told = (spar__told){0};
    must(spar__json_tree_parse(&tree, text, strlen(text), "test", 1, &err));
    return spar__told_read(&tree, told, &err);
}

static void refuses(const char *text, const char *sentence)
{
    spar__told told;
    ok(reads(text, &told) == SPAR_PARSE && strstr(err.text, sentence), "%s: %s", text, err.text);
}

static void test_read(void)
{
    spar__told told;
    ok(!reads("{\"winner\":\"A\",\"ranking\":\"A,B\",\"pairs\":\"A>B\",\"comment\":\"c\",\"key\":7,\"tie\":true,"
              "\"bad\":false,\"screen\":\"12345678901234567890\",\"taken\":4294967295,\"revision\":2,\"voter\":\"v\"}",
              &told),
       "all members");
    same_text(told.winner, "A", "winner");
    same_text(told.ranking, "A,B", "ranking");
    same_text(told.pairs, "A>B", "pairs");
    same_text(told.comment, "c", "comment");
    same_text(told.key, "7", "key, a number as it was written");
    ok(told.tie && !told.bad && !told.skip && !told.undo && !told.voter, "flags; the voter is not read");
    ok(told.screen == 12345678901234567890u && told.has_taken && told.taken == UINT32_MAX && told.has_revision &&
           told.revision == 2,
       "numbers");
    ok(!reads("{\"winner\":null,\"skip\":null,\"taken\":null}", &told) && !told.winner && !told.skip && !told.has_taken,
       "null is not there");
    ok(!reads("{\"skip\":true,\"comment\":\"c\"}", &told) && told.skip && told.comment, "skip, and a comment");
    ok(!reads("{\"skip\":\"why\"}", &told) && told.skip, "skip with a reason");
    same_text(told.comment, "why", "which is the comment");
    refuses("{\"skip\":\"why\",\"comment\":\"c\"}", "says why");
    refuses("{\"skip\":3}", "'skip'");
    refuses("{\"winner\":[1]}", "'winner'");
    refuses("{\"tie\":\"yes\"}", "'tie'");
    refuses("{\"taken\":4294967296}", "4294967295");
    refuses("{\"taken\":-1}", "'taken'");
    refuses("{\"screen\":0}", "from 1");
    refuses("{\"revision\":1.5}", "'revision'");
}

static void test_check(void)
{
    spar__told told;
    spar_remarks *remarks = NULL;
    must(reads("{\"comment\":\"c\"}", &told));
    ok(spar__told_check(&told, &err) == SPAR_INVALID && strstr(err.text, "no answer"), "%s", err.text);
    must(reads("{\"winner\":\"A\",\"bad\":true}", &told));
    ok(spar__told_check(&told, &err) == SPAR_INVALID && strstr(err.text, "more than one"), "%s", err.text);
    must(reads("{\"bad\":true,\"comment\":\"a\\u0007b\"}", &told));
    ok(!spar__told_check(&told, &err) && spar__told_remarks(&told, &remarks, &err) == SPAR_INVALID, "%s", err.text);
    spar_remarks_free(remarks);
}

/* The winner by place, SPAR_NO_SLOT if the words were refused. */
static size_t winner_of(spar_experiment *experiment, const spar_screen *screen, const char *words)
{
    spar__told told = {.winner = words};
    spar_answer *answer = NULL;
    must(spar_answer_new(&answer));
    spar_status status = spar__answer_to_screen(experiment, screen, &told, answer, &err);
    size_t winner = status ? SPAR_NO_SLOT : spar_answer_winner(answer);
    spar_answer_free(answer);
    return winner;
}

/* Where an option has the name of a place, the name means the option, shown or not. */
static void test_places(void)
{
    spar_setup *setup = NULL;
    spar_experiment *a = NULL;
    spar_screen *screen = NULL;
    must(spar_setup_new(&setup));
    static const char *const id[] = {"A", "x", "y", "C", "z"};
    for (size_t i = 0; i < 5; i++) {
        spar_option *option = new_option(id[i]);
        must(spar_setup_add_option(setup, option, &err));
        spar_option_free(option);
    }
    must(spar_setup_set_slots(setup, 3, &err));
    must(spar_experiment_create(new_place(spar__store_classes[0]), setup, &a, &err));
    bool good = true;
    for (int i = 0; i < 40; i++) {
        must(spar_experiment_ask(a, NULL, &screen, &err));
        size_t place[5] = {SPAR_NO_SLOT, SPAR_NO_SLOT, SPAR_NO_SLOT, SPAR_NO_SLOT, SPAR_NO_SLOT};
        for (size_t p = 0; p < 3; p++)
            place[spar_screen_arm(screen, p)] = p;
        good = good && winner_of(a, screen, "B") == 1 && winner_of(a, screen, "D") == SPAR_NO_SLOT;
        for (size_t k = 0; k < 5; k++)
            good = good && winner_of(a, screen, id[k]) == place[k];
        spar_screen_free(screen);
    }
    ok(good, "ids come before places");
    must(spar_experiment_ask(a, NULL, &screen, &err));
    ok(winner_of(a, screen, "q") == SPAR_NO_SLOT && strstr(err.text, "shows"), "%s", err.text);
    spar_screen_free(screen);
    spar_setup_free(setup);
    spar_experiment_close(a);
}

int main(void)
{
    test_read();
    test_check();
    test_places();
    spar__json_tree_free(&tree);
    close_places();
    return done();
}
