/* How the plots of `spar run` look. */
#include "base/error.h"
#include "base/buf.h"
#include "cli/run/report.h"

#include <stdio.h>
#include <string.h>

/* Where the name begins in "POLICY=NAME"; parameters of the policy contain equals signs, too. 0: there is none. */
static size_t name_at(const char *text)
{
    int depth = 0;
    size_t at = 0;
    for (; text[at] && (text[at] != '=' || depth > 0); at++)
        depth += (text[at] == '(') - (text[at] == ')');
    return text[at] && at > 0 && text[at + 1] ? at + 1 : 0;
}

static bool is_label_of(const char *label, const char *policy)
{
    size_t name = name_at(label);
    return strlen(policy) + 1 == name && strncmp(label, policy, name - 1) == 0;
}

static spar_status check_label(const spar__settings *settings, const char *label, spar_error *err)
{
    const spar__setting *policies = spar__setting_of(settings, "policy");
    char policy[200];
    size_t name = name_at(label);
    if (!name)
        return spar__fail(err, SPAR_INVALID,
                          "--label: '%.80s' is not POLICY=NAME, as in 'dts=Double Thompson sampling'", label);
    (void)snprintf(policy, sizeof policy, "%.*s", (int)(name - 1), label);
    spar__nearest nearest = spar__nearest_to(policy);
    for (size_t i = 0; i < policies->n; i++) {
        if (is_label_of(label, policies->text[i]))
            return SPAR_OK;
        spar__nearest_offer(&nearest, policies->text[i]);
    }
    return spar__fail_unknown(err, "--label", "policy of this run", &nearest);
}

/* "900x460" */
static spar_status read_size(const char *text, spar__plot_style *style, spar_error *err)
{
    enum { LEAST = 200, MOST = 10000 };
    char width[16] = "";
    size_t length = strcspn(text, "x");
    uint64_t w = 0, h = 0;
    if (length < sizeof width)
        memcpy(width, text, length);
    if (!text[length] || !spar__parse_u64(width, &w) || !spar__parse_u64(text + length + 1, &h) || w < LEAST ||
        w > MOST || h < LEAST || h > MOST)
        return spar__fail(err, SPAR_INVALID,
                          "--size: '%.80s' is not WIDTHxHEIGHT in pixels from %d to %d, as in 900x460", text, LEAST,
                          MOST);
    style->width = (double)w;
    style->height = (double)h;
    return SPAR_OK;
}

spar_status spar__plot_style_of(const spar__settings *settings, spar__plot_style *out, spar_error *err)
{
    const char *axes = spar__setting_text(settings, "log"), *size = spar__setting_text(settings, "size");
    *out = (spar__plot_style){.log_x = axes && strchr(axes, 'x'),
                              .log_y = axes && strchr(axes, 'y'),
                              .title = spar__setting_text(settings, "title"),
                              .labels = spar__setting_of(settings, "label")};
    if (spar__setting_is(settings, "band", "quantile"))
        out->band = SPAR__BAND_QUANTILE;
    if (spar__setting_is(settings, "band", "none"))
        out->band = SPAR__BAND_NONE;
    spar_status status = size ? read_size(size, out, err) : SPAR_OK;
    for (size_t i = 0; !status && i < out->labels->n; i++)
        status = check_label(settings, out->labels->text[i], err);
    return status;
}

const char *spar__plot_name(const spar__plot_style *style, const char *policy)
{
    for (size_t i = 0; i < style->labels->n; i++)
        if (is_label_of(style->labels->text[i], policy))
            return style->labels->text[i] + name_at(style->labels->text[i]);
    return policy;
}

const char *spar__plot_title(const spar__plot_style *style, const spar_plan *plan, size_t panels, char room[200])
{
    if (!style->title || panels == 1)
        return style->title ? style->title : plan->env;
    (void)snprintf(room, 200, "%.95s: %.95s", style->title, plan->env);
    return room;
}
