/* Items: who sees which, that it can be computed again from the log, what is added and refused, and what goes away. */
#include "live/tamper.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "live/answer_summary.h"
#include "live/items/items.h"
#include "store/digest.h"

static size_t fail_at; /* which allocation fails, */
static bool reached;   /* and whether it was there */

enum { OPTIONS = 6, ITEMS = 200, VOTERS = 5 };

static const char *const groups[] = {"math", "code", "chat"};

/* Item i has no output of one option if i is a multiple of 7. */
static bool has_output(size_t i, size_t option)
{
    return i % 7 != 0 || option != i / 7 % OPTIONS;
}

static spar_item *new_item(size_t i, size_t options)
{
    spar_item *item = NULL;
    char id[32], text[64];
    (void)snprintf(id, sizeof id, "q%zu", i);
    must(spar_item_new(id, &item, &err));
    (void)snprintf(text, sizeof text, "What is %zu?", i);
    must(spar_item_set_prompt(item, text, &err));
    must(spar_item_set_group(item, groups[i % 3], &err));
    for (size_t k = 0; k < options; k++) {
        (void)snprintf(id, sizeof id, "tea%zu", k);
        (void)snprintf(text, sizeof text, "tea%zu says %zu", k, i);
        if (has_output(i, k))
            must(spar_item_set_output(item, id, text, &err));
    }
    return item;
}

static spar_experiment *new_with_items(const char *place, size_t items, uint64_t seed)
{
    spar_setup *setup = new_setup(OPTIONS, seed);
    spar_experiment *experiment = NULL;
    for (size_t i = 0; i < items; i++) {
        spar_item *item = new_item(i, OPTIONS);
        must(spar_setup_add_item(setup, item, &err));
        spar_item_free(item);
    }
    must(spar_experiment_create(place, setup, &experiment, &err));
    spar_setup_free(setup);
    return experiment;
}

/* Does the screen show the outputs of its item, and nothing else? */
static bool is_sound(const spar_screen *screen)
{
    uint32_t item = spar_screen_item(screen);
    char text[64];
    (void)snprintf(text, sizeof text, "What is %u?", item);
    bool sound = item < ITEMS && strcmp(spar_screen_prompt(screen), text) == 0 &&
                 strcmp(spar_screen_group(screen), groups[item % 3]) == 0;
    for (size_t place = 0; place < spar_screen_slots(screen); place++) {
        size_t arm = spar_screen_arm(screen, place);
        (void)snprintf(text, sizeof text, "tea%zu says %u", arm, item);
        sound = sound && has_output(item, arm) && strcmp(spar_screen_body(screen, place), text) == 0;
    }
    return sound;
}

static void test_voters(void)
{
    static const char *const voters[VOTERS] = {"ann", "bob", "cid", "dan", "eve"};
    static uint32_t order[VOTERS][ITEMS + 1];
    static bool seen[VOTERS][ITEMS];
    const char *place = new_place(&spar__store_memory);
    spar__snapshot_every = 100;
    spar_experiment *experiment = new_with_items(place, ITEMS, 7);
    size_t twice = 0, unsound = 0, shown[VOTERS] = {0}, again = 0;
    for (size_t round = 0; round <= ITEMS; round++)
        for (size_t v = 0; v < VOTERS; v++) {
            spar_screen *screen = NULL;
            spar_status status = spar_experiment_ask(experiment, voters[v], &screen, &err);
            if (status == SPAR_ALL_SEEN)
                continue;
            must(status);
            uint32_t item = spar_screen_item(screen);
            unsound += !is_sound(screen);
            twice += seen[v][item];
            seen[v][item] = true;
            order[v][shown[v]++] = item;
            if (round % 3) /* others stay open: they are seen as well */
                must(tell(experiment, spar_screen_number(screen), voters[v],
                          spar_screen_arm(screen, 0) > spar_screen_arm(screen, 1)));
            if (round % 9 == 1)
                must(spar_experiment_undo(experiment, spar_screen_number(screen), voters[v], SPAR_ANY_REVISION, NULL,
                                          &err));
            spar_screen_free(screen);
        }
    ok(twice == 0 && unsound == 0, "no voter sees an item twice, and each screen shows the outputs of its item");
    size_t least = ITEMS;
    for (size_t v = 0; v < VOTERS; v++)
        least = shown[v] < least ? shown[v] : least;
    size_t lacking = 0;
    for (size_t i = 0; i < ITEMS; i += 7)
        for (size_t v = 0; v < VOTERS; v++)
            lacking += seen[v][i];
    ok(least >= ITEMS - 15, "every voter sees all items but those without an output of the leader: at least %zu",
       least);
    ok(lacking > VOTERS * (ITEMS / 7 + 1) * 4 / 5, "an item without an output of one option is shown with others");
    for (size_t i = 0; i < shown[0] && i < shown[1]; i++)
        again += order[0][i] == order[1][i];
    ok(again < 10, "in an order of their own: %zu in the same place", again);
    spar_screen *screen = NULL;
    ok(spar_experiment_ask(experiment, "ann", &screen, &err) == SPAR_ALL_SEEN && !screen &&
           strstr(err.text, "all seen"),
       "then: %s", err.text);
    ok(nothing_lost(experiment) && verifies(place, NULL), "replay and verify agree");
    spar_experiment_close(experiment);
}

static void test_nobody(void)
{
    const char *place = new_place(&spar__store_memory);
    spar_experiment *experiment = new_with_items(place, 4, 3);
    size_t times[4] = {0};
    for (size_t i = 0; i < 40; i++) {
        spar_screen *screen = NULL;
        must(spar_experiment_ask(experiment, i % 2 ? NULL : "", &screen, &err));
        times[spar_screen_item(screen)]++;
        spar_screen_free(screen);
    }
    ok(times[0] && times[1] && times[2] && times[3], "who is not known sees items again: %zu %zu %zu %zu", times[0],
       times[1], times[2], times[3]);
    ok(verifies(place, NULL), "which verifies");
    spar_experiment_close(experiment);
}

/* --- a log that was changed by somebody who knows how --- */

static void chain_again(void)
{
    tampered_log *log = log_of();
    unsigned char hash[SPAR_HASH_SIZE] = {0};
    for (size_t i = 0; i < log->n; i++) {
        spar__chain_next(hash, log->event[i].bytes, log->event[i].length, hash);
        memcpy(log->event[i].hash, hash, sizeof hash);
    }
}

static bool finds(const char *place, const char *word)
{
    spar_verification *verification = NULL;
    bool said = false;
    save_log();
    must(spar_experiment_verify(place, NULL, NULL, NULL, &verification, &err));
    for (size_t i = 0; i < spar_verification_findings(verification); i++)
        said = said || strstr(spar_verification_finding(verification, i), word);
    spar_verification_free(verification);
    return said;
}

static void test_changed(void)
{
    enum { ITEM_AT = 22 + 8 + 8 + 8 + 4 }; /* in a screen: event.h */
    const char *place = new_place(&spar__store_memory);
    spar__snapshot_every = 4096;
    spar_experiment *experiment = new_with_items(place, 20, 5);
    for (size_t i = 0; i < 12; i++)
        must(tell(experiment, ask(experiment, i % 2 ? "ann" : "bob"), NULL, 0));
    spar_experiment_close(experiment);
    tampered_log *log = log_of();
    size_t tried = 0, found = 0;
    for (size_t i = 0; i < log->n; i++) {
        unsigned char *bytes = log->event[i].bytes, *item = bytes + ITEM_AT;
        if (bytes[1] != SPAR_EVENT_SCREEN)
            continue;
        uint32_t was = spar__get_u32(item);
        for (uint32_t other = 0; other < 20; other += 3) {
            if (other == was)
                continue;
            spar__put_u32(item, other);
            chain_again();
            tried++;
            found += finds(place, "next item was another");
        }
        spar__put_u32(item, SPAR_NO_ITEM);
        chain_again();
        tried++;
        found += finds(place, "shows no item");
        spar__put_u32(item, 20);
        chain_again();
        tried++;
        found += finds(place, "which there is not");
        spar__put_u32(item, was);
    }
    chain_again();
    ok(tried > 80 && found == tried, "%zu of %zu changed items are found", found, tried);
    leave_log();
    ok(verifies(place, NULL), "and all is well again");
}

/* --- adding --- */

static spar_status add_one(spar_experiment *experiment, const spar_item *item, size_t *added, size_t *changed)
{
    return spar_experiment_add_items(experiment, 1, &item, added, changed, &err);
}

static spar_item *item_of(const char *id, const char *prompt, const char *group, const char *option, const char *text)
{
    spar_item *item = NULL;
    must(spar_item_new(id, &item, &err));
    must(spar_item_set_prompt(item, prompt, &err));
    must(spar_item_set_group(item, group, &err));
    if (option)
        must(spar_item_set_output(item, option, text, &err));
    return item;
}

/* What adding such an item gives; 10: added, 20: changed, 0: nothing new. */
static int adds(spar_experiment *experiment, const char *id, const char *prompt, const char *group, const char *option,
                const char *text)
{
    size_t added = 0, changed = 0;
    spar_item *item = item_of(id, prompt, group, option, text);
    spar_status status = add_one(experiment, item, &added, &changed);
    spar_item_free(item);
    return status ? (int)status : (int)(10 * added + 20 * changed);
}

static void test_adding(void)
{
    const char *place = new_place(&spar__store_memory);
    spar_experiment *experiment = new_experiment(place, 3, 1), *other = open_at(place, SPAR_EXPERIMENT_WRITE);
    ok(adds(experiment, "a", "A?", "x", "tea0", "0") == 10 && adds(other, "b", "B?", "y", "tea0", "0") == 10 &&
           adds(experiment, "c", "C?", "x", "tea1", "") == 10,
       "items of two programs; an empty output is one");
    ok(adds(experiment, "a", "A?", "x", "tea0", "0") == 0 && adds(other, "a", NULL, NULL, "tea0", "0") == 0,
       "the same again is nothing new");
    ok(adds(other, "a", NULL, NULL, "tea2", "2") == 20 && adds(experiment, "a", "A?", NULL, "tea1", "1") == 20,
       "more outputs");
    ok(adds(experiment, "a", "A!", "x", "tea0", "0") == SPAR_CONFLICT && strstr(err.text, "'a'") &&
           strstr(err.text, "prompt"),
       "refused: %s", err.text);
    ok(adds(experiment, "a", NULL, "y", "tea0", "0") == SPAR_CONFLICT && strstr(err.text, "group"), "refused: %s",
       err.text);
    ok(adds(experiment, "a", NULL, NULL, "tea0", "1") == SPAR_CONFLICT && strstr(err.text, "output"), "refused: %s",
       err.text);
    ok(adds(experiment, "d", "D?", NULL, "coffee", "1") == SPAR_UNKNOWN && strstr(err.text, "coffee"), "refused: %s",
       err.text);
    ok(adds(experiment, "d", NULL, NULL, "tea0", "1") == SPAR_INVALID && strstr(err.text, "no prompt"), "refused: %s",
       err.text);
    must(spar_experiment_refresh(experiment, &err));
    const spar__items *items = &experiment->state->items;
    ok(items->n == 3 && items->groups == 2 && items->item[0].version == 3 && items->item[0].group == 0 &&
           items->item[1].group == 1 && items->item[2].group == 0,
       "three items in two groups");
    spar_item *a = NULL;
    must(spar_experiment_item(experiment, 0, &a, &err));
    ok(strcmp(spar_item_id(a), "a") == 0 && spar_item_outputs(a) == 3 && strcmp(spar_item_output(a, 1), "1") == 0,
       "with all outputs");
    spar_item_free(a);
    ok(spar_experiment_item(experiment, 3, &a, &err) == SPAR_UNKNOWN && !a, "refused: %s", err.text);
    ok(nothing_lost(experiment) && verifies(place, NULL), "which verifies");
    spar_screen *screen = NULL;
    must(spar_experiment_ask(experiment, "ann", &screen, &err));
    ok(spar_screen_item(screen) == 0, "only the first item has outputs of two options");
    spar_screen_free(screen);
    ok(spar_experiment_ask(experiment, "ann", &screen, &err) == SPAR_ALL_SEEN, "%s", err.text);
    spar_experiment_close(experiment);
    spar_experiment_close(other);
}

static void test_limits(void)
{
    spar_item *item = NULL;
    static char large[64 * 1024 + 2];
    memset(large, 'x', sizeof large - 1);
    ok(spar_item_new("", &item, &err) == SPAR_INVALID && spar_item_new("a\x1b[31m", &item, &err) == SPAR_INVALID &&
           spar_item_new("a\nb", &item, &err) == SPAR_INVALID && spar_item_new(NULL, &item, &err) == SPAR_INVALID,
       "ids that act: %s", err.text);
    must(spar_item_new("a", &item, &err));
    ok(spar_item_set_prompt(item, large, &err) == SPAR_INVALID &&
           spar_item_set_prompt(item, large + 1, &err) == SPAR_OK,
       "a prompt has 64 KiB");
    ok(spar_item_set_output(item, "o", large, &err) == SPAR_INVALID &&
           spar_item_set_output(item, "o", large + 1, &err) == SPAR_OK,
       "and an output: %s", err.text);
    ok(spar_item_set_output(item, "o", "\xe2\x80\xae", &err) == SPAR_INVALID &&
           spar_item_set_output(item, "o", "\x07", &err) == SPAR_INVALID &&
           spar_item_set_output(item, "o", "\xff", &err) == SPAR_INVALID &&
           spar_item_set_group(item, "x\x7f", &err) == SPAR_INVALID,
       "refused: %s", err.text);
    must(spar_item_set_output(item, "p", "P", &err));
    must(spar_item_set_output(item, "o", "O", &err));
    ok(spar_item_outputs(item) == 2 && strcmp(spar_item_output(item, 0), "O") == 0 &&
           strcmp(spar_item_option(item, 1), "p") == 0 && !spar_item_output(item, 2),
       "an output can be replaced");
    must(spar_item_set_output(item, "o", NULL, &err));
    ok(spar_item_outputs(item) == 1, "and taken away");
    spar_item_free(item);
}

/* --- records --- */

static void test_record(void)
{
    spar_item *item = NULL, *back = NULL;
    spar__buf record = {0}, again = {0};
    must(spar_item_new("q", &item, &err));
    must(spar_item_set_prompt(item, "P", &err));
    must(spar__item_add_output(item, 2, "", &err));
    must(spar__item_add_output(item, 70, "two", &err));
    ok(spar__item_add_output(item, 70, "x", &err) == SPAR_INVALID, "arms rise: %s", err.text);
    must(spar__item_record(item, &record));
    const unsigned char *bytes = (const unsigned char *)record.text;
    must(spar__item_read(bytes, record.length, &back, &err));
    must(spar__item_record(back, &again));
    ok(again.length == record.length && memcmp(again.text, record.text, again.length) == 0 &&
           strcmp(spar__item_body(back, 70), "two") == 0 && !spar__item_body(back, 3) && !spar_item_group(back),
       "a record comes back");
    spar_item_free(back);
    size_t bad = 0;
    for (size_t cut = 0; cut < record.length; cut++)
        bad += spar__item_read(bytes, cut, &back, &err) == SPAR_CORRUPT && !back;
    ok(bad == record.length, "not if it was cut");
    spar_status status = SPAR_NOMEM;
    bool clean = true;
    for (size_t k = 1; status && k < 40; k++) {
        spar__alloc_fail_at(k);
        status = spar__item_read(bytes, record.length, &back, &err);
        spar__alloc_fail_at(0);
        clean = clean && (status ? status == SPAR_NOMEM && !back : back != NULL);
    }
    ok(clean && !status, "every allocation fails once");
    spar_item_free(back);
    spar_item_free(item);
    spar__buf_free(&record);
    spar__buf_free(&again);
}

/* --- what is removed --- */

static void test_redact(void)
{
    const char *place = new_place(&spar__store_memory);
    spar_experiment *experiment = new_with_items(place, 30, 9);
    size_t removed = 0, left = 0;
    for (size_t i = 0; i < 30; i++)
        must(tell(experiment, ask(experiment, "ann"), "ann", 0));
    must(spar_experiment_redact_item(experiment, "q11", &removed, &err));
    spar_item *item = NULL;
    must(spar_experiment_item(experiment, 11, &item, &err));
    ok(removed == 1 && !item && spar_experiment_items(experiment) == 30, "an item is removed");
    ok(spar_experiment_redact_item(experiment, "q11", &removed, &err) == SPAR_UNKNOWN, "once: %s", err.text);
    ok(verifies(place, NULL) && nothing_lost(experiment), "and the log verifies");
    ok(spar_experiment_redact(experiment, "tea2", &removed, &err) == SPAR_UNSUPPORTED &&
           experiment->state->items.item[1].version == 1,
       "an option that is live stays: %s", err.text);
    must(spar_experiment_retire(experiment, "tea2", &err));
    must(spar_experiment_redact(experiment, "tea2", &removed, &err));
    for (uint32_t i = 0; i < 30; i++) {
        must(spar_experiment_item(experiment, i, &item, &err));
        left += spar__item_body(item, 2) != NULL;
        left += i != 11 && !spar__item_body(item, 1) && has_output(i, 1);
        spar_item_free(item);
    }
    ok(left == 0 && removed == 29 - 1 + 1, "an option is removed with its outputs, which others keep: %zu texts",
       removed);
    ok(verifies(place, NULL) && nothing_lost(experiment), "and the log verifies");
    for (size_t i = 0; i < 29; i++) {
        spar_screen *screen = NULL;
        must(spar_experiment_ask(experiment, "bob", &screen, &err));
        left += spar_screen_item(screen) == 11 || spar_screen_arm(screen, 0) == 2 || spar_screen_arm(screen, 1) == 2;
        spar_screen_free(screen);
    }
    ok(left == 0, "neither is shown any more");
    spar_experiment_close(experiment);
}

/* --- memory runs out --- */

/* Makes, adds, asks and sums up; each step may fail. */
static spar_status live_once(const char *place, spar_error *why)
{
    spar_item *items[3] = {new_item(1, OPTIONS), new_item(2, OPTIONS), new_item(2, OPTIONS)};
    spar_experiment *experiment = NULL;
    spar_screen *screen = NULL;
    spar__group_answers groups_of[4] = {{0}};
    spar__alloc_fail_at(fail_at);
    spar_status status = spar_experiment_open(place, SPAR_EXPERIMENT_WRITE, &experiment, why);
    if (!status)
        status = spar_experiment_add_items(experiment, 3, (const spar_item *const *)items, NULL, NULL, why);
    if (!status)
        status = spar_experiment_ask(experiment, "ann", &screen, why);
    if (!status)
        status = spar__live_groups(experiment, false, groups_of, why);
    reached = spar__alloc_count() >= fail_at;
    spar__alloc_fail_at(0);
    for (size_t i = 0; i < 4; i++)
        spar__group_answers_free(&groups_of[i]);
    for (size_t i = 0; i < 3; i++)
        spar_item_free(items[i]);
    spar_screen_free(screen);
    spar_experiment_close(experiment);
    return status;
}

static void test_memory(void)
{
    size_t failed = 0, wrong = 0;
    for (fail_at = 1, reached = true; reached; fail_at++) {
        const char *place = new_place(&spar__store_memory);
        spar_error why = {0};
        spar_experiment *experiment = new_with_items(place, 1, 4);
        must(tell(experiment, ask(experiment, "ann"), "ann", 0));
        spar_experiment_close(experiment);
        spar_status status = live_once(place, &why);
        failed += status == SPAR_NOMEM;
        if (status && (status != SPAR_NOMEM || !why.text[0])) {
            printf("# allocation %zu: %s: %s\n", fail_at, spar_status_text(status), why.text);
            wrong++;
        }
        experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
        wrong += !verifies(place, NULL) || !nothing_lost(experiment) || spar_experiment_items(experiment) % 2 == 0;
        spar_experiment_close(experiment);
    }
    ok(wrong == 0 && failed > 100, "%zu allocations fail, and all is well after each", failed);
}

int main(void)
{
    test_voters();
    test_nobody();
    test_changed();
    test_adding();
    test_limits();
    test_record();
    test_redact();
    test_memory();
    close_places();
    return done();
}
