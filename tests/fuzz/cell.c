/* The files of finished cells (`spar run --out` and others): whatever bytes they have, a cell of the right key gives
 * all its numbers or is put aside; what a file says of its sweep is complete or not there. */
#include "sim/sweep.h"

#include "fuzz.h"

static spar_status measure(const spar_snapshot *snapshot, double *out)
{
    (void)snapshot;
    out[0] = out[1] = 0;
    return SPAR_OK;
}

static const spar__cell_probe probe = {"fuzz", 2, measure};
static const uint64_t mark[] = {4, 8};
static const spar__cell_spec spec = {
    .env = "utility", .policy = "random", .m = 2, .rounds = 8, .runs = 2, .probe = &probe, .mark = mark, .n_marks = 2};
static const spar__frame_kind kind = {
    .name = "cell", .tag = "cell", .version = 2, .section = {{"key ", 0}, {"nums", 0}, {"time", 0}}};

static spar__cell make(void)
{
    spar__cell cell = {0};
    require(!spar__cell_init(&cell, &spec) && !spar__cell_reset(&cell));
    return cell;
}

/* The frame of a good cell. */
static fuzz_saved example(void)
{
    static fuzz_saved saved;
    spar__buf frame = {0};
    spar__archive time = {0}, ar = {.cache = &time};
    if (saved.bytes)
        return saved;
    spar__cell cell = make();
    for (size_t i = 0; i < cell.runs * cell.n_checkpoints; i++)
        cell.curve[i] = (double)i;
    spar__cell_archive(&cell, &ar);
    spar__cell_frame_write(cell.key, &ar, &frame);
    saved = (fuzz_saved){(unsigned char *)frame.text, frame.length};
    spar__buf_free(&ar.out);
    spar__buf_free(&time.out);
    spar__cell_fini(&cell);
    return saved;
}

/* What a file begins with. */
static void add_head(spar__buf *out)
{
    char *word[] = {(char *)(uintptr_t) "run", (char *)(uintptr_t) "--rounds"};
    const spar__sweep_head head = {
        .version = (char *)(uintptr_t) "1", .plan = 7, .cells = 1, .part = 1, .parts = 3, .n_words = 2, .word = word};
    spar__sweep_head_write(&head, out);
}

static void check_files(const spar__cell_files *files)
{
    for (size_t i = 0; i < files->n_files; i++) {
        const spar__sweep_head *head = &files->file[i].head;
        require(files->file[i].has_head == (head->version != NULL));
        for (size_t k = 0; k < head->n_words; k++)
            require(head->word[k] != NULL);
        require(!files->file[i].has_head || (head->parts ? head->part < head->parts : !head->part));
    }
    require((files->damaged > 0) == (files->reason.status != SPAR_OK));
}

static void check_cell(const spar__cell_files *files)
{
    spar__cell cell = make();
    spar__archive ar, time;
    spar__summary summary;
    size_t length;
    const unsigned char *bytes = spar__cell_files_find(files, cell.key, &length);
    if (bytes && !spar__cell_frame_open(cell.key, bytes, length, &ar, &time, NULL))
        spar__cell_archive(&cell, &ar);
    if (cell.done)
        require(!spar__cell_summary(&cell, cell.regret, &summary) &&
                !spar__cell_curve(&cell, cell.n_checkpoints - 1, &summary));
    spar__cell_fini(&cell);
}

/* An odd first byte puts a head before the cell, and the rest of the bytes, as they are, behind it. */
void fuzz_cell(const uint8_t *data, size_t size)
{
    spar__cell_files files = {0};
    spar__buf bytes = {0};
    bool more = size > 0 && (data[0] & 1);
    fuzz_saved in = fuzz_damage(&kind, example(), data + more, size - more);
    if (more)
        add_head(&bytes);
    spar__buf_add(&bytes, (const char *)in.bytes, in.length);
    if (more)
        spar__buf_add(&bytes, (const char *)data, size);
    require(!bytes.failed && !spar__cell_files_take(&files, "file", &bytes, NULL));
    check_files(&files);
    check_cell(&files);
    spar__cell_files_free(&files);
    free(in.bytes);
}
