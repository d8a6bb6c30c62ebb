/* event_fields.c - the fields of every kind of event, one table: types/event.c encodes and decodes by it, and
 * live/event_json.c writes and reads JSON by it, so that no two of them can disagree. A new field is one line here,
 * and, if it stands for more than a number or a text, a function in event.c. */
#include "types/event.h"

#define WORDS(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }
#define IN_EVENT(member) .offset = offsetof(struct spar_event, member)
#define U32(key, member) .name = key, .type = SPAR__FIELD_NUMBER, .bytes = 4, IN_EVENT(member)
#define U64(key, member) .name = key, .type = SPAR__FIELD_NUMBER, .bytes = 8, IN_EVENT(member)
#define INDEX .most = UINT32_MAX - 1
#define INSIDE_U32(key) .name = key, .type = SPAR__FIELD_NUMBER, .bytes = 4
#define WORD(key, first, last, ...)                                                                                    \
    .name = key, .type = SPAR__FIELD_WORD, .bytes = 1, .least = first, .most = last, .words = WORDS(__VA_ARGS__)
#define FLAG(key, member) .name = key, .type = SPAR__FIELD_FLAG, .bytes = 1, .most = 1, IN_EVENT(member)
#define VOTER .name = "voter", .type = SPAR__FIELD_VOTER, .bytes = 8, IN_EVENT(is.voter)
#define CONTENT .name = "content", .type = SPAR__FIELD_HASH
#define DIM .name = "dim", .type = SPAR__FIELD_DIM, .bytes = 4
#define COUNT(key, size) .name = key, .type = SPAR__FIELD_COUNT, .bytes = size
#define LIST(key, fields) .name = key, .type = SPAR__FIELD_LIST, .inner = fields, .part = SPAR__PART_BEFORE
#define REALS(key) .name = key, .type = SPAR__FIELD_REALS

static const spar__event_field axis[] = {{WORD("kind", 0, 2, "range", "levels", "choice")},
                                         {.name = "lo", .type = SPAR__FIELD_REAL},
                                         {.name = "hi", .type = SPAR__FIELD_REAL},
                                         {.name = "n", .type = SPAR__FIELD_NUMBER, .bytes = 8},
                                         {0}};

static const spar__event_field created[] = {
    {U64("seed", is.seed)},
    {U64("horizon", is.horizon)},
    {WORD("asks", SPAR_ANSWER_WINNER, SPAR_ANSWER_PAIRS, "winner", "ranking", "pairs"), IN_EVENT(is.asks)},
    {FLAG("shuffle", is.shuffle)},
    {DIM, .part = SPAR__PART_SPACE},
    {COUNT("axes", 4), .part = SPAR__PART_BEFORE},
    {LIST("axes", axis)},
    {.name = "policy", .type = SPAR__FIELD_TEXT, IN_EVENT(policy)},
    {FLAG("against_last", is.against_last), .since = 2},
    {.name = "space", .type = SPAR__FIELD_TEXT, IN_EVENT(axes), .since = 2},
    {0}};

static const spar__event_field settings[] = {
    {U32("m", is.m), .least = 1},
    {WORD("results", SPAR_RESULTS_MANAGERS, SPAR_RESULTS_PUBLIC, "managers", "after_vote", "public"),
     IN_EVENT(is.results)},
    {WORD("access", SPAR_ACCESS_OPEN, SPAR_ACCESS_INVITED, "open", "invited"), IN_EVENT(is.access)},
    {CONTENT},
    {0}};

static const spar__event_field option[] = {{U32("arm", is.arm), INDEX},
                                           {U32("version", is.version), .least = 1},
                                           {DIM, IN_EVENT(is.dim)},
                                           {REALS("x"), .part = SPAR__PART_FEATURES},
                                           {CONTENT},
                                           {0}};

static const spar__event_field retired[] = {{U32("arm", is.arm), INDEX}, {0}};

static const spar__event_field item[] = {{U32("index", is.item), INDEX},
                                         {U32("version", is.version), .least = 1},
                                         {U32("group", is.group), .none = true},
                                         {COUNT("outputs", 4), .part = SPAR__PART_OUTPUTS},
                                         {.name = "outputs", .type = SPAR__FIELD_INDICES, .part = SPAR__PART_BEFORE},
                                         {CONTENT},
                                         {0}};

static const spar__event_field screen_slot[] = {{INSIDE_U32("place")},
                                                {INSIDE_U32("arm"), .none = true}, /* null: a new point */
                                                {.name = "prob", .type = SPAR__FIELD_REAL},
                                                {REALS("x")},
                                                {0}};

static const spar__event_field screen[] = {{U64("screen", is.number), .least = 1},
                                           {VOTER},
                                           {U64("basis", is.basis)},
                                           {U32("engine", is.engine)},
                                           {U32("item", is.item), .none = true},
                                           {COUNT("slots", 4), .part = SPAR__PART_SLOTS},
                                           {DIM, .part = SPAR__PART_BEFORE},
                                           {LIST("slots", screen_slot)},
                                           {COUNT("memo", 1), .part = SPAR__PART_MEMO},
                                           {.name = "memo", .type = SPAR__FIELD_INTEGERS, .part = SPAR__PART_BEFORE},
                                           {0}};

static const spar__event_field answer_kind[] = {
    {WORD("kind", SPAR_ANSWER_WINNER, SPAR_ANSWER_SKIP, "winner", "ranking", "pairs", "tie", "bad", "skip")}, {0}};

#define ANSWER .name = "answer", .type = SPAR__FIELD_ANSWER, .inner = answer_kind, .part = SPAR__PART_ANSWER

static const spar__event_field answer[] = {{U64("screen", is.number), .least = 1},
                                           {U32("revision", is.revision)},
                                           {VOTER},
                                           {U32("taken", is.taken)},
                                           {U32("flags", is.flags)},
                                           {CONTENT},
                                           {ANSWER},
                                           {0}};

static const spar__event_field undo[] = {{U64("screen", is.number), .least = 1}, {U32("revision", is.revision)}, {0}};

static const spar__event_field import_slot[] = {{INSIDE_U32("arm"), .none = true}, {REALS("x")}, {0}};

static const spar__event_field imported[] = {{.name = "key", .type = SPAR__FIELD_KEY},
                                             {VOTER},
                                             {COUNT("slots", 4), .part = SPAR__PART_SLOTS},
                                             {DIM, .part = SPAR__PART_BEFORE},
                                             {LIST("slots", import_slot)},
                                             {ANSWER},
                                             {0}};

static const spar__event_field nothing[] = {{0}};

const spar__event_field *spar__event_fields(spar_event_kind kind)
{
    static const spar__event_field *const fields[] = {NULL,   created, settings, option,  retired, item,
                                                      screen, answer,  undo,     nothing, nothing, imported};
    return kind >= SPAR_EVENT_NONE && kind <= SPAR_EVENT_IMPORTED ? fields[kind] : NULL;
}

static const spar__event_field winner[] = {{INSIDE_U32("slot")}, {0}};
static const spar__event_field ranked[] = {{INSIDE_U32("slot")}, {INSIDE_U32("level")}, {0}};
static const spar__event_field ranking[] = {{COUNT("order", 4)}, {LIST("order", ranked)}, {0}};
static const spar__event_field pair[] = {
    {INSIDE_U32("j")}, {INSIDE_U32("k")}, {WORD("outcome", SPAR_LOSS, SPAR_WIN, "loss", "tie", "win")}, {0}};
static const spar__event_field pairs[] = {{COUNT("pairs", 4)}, {LIST("pairs", pair)}, {0}};

const spar__event_field *spar__answer_fields(spar_answer_kind kind)
{
    return kind == SPAR_ANSWER_WINNER    ? winner
           : kind == SPAR_ANSWER_RANKING ? ranking
           : kind == SPAR_ANSWER_PAIRS   ? pairs
                                         : nothing;
}
