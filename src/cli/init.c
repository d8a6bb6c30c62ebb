/* init.c - spar init: a new experiment. */
#include "base/alloc.h"
#include "base/buf.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/terminal.h"
#include "live/text_limits.h"
#include "session/axes.h"
#include "store/store.h"
#include "text/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LONG_BODY = 280, FIELD = 12 }; /* characters, as in spar_setup; where the value of a field begins */

/* The setup, and what it is worth to say about it. */
typedef struct init_maker {
    spar_setup *setup;
    size_t options, images, longs, features;
    spar__item_list items;
} init_maker;

static spar_status take_option(void *context, const spar_option *option, spar_error *err)
{
    init_maker *maker = context;
    size_t characters = 0;
    for (const char *text = spar_option_body(option); text && *text; text++)
        characters += ((unsigned char)*text & 0xC0) != 0x80;
    maker->options++;
    maker->images += spar_option_image_type(option) != NULL;
    maker->longs += characters > LONG_BODY;
    (void)spar_option_features(option, &maker->features);
    spar_status status = spar_setup_add_option(maker->setup, option, err);
    return status == SPAR_CONFLICT && err ? spar__fail(err, SPAR_INVALID, "%s", err->text) : status;
}

/* Where no options are given, they are those that have outputs, in the order in which they come. */
static spar_status take_outputs(init_maker *maker, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < maker->items.n && !status; i++)
        for (size_t k = 0; k < spar_item_outputs(maker->items.item[i]) && !status; k++) {
            spar_option *option = NULL;
            spar_error why = {0};
            status = spar_option_new(spar_item_option(maker->items.item[i], k), &option, err);
            if (!status)
                status = spar_setup_add_option(maker->setup, option, &why);
            maker->options += !status;
            if (status == SPAR_CONFLICT)
                status = SPAR_OK;
            else if (status && why.text[0])
                (void)spar__fail(err, status, "%s", why.text);
            spar_option_free(option);
        }
    return status;
}

static spar_status take_items(const char *path, init_maker *maker, spar_error *err)
{
    spar_status status = path ? spar__items_load(path, &maker->items, err) : SPAR_OK;
    if (!status && path && !maker->options)
        status = take_outputs(maker, err);
    for (size_t i = 0; i < maker->items.n && !status; i++)
        status =
            spar__item_fail(&maker->items, i, path, spar_setup_add_item(maker->setup, maker->items.item[i], err), err);
    return status;
}

static spar_status fill_setup(const spar__settings *settings, spar_setup *setup, spar_error *err)
{
    const char *question = spar__setting_text(settings, "question"), *policy = spar__setting_text(settings, "policy");
    uint64_t m = spar__setting_number(settings, "m");
    const char *space = spar__setting_text(settings, "space");
    bool against_last = spar__setting_number(settings, "against-last") != 0;
    spar_answer_kind answer = spar__setting_is(settings, "answer", "ranking") ? SPAR_ANSWER_RANKING
                              : spar__setting_is(settings, "answer", "pairs") ? SPAR_ANSWER_PAIRS
                                                                              : SPAR_ANSWER_WINNER;
    if (space && spar__setting_text(settings, "items"))
        return spar__fail(err, SPAR_INVALID, "init: an experiment has items (--items) or a space (--space), not both");
    if (against_last && !space)
        return spar__fail(err, SPAR_INVALID, "init: --against-last needs a space of settings: --space");
    spar_status status = question ? spar_setup_set_question(setup, question, err) : SPAR_OK;
    if (!status && space)
        status = spar_setup_set_space(setup, space, against_last, err);
    if (!status && policy)
        status = spar_setup_set_policy(setup, policy, err);
    if (!status && m)
        status = spar_setup_set_slots(setup, (size_t)m, err);
    if (!status)
        status = spar_setup_set_answer(setup, answer, err);
    if (spar__setting_of(settings, "seed")->n)
        spar_setup_set_seed(setup, spar__setting_number(settings, "seed"));
    return status;
}

static const char *why_m(const spar__settings *settings, const init_maker *maker, size_t m)
{
    return spar__setting_number(settings, "m") ? "as you said"
           : maker->options < 2                ? "until there are more"
           : maker->options == 2               ? "there are two"
           : maker->features && m == 2         ? "options with features are compared two at a time; --m shows more"
           : maker->items.n                    ? "prompts and outputs are long to read; --m shows more"
           : maker->longs                      ? "the texts are long; --m shows more"
           : maker->images                     ? "images are compared quickly; --m changes it"
                                               : "short texts are compared quickly; --m changes it";
}

/* "  question  Which tea?", broken if it must be. */
static void add_field(const char *name, const char *text, spar__buf *out)
{
    spar__buf_printf(out, "  %-10s", name);
    spar__wrap(text, spar__output_width(), FIELD, FIELD, 100, out);
    spar__buf_adds(out, "\n");
}

/* How each axis was understood, so that a slip in the text is seen before the first answer. */
static void add_axes(const spar_axes *axes, spar__buf *out)
{
    static const char *const kind[] = {"values", "values, by their logarithm", "levels", "choices, in no order"};
    for (size_t a = 0; a < spar_axes_count(axes); a++) {
        const char *unit = spar_axes_unit(axes, a);
        size_t n = spar_axes_values(axes, a);
        bool listed = spar_axes_kind(axes, a) == SPAR_AXIS_LEVELS || spar_axes_kind(axes, a) == SPAR_AXIS_CHOICE;
        spar__buf line = {0};
        spar__buf_printf(&line, "%s: ", spar_axes_name(axes, a));
        for (size_t i = 0; i < n; i += listed ? 1 : n - 1) {
            char text[SPAR__AXES_VALUE];
            (void)spar_axes_write(axes, a, i, text, sizeof text);
            spar__buf_printf(&line, "%s%s", i == 0 ? "" : listed ? ", " : " to ", text);
        }
        spar__buf_printf(&line, "%s%s (%zu %s)", unit ? " " : "", unit ? unit : "", n, kind[spar_axes_kind(axes, a)]);
        out->failed |= line.failed;
        add_field(a ? "" : "settings", line.failed ? "" : line.text, out);
        spar__buf_free(&line);
    }
}

static void print_made(const spar__settings *settings, const spar_experiment *experiment, const init_maker *maker,
                       spar__buf *out)
{
    const char *question = spar_experiment_question(experiment);
    const spar_axes *axes = spar_experiment_axes(experiment);
    size_t m = spar_experiment_slots(experiment), items = spar_experiment_items(experiment);
    char text[200];
    spar__buf_add_printable(out, spar_experiment_place(experiment));
    if (axes)
        spar__buf_printf(out, ": a new experiment with %zu ax%s", spar_axes_count(axes),
                         spar_axes_count(axes) == 1 ? "is" : "es");
    else
        spar__buf_printf(out, ": a new experiment with %zu option%s", maker->options, spar__plural(maker->options));
    if (maker->items.n)
        spar__buf_printf(out, " and %zu item%s", items, spar__plural(items));
    spar__buf_adds(out, "\n");
    if (question)
        add_field("question", question, out);
    if (axes)
        add_axes(axes, out);
    if (maker->features) {
        (void)snprintf(text, sizeof text,
                       "%zu for each option: 1 for a column of numbers, 1 for each text of a column of texts",
                       maker->features);
        add_field("features", text, out);
    }
    if (axes)
        (void)snprintf(text, sizeof text, "%zu settings%s", m,
                       spar_experiment_against_last(experiment) ? ", one of them the last one" : "");
    else
        (void)snprintf(text, sizeof text, "%zu options (m = %zu: %s)", m, m, why_m(settings, maker, m));
    add_field("a screen", text, out);
    add_field("answer", spar_answer_kind_name(spar_experiment_asks(experiment)), out);
    add_field("policy", spar_experiment_policy(experiment), out);
    (void)snprintf(text, sizeof text, "%" PRIu64, spar_experiment_seed(experiment));
    add_field("seed", text, out);
    spar__buf_adds(out, "\n");
}

static void print_json(const spar_experiment *experiment, const init_maker *maker, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "experiment", spar_experiment_place(experiment));
    spar__json_add_string(&json, "question", spar_experiment_question(experiment));
    spar__json_add_unsigned(&json, "options", maker->options);
    if (spar_experiment_axes(experiment)) {
        spar__json_add_string(&json, "space", spar_axes_text(spar_experiment_axes(experiment)));
        spar__json_add_boolean(&json, "against_last", spar_experiment_against_last(experiment));
    }
    if (maker->items.n)
        spar__json_add_unsigned(&json, "items", spar_experiment_items(experiment));
    spar__json_add_unsigned(&json, "m", spar_experiment_slots(experiment));
    spar__json_add_string(&json, "answer", spar_answer_kind_name(spar_experiment_asks(experiment)));
    spar__json_add_string(&json, "policy", spar_experiment_policy(experiment));
    spar__json_add_unsigned(&json, "seed", spar_experiment_seed(experiment));
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static void print_next(const char *file, size_t options, spar__buf *out)
{
    static const struct {
        const char *command, *what;
    } next[] = {{"vote", "answer screens in the terminal"},
                {"ask", "a screen for a script"},
                {"status", "what the answers say"}};
    if (options < 2) {
        spar__buf_adds(out, "Add options until there are two: spar add ");
        spar__shell_word(file, out);
        spar__buf_adds(out, " NAME ...\n");
        return;
    }
    spar__buf_adds(out, "Next:\n");
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        spar__buf_printf(out, "  spar %s ", next[i].command);
        spar__shell_word(file, out);
        spar__buf_printf(out, "%*s  %s\n", (int)(6 - strlen(next[i].command)), "", next[i].what);
    }
}

static spar_status init(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const char *file = settings->operand[0];
    init_maker maker = {0};
    spar_experiment *experiment = NULL;
    spar_status status = spar_setup_new(&maker.setup) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = fill_setup(settings, maker.setup, err);
    if (!status)
        status = spar__each_option(settings, 1, NULL, take_option, &maker, err);
    if (!status)
        status = take_items(spar__setting_text(settings, "items"), &maker, err);
    if (!status && (status = spar_experiment_create(file, maker.setup, &experiment, err)) == SPAR_CONFLICT) {
        char *shown = spar__store_shown(file);
        status = shown ? spar__fail(err, status, "%s: there is an experiment already%s", shown,
                                    strchr(file, '#') ? "" : "; FILE#NAME puts another one into the same file")
                       : spar__fail_memory(err);
        spar__free(shown);
    }
    if (!status && spar__setting_number(settings, "json")) {
        print_json(experiment, &maker, out);
    } else if (!status) {
        print_made(settings, experiment, &maker, out);
        print_next(spar_experiment_place(experiment), spar_experiment_axes(experiment) ? 2 : maker.options, out);
    }
    if (!status)
        spar__note_no_item_serves(experiment);
    spar_experiment_close(experiment);
    spar_setup_free(maker.setup);
    spar__item_list_free(&maker.items);
    return status;
}

static const spar__option options[] = {
    SPAR__TEXT_OPTION("question", "Q", "what people are asked"),
    SPAR__OPTION_OPTIONS,
    SPAR__TEXT_OPTION("space", "AXES",
                      "settings in place of options, such as 'speed 0.1..2 m/s, gain 1..10 log, mode {a,b}'"),
    SPAR__SWITCH_OPTION("against-last", "in a space: compare a new setting with the last one (one device)"),
    SPAR__OPTION_ITEMS,
    SPAR__COUNT_OPTION("m", "M", NULL, SPAR__SCREEN_LEAST, SPAR__SCREEN_MOST,
                       "options on a screen; by default 2 of two or of long texts, else 4 or as many as there are"),
    SPAR__TEXT_OPTION("policy", "P",
                      "what chooses the screens; the default decides soon, and shows bad options rarely"),
    SPAR__CHOICE_OPTION("answer", "K", "winner", "winner|ranking|pairs", "what people are asked for"),
    SPAR__COUNT_OPTION("seed", "S", NULL, 0, UINT64_MAX, "of the screens; random by default"),
    SPAR__SWITCH_OPTION("json", "print what was made as JSON"),
    {.name = NULL},
};

const spar__command spar__command_init = {
    .name = "init",
    .brief = "Make an experiment: a file that holds options, screens and the answers of real people",
    .operands = "FILE[#NAME] [OPTION ...] [OPTIONS]",
    .min_operands = 1,
    .max_operands = 10001,
    .options = options,
    .notes =
        "A file may hold several experiments: FILE#NAME.\n"
        "--options takes a list of texts; or of maps with id, title, body (Markdown), image (a file), in YAML, JSON\n"
        "or CSV, where every other column is a feature; or lines of text; or a folder of images.\n"
        "--items takes lines {\"id\", \"prompt\", \"group\", \"outputs\": {option: text}}: a screen shows the outputs "
        "of its\n"
        "options for one item, and no voter sees an item twice. Without options, they are those that have outputs.\n"
        "--space has axes, separated by commas: a range (0.1..2), one by its logarithm (1..10 log), levels\n"
        "({1,2,5}) or choices ({a,b}), and a unit if you like (doc/tuning-by-preference.md).",
    .example = "spar init tea.db Assam Darjeeling Earl-Grey Sencha --question 'Which tea?'",
    .run = init,
};
