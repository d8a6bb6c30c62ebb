#include "live/log/event_json.h"

#include "base/hash.h"
#include "live/log/event_fields.h"

#include <spar/event.h>

#include <inttypes.h>
#include <string.h>

enum { HEAD = 22 };

#define WORDS(...)                                                                                                     \
    (sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *)), (const char *const[])                                \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void content(spar__fields *f)
{
    spar__field_hex(f, "content", SPAR_HASH_SIZE, true);
}

/* What a created event of version 2 has besides. */
static void space(spar__fields *f)
{
    spar__field_flag(f, "against_last");
    spar__field_text(f, "space");
}

static void created(spar__fields *f)
{
    (void)spar__field_number(f, "seed", 8, false);
    (void)spar__field_number(f, "horizon", 8, false);
    (void)spar__field_word(f, "asks", SPAR_ANSWER_WINNER, WORDS("winner", "ranking", "pairs"),
                           "winner, ranking or pairs");
    spar__field_flag(f, "shuffle");
    (void)spar__field_number(f, "dim", 4, false);
    size_t axes = spar__field_count(f, "axes", 4);
    spar__field_objects list = spar__field_list(f, "axes");
    for (size_t i = 0; i < axes && !f->failed; i++) {
        spar__field_item(f, &list);
        (void)spar__field_word(f, "kind", 0, WORDS("range", "levels", "choice"), "range, levels or choice");
        spar__field_real(f, "lo");
        spar__field_real(f, "hi");
        (void)spar__field_number(f, "n", 8, false);
        spar__field_end_item(f, &list);
    }
    spar__field_end_list(f, &list);
    spar__field_text(f, "policy");
}

static void settings(spar__fields *f)
{
    (void)spar__field_number(f, "m", 4, false);
    (void)spar__field_word(f, "results", SPAR_RESULTS_MANAGERS, WORDS("managers", "after_vote", "public"),
                           "managers, after_vote or public");
    (void)spar__field_word(f, "access", SPAR_ACCESS_OPEN, WORDS("open", "invited"), "open or invited");
    content(f);
}

static void option(spar__fields *f)
{
    (void)spar__field_number(f, "arm", 4, false);
    (void)spar__field_number(f, "version", 4, false);
    spar__field_reals(f, "x", (size_t)spar__field_number(f, "dim", 4, false));
    content(f);
}

static void retired(spar__fields *f)
{
    (void)spar__field_number(f, "arm", 4, false);
}

static void item(spar__fields *f)
{
    (void)spar__field_number(f, "index", 4, false);
    (void)spar__field_number(f, "version", 4, false);
    (void)spar__field_number(f, "group", 4, true);
    spar__field_indices(f, "outputs", spar__field_count(f, "outputs", 4));
    content(f);
}

/* The slots of a screen, or of an import, which have fewer fields. */
static void slots(spar__fields *f, bool screen)
{
    size_t m = spar__field_count(f, "slots", 4), dim = (size_t)spar__field_number(f, "dim", 4, false);
    spar__field_objects list = spar__field_list(f, "slots");
    for (size_t j = 0; j < m && !f->failed; j++) {
        spar__field_item(f, &list);
        if (screen)
            (void)spar__field_number(f, "place", 4, false);
        (void)spar__field_number(f, "arm", 4, true); /* null: a new point */
        if (screen)
            spar__field_real(f, "prob");
        spar__field_reals(f, "x", dim);
        spar__field_end_item(f, &list);
    }
    spar__field_end_list(f, &list);
}

static void screen(spar__fields *f)
{
    (void)spar__field_number(f, "screen", 8, false);
    spar__field_voter(f);
    (void)spar__field_number(f, "basis", 8, false);
    (void)spar__field_number(f, "engine", 4, false);
    (void)spar__field_number(f, "item", 4, true);
    slots(f, true);
    spar__field_integers(f, "memo", spar__field_count(f, "memo", 1));
}

static void ranking(spar__fields *f)
{
    size_t n = spar__field_count(f, "order", 4);
    spar__field_objects list = spar__field_list(f, "order");
    for (size_t i = 0; i < n && !f->failed; i++) {
        spar__field_item(f, &list);
        (void)spar__field_number(f, "slot", 4, false);
        (void)spar__field_number(f, "level", 4, false);
        spar__field_end_item(f, &list);
    }
    spar__field_end_list(f, &list);
}

static void pairs(spar__fields *f)
{
    size_t n = spar__field_count(f, "pairs", 4);
    spar__field_objects list = spar__field_list(f, "pairs");
    for (size_t i = 0; i < n && !f->failed; i++) {
        spar__field_item(f, &list);
        (void)spar__field_number(f, "j", 4, false);
        (void)spar__field_number(f, "k", 4, false);
        (void)spar__field_word(f, "outcome", SPAR_LOSS, WORDS("loss", "tie", "win"), "loss, tie or win");
        spar__field_end_item(f, &list);
    }
    spar__field_end_list(f, &list);
}

static void answer(spar__fields *f)
{
    const spar__json_node *outer = spar__field_object(f, "answer");
    switch (spar__field_word(f, "kind", SPAR_ANSWER_WINNER, WORDS("winner", "ranking", "pairs", "tie", "bad", "skip"),
                             "winner, ranking, pairs, tie, bad or skip")) {
    case SPAR_ANSWER_WINNER:
        (void)spar__field_number(f, "slot", 4, false);
        break;
    case SPAR_ANSWER_RANKING:
        ranking(f);
        break;
    case SPAR_ANSWER_PAIRS:
        pairs(f);
        break;
    default:
        break;
    }
    spar__field_end_object(f, outer);
}

static void undo(spar__fields *f)
{
    (void)spar__field_number(f, "screen", 8, false);
    (void)spar__field_number(f, "revision", 4, false);
}

static void answered(spar__fields *f)
{
    undo(f); /* which screen, and which of its answers */
    spar__field_voter(f);
    (void)spar__field_number(f, "taken", 4, false);
    (void)spar__field_number(f, "flags", 4, false);
    content(f);
    answer(f);
}

static void imported(spar__fields *f)
{
    spar__field_hex(f, "key", SPAR_HASH_SIZE, false);
    spar__field_voter(f);
    slots(f, false);
    answer(f);
}

static void nothing(spar__fields *f)
{
    (void)f;
}

static void (*const BODY[])(spar__fields *f) = {created,  settings, option,  retired, item,    screen,
                                                answered, undo,     nothing, nothing, imported};

static spar_event_kind kind_of(const char *name)
{
    for (int kind = SPAR_EVENT_CREATED; name && kind <= SPAR_EVENT_IMPORTED; kind++)
        if (strcmp(spar_event_kind_name((spar_event_kind)kind), name) == 0)
            return (spar_event_kind)kind;
    return SPAR_EVENT_NONE;
}

spar_status spar__event_json_add(spar__json *json, const unsigned char *bytes, size_t length, spar_error *err)
{
    if (length < HEAD || bytes[0] < 1 || bytes[0] > (bytes[1] == SPAR_EVENT_CREATED ? 2 : 1) ||
        !spar_event_kind_name((spar_event_kind)bytes[1]))
        return spar__fail(err, SPAR_CORRUPT, "these bytes are no event of version 1 or 2");
    spar_event_kind kind = (spar_event_kind)bytes[1];
    spar__fields f = {.at = bytes + 6, .left = length - 6, .json = json};
    (void)spar__field_number(&f, "seq", 8, false);
    spar__field_integer(&f, "time");
    spar__json_add_string(json, "kind", spar_event_kind_name(kind));
    BODY[kind - SPAR_EVENT_CREATED](&f);
    if (bytes[0] == 2)
        space(&f);
    if (f.failed || f.left)
        return spar__fail(err, SPAR_CORRUPT, "event %" PRIu64 ": its contents are not those of '%s'",
                          spar__get_u64(bytes + 6), spar_event_kind_name(kind));
    return json->out->failed ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__event_json_read(const spar__json_tree *tree, spar__buf *out, spar_error *err)
{
    const spar__json_node *root = spar__json_root(tree);
    spar_event_kind kind = kind_of(spar__json_text(tree, spar__json_member(tree, root, "kind")));
    spar__fields f = {.tree = tree, .in = root, .out = out};
    size_t start = out->length;
    if (kind == SPAR_EVENT_NONE)
        return spar__fail(err, SPAR_PARSE, "'kind' is not there or not the kind of an event, such as \"answer\"");
    bool spaced = kind == SPAR_EVENT_CREATED && spar__json_member(tree, root, "space");
    spar__buf_add(out, (const char[]){spaced ? 2 : 1, (char)kind, 0, 0, 0, 0}, 6);
    (void)spar__field_number(&f, "seq", 8, false);
    spar__field_integer(&f, "time");
    BODY[kind - SPAR_EVENT_CREATED](&f);
    if (spaced)
        space(&f);
    if (out->failed)
        return spar__fail_memory(err);
    if (f.failed)
        return spar__fail(err, SPAR_PARSE, "'%s' of this '%s' is not there or not right, expected %s", f.key,
                          spar_event_kind_name(kind), f.wanted);
    if (out->length - start - HEAD > UINT32_MAX)
        return spar__fail(err, SPAR_PARSE, "the event is too long");
    spar__put_u32((unsigned char *)out->text + start + 2, (uint32_t)(out->length - start - HEAD));
    return SPAR_OK;
}
