/* The file rank.state of `spar rank`: a file with the right frame continues the comparison or is put aside with a note,
 * and never stops it; what was continued has sums that a comparison can have made. */
#include "base/file.h"
#include "fuzz.h"
#include "rank/comparison.h"

static const char text[] = "2 qid:1 1:3 2:1\n0 qid:1 1:2 2:3\n1 qid:2 1:1\n0 qid:2 2:1\n0 qid:3 1:1 2:0\n1 qid:3 2:2\n";

static void note(void *context, const char *sentence)
{
    *(bool *)context = sentence[0] != '\0';
}

static const spar__comparison_options *options(const char *file, void *context)
{
    static spar__interleaving lists;
    static spar__comparison_options o;
    if (!lists.queries) {
        const char *data = fuzz_file(text, sizeof text - 1);
        spar__queries_options queries = {.path = &data, .paths = 1, .cache = "", .threads = 1};
        require(!spar__interleaving_open("team_draft", "perfect", &queries, &lists, NULL));
        o = (spar__comparison_options){.how = {.of = &lists, .threads = 1}, .mix = "team_draft", .click = "perfect"};
        o.note = note;
    }
    o.file = file;
    o.context = context;
    return &o;
}

static spar__tally *empty(void)
{
    static spar__tally *tally;
    if (!tally)
        require(!spar__tally_new(2, &tally));
    spar__tally_clear(tally);
    return tally;
}

static fuzz_saved example(uint64_t data)
{
    static fuzz_saved saved;
    spar__tally *tally = empty();
    spar__buf bytes = {0};
    if (saved.bytes)
        return saved;
    const spar__comparison_options *o = options("/dev/null", NULL);
    require(!spar__tally_add(tally, &o->how, 0, 2, NULL));
    o = options(fuzz_file("", 0), NULL); /* not a regular file with a name: it is written through */
    require(!spar__state_save(o, data, tally, NULL) && !spar__file_read(o->file, 0, &bytes, NULL));
    saved = (fuzz_saved){(unsigned char *)bytes.text, bytes.length};
    return saved;
}

void fuzz_rank_state(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {.name = "state", .tag = "rcmp", .version = 1, .section = {{"body", 0}}};
    bool noted = false;
    uint64_t hash = spar__state_hash(options(NULL, NULL)->how.of->queries);
    fuzz_saved in = fuzz_damage(&kind, example(hash), data, size);
    spar__tally *tally = empty();
    double p[4], se[4];
    const spar__comparison_options *o = options(fuzz_file(in.bytes, in.length), &noted);
    require(!spar__state_load(o, hash, tally, NULL));
    require(tally->queries <= 3 && (tally->queries == 3 || noted));
    spar__tally_read(tally, p, se, NULL);
    require(tally->queries > 0 || p[1] == 0.5);
    require(p[0] == 0.5 && p[1] >= 0 && p[1] <= 1 && p[1] + p[2] == 1);
    free(in.bytes);
}
