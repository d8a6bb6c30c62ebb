/* Exports of an experiment that has everything: what is in them, and what they say is not. */
#include "exchange.h"
#include "tap.h"

#include <jansson.h>

static size_t lines_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* Every line of the log is JSON, numbered without gaps, with a hash; ids, comments and images are there. */
static void test_jsonl(void)
{
    char *text = export_text(spar__export_jsonl, "memory:e", false, NULL), *all = strdup(text);
    uint64_t next = 1;
    bool good = true;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        json_int_t seq = json_integer_value(json_object_get(json, "seq"));
        good = good && json && json_string_value(json_object_get(json, "kind"));
        good = good && (seq == 0 || (uint64_t)seq == next++);
        good = good && (seq == 0 || strlen(json_string_value(json_object_get(json, "hash"))) == 64);
        json_decref(json);
    }
    ok(good && next > 60, "each line is JSON, numbered without gaps (%d events)", (int)next - 1);
    ok(strstr(all, "\"text\":\"Which tea?\\nReally?\"") != NULL, "the question");
    ok(strstr(all, "\"id\":\"Earl, \\\"Grey\\\"\",\"image\":{\"type\":\"image/png\",\"base64\":\"iVBORwD/AQ==\"}") !=
           NULL,
       "an option with an image");
    ok(strstr(all, "two\\nlines\\tand a tab") != NULL, "a comment");
    ok(strstr(all, "{\"kind\":\"end\",\"events\":") != NULL, "the end");
    ok(!strstr(all, "\"ann\"") && !strstr(all, "cem"), "no names of voters");
    free(text);
    free(all);
    text = export_text(spar__export_jsonl, "memory:e", true, NULL);
    ok(strstr(text, "\"kind\":\"voter\"") && strstr(text, "\"text\":\"ann\"") && strstr(text, "\"text\":\"cem\""),
       "names, if wanted");
    free(text);
}

static void test_csv(void)
{
    char *notes = NULL, *text = export_text(spar__export_csv, "memory:e", false, &notes);
    ok(strncmp(text, "id,screen,time,voter,shown,kind,answer,taken,flags,item,comment\n", 63) == 0, "the header");
    same_text(notes, "4 answers that were undone are not in this format\n", "what is not in it");
    ok(strstr(text, "\"quotes \"\" and ' and, commas\"") != NULL, "a comment with quotes");
    ok(strstr(text, "'=SUM(A1)\n") != NULL, "no formula");
    ok(strstr(text, ",voter-") && !strstr(text, "ann") && !strstr(text, "cem"), "no names of voters");
    ok(strstr(text, "1970-01-01T00:00:01.000000Z") != NULL, "the time of an import");
    free(text);
    free(notes);
    text = export_text(spar__export_csv, "memory:e", true, NULL);
    ok(strstr(text, ",ann,") && strstr(text, ",cem,"), "names, if wanted");
    free(text);
}

static void test_arena(void)
{
    char *notes = NULL, *text = export_text(spar__export_arena, "memory:e", true, &notes);
    ok(strncmp(text, "model_a,model_b,winner,judge\n", 29) == 0 && lines_of(text) > 30, "rows");
    ok(strstr(notes, "about more than two options: ") != NULL, "answers about several options are said to be split");
    ok(strstr(notes, "3 skips are not in this format\n") && strstr(notes, " 'bad' about more than two options are not"),
       "skips and bad are counted");
    ok(strstr(notes, "4 answers that were undone are not") && strstr(notes, " comments are not in this format"),
       "and undone answers and comments");
    free(text);
    free(notes);
}

static void test_preflib(void)
{
    spar_experiment *experiment = make_experiment("memory:p", 4, 4);
    for (size_t i = 0; i < 16; i++)
        (void)ask_and_tell(experiment, i);
    char *notes = NULL, *text = export_text(spar__export_preflib, "memory:p", false, &notes);
    ok(strstr(text, "# TITLE: Which tea?\\nReally?\n") && strstr(text, "# DATA TYPE: toi\n") &&
           strstr(text, "# NUMBER ALTERNATIVES: 4\n# NUMBER VOTERS: 10\n"),
       "the head");
    ok(strstr(text, "# ALTERNATIVE NAME 3: Earl, \"Grey\"\n") && strstr(text, "\n2: {1,2,3,4}\n"), "names and ties");
    same_text(notes,
              "2 answers in pairs are not in this format\n2 skips are not in this format\n2 'bad' are not in this "
              "format\n6 comments are not in this format\n",
              "what is not in it");
    free(text);
    free(notes);
    spar_experiment_close(experiment);
}

static void test_redacted(void)
{
    spar_experiment *experiment = NULL;
    must(spar_experiment_open("memory:e", SPAR_EXPERIMENT_WRITE, &experiment, &err));
    must(spar_experiment_redact(experiment, IDS[0], NULL, &err));
    must(spar_experiment_forget(experiment, "ann", NULL, &err));
    char *text = export_text(spar__export_csv, "memory:e", true, NULL);
    ok(strstr(text, "redacted-0") && !strstr(text, "Assam") && !strstr(text, "ann"), "removed texts are in no csv");
    free(text);
    text = export_text(spar__export_jsonl, "memory:e", true, NULL);
    ok(!strstr(text, "Assam") && !strstr(text, "\"ann\""), "nor in the log");
    free(text);
    spar_experiment_close(experiment);
}

int main(void)
{
    spar_experiment *experiment = make_experiment("memory:e", 3, N_IDS);
    live_through(experiment, 29);
    test_jsonl();
    test_csv();
    test_arena();
    test_preflib();
    test_redacted();
    spar_experiment_close(experiment);
    return done();
}
