/* create.c - a new experiment: described, checked, and written as the first events of a log.
 *
 * Everything is checked when it is set; what depends on the rest (does the policy serve these options, are there enough
 * settings in the space?) when the experiment is made. The events created, settings and one for each option are one
 * commit; items follow. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "live/items/items.h"
#include "live/live.h"
#include "live/option.h"
#include "live/text_limits.h"
#include "store/digest.h"
#include "text/names.h"

#include <spar/catalog.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char DEFAULT_POLICY[] = "focus(live=1)/self_sparring(distinct=1)/thompson/beta";

struct spar_setup {
    char *question, *policy; /* NULL: none; the default */
    size_t m;                /* 0: the default */
    spar_answer_kind asks;
    bool seeded;
    uint64_t seed;
    spar_results_for results;
    spar_access access;
    spar_option **option;
    size_t n, room;
    spar_axes *axes; /* NULL: the options are a list */
    bool against_last;
    spar_item **item; /* with arms, each id once */
    size_t n_items, items_room;
    spar__names item_ids;
};

/* --- which policies may ask people: those that never show an option twice on one screen --- */

/* What the policy promises, and how many options it shows where m were to be shown. */
static spar_status probe(const char *policy, const spar_arms *arms, size_t m, bool *distinct, size_t *shown,
                         spar_error *err)
{
    spar_rng *rng = NULL;
    spar_policy *built = NULL;
    spar_scratch *scratch = NULL;
    spar_round *round = NULL;
    spar_status status = spar_rng_new(1, 0, 0, &rng) || spar_scratch_new(&scratch) || spar_round_new(m, &round)
                             ? spar__fail_memory(err)
                             : SPAR_OK;
    if (!status)
        status = spar_policy_new(policy, arms, m, 0, rng, &built, err);
    if (!status)
        status = spar_policy_choose(built, scratch, rng, round, err);
    *shown = status ? 0 : spar_round_slots(round);
    *distinct = !status && spar_policy_distinct(built);
    spar_policy_free(built);
    spar_round_free(round);
    spar_scratch_free(scratch);
    spar_rng_free(rng);
    return status;
}

/* Asks every policy of the catalog: as it is, with distinct=1 where it has that parameter, over one that is distinct.
 */
static spar_status refuse(const char *policy, const char *why, const spar_arms *arms, spar_error *err)
{
    spar__buf list = {0};
    for (size_t i = 0; i < spar_catalog_count(SPAR_FAMILY_POLICY); i++) {
        const spar_entry *entry = spar_catalog_entry(SPAR_FAMILY_POLICY, i);
        const char *with = "/self_sparring(distinct=1)";
        for (size_t p = 0; p < spar_entry_params(entry); p++)
            if (strcmp(spar_param_name(spar_entry_param(entry, p)), "distinct") == 0)
                with = "(distinct=1)";
        for (int tried = 0; tried < 2; tried++) {
            spar__buf text = {0};
            bool distinct;
            size_t shown;
            spar__buf_printf(&text, "%s%s", spar_entry_name(entry), tried ? with : "");
            bool good = !text.failed && !probe(text.text, arms, 2, &distinct, &shown, NULL) && distinct && shown == 2;
            if (good)
                spar__buf_printf(&list, "%s%s", list.length ? ", " : "", text.text);
            spar__buf_free(&text);
            if (good)
                break;
        }
    }
    spar_status status =
        spar__fail(err, SPAR_UNSUPPORTED, "%s %s; people need m distinct options, which these promise: %s", policy, why,
                   list.failed || !list.text ? "" : list.text);
    spar__buf_free(&list);
    return status;
}

spar_status spar__policy_serves(const char *policy, const spar_arms *arms, size_t m, spar_error *err)
{
    bool distinct;
    size_t shown, live = spar_arms_live(arms);
    spar_status status = probe(policy, arms, m, &distinct, &shown, err);
    if (status)
        return status;
    if (!distinct)
        return refuse(policy, "may show an option twice on one screen", arms, err);
    return shown == (m < live ? m : live) ? SPAR_OK
                                          : refuse(policy, "chooses itself how many options it shows", arms, err);
}

/* --- a list of options that have features ---
 *
 * The default policy is focus over a kernel of these.
 *
 * A feature that is a number has the length 0.35 of its range, as in a space. One of a category (text/option_rows.h
 * makes them sqrt(1/2) or 0: two categories are at distance 1) has the length 0.85. With more than KERNEL_MAX_OPTIONS
 * options a kernel would take long, and the usual default serves. */

enum { KERNEL_MAX_OPTIONS = 500 };

/* The default policy where options have features; nothing where they have none, or are too many. */
static void features_policy(const spar_setup *setup, spar__buf *out)
{
    size_t dim = 0;
    if (setup->n > 2)
        (void)spar_option_features(setup->option[0], &dim);
    if (!dim || setup->n > KERNEL_MAX_OPTIONS)
        return;
    spar__buf_adds(out, "focus(live=1)/self_sparring(distinct=1)/thompson/gp(mean=0.5,variance=0.1,noise=0.25,length=");
    for (size_t d = 0; d < dim; d++) {
        char text[SPAR__NUMBER_SIZE];
        double low = INFINITY, high = -INFINITY;
        bool category = true;
        for (size_t i = 0; i < setup->n; i++) {
            double x = spar_option_features(setup->option[i], NULL)[d];
            low = fmin(low, x);
            high = fmax(high, x);
            category = category && (x == 0 || x == sqrt(0.5));
        }
        double length = category ? 0.85 : high > low ? fmin(fmax(0.35 * (high - low), 1e-6), 1e6) : 1;
        (void)spar__number_print_fixed(text, length, 6);
        spar__buf_printf(out, "%s%s", d ? ":" : "", text);
    }
    spar__buf_adds(out, ")");
}

/* --- what is set --- */

static spar_status no_setup(spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "no setup of an experiment was given");
}

spar_status spar_setup_new(spar_setup **out)
{
    if (!out)
        return SPAR_INVALID;
    *out = spar__alloc(1, sizeof **out);
    if (*out)
        (*out)->asks = SPAR_ANSWER_WINNER;
    return *out ? SPAR_OK : SPAR_NOMEM;
}

void spar_setup_free(spar_setup *setup)
{
    if (!setup)
        return;
    for (size_t i = 0; i < setup->n; i++)
        spar_option_free(setup->option[i]);
    for (size_t i = 0; i < setup->n_items; i++)
        spar_item_free(setup->item[i]);
    spar__names_free(&setup->item_ids);
    spar__free(setup->item);
    spar__free(setup->option);
    spar__free(setup->question);
    spar__free(setup->policy);
    spar_axes_free(setup->axes);
    spar__free(setup);
}

static const spar__text_limits question_limits = {"question", SPAR__MOST_QUESTION, 0, true};

spar_status spar__question_check(const char *question, spar_error *err)
{
    return spar__text_check(&question_limits, question, err);
}

spar_status spar__slots_check(size_t m, spar_error *err)
{
    return m >= SPAR__SCREEN_LEAST && m <= SPAR__SCREEN_MOST
               ? SPAR_OK
               : spar__fail(err, SPAR_INVALID, "m is %zu: a screen shows %d to %d options", m, SPAR__SCREEN_LEAST,
                            SPAR__SCREEN_MOST);
}

spar_status spar_setup_set_question(spar_setup *setup, const char *question, spar_error *err)
{
    return setup ? spar__text_set(&setup->question, &question_limits, question, err) : no_setup(err);
}

spar_status spar_setup_set_policy(spar_setup *setup, const char *policy, spar_error *err)
{
    spar_arms *arms = NULL;
    spar_status status = !setup ? no_setup(err) : SPAR_OK;
    if (status || !policy)
        return status ? status : spar__text_set(&setup->policy, NULL, NULL, err);
    if (setup->axes) /* which policies serve a space is seen when there is one */
        return spar__text_set(&setup->policy, NULL, policy, err);
    if (spar_arms_new(3, 1, (double[]){0, 0.5, 1}, NULL, &arms))
        return spar__fail_memory(err);
    status = spar__policy_serves(policy, arms, 2, err); /* what is wrong with it whatever the options are */
    spar_arms_free(arms);
    return status ? status : spar__text_set(&setup->policy, NULL, policy, err);
}

spar_status spar_setup_set_slots(spar_setup *setup, size_t m, spar_error *err)
{
    spar_status status = !setup ? no_setup(err) : spar__slots_check(m, err);
    if (!status)
        setup->m = m;
    return status;
}

spar_status spar_setup_set_answer(spar_setup *setup, spar_answer_kind kind, spar_error *err)
{
    if (!setup)
        return no_setup(err);
    if (kind != SPAR_ANSWER_WINNER && kind != SPAR_ANSWER_RANKING && kind != SPAR_ANSWER_PAIRS)
        return spar__fail(err, SPAR_INVALID, "people can be asked for a winner, a ranking or pairs, not for kind %d",
                          (int)kind);
    setup->asks = kind;
    return SPAR_OK;
}

void spar_setup_set_seed(spar_setup *setup, uint64_t seed)
{
    if (!setup)
        return;
    setup->seed = seed;
    setup->seeded = true;
}

void spar_setup_set_results(spar_setup *setup, spar_results_for results)
{
    if (setup)
        setup->results = results;
}

void spar_setup_set_access(spar_setup *setup, spar_access access)
{
    if (setup)
        setup->access = access;
}

static size_t find_option(const void *context, const char *id)
{
    const spar_setup *setup = context;
    for (size_t i = 0; i < setup->n; i++)
        if (strcmp(spar_option_id(setup->option[i]), id) == 0)
            return i;
    return SPAR_NO_ARM;
}

spar_status spar_setup_add_option(spar_setup *setup, const spar_option *option, spar_error *err)
{
    if (!setup)
        return no_setup(err);
    if (!option)
        return spar__fail(err, SPAR_INVALID, "no option was given");
    const char *id = spar_option_id(option);
    size_t features = 0, others = 0;
    if (setup->axes)
        return spar__fail(err, SPAR_INVALID, "option '%s': an experiment has options or a space, not both", id);
    if (setup->n == SPAR__MOST_OPTIONS)
        return spar__fail(err, SPAR_INVALID, "an experiment has at most %d options", SPAR__MOST_OPTIONS);
    if (find_option(setup, id) != SPAR_NO_ARM)
        return spar__fail(err, SPAR_CONFLICT, "there are two options with the id '%s'", id);
    (void)spar_option_features(option, &features);
    (void)spar_option_features(setup->n ? setup->option[0] : option, &others);
    if (features != others)
        return spar__fail(err, SPAR_INVALID, "option '%s' has %zu features, the others have %zu", id, features, others);
    if (!spar__reserve(&setup->option, &setup->room, setup->n + 1, 16, sizeof(*setup->option)) ||
        spar_option_dup(option, &setup->option[setup->n]))
        return spar__fail_memory(err);
    setup->n++;
    return SPAR_OK;
}

/* Items are checked against each other here: once an experiment is made, it would stay without those that are wrong. */
spar_status spar_setup_add_item(spar_setup *setup, const spar_item *item, spar_error *err)
{
    if (!setup || !item)
        return setup ? spar__fail(err, SPAR_INVALID, "no item was given") : no_setup(err);
    const char *id = spar_item_id(item);
    size_t known = setup->item_ids.n, at = 0;
    spar_item *resolved = NULL, *merged = NULL;
    spar_status status = spar__item_resolve(item, find_option, setup, &resolved, err);
    if (!status && (!spar__reserve(&setup->item, &setup->items_room, setup->n_items + 1, 64, sizeof(*setup->item)) ||
                    spar__names_get(&setup->item_ids, id, strlen(id), &at)))
        status = spar__fail_memory(err);
    if (!status && at == known) {
        /* One that cannot be is kept nevertheless: items have the numbers of their ids. */
        setup->item[setup->n_items++] = spar__item_share(resolved);
        if (setup->n_items > SPAR__MOST_ITEMS)
            status = spar__fail(err, SPAR_UNSUPPORTED, "there are more than %d items", SPAR__MOST_ITEMS);
        else if (!spar_item_prompt(resolved))
            status = spar__fail(err, SPAR_INVALID, "item '%s' has no prompt", id);
    } else if (!status) {
        status = spar__item_merge(setup->item[at], resolved, &merged, err);
        if (merged) {
            spar_item_free(setup->item[at]);
            setup->item[at] = merged;
        }
    }
    spar_item_free(resolved);
    return status;
}

/* --- a space in place of options --- */

/* 'x: 1..2' is written like that elsewhere, and a word like lgo may be meant for log: neither a name that ends so nor
 * such a unit is taken. This is here, and not where axes are read: experiments that have one already go on. */
static spar_status check_axis(const spar_axes *axes, size_t axis, spar_error *err)
{
    char word[64];
    const char *name = spar_axes_name(axes, axis), *at = spar_axes_unit(axes, axis);
    size_t length = strlen(name), rest = length;
    while (rest > 0 && strchr(":=", name[rest - 1]))
        rest--;
    if (rest < length)
        return spar__fail(err, SPAR_PARSE,
                          "the name of the axis '%.80s' ends with '%c'; expected a name and values: '%.*s 1..10'", name,
                          name[length - 1], rest ? (int)rest : 5, rest ? name : "speed");
    for (size_t n; at && *at && spar_axes_kind(axes, axis) == SPAR_AXIS_RANGE; at += n + strspn(at + n, " \t\n\r")) {
        n = strcspn(at, " \t\n\r");
        (void)snprintf(word, sizeof word, "%.*s", (int)n, at);
        spar__nearest nearest = spar__nearest_to(word);
        nearest.distance = 2; /* log with one slip: Log, lgo, lo, logg */
        spar__nearest_offer(&nearest, "log");
        if (n < sizeof word && nearest.best)
            return spar__fail(err, SPAR_PARSE,
                              "the axis '%.80s' has the unit '%s'; write log for a logarithmic range, or (%s) if it is "
                              "a unit",
                              name, word, word);
    }
    return SPAR_OK;
}

spar_status spar_setup_set_space(spar_setup *setup, const char *space, bool against_last, spar_error *err)
{
    if (!setup || !space)
        return spar__fail(err, SPAR_INVALID, "a setup and the text of a space are needed");
    if (setup->n)
        return spar__fail(err, SPAR_INVALID, "an experiment has options or a space, not both");
    spar_axes *axes = NULL;
    spar_status status = spar_axes_new(space, &axes, err);
    for (size_t a = 0; !status && a < spar_axes_count(axes); a++)
        status = check_axis(axes, a, err);
    if (status) {
        spar_axes_free(axes);
        return status;
    }
    spar_axes_free(setup->axes);
    setup->axes = axes;
    setup->against_last = against_last;
    return SPAR_OK;
}

/* --- what is left to the defaults --- */

/* A table of the options, without names; at least two arms, so that a policy can be tried. */
static spar_status make_arms(const spar_setup *setup, spar_arms **out)
{
    if (setup->axes)
        return spar_axes_arms(setup->axes, out);
    size_t dim = 0, n = setup->n < 2 ? 2 : setup->n;
    if (setup->n)
        (void)spar_option_features(setup->option[0], &dim);
    double *x = spar__alloc(n * dim, sizeof *x);
    *out = NULL;
    if (!x)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n && dim; i++)
        if (i < setup->n)
            memcpy(x + i * dim, spar_option_features(setup->option[i], NULL), dim * sizeof *x);
        else
            x[i * dim] = (double)i;
    spar_status status = spar_arms_new(n, dim, dim ? x : NULL, NULL, out);
    spar__free(x);
    return status;
}

/* Slots of a question where the user did not say: as few as people can take in at a glance. */
static size_t default_slots(const spar_setup *setup)
{
    if (setup->n_items) /* prompts and answers are long to read */
        return 2;
    for (size_t i = 0; i < setup->n; i++) {
        const char *body = spar_option_body(setup->option[i]);
        if (body && spar__text_count(body) > SPAR__LONG_BODY)
            return 2;
    }
    return setup->n <= 2 ? 2 : setup->n < 4 ? setup->n : 4;
}

/* --- the first events --- */

enum { CREATED, SETTINGS, OPTIONS };

typedef struct initial_events {
    const spar_setup *setup;
    const char *policy;
    spar__buf made; /* a policy for features or a space */
    size_t m;
    uint64_t seed;
    spar_arms *arms; /* for the space; may have more than the options */
    size_t n;        /* events */
    spar__store_entry *entry;
    spar__store_text *text;
    spar__buf *record; /* of each option */
} initial_events;

static spar_status initial_new(initial_events *first, const spar_setup *setup, spar_error *err)
{
    *first = (initial_events){.setup = setup, .policy = setup->policy ? setup->policy : DEFAULT_POLICY};
    if (!setup->policy && setup->axes) {
        /* Five duels an axis all over the space come first: with one axis more would be a waste. The rest is the same
         * for all; doc/tuning-by-preference.md has what was measured. */
        enum { AN_AXIS = 5, MOST = 15 };
        size_t start = AN_AXIS * spar_axes_count(setup->axes);
        spar__buf_printf(&first->made,
                         "kernel_self_sparring(duels=1,length=0.35,variance=9,fit=10,explore=0.7,apart=0.5,start=%zu)",
                         start < MOST ? start : MOST);
    } else if (!setup->policy)
        features_policy(setup, &first->made);
    if (first->made.length)
        first->policy = first->made.text;
    first->n = OPTIONS + setup->n;
    first->entry = spar__alloc(first->n, sizeof *first->entry);
    first->text = spar__alloc(first->n, sizeof *first->text);
    first->record = spar__alloc(first->n, sizeof *first->record);
    if (first->made.failed || !first->entry || !first->text || !first->record || make_arms(setup, &first->arms))
        return spar__fail_memory(err);
    first->seed = setup->seed;
    spar_status status = setup->seeded ? SPAR_OK : spar__random_bytes(&first->seed, sizeof first->seed, err);
    first->m = setup->m ? setup->m : first->made.length ? 2 : default_slots(setup);
    if (status)
        return status;
    if (!setup->axes)
        return spar__policy_serves(first->policy, first->arms, first->m, err);
    /* May the policy ask about this space, and are there enough settings in it? */
    size_t shown = 0, settings = 1, m = first->m;
    bool distinct;
    for (size_t a = 0; a < spar_axes_count(setup->axes) && settings < m; a++)
        settings *= spar_axes_values(setup->axes, a);
    if (setup->against_last && m != 2)
        return spar__fail(err, SPAR_INVALID, "a setting is compared with the last one: m is 2, not %zu", m);
    if (settings < m)
        return spar__fail(err, SPAR_INVALID, "the space has %zu settings, but a screen shows %zu", settings, m);
    status = probe(first->policy, first->arms, m, &distinct, &shown, err);
    if (!status && shown != m)
        status = spar__fail(err, SPAR_UNSUPPORTED, "%s chooses itself how many settings it shows", first->policy);
    return status;
}

static spar_status make_events(initial_events *first, spar_error *err)
{
    const spar_setup *setup = first->setup;
    const spar__live_settings settings = {setup->question, first->m, setup->results, setup->access};
    int64_t now = spar__live_now();
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < first->n && !status; i++) {
        spar__store_entry *entry = &first->entry[i];
        if (spar_event_new(&entry->event))
            return spar__fail_memory(err);
        spar_event_set_stamp(entry->event, 0, now);
        entry->text = &first->text[i];
        entry->n_texts = i == SETTINGS ? setup->question != NULL : i >= OPTIONS;
        if (i == SETTINGS)
            status = spar__settings_event(entry->event, &settings, 1, &first->text[i], err);
        else if (i >= OPTIONS)
            status = spar__option_event(entry->event, setup->option[i - OPTIONS], i - OPTIONS, 1, &first->record[i],
                                        &first->text[i], err);
        if (i != CREATED)
            continue;
        status = spar_event_set_created(entry->event, first->policy, first->seed, setup->asks);
        spar_event_set_shuffle(entry->event, true);
        if (!status && spar_arms_dim(first->arms))
            status = spar_event_set_space(entry->event, first->arms);
        if (!status && setup->axes)
            status = spar_event_set_axes(entry->event, spar_axes_text(setup->axes), setup->against_last);
        if (status)
            (void)spar__fail(err, status, "%s", spar_status_text(status));
    }
    return status;
}

/* One that was begun in the store and has no events is taken over. */
static spar_status write_first(spar_experiment *experiment, const char *name, initial_events *first, spar_error *err)
{
    uint64_t end = 0;
    unsigned char hash[SPAR_HASH_SIZE];
    spar_error why = {0};
    spar__store *store = experiment->store;
    spar_status status = spar__store_create(store, name ? name : "", &experiment->id, &why);
    if (status && status != SPAR_CONFLICT)
        return spar__fail(err, status, "%s", why.text);
    if (status) {
        status = spar__store_find(store, name ? name : "", &experiment->id, err);
        if (!status)
            status = spar__store_head(store, experiment->id, &end, hash, err);
        if (!status && end)
            status = spar__fail(err, SPAR_CONFLICT, "%s", why.text);
    }
    if (!status)
        status = spar__store_lock(store, experiment->id, err);
    if (status)
        return status;
    status = spar__store_head(store, experiment->id, &end, hash, err);
    if (!status && end)
        status = spar__fail(err, SPAR_CONFLICT, "%s: another program has made the experiment", experiment->place);
    if (status) {
        spar__live_end(experiment);
        return status;
    }
    status = spar__live_append(experiment, first->n, first->entry, 0, err);
    for (size_t i = 0; i < first->n && !status; i++)
        if (first->entry[i].status)
            status = spar__fail(err, first->entry[i].status, "%s: %s", experiment->place,
                                spar_status_text(first->entry[i].status));
    return status;
}

spar_status spar_experiment_create(const char *place, const spar_setup *setup, spar_experiment **out, spar_error *err)
{
    initial_events first = {0};
    char *name = NULL;
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the experiment");
    *out = NULL;
    if (!place || !setup)
        return spar__fail(err, SPAR_INVALID, "a new experiment needs a place and a setup");
    spar_status status = initial_new(&first, setup, err);
    if (!status)
        status = make_events(&first, err);
    if (!status)
        status = spar__live_new(place, SPAR__STORE_CREATE, out, &name, err);
    if (!status)
        status = write_first(*out, name, &first, err);
    if (!status && setup->n_items)
        status =
            spar_experiment_add_items(*out, setup->n_items, (const spar_item *const *)setup->item, NULL, NULL, err);
    for (size_t i = 0; i < first.n; i++) {
        if (first.entry)
            spar_event_free(first.entry[i].event);
        if (first.record)
            spar__buf_free(&first.record[i]);
    }
    spar__buf_free(&first.made);
    spar__free(first.entry);
    spar__free(first.text);
    spar__free(first.record);
    spar_arms_free(first.arms);
    spar__free(name);
    if (status) {
        spar_experiment_close(*out);
        *out = NULL;
    }
    return status;
}
