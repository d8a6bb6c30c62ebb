/* settings.c - a setting of a space as people read it, and for programs. */
#include "live/screen.h"
#include "live/space/space.h"
#include "live/text_limits.h"
#include "session/axes.h"

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
    if (!words.failed && spar__text_count(words.text) > SPAR__MOST_TITLE) {
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
