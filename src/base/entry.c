#include "base/entry.h"

const char *spar_entry_name(const spar_entry *entry)
{
    return entry ? entry->name : NULL;
}

const char *spar_entry_brief(const spar_entry *entry)
{
    return entry ? entry->brief : NULL;
}

const char *spar_entry_paper(const spar_entry *entry)
{
    return entry ? entry->paper : NULL;
}

size_t spar_entry_params(const spar_entry *entry)
{
    if (!entry)
        return 0;
    size_t n = 0;
    while (entry->params && entry->params[n].name)
        n++;
    return n;
}

const spar_param *spar_entry_param(const spar_entry *entry, size_t index)
{
    return entry && index < spar_entry_params(entry) ? &entry->params[index] : NULL;
}

const char *spar_param_name(const spar_param *param)
{
    return param ? param->name : NULL;
}

spar_param_kind spar_param_kind_of(const spar_param *param)
{
    return param ? param->kind : SPAR_PARAM_NUMBER;
}

const char *spar_param_default(const spar_param *param)
{
    return param ? param->standard : NULL;
}

double spar_param_low(const spar_param *param)
{
    return param ? param->low : 0;
}

double spar_param_high(const spar_param *param)
{
    return param ? param->high : 0;
}

const char *spar_param_choices(const spar_param *param)
{
    return param ? param->choices : NULL;
}

const char *spar_param_help(const spar_param *param)
{
    return param ? param->help : NULL;
}
