/* settings.c - a setting in words, and for programs. */
#include "base/error.h"
#include "base/nearest.h"
#include "live/live.h"
#include "live/screen.h"
#include "live/space/space.h"
#include "live/text_limits.h"
#include "session/axes.h"

#include <stdio.h>
#include <string.h>

static void add_value(const spar_axes *axes, size_t a, size_t value, spar__buf *out)
{
    char text[SPAR__AXES_VALUE];
    (void)spar_axes_write(axes, a, value, text, sizeof text);
    spar__buf_adds(out, text);
    if (spar_axes_unit(axes, a))
        spar__buf_printf(out, " %s", spar_axes_unit(axes, a));
}

void spar__space_words(const spar_axes *axes, const size_t *value, spar__buf *out)
{
    for (size_t a = 0; a < spar_axes_count(axes); a++) {
        spar__buf_printf(out, "%s%s ", a ? ", " : "", spar_axes_name(axes, a));
        add_value(axes, a, value[a], out);
    }
}

/* What does not fit into a title is cut, and stands in the body, a line an axis. */
spar_status spar__space_option(const spar_axes *axes, const size_t *value, bool kept, spar_option **out,
                               spar_error *err)
{
    spar__buf words = {0}, lines = {0};
    *out = NULL;
    spar__space_words(axes, value, &words);
    if (kept)
        spar__buf_adds(&lines, "as on the screen before");
    if (!words.failed && spar__prose_count(words.text) > SPAR__MOST_TITLE) {
        for (size_t a = 0; a < spar_axes_count(axes); a++) {
            spar__buf_printf(&lines, "%s%s ", lines.length ? "\n\n" : "", spar_axes_name(axes, a));
            add_value(axes, a, value[a], &lines);
        }
        size_t cut = SPAR__MOST_TITLE / 4 - 1; /* a character has at most 4 bytes: whole ones are kept */
        while (((unsigned char)words.text[cut] & 0xC0) == 0x80)
            cut--;
        words.text[cut] = '\0';
        words.length = cut;
        spar__buf_adds(&words, "...");
    }
    spar_status status = words.failed || lines.failed ? spar__fail_memory(err) : spar_option_new(words.text, out, err);
    if (!status && lines.length)
        status = spar_option_set_body(*out, lines.text, err);
    spar__buf_free(&words);
    spar__buf_free(&lines);
    return status;
}

void spar__space_json(const spar_axes *axes, const size_t *value, spar__json *json)
{
    spar__json_begin_array(json);
    for (size_t a = 0; a < spar_axes_count(axes); a++) {
        char plain[SPAR__AXES_VALUE];
        spar__buf text = {0};
        (void)spar_axes_write(axes, a, value[a], plain, sizeof plain);
        add_value(axes, a, value[a], &text);
        spar__json_begin_object(json);
        spar__json_add_string(json, "name", spar_axes_name(axes, a));
        if (spar_axes_kind(axes, a) == SPAR_AXIS_CHOICE)
            spar__json_add_string(json, "value", plain);
        else
            spar__json_add_number(json, "value", spar_axes_number(axes, a, value[a]));
        if (spar_axes_unit(axes, a))
            spar__json_add_string(json, "unit", spar_axes_unit(axes, a));
        spar__json_add_string(json, "text", text.failed ? NULL : text.text);
        spar__json_end_object(json);
        json->out->failed |= text.failed;
        spar__buf_free(&text);
    }
    spar__json_end_array(json);
}

void spar__screen_settings_json(spar_experiment *experiment, const spar_screen *screen, bool reversed, spar__json *json)
{
    size_t m = spar_screen_slots(screen);
    const spar_axes *axes = spar_experiment_axes(experiment);
    if (!axes)
        return;
    spar__json_key(json, "settings");
    spar__json_begin_array(json);
    for (size_t place = 0; place < m; place++)
        spar__space_json(axes, spar_screen_setting(screen, reversed ? m - 1 - place : place), json);
    spar__json_end_array(json);
}

/* A new experiment over a space. */

/* How many settings there are, at most `enough`. */
static size_t count_settings(const spar_axes *axes, size_t enough)
{
    size_t n = 1;
    for (size_t a = 0; a < spar_axes_count(axes) && n < enough; a++)
        n *= spar_axes_values(axes, a);
    return n < enough ? n : enough;
}

/* Is it log with one slip: Log, lgo, lo, logg? */
static bool is_nearly_log(const char *word)
{
    spar__nearest nearest = spar__nearest_to(word);
    nearest.distance = 2;
    spar__nearest_offer(&nearest, "log");
    return nearest.best != NULL;
}

/* 'x: 1..2' is written like that elsewhere. This and check_unit are here, and not where axes are read: experiments that
 * have such a name or unit already go on. */
static spar_status check_name(const spar_axes *axes, size_t axis, spar_error *err)
{
    const char *name = spar_axes_name(axes, axis);
    size_t length = strlen(name), rest = length;
    while (rest > 0 && strchr(":=", name[rest - 1]))
        rest--;
    if (rest == length)
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE,
                      "the name of the axis '%.80s' ends with '%c'; expected a name and values: '%.*s 1..10'", name,
                      name[length - 1], rest ? (int)rest : 5, rest ? name : "speed");
}

/* A unit may be any text. */
static spar_status check_unit(const spar_axes *axes, size_t axis, spar_error *err)
{
    char word[64];
    const char *at = spar_axes_unit(axes, axis);
    for (size_t n; at && *at; at += n + strspn(at + n, " \t\n\r")) {
        n = strcspn(at, " \t\n\r");
        (void)snprintf(word, sizeof word, "%.*s", (int)n, at);
        if (n < sizeof word && spar_axes_kind(axes, axis) == SPAR_AXIS_RANGE && is_nearly_log(word))
            return spar__fail(err, SPAR_PARSE,
                              "the axis '%.80s' has the unit '%s'; write log for a logarithmic range, or (%s) if it is "
                              "a unit",
                              spar_axes_name(axes, axis), word, word);
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
    for (size_t a = 0; !status && a < spar_axes_count(axes); a++) {
        status = check_name(axes, a, err);
        if (!status)
            status = check_unit(axes, a, err);
    }
    if (status) {
        spar_axes_free(axes);
        return status;
    }
    spar_axes_free(setup->axes);
    setup->axes = axes;
    setup->against_last = against_last;
    return SPAR_OK;
}

/* Five duels an axis all over the space come first: with one axis more would be a waste. The rest is the same for all;
 * doc/tuning-by-preference.md has what was measured. */
void spar__space_policy(const spar_axes *axes, spar__buf *out)
{
    enum { AN_AXIS = 5, MOST = 15 };
    size_t start = AN_AXIS * spar_axes_count(axes);
    spar__buf_printf(out, "kernel_self_sparring(duels=1,length=0.35,variance=9,fit=10,explore=0.7,apart=0.5,start=%zu)",
                     start < MOST ? start : MOST);
}

/* The policy is built, and must show m points. */
static spar_status try_policy(const char *policy, const spar_arms *arms, size_t m, spar_error *err)
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
    if (!status && spar_round_slots(round) != m)
        status = spar__fail(err, SPAR_UNSUPPORTED, "%s chooses itself how many settings it shows", policy);
    spar_policy_free(built);
    spar_round_free(round);
    spar_scratch_free(scratch);
    spar_rng_free(rng);
    return status;
}

spar_status spar__space_serves(const char *policy, const spar_setup *setup, size_t m, spar_error *err)
{
    spar_arms *arms = NULL;
    size_t settings = count_settings(setup->axes, m);
    if (setup->against_last && m != 2)
        return spar__fail(err, SPAR_INVALID, "a setting is compared with the last one: m is 2, not %zu", m);
    if (settings < m)
        return spar__fail(err, SPAR_INVALID, "the space has %zu settings, but a screen shows %zu", settings, m);
    if (spar_axes_arms(setup->axes, &arms))
        return spar__fail_memory(err);
    spar_status status = try_policy(policy, arms, m, err);
    spar_arms_free(arms);
    return status;
}
