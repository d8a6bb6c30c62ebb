/* damage.h - a small store, and everything that can be asked of it, whatever its bytes are: calls work, or fail with a
 * sentence that names the file. For a test and for a fuzz target. */
#ifndef SPAR_TESTS_STORE_DAMAGE_H
#define SPAR_TESTS_STORE_DAMAGE_H

#include "base/alloc.h"
#include "base/file.h"
#include "events.h"

typedef struct damage_visit {
    const char *path;
    spar__store *store;
    uint64_t experiment[4];
    size_t n, failures;
    bool good; /* every failure had its sentence */
    char why[600];
} damage_visit;

static bool visited(damage_visit *v, spar_status status, spar_error *err)
{
    if (status) {
        v->failures++;
        bool said = status == SPAR_NOMEM || (err->text[0] && err->status == status);
        if (v->good && !said)
            (void)snprintf(v->why, sizeof v->why, "%s: '%.400s'", spar_status_text(status), err->text);
        v->good = v->good && said;
    }
    *err = (spar_error){0};
    return !status;
}

static spar_status visit_experiment(void *context, uint64_t experiment, const char *name)
{
    damage_visit *v = context;
    (void)name;
    if (v->n < 4)
        v->experiment[v->n++] = experiment;
    return SPAR_OK;
}

static spar_status visit_event(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                               const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    unsigned sum = hash[0];
    (void)context, (void)sequence, (void)err;
    for (size_t i = 0; i < length; i++) /* all of it can be read */
        sum += bytes[i];
    return sum == 123456789 ? SPAR_INTERRUPTED : SPAR_OK;
}

static spar_status visit_text(void *context, const spar__store_text *text, spar_error *err)
{
    return visit_event(context, 0, text->bytes, text->length, text->salt, err);
}

static void visit_finding(void *context, const char *sentence)
{
    need(context && sentence[0]);
}

static void visit_reading(damage_visit *v, uint64_t e)
{
    spar_error err = {0};
    spar__store_snapshot about;
    unsigned char hash[SPAR_HASH_SIZE], *bytes = NULL;
    uint64_t last, list[4];
    size_t n;
    (void)visited(v, spar__store_head(v->store, e, &last, hash, &err), &err);
    (void)visited(v, spar__store_read(v->store, e, 1, 0, visit_event, v, &err), &err);
    (void)visited(v, spar__store_text_each(v->store, e, (spar__text_kind)0, visit_text, v, &err), &err);
    (void)visited(v, spar__store_voter(v->store, e, "ann", 3, &last, &err), &err);
    (void)visited(v, spar__store_snapshot_list(v->store, e, 4, list, &n, &err), &err);
    (void)visited(v, spar__store_snapshot_get(v->store, e, 99, 7, &about, &bytes, &n, &err), &err);
    spar__free(bytes);
}

static void visit_writing(damage_visit *v, uint64_t e)
{
    static const spar__store_text text = {SPAR__TEXT_COMMENT, 5, 1, {1}, (const unsigned char *)"text", 4};
    spar_error err = {0};
    uint64_t number;
    spar__store_entry entry[] = {{new_event(), &text, 1, SPAR_OK, {0}}, {new_event(), NULL, 0, SPAR_OK, {0}}};
    set_answer(entry[0].event, 5, 0);
    set_import(entry[1].event, 77, 2);
    (void)visited(v, spar__store_append(v->store, e, 2, entry, &err), &err);
    spar_event_free(entry[0].event);
    spar_event_free(entry[1].event);
    (void)visited(v, spar__store_next_screen(v->store, e, &number, &err), &err);
    (void)visited(v, spar__store_text_drop(v->store, e, 1, &(spar__text_key){SPAR__TEXT_COMMENT, 1, 0}, NULL, &err),
                  &err);
}

/* Opens the file in that mode and asks for everything. */
static damage_visit visit(const char *path, spar__store_mode mode)
{
    damage_visit v = {.path = path, .good = true};
    spar_error err = {0};
    unsigned char *bytes = NULL;
    size_t n;
    if (!visited(&v, spar__store_open(path, mode, &v.store, &err), &err))
        return v;
    (void)visited(&v, spar__store_experiments(v.store, visit_experiment, &v, &err), &err);
    for (size_t i = 0; i < v.n; i++)
        visit_reading(&v, v.experiment[i]);
    for (size_t i = 0; i < v.n && mode != SPAR__STORE_READ; i++)
        visit_writing(&v, v.experiment[i]);
    (void)visited(&v, spar__store_secret_get(v.store, "key", &bytes, &n, &err), &err);
    spar__free(bytes);
    (void)visited(&v, spar__store_check(v.store, visit_finding, &v, &err), &err);
    spar__store_close(v.store);
    return v;
}

/* A store with something of everything. */
static void make_whole(const char *path)
{
    static const spar__store_text text = {SPAR__TEXT_COMMENT, 1, 1, {1}, (const unsigned char *)"fine", 4},
                                  name = {SPAR__TEXT_VOTER, 9, 1, {1}, (const unsigned char *)"ann", 3};
    static const spar__store_snapshot about = {.sequence = 3, .engine = 7};
    spar__store *store;
    uint64_t e;
    spar__store_entry entry[30] = {{0}};
    need(!spar__store_open(path, SPAR__STORE_CREATE, &store, NULL) && !spar__store_create(store, "", &e, NULL));
    for (size_t i = 0; i < 30; i++) {
        entry[i].event = new_event();
        if (i == 0)
            set_screen(entry[i].event, 1, 4);
        else if (i == 1)
            set_answer(entry[i].event, 1, 0);
        else
            set_import(entry[i].event, i, 2);
    }
    entry[1].text = &text;
    entry[1].n_texts = 1;
    need(!spar__store_append(store, e, 30, entry, NULL) && !spar__store_text_put(store, e, &name, NULL) &&
         !spar__store_snapshot_put(store, e, &about, text.salt, sizeof text.salt, NULL) &&
         !spar__store_secret_put(store, "key", text.salt, sizeof text.salt, NULL));
    for (size_t i = 0; i < 30; i++)
        spar_event_free(entry[i].event);
    spar__store_close(store);
}

#endif
