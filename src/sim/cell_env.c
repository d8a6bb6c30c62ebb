/* cell_env.c - what an environment is called in keys. A path says nothing about what is in the file: the key has a hash
 * of that, so that the same name with other data is another cell. */
#include "base/alloc.h"
#include "base/spec.h"
#include "base/file.h"
#include "base/hash.h"
#include "env/env.h"
#include "sim/cell.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const spar_entry *entry(size_t i)
{
    return i < spar__n_env_classes ? &spar__env_classes[i]->entry : NULL;
}

static spar_status hash_file(const char *path, spar__hash *hash, spar_error *err)
{
    char block[1 << 16];
    FILE *file = fopen(path, "rbe");
    if (!file)
        return spar__fail_file(err, path, "open");
    size_t n;
    errno = EIO;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        spar__hash_add(hash, block, n);
    spar_status status = ferror(file) ? spar__fail_file(err, path, "read") : SPAR_OK;
    (void)fclose(file);
    return status;
}

/* Paths are separated by colons where there may be several. */
static spar_status hash_paths(const char *paths, bool several, spar__hash *hash, spar_error *err)
{
    char *copy = spar__strdup(paths);
    spar_status status = copy ? SPAR_OK : spar__fail_memory(err);
    for (char *path = copy; !status && path;) {
        char *end = several ? strchr(path, ':') : NULL;
        if (end)
            *end = '\0';
        status = hash_file(path, hash, err);
        path = end ? end + 1 : NULL;
    }
    spar__free(copy);
    return status;
}

/* A cache holds nothing that its data do not say. */
static bool is_data(const spar_param *param)
{
    return (param->kind == SPAR_PARAM_PATH || param->kind == SPAR_PARAM_PATHS) && strcmp(param->name, "cache") != 0;
}

spar_status spar__cell_env_key(const char *env, spar__buf *out, spar_error *err)
{
    size_t index;
    spar__values values;
    bool any = false;
    spar__hash hash = spar__hash_start();
    spar__buf_adds(out, env);
    spar_status status = spar__bind_one(env, "environment", entry, &index, &values, NULL);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status)
        return SPAR_OK; /* whoever makes it says why it cannot be */
    const spar_param *params = spar__env_classes[index]->entry.params;
    for (size_t i = 0; params && params[i].name && !status; i++) {
        const spar__value *value = &values.value[i];
        if (!is_data(&params[i]) || !value->given)
            continue;
        any = true;
        status = hash_paths(value->text, params[i].kind == SPAR_PARAM_PATHS, &hash, err);
    }
    spar__values_free(&values);
    if (any)
        spar__buf_printf(out, " [%016" PRIx64 "]", spar__hash_end(&hash));
    return !status && out->failed ? spar__fail_memory(err) : status;
}
