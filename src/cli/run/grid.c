#include "cli/run/grid.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "policy/policy.h"

#include <string.h>

enum { MOST = 100000 }; /* policies */

/* The values of one parameter, in the order given. */
typedef struct axis {
    char *name;
    char **value;
    double *number;
    size_t n;
} axis;

/* A policy on its way through the axes. */
typedef struct point {
    char *policy;
    char **value; /* one per axis; NULL: unknown */
} point;

typedef struct points {
    point *list;
    size_t n;
} points;

static void free_axes(axis *axes, size_t n)
{
    for (size_t i = 0; axes && i < n; i++) {
        for (size_t k = 0; k < axes[i].n; k++)
            spar__free(axes[i].value[k]);
        spar__free(axes[i].value);
        spar__free(axes[i].number);
        spar__free(axes[i].name);
    }
    spar__free(axes);
}

static void free_points(points *p)
{
    for (size_t i = 0; i < p->n; i++) {
        spar__free(p->list[i].policy);
        spar__free(p->list[i].value);
    }
    spar__free(p->list);
    *p = (points){0};
}

/* Room for one more; NULL: out of memory. */
static point *add_point(points *p, const char *policy, size_t axes, char *const *values)
{
    if ((p->n & (p->n - 1)) == 0) { /* at powers of two */
        point *grown = spar__realloc(p->list, p->n, p->n ? 2 * p->n : 1, sizeof *grown);
        if (!grown)
            return NULL;
        p->list = grown;
    }
    point one = {spar__strdup(policy), spar__alloc(axes ? axes : 1, sizeof *one.value)};
    if (!one.policy || !one.value) {
        spar__free(one.policy);
        spar__free(one.value);
        return NULL;
    }
    if (values)
        memcpy(one.value, values, axes * sizeof *one.value);
    p->list[p->n] = one;
    return &p->list[p->n++];
}

static spar_status add_value(axis *a, const char *origin, const char *text, size_t length, spar_error *err)
{
    char **values = spar__realloc(a->value, a->n, a->n + 1, sizeof *values);
    if (values)
        a->value = values;
    double *numbers = spar__realloc(a->number, a->n, a->n + 1, sizeof *numbers);
    if (numbers)
        a->number = numbers;
    char *copy = spar__alloc(length + 1, 1);
    if (!values || !numbers || !copy) {
        spar__free(copy);
        return spar__fail_memory(err);
    }
    memcpy(copy, text, length);
    a->value[a->n++] = copy;
    if (!spar__parse_double(copy, &a->number[a->n - 1]))
        return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not a number, expected P=A:B:...", origin, copy);
    for (size_t i = 0; i + 1 < a->n; i++)
        if (a->number[i] == a->number[a->n - 1])
            return spar__fail(err, SPAR_INVALID, "%s: %s=%.80s is given twice; once is enough", origin, a->name, copy);
    return SPAR_OK;
}

static axis *find_axis(axis *axes, size_t *n, const char *name, size_t length)
{
    for (size_t i = 0; i < *n; i++)
        if (strlen(axes[i].name) == length && strncmp(axes[i].name, name, length) == 0)
            return &axes[i];
    axis *fresh = &axes[*n];
    fresh->name = spar__alloc(length + 1, 1);
    if (!fresh->name)
        return NULL;
    memcpy(fresh->name, name, length);
    (*n)++;
    return fresh;
}

/* One value of the option: "eta=0.5:1:2". */
static spar_status read_axis(const char *origin, const char *text, axis *axes, size_t *n, spar_error *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not of the form P=A:B:...", origin, text);
    axis *a = find_axis(axes, n, text, (size_t)(equals - text));
    spar_status status = a ? SPAR_OK : spar__fail_memory(err);
    for (const char *at = equals + 1; !status;) {
        size_t length = strcspn(at, ":");
        status = add_value(a, origin, at, length, err);
        if (!at[length])
            break;
        at += length + 1;
    }
    return status;
}

static spar_status fail_many(spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "all combinations are more than %d policies", MOST);
}

/* The policies at all values of an axis. A policy that does not know the parameter stays as it is; *known is set if one
 * does, and err says why the others do not. */
static spar_status cross(const points *from, const axis *a, size_t place, size_t axes, points *to, bool *known,
                         spar_error *err)
{
    for (size_t i = 0; i < from->n; i++) {
        const point *p = &from->list[i];
        spar__knob knob;
        spar_error why = {0};
        spar_status status = spar__knob_new(p->policy, a->name, &knob, &why);
        if (status == SPAR_UNKNOWN) {
            if (!*known && !err->status)
                *err = why;
            if (!add_point(to, p->policy, axes, p->value))
                return SPAR_NOMEM;
            continue;
        }
        if (status) {
            *err = why;
            return status;
        }
        *known = true;
        for (size_t k = 0; !status && k < a->n; k++) {
            spar__buf text = {0};
            spar__knob_write(&knob, a->number[k], &text);
            point *made = text.failed ? NULL : add_point(to, text.text, axes, p->value);
            if (made)
                made->value[place] = a->value[k];
            spar__buf_free(&text);
            status = !made ? SPAR_NOMEM : to->n > MOST ? fail_many(err) : SPAR_OK;
        }
        spar__knob_free(&knob);
        if (status)
            return status;
    }
    return SPAR_OK;
}

static spar_status cross_all(const spar__setting *policies, const axis *axes, size_t n, points *out, spar_error *err)
{
    for (size_t i = 0; i < policies->n; i++)
        if (!add_point(out, policies->text[i], n, NULL))
            return spar__fail_memory(err);
    for (size_t a = 0; a < n; a++) {
        points next = {0};
        bool known = false;
        spar_error why = {0};
        spar_status status = cross(out, &axes[a], a, n, &next, &known, &why);
        free_points(out);
        *out = next;
        if (status == SPAR_NOMEM)
            return spar__fail_memory(err);
        if (status || !known)
            return spar__fail(err, why.status, "--param %s: %s", axes[a].name, why.text);
    }
    return SPAR_OK;
}

/* Texts of the points become the grid's own. */
static spar_status take_points(spar__run_grid *grid, points *p)
{
    grid->policy = spar__alloc(p->n, sizeof *grid->policy);
    grid->value = spar__alloc(p->n * (grid->n_params ? grid->n_params : 1), sizeof *grid->value);
    if (!grid->policy || !grid->value)
        return SPAR_NOMEM;
    grid->n_policies = p->n;
    for (size_t i = 0; i < p->n; i++) {
        grid->policy[i] = p->list[i].policy;
        p->list[i].policy = NULL;
        for (size_t k = 0; k < grid->n_params; k++) {
            const char *value = p->list[i].value[k];
            char **to = &grid->value[i * grid->n_params + k];
            if (value && !(*to = spar__strdup(value)))
                return SPAR_NOMEM;
        }
    }
    return SPAR_OK;
}

static spar_status take_sizes(spar__run_grid *grid, const spar__setting *m, spar_error *err)
{
    grid->m = spar__alloc(m->n, sizeof *grid->m);
    if (!grid->m)
        return spar__fail_memory(err);
    for (size_t i = 0; i < m->n; i++) {
        uint64_t value = 0;
        (void)spar__parse_u64(m->text[i], &value); /* was checked */
        for (size_t k = 0; k < i; k++)
            if (grid->m[k] == value)
                return spar__fail(err, SPAR_INVALID, "%s: %s is given twice", m->origin, m->text[i]);
        grid->m[i] = (size_t)value;
    }
    grid->n_m = m->n;
    return SPAR_OK;
}

static spar_status take_names(spar__run_grid *grid, axis *axes, size_t n)
{
    grid->param = spar__alloc(n ? n : 1, sizeof *grid->param);
    if (!grid->param)
        return SPAR_NOMEM;
    grid->n_params = n;
    for (size_t i = 0; i < n; i++) {
        grid->param[i] = axes[i].name;
        axes[i].name = NULL;
    }
    return SPAR_OK;
}

spar_status spar__run_grid_make(const spar__settings *settings, spar__run_grid *out, spar_error *err)
{
    const spar__setting *envs = spar__setting_of(settings, "env"), *params = spar__setting_of(settings, "param");
    const spar__setting *m = spar__setting_of(settings, "m");
    *out = (spar__run_grid){.env = envs->text, .n_envs = envs->n, .many = m->n > 1 || params->n};
    points p = {0};
    size_t n = 0;
    axis *axes = spar__alloc(params->n ? params->n : 1, sizeof *axes);
    spar_status status = axes ? take_sizes(out, m, err) : spar__fail_memory(err);
    for (size_t i = 0; !status && i < params->n; i++)
        status = read_axis(params->origin, params->text[i], axes, &n, err);
    if (!status)
        status = cross_all(spar__setting_of(settings, "policy"), axes, n, &p, err);
    if (!status && (take_names(out, axes, n) || take_points(out, &p)))
        status = spar__fail_memory(err);
    free_points(&p);
    free_axes(axes, n);
    return status;
}

void spar__run_grid_free(spar__run_grid *grid)
{
    for (size_t i = 0; grid->policy && i < grid->n_policies; i++)
        spar__free(grid->policy[i]);
    for (size_t i = 0; grid->value && i < grid->n_policies * grid->n_params; i++)
        spar__free(grid->value[i]);
    for (size_t i = 0; grid->param && i < grid->n_params; i++)
        spar__free(grid->param[i]);
    spar__free(grid->policy);
    spar__free(grid->value);
    spar__free(grid->param);
    spar__free(grid->m);
    *grid = (spar__run_grid){0};
}
