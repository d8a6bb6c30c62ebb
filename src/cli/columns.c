#include "cli/columns.h"

#include <string.h>

static const char **find(spar__votes_columns *columns, const char *name)
{
    struct {
        const char *name, **column;
    } const known[] = {{"a", &columns->a},         {"b", &columns->b},       {"winner", &columns->winner},
                       {"voter", &columns->voter}, {"item", &columns->item}, {"id", &columns->id}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].column;
    return NULL;
}

/* A column is named 'a=left'; the text is changed. */
static spar_status read_column(char *text, spar__votes_columns *columns, spar_error *err)
{
    char *name = strchr(text, '=');
    if (name)
        *name++ = '\0';
    const char **column = name ? find(columns, text) : NULL;
    bool none = column && strcmp(name, "-") == 0;
    if (!column || !*name || (none && (column == &columns->a || column == &columns->b || column == &columns->winner)))
        return spar__fail(
            err, SPAR_INVALID,
            "--columns: '%.60s' is not one of a=NAME, b=NAME, winner=NAME, voter=NAME, item=NAME, id=NAME", text);
    *column = none ? "" : name;
    return SPAR_OK;
}

spar_status spar__columns_of(const spar__settings *settings, spar__votes_columns *columns, spar_error *err)
{
    const spar__setting *setting = spar__setting_of(settings, "columns");
    spar_status status = SPAR_OK;
    char *text = setting->n ? setting->text[0] : NULL;
    *columns = (spar__votes_columns){0};
    while (text && !status) {
        char *comma = strchr(text, ',');
        if (comma)
            *comma = '\0';
        status = read_column(text, columns, err);
        text = comma ? comma + 1 : NULL;
    }
    return status;
}

spar_status spar__columns_parse(bool json, const char *text, size_t length, const char *path,
                                const spar__votes_columns *columns, spar__votes *out, spar_error *err)
{
    spar_status status = (json ? spar__votes_parse_json : spar__votes_parse_csv)(text, length, path, columns, out, err);
    if (status == SPAR_PARSE && (strstr(err->text, ": no column '") || strstr(err->text, ": no member '")))
        return spar__fail(err, status, "%s; or name them, as in --columns a=left,b=right,winner=winner,voter=worker",
                          err->text);
    return status;
}
