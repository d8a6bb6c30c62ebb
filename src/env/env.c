#include "env/env.h"

#include "base/alloc.h"
#include "base/spec.h"

#include <string.h>
#include <unistd.h>

const spar__env_class *const spar__env_classes[] = {
#define SPAR_ENV(name) &spar__env_##name,
#include "env/envs.def"
#undef SPAR_ENV
};
const size_t spar__n_env_classes = sizeof spar__env_classes / sizeof *spar__env_classes;

static const spar_entry *entry(size_t i)
{
    return i < spar__n_env_classes ? &spar__env_classes[i]->entry : NULL;
}

spar_status spar_env_new(const char *spec, spar_env **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !spec)
        return spar__fail_null(err);
    size_t index;
    spar__values values;
    spar_status status = spar__bind_one(spec, "environment", entry, &index, &values, err);
    if (status && access(spec, F_OK) == 0)
        return spar__fail(err, status, "%.200s: is a file, not an environment; did you mean 'matrix(file=%.200s)'?",
                          spec, spec);
    if (status)
        return status;
    spar_env *env = spar__alloc(1, sizeof *env);
    if (env) {
        env->cls = spar__env_classes[index];
        env->self = spar__alloc(1, env->cls->size);
    }
    status = env && env->self ? env->cls->init(env->self, &values, err) : spar__fail_memory(err);
    spar__values_free(&values);
    if (status)
        spar_env_free(env);
    else
        *out = env;
    return status;
}

void spar_env_free(spar_env *env)
{
    if (!env)
        return;
    if (env->self)
        env->cls->fini(env->self);
    spar__free(env->self);
    spar__free(env);
}

bool spar_env_plain(const spar_env *env)
{
    return env && env->cls->plain;
}

bool spar__env_has_features(const spar_env *env)
{
    return env->cls->has_features && env->cls->has_features(env->self);
}

const char *spar__env_cycle(const spar_env *env)
{
    return env->cls->cycle ? env->cls->cycle(env->self) : NULL;
}

const char *spar_env_note(const spar_env *env)
{
    return env && env->cls->note ? env->cls->note(env->self) : NULL;
}

const char *spar__env_feedback(const char *spec)
{
    spec += strspn(spec, " \t");
    size_t length = strcspn(spec, "( \t");
    for (size_t i = 0; i < spar__n_env_classes; i++) {
        const spar__env_class *cls = spar__env_classes[i];
        if (cls->feedback && strlen(cls->entry.name) == length && strncmp(spec, cls->entry.name, length) == 0)
            return cls->feedback;
    }
    return "all_pairs";
}
