/* What every registered class says of itself: names, one line, and parameters that mean what they say. */
#include "env/env.h"
#include "policy/policy.h"

#include "tap.h"

#include <stdlib.h>

static const spar_entry *policy_entry(size_t i)
{
    return i < spar__n_policy_classes ? &spar__policy_classes[i]->entry : NULL;
}

static const spar_entry *bandit_entry(size_t i)
{
    return i < spar__n_mab_classes ? &spar__mab_classes[i]->entry : NULL;
}

static const spar_entry *belief_entry(size_t i)
{
    return i < spar__n_posterior_classes ? &spar__posterior_classes[i]->entry : NULL;
}

static const spar_entry *env_entry(size_t i)
{
    return i < spar__n_env_classes ? &spar__env_classes[i]->entry : NULL;
}

static const spar_entry *feedback_entry(size_t i)
{
    return i < spar__n_feedback_classes ? &spar__feedback_classes[i]->entry : NULL;
}

static const spar_entry *alias_entry(size_t i)
{
    return i < spar__n_policy_aliases ? &spar__policy_aliases[i] : NULL;
}

static bool lower_snake(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length && name[0] >= 'a' &&
           name[0] <= 'z' && name[length - 1] != '_' && !strstr(name, "__");
}

static bool one_line(const char *text)
{
    return text && text[0] && !strchr(text, '\n') && text[strlen(text) - 1] != '.' && text[0] != ' ' &&
           strlen(text) <= 100;
}

static void check_names(const char *family, const spar_entry *(*entry)(size_t))
{
    for (size_t i = 0; entry(i); i++) {
        const spar_entry *e = entry(i);
        bool unique = true;
        for (size_t k = 0; k < i; k++)
            unique &= strcmp(e->name, entry(k)->name) != 0;
        ok(lower_snake(e->name) && unique, "%s %s: a lower_snake name of its own", family, e->name);
        ok(one_line(e->brief), "%s %s: one line, no full stop: %s", family, e->name, e->brief ? e->brief : "");
        ok(!e->paper || one_line(e->paper), "%s %s: a paper in one line, or none", family, e->name);
    }
}

/* What comes of name=text: the status, and the value read. */
static spar_status bind(const spar_entry *entry, const spar_param *param, const char *text, double *number)
{
    spar__arg arg = {(char *)(uintptr_t)param->name, (char *)(uintptr_t)text};
    spar__stage stage = {(char *)(uintptr_t)entry->name, &arg, 1};
    spar__values values;
    spar_error err = {0};
    spar_status status = spar__values_bind(entry, &stage, &values, &err);
    if (status) {
        if (!strstr(err.text, entry->name) || !strstr(err.text, param->name) || !strstr(err.text, text))
            printf("# a refusal that does not name what it refuses: %s\n", err.text), status = SPAR_OK;
        return status;
    }
    const spar__value *value = spar__value_of(&values, param->name);
    if (number)
        *number = value->n ? value->numbers[0] : value->number;
    spar__values_free(&values);
    return SPAR_OK;
}

static spar_status bind_number(const spar_entry *entry, const spar_param *param, double value)
{
    char text[40];
    double got = NAN;
    (void)snprintf(text, sizeof text, "%.17g", value);
    spar_status status = bind(entry, param, text, &got);
    return !status && got != value ? SPAR_CORRUPT : status;
}

static double next_outside(const spar_param *param, double end, double direction)
{
    if (param->kind == SPAR_PARAM_INTEGER && fabs(end) < 0x1p52)
        return end + direction;
    return nextafter(end, direction * INFINITY);
}

static void check_range(const char *family, const spar_entry *e, const spar_param *p)
{
    bool ends = bind_number(e, p, p->low) == SPAR_OK, outside = true;
    outside &= bind_number(e, p, next_outside(p, p->low, -1)) == SPAR_INVALID;
    if (isfinite(p->high)) {
        ends &= bind_number(e, p, p->high) == SPAR_OK;
        outside &= bind_number(e, p, next_outside(p, p->high, 1)) == SPAR_INVALID;
    }
    ok(p->low <= p->high && ends, "%s %s: both ends of %s, %g and %g, are allowed", family, e->name, p->name, p->low,
       p->high);
    ok(outside, "%s %s: just outside the range of %s is refused", family, e->name, p->name);
    bool words = bind(e, p, "many", NULL) == SPAR_INVALID && bind(e, p, "nan", NULL) == SPAR_INVALID &&
                 bind(e, p, "inf", NULL) == SPAR_INVALID;
    ok(words, "%s %s: %s is no word, nan or inf", family, e->name, p->name);
    if (p->kind == SPAR_PARAM_INTEGER && p->low < p->high)
        ok(bind_number(e, p, p->low + 0.5) == SPAR_INVALID, "%s %s: %s is whole", family, e->name, p->name);
}

static void check_choices(const char *family, const spar_entry *e, const spar_param *p)
{
    bool all = p->choices && p->standard, unique = true;
    size_t count = 0;
    char word[64][64];
    for (const char *at = p->choices; all && *at && count < 64; count++) {
        size_t span = strcspn(at, "|");
        all &= span > 0 && span < sizeof word[0];
        (void)snprintf(word[count], sizeof word[0], "%.*s", (int)span, at);
        all &= bind(e, p, word[count], NULL) == SPAR_OK;
        for (size_t k = 0; k < count; k++)
            unique &= strcmp(word[k], word[count]) != 0;
        at += span + (at[span] == '|');
    }
    ok(all && unique && count > 1, "%s %s: each of %s=%s is a choice", family, e->name, p->name, p->choices);
    ok(bind(e, p, "no-such-choice", NULL) == SPAR_INVALID, "%s %s: nothing else is", family, e->name);
}

static void check_params(const char *family, const spar_entry *(*entry)(size_t))
{
    for (size_t i = 0; entry(i); i++) {
        const spar_entry *e = entry(i);
        spar__values values;
        spar_error err = {0};
        ok(spar__values_bind(e, NULL, &values, &err) == SPAR_OK, "%s %s: the defaults are in range", family, e->name);
        spar__values_free(&values);
        for (const spar_param *p = e->params; p && p->name; p++) {
            bool unique = true;
            for (const spar_param *q = e->params; q < p; q++)
                unique &= strcmp(p->name, q->name) != 0;
            ok(lower_snake(p->name) && unique, "%s %s: parameter %s", family, e->name, p->name);
            ok(one_line(p->help), "%s %s: %s has help: %s", family, e->name, p->name, p->help ? p->help : "");
            ok(!p->standard || bind(e, p, p->standard, NULL) == SPAR_OK, "%s %s: the default %s=%s may be written out",
               family, e->name, p->name, p->standard ? p->standard : "");
            if (p->kind == SPAR_PARAM_NUMBER || p->kind == SPAR_PARAM_INTEGER || p->kind == SPAR_PARAM_NUMBERS)
                check_range(family, e, p);
            if (p->kind == SPAR_PARAM_CHOICE)
                check_choices(family, e, p);
        }
    }
}

/* An alias's parameters go to the first stage that knows them, so no two stages may use one name for two things; and a
 * bandit standing first is told from a policy by its name alone. */
static void check_between_families(void)
{
    bool apart = true;
    for (size_t i = 0; bandit_entry(i); i++) {
        apart &= !spar__policy_find(bandit_entry(i)->name) && !spar__posterior_find(bandit_entry(i)->name);
        for (size_t k = 0; alias_entry(k); k++)
            apart &= strcmp(alias_entry(k)->name, bandit_entry(i)->name) != 0;
    }
    for (size_t k = 0; alias_entry(k); k++)
        apart &= !spar__policy_find(alias_entry(k)->name);
    ok(apart, "no policy, bandit, belief or alias has the name of another");
}

int main(void)
{
    static const struct {
        const char *name;
        const spar_entry *(*entry)(size_t);
    } families[] = {{"policy", policy_entry}, {"bandit", bandit_entry},     {"belief", belief_entry},
                    {"env", env_entry},       {"feedback", feedback_entry}, {"alias", alias_entry}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        ok(families[i].entry(0) != NULL, "there is a %s", families[i].name);
        check_names(families[i].name, families[i].entry);
        check_params(families[i].name, families[i].entry);
    }
    check_between_families();
    return done();
}
