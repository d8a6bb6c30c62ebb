#include "base/entry.h"

const char *spar_entry_name(const spar_entry *entry)
{
    return entry->name;
}

const char *spar_entry_brief(const spar_entry *entry)
{
    return entry->brief;
}

const char *spar_entry_paper(const spar_entry *entry)
{
    return entry->paper;
}

size_t spar_entry_params(const spar_entry *entry)
{
    size_t n = 0;
    while (entry->params && entry->params[n].name)
        n++;
    return n;
}

const spar_param *spar_entry_param(const spar_entry *entry, size_t index)
{
    return index < spar_entry_params(entry) ? &entry->params[index] : NULL;
}

const char *spar_param_name(const spar_param *param)
{
    return param->name;
}

spar_param_kind spar_param_kind_of(const spar_param *param)
{
    return param->kind;
}

const char *spar_param_default(const spar_param *param)
{
    return param->standard;
}

double spar_param_low(const spar_param *param)
{
    return param->low;
}

double spar_param_high(const spar_param *param)
{
    return param->high;
}

const char *spar_param_choices(const spar_param *param)
{
    return param->choices;
}

const char *spar_param_help(const spar_param *param)
{
    return param->help;
}
