/* Texts that cannot be read are said to be so; only what was removed is called removed. The log is still verified. */
#include "live/world.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"

extern const spar__store_class spar__store_memory, spar__store_sqlite;

enum { MANY = 300 };

/* Overwrites the head of the page that has this text. */
static void spoil_page(const char *path, const char *text)
{
    spar__buf whole = {0};
    must(spar__file_read(path, 0, &whole, &err));
    size_t at = 0, length = strlen(text);
    while (at + length < whole.length && memcmp(whole.text + at, text, length) != 0)
        at++;
    if (at < 4096 || at + length >= whole.length)
        abort();
    memset(whole.text + at / 4096 * 4096, 0x33, 64);
    (void)unlink(path); /* what is a database is not written over */
    must(spar__file_write(path, whole.text, whole.length, &err));
    spar__buf_free(&whole);
}

/* Asks until a screen would have an option that cannot be read. */
static spar_status ask_on(spar_experiment *experiment)
{
    spar_status status = SPAR_OK;
    for (int i = 0; i < 400 && !status; i++) {
        spar_screen *screen = NULL;
        status = spar_experiment_ask(experiment, NULL, &screen, &err);
        for (size_t place = 0; place < spar_screen_slots(screen); place++)
            if (!spar_screen_option(screen, place))
                abort();
        spar_screen_free(screen);
    }
    return status;
}

static void test_page(void)
{
    const char *place = new_place(&spar__store_sqlite);
    spar_experiment *experiment = new_experiment(place, MANY, 5);
    (void)ask(experiment, "ann");
    spar_experiment_close(experiment);
    spoil_page(strchr(place, ':') + 1, "tea150");
    experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    ok(spar_experiment_check_texts(experiment, &err) == SPAR_CORRUPT && strstr(err.text, "option") &&
           strstr(err.text, "spar export"),
       "a damaged page: %s", err.text);
    ok(ask_on(experiment) == SPAR_CORRUPT && strstr(err.text, "option"), "nobody is asked: %s", err.text);
    uint64_t events = spar_experiment_sequence(experiment);
    ok(ask_on(experiment) == SPAR_CORRUPT && spar_experiment_sequence(experiment) == events, "and no screen is made");
    spar_experiment_close(experiment);
    spar_verification *verification = NULL;
    must(spar_experiment_verify(place, NULL, NULL, NULL, &verification, &err));
    ok(!spar_verification_holds(verification) && spar_verification_events(verification) == events &&
           spar_verification_screens(verification) > 0,
       "the whole log is verified, %d events", (int)spar_verification_events(verification));
    for (size_t i = 0; i < spar_verification_findings(verification); i++)
        if (strstr(spar_verification_finding(verification, i), "missing"))
            ok(false, "%s", spar_verification_finding(verification, i));
    spar_verification_free(verification);
}

static void test_record(const char *what)
{
    const char *place = new_place(&spar__store_memory);
    spar_experiment *experiment = new_experiment(place, 2, 5);
    spar__store *store = keeper[n_places - 1];
    static const unsigned char bad[] = {1, 7};
    spar__store_text text = {SPAR__TEXT_ARM, 1, 1, {0}, bad, sizeof bad};
    spar_experiment_close(experiment);
    spar__text_key key = {SPAR__TEXT_ARM, 1, 0};
    spar__text_dropped dropped;
    must(spar__store_text_drop(store, 1, 1, &key, &dropped, &err));
    bool spoilt = strcmp(what, "a missing") != 0;
    if (spoilt)
        must(spar__store_text_put(store, 1, &text, &err));
    experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    ok((spar_experiment_check_texts(experiment, &err) != SPAR_OK) == spoilt, "%s text of an option", what);
    ok(ask_on(experiment) && strstr(err.text, "option 2"), "%s", err.text);
    spar_experiment_close(experiment);
}

int main(void)
{
    test_page();
    test_record("a damaged");
    test_record("a missing");
    ok(spar_experiment_check_texts(NULL, &err) == SPAR_INVALID, "%s", err.text);
    close_places();
    return done();
}
