/* setup.c - a new experiment is described: everything is checked when it is set. */
#include "live/setup.h"

#include "base/alloc.h"
#include "live/item.h"
#include "live/prose.h"

#include <string.h>

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

spar_status spar__question_check(const char *question, spar_error *err)
{
    static const spar__prose words = {"question", SPAR__MOST_QUESTION, 0, true};
    return spar__prose_check(&words, question, err);
}

spar_status spar__slots_check(size_t m, spar_error *err)
{
    return m >= SPAR__SCREEN_LEAST && m <= SPAR__SCREEN_MOST
               ? SPAR_OK
               : spar__fail(err, SPAR_INVALID, "m is %zu: a screen shows %d to %d options", m, SPAR__SCREEN_LEAST,
                            SPAR__SCREEN_MOST);
}

static spar_status replace(char **field, const char *text, spar_error *err)
{
    char *copy = text ? spar__strdup(text) : NULL;
    if (text && !copy)
        return spar__fail_memory(err);
    spar__free(*field);
    *field = copy;
    return SPAR_OK;
}

spar_status spar_setup_set_question(spar_setup *setup, const char *question, spar_error *err)
{
    spar_status status = !setup ? no_setup(err) : question ? spar__question_check(question, err) : SPAR_OK;
    return status ? status : replace(&setup->question, question, err);
}

spar_status spar_setup_set_policy(spar_setup *setup, const char *policy, spar_error *err)
{
    spar_arms *arms = NULL;
    spar_status status = !setup ? no_setup(err) : SPAR_OK;
    if (status || !policy)
        return status ? status : replace(&setup->policy, NULL, err);
    if (setup->axes) /* which policies serve a space is seen when there is one */
        return replace(&setup->policy, policy, err);
    if (spar_arms_new(3, 1, (double[]){0, 0.5, 1}, NULL, &arms))
        return spar__fail_memory(err);
    status = spar__policy_serves(policy, arms, 2, err); /* what is wrong with it whatever the options are */
    spar_arms_free(arms);
    return status ? status : replace(&setup->policy, policy, err);
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

static spar_status check_option(const spar_setup *setup, const spar_option *option, spar_error *err)
{
    const char *id = spar_option_id(option);
    size_t features = 0, others = 0;
    if (setup->axes)
        return spar__fail(err, SPAR_INVALID, "option '%s': an experiment has options or a space, not both", id);
    if (setup->n == SPAR__MOST_OPTIONS)
        return spar__fail(err, SPAR_INVALID, "an experiment has at most %d options", SPAR__MOST_OPTIONS);
    for (size_t i = 0; i < setup->n; i++)
        if (strcmp(spar_option_id(setup->option[i]), id) == 0)
            return spar__fail(err, SPAR_CONFLICT, "there are two options with the id '%s'", id);
    (void)spar_option_features(option, &features);
    (void)spar_option_features(setup->n ? setup->option[0] : option, &others);
    if (features != others)
        return spar__fail(err, SPAR_INVALID, "option '%s' has %zu features, the others have %zu", id, features, others);
    return SPAR_OK;
}

static spar_status reserve(spar_setup *setup)
{
    spar_option **grown = spar__grow(setup->option, &setup->room, setup->n + 1, 16, sizeof(*grown));
    if (!grown)
        return SPAR_NOMEM;
    setup->option = grown;
    return SPAR_OK;
}

spar_status spar_setup_add_option(spar_setup *setup, const spar_option *option, spar_error *err)
{
    if (!setup)
        return no_setup(err);
    if (!option)
        return spar__fail(err, SPAR_INVALID, "no option was given");
    spar_status status = check_option(setup, option, err);
    if (status)
        return status;
    if (reserve(setup) || spar_option_dup(option, &setup->option[setup->n]))
        return spar__fail_memory(err);
    setup->n++;
    return SPAR_OK;
}

static size_t find_option(const void *context, const char *id)
{
    const spar_setup *setup = context;
    for (size_t i = 0; i < setup->n; i++)
        if (strcmp(spar_option_id(setup->option[i]), id) == 0)
            return i;
    return SPAR_NO_ARM;
}

static spar_status reserve_item(spar_setup *setup)
{
    spar_item **grown = spar__grow(setup->item, &setup->items_room, setup->n_items + 1, 64, sizeof(*grown));
    if (!grown)
        return SPAR_NOMEM;
    setup->item = grown;
    return SPAR_OK;
}

/* One that cannot be is kept nevertheless: items have the numbers of their ids. */
static spar_status add_new_item(spar_setup *setup, spar_item *item, spar_error *err)
{
    setup->item[setup->n_items++] = spar__item_share(item);
    if (setup->n_items > SPAR__MOST_ITEMS)
        return spar__fail(err, SPAR_UNSUPPORTED, "there are more than %d items", SPAR__MOST_ITEMS);
    return spar_item_prompt(item) ? SPAR_OK
                                  : spar__fail(err, SPAR_INVALID, "item '%s' has no prompt", spar_item_id(item));
}

static spar_status add_outputs(spar_item **old, const spar_item *more, spar_error *err)
{
    spar_item *merged = NULL;
    spar_status status = spar__item_merge(*old, more, &merged, err);
    if (!merged)
        return status;
    spar_item_free(*old);
    *old = merged;
    return status;
}

/* Items are checked against each other here: once an experiment is made, it would stay without those that are wrong. */
spar_status spar_setup_add_item(spar_setup *setup, const spar_item *item, spar_error *err)
{
    if (!setup || !item)
        return setup ? spar__fail(err, SPAR_INVALID, "no item was given") : no_setup(err);
    const char *id = spar_item_id(item);
    size_t known = setup->item_ids.n, at = 0;
    spar_item *resolved = NULL;
    spar_status status = spar__item_resolve(item, find_option, setup, &resolved, err);
    if (!status && (reserve_item(setup) || spar__names_get(&setup->item_ids, id, strlen(id), &at)))
        status = spar__fail_memory(err);
    if (!status)
        status = at == known ? add_new_item(setup, resolved, err) : add_outputs(&setup->item[at], resolved, err);
    spar_item_free(resolved);
    return status;
}

spar_status spar__setup_arms(const spar_setup *setup, spar_arms **out)
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

size_t spar__setup_slots(const spar_setup *setup)
{
    if (setup->n_items) /* prompts and answers are long to read */
        return 2;
    for (size_t i = 0; i < setup->n; i++) {
        const char *body = spar_option_body(setup->option[i]);
        if (body && spar__prose_count(body) > SPAR__LONG_BODY)
            return 2;
    }
    return setup->n <= 2 ? 2 : setup->n < 4 ? setup->n : 4;
}
