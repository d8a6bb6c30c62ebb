/* data.c - the rankers of the MSLR experiment: LETOR files (true multileaving) and a preference matrix (Bernoulli
 * draws) found in a directory, or generated data. Keys have a hash of the data instead of the path, so that
 * changed files are run again and moved ones are not. */
#include "paper/paper.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "rank/letor.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum data_kind { NEITHER, LETOR, MATRIX } data_kind;

/* The files that were found: own copies of their paths, or NULL. */
struct data_files {
    char *letor, *matrix;
};

struct data_line {
    const char *text;
    size_t length;
};

static const char BLANKS[] = " \t\r";

static bool is_blank(char c)
{
    return c && strchr(BLANKS, c);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The next line from *at on that is not empty, without its comment and the blanks around it; at the end an empty one.
 */
static struct data_line next_line(const char **at, const char *end)
{
    struct data_line line = {*at, 0};
    while (!line.length && *at < end) {
        const char *stop = memchr(*at, '\n', (size_t)(end - *at));
        stop = stop ? stop : end;
        const char *hash = memchr(*at, '#', (size_t)(stop - *at)), *to = hash ? hash : stop;
        while (*at < to && is_blank(**at))
            (*at)++;
        while (*at < to && is_blank(to[-1]))
            to--;
        line = (struct data_line){*at, (size_t)(to - *at)};
        *at = stop < end ? stop + 1 : end;
    }
    return line;
}

static bool is_letor(struct data_line line)
{
    size_t grade = strspn(line.text, "0123456789"), blanks = strspn(line.text + grade, BLANKS);
    return grade && blanks && grade + blanks < line.length && !strncmp(line.text + grade + blanks, "qid:", 4);
}

static bool is_numbers(struct data_line line)
{
    return strcspn(line.text, "0123456789") < line.length && strspn(line.text, "0123456789.eE+-,; \t\r") >= line.length;
}

static size_t count_fields(struct data_line line)
{
    size_t commas = 0, words = 0;
    for (size_t i = 0; i < line.length; i++) {
        commas += line.text[i] == ',';
        words += !is_blank(line.text[i]) && (i == 0 || is_blank(line.text[i - 1]));
    }
    return commas ? commas + 1 : words;
}

/* By the first line: "2 qid:10 1:0.5 ...", or numbers alone, or as many names as the second line has numbers. */
static data_kind data_kind_of(const char *path)
{
    char block[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file)
        return NEITHER;
    size_t length = fread(block, 1, sizeof block - 1, file);
    (void)fclose(file);
    block[length] = '\0';
    const char *at = block + (strncmp(block, "\xEF\xBB\xBF", 3) ? 0 : 3);
    struct data_line first = next_line(&at, block + length), second = next_line(&at, block + length);
    if (is_letor(first))
        return LETOR;
    bool names = is_numbers(second) && count_fields(second) == count_fields(first);
    return is_numbers(first) || names ? MATRIX : NEITHER;
}

/* Files whose names begin with "train" or "matrix" are preferred. */
static bool is_preferred(data_kind what, const char *path)
{
    const char *begin = what == LETOR ? "train" : "matrix";
    return strncmp(base_name(path), begin, strlen(begin)) == 0;
}

/* Of two files that are both preferred, or both not, the first is taken. */
static spar_status take_file(struct data_files *found, const char *path)
{
    data_kind what = data_kind_of(path);
    char **place = what == LETOR ? &found->letor : &found->matrix;
    if (what == NEITHER || (*place && (!is_preferred(what, path) || is_preferred(what, *place))))
        return SPAR_OK;
    spar__free(*place);
    *place = spar__strdup(path);
    return *place ? SPAR_OK : SPAR_NOMEM;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The paths of all entries of a directory, sorted. */
static spar_status list_folder(const char *folder, char ***path, size_t *n, spar_error *err)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return spar__fail(err, SPAR_IO, "--data %s: cannot read the directory: %s", folder, strerror(errno));
    spar_status status = SPAR_OK;
    for (struct dirent *entry; !status && (entry = readdir(dir));) {
        spar__buf name = {0};
        if (entry->d_name[0] == '.')
            continue;
        char **grown = spar__realloc(*path, *n, *n + 1, sizeof *grown);
        spar__buf_printf(&name, "%s/%s", folder, entry->d_name);
        if (grown)
            *path = grown;
        if (!grown || name.failed) {
            status = spar__fail_memory(err);
            spar__buf_free(&name);
        } else {
            (*path)[(*n)++] = name.text;
        }
    }
    (void)closedir(dir);
    if (*n)
        qsort(*path, *n, sizeof **path, by_name);
    return status;
}

static spar_status search_folder(struct data_files *found, const char *folder, int depth, spar_error *err)
{
    char **path = NULL;
    size_t n = 0;
    spar_status status = list_folder(folder, &path, &n, err);
    for (size_t i = 0; !status && i < n; i++) {
        struct stat info;
        if (stat(path[i], &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode) && depth > 0)
            status = search_folder(found, path[i], depth - 1, err);
        else if (S_ISREG(info.st_mode) && take_file(found, path[i]))
            status = spar__fail_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        spar__free(path[i]);
    spar__free(path);
    return status;
}

static spar_status hash_file(const char *path, uint64_t *out, spar_error *err)
{
    char block[65536];
    spar__hash hash = spar__hash_start();
    FILE *file = fopen(path, "rb");
    if (!file)
        return spar__fail(err, SPAR_IO, "%s: cannot read: %s", path, strerror(errno));
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        spar__hash_add(&hash, block, n);
    bool failed = ferror(file) != 0;
    (void)fclose(file);
    *out = spar__hash_end(&hash);
    return failed ? spar__fail(err, SPAR_IO, "%s: cannot read", path) : SPAR_OK;
}

/* A name that can be printed: bytes that are not UTF-8, and control characters, become question marks. */
static void write_name(const char *name, spar__buf *out)
{
    uint32_t code;
    for (size_t left = strlen(name), n; left; name += n, left -= n) {
        n = spar__utf8_next(name, left, &code);
        bool good = code != SPAR__UTF8_BAD && code >= ' ' && code != 0x7F;
        spar__buf_add(out, good ? name : "?", good ? n : 1);
    }
}

static spar_status add_rankers(spar__paper *paper, const spar__paper_setting *wanted, const char *name,
                               const char *source, const char *path, bool letor, spar_error *err)
{
    spar__buf title = {0}, env = {0}, shown = {0};
    uint64_t hash = 0;
    /* In a spec a value cannot contain a quote, and a colon separates LETOR files. */
    const char *bad = strpbrk(path, letor ? "\":" : "\"");
    spar_status status =
        bad ? spar__fail(err, SPAR_INVALID, "%s: a path of data cannot contain %c; please rename", path, *bad)
            : SPAR_OK;
    if (!status)
        status = hash_file(path, &hash, err);
    write_name(source, &title);
    spar__buf_adds(&title, letor ? ", true multileaving" : ", Bernoulli draws");
    if (letor) /* generated data are read fast enough without a cache */
        spar__buf_printf(&env, "rankers(data=\"%s\",subset=16,click=perfect%s)", path,
                         paper->options.data ? "" : ",cache=none");
    else
        spar__buf_printf(&env, "matrix(file=\"%s\",subset=16)", path);
    spar__buf_adds(&shown, letor ? "rankers(data=" : "matrix(file=");
    write_name(source, &shown);
    spar__buf_printf(&shown, ",subset=16%s) [%08" PRIx64 "]", letor ? ",click=perfect" : "", hash & 0xffffffff);
    if (!status && (title.failed || env.failed || shown.failed))
        status = spar__fail_memory(err);
    if (!status) {
        spar__paper_setting one = *wanted;
        one.name = name;
        one.title = title.text;
        one.env = env.text;
        one.shown = shown.text;
        status = spar__paper_add(paper, &one, err);
    }
    spar__buf_free(&title);
    spar__buf_free(&env);
    spar__buf_free(&shown);
    return status;
}

static bool add_text(void *context, const char *text, size_t length)
{
    spar__buf_add(context, text, length);
    return !((spar__buf *)context)->failed;
}

static spar_status add_generated(spar__paper *paper, const spar__paper_setting *wanted, spar_error *err)
{
    static const spar__generate_options options = {.queries = 500, .docs = 30, .features = 64, .grades = 5, .seed = 1};
    spar__buf path = {0}, text = {0}, there = {0};
    spar__buf_printf(&path, "%s/generated.txt", paper->options.cells);
    spar_status status = path.failed ? spar__fail_memory(err) : spar__generate(&options, add_text, &text, err);
    if (text.failed)
        status = spar__fail_memory(err);
    /* Does not touch a file that is right already: another process may be reading it. */
    if (!status && (spar__file_read(path.text, text.length, &there, NULL) || there.length != text.length ||
                    memcmp(there.text, text.text, text.length) != 0))
        status = spar__file_write(path.text, text.text, text.length, err);
    if (!status)
        status = add_rankers(paper, wanted, "rankers/generated", "generated rankers", path.text, true, err);
    spar__buf_free(&there);
    spar__buf_free(&text);
    spar__buf_free(&path);
    return status;
}

static spar_status find_data(struct data_files *found, const char *data, spar_error *err)
{
    struct stat info;
    if (stat(data, &info) != 0)
        return spar__fail(err, SPAR_IO, "--data %s: %s", data, strerror(errno));
    spar_status status = SPAR_OK;
    if (S_ISDIR(info.st_mode))
        status = search_folder(found, data, 1, err);
    else if (!S_ISREG(info.st_mode))
        status = spar__fail(err, SPAR_INVALID, "--data %s: neither a directory nor a file", data);
    else if (take_file(found, data))
        status = spar__fail_memory(err);
    if (!status && !found->letor && !found->matrix)
        status =
            spar__fail(err, SPAR_INVALID,
                       "--data %s: there are neither LETOR files (lines 'grade qid:Q 1:v ...') nor a preference matrix "
                       "(rows of numbers)",
                       data);
    return status;
}

spar_status spar__paper_add_rankers(spar__paper *paper, const spar__paper_setting *wanted, spar_error *err)
{
    if (!paper->options.data)
        return add_generated(paper, wanted, err);
    struct data_files found = {0};
    spar_status status = find_data(&found, paper->options.data, err);
    if (!status && found.letor)
        status = add_rankers(paper, wanted, "rankers/letor", base_name(found.letor), found.letor, true, err);
    if (!status && found.matrix)
        status = add_rankers(paper, wanted, "rankers/matrix", base_name(found.matrix), found.matrix, false, err);
    spar__free(found.letor);
    spar__free(found.matrix);
    return status;
}
