/* What was exported comes back: the whole log byte by byte, answers row by row; and what comes twice changes nothing.
 */
#include "exchange.h"
#include "live/exchange/exchange.h"
#include "tap.h"
#include "text/votes.h"

static spar__import_job job;

static spar_status import_csv(spar_experiment *experiment, const char *text, bool add)
{
    spar__import_text file = {text, "f", strlen(text)};
    spar__import_reader reader = spar__import_csv(&file);
    job = (spar__import_job){.experiment = experiment, .add_options = add};
    err = (spar_error){0};
    return spar__import_run(&job, &reader, &err);
}

static spar_experiment *new_experiment(const char *place)
{
    return make_experiment(place, 3, N_IDS);
}

/* export, import into another experiment, export again. */
static void test_csv(bool names)
{
    char *first = export_text(spar__export_csv, "memory:e", names, NULL);
    spar_experiment *other = new_experiment("memory:o");
    ok(import_csv(other, first, false) == SPAR_UNKNOWN && job.added == 0, "an unknown option is refused");
    same_text(err.text, "f: an option is not in memory:o; nothing was imported; --add-options adds it: 'late'",
              "with a sentence");
    must(import_csv(other, first, true));
    ok(job.added == 26 && job.known == 0 && job.options == 1, "%d rows, an option", (int)job.added);
    char *second = export_text(spar__export_csv, "memory:o", names, NULL);
    same_text(second, first, "csv %s names comes back", names ? "with" : "without");
    unsigned char before[SPAR_HASH_SIZE], after[SPAR_HASH_SIZE];
    spar_experiment_head(other, before);
    must(import_csv(other, first, true));
    spar_experiment_head(other, after);
    ok(job.added == 0 && job.known == 26 && memcmp(before, after, sizeof after) == 0, "again: nothing changes");
    free(second);
    free(first);
    spar_experiment_close(other);
}

/* An experiment knows its own answers. */
static void test_own(spar_experiment *experiment)
{
    char *csv = export_text(spar__export_csv, "memory:e", true, NULL);
    must(import_csv(experiment, csv, false));
    ok(job.added == 0 && job.known == 26, "an experiment's own answers are known to it");
    free(csv);
}

static spar__history *history_of(const char *text)
{
    spar__history *history = NULL;
    must(spar__history_of_text(text, strlen(text), "f", &history, &err));
    return history;
}

static spar_status restore(const char *place, const char *text, spar__restore_job *restored)
{
    spar__history *history = history_of(text);
    *restored = (spar__restore_job){0};
    err = (spar_error){0};
    spar_status status = spar__restore(restored, place, history, &err);
    spar__history_free(history);
    return status;
}

static void test_restore(bool names)
{
    char *first = export_text(spar__export_jsonl, "memory:e", names, NULL);
    spar__store *keep = NULL; /* a place in memory is gone with its last user */
    spar__restore_job restored;
    must(spar__store_open("memory:r", SPAR__STORE_CREATE, &keep, &err));
    must(restore("memory:r", first, &restored));
    ok(restored.added == restored.events && restored.events > 70 && restored.whole, "restored");
    ok(restored.names == (names ? 3u : 0u), "with %d names", (int)restored.names);
    char *second = export_text(spar__export_jsonl, "memory:r", names, NULL);
    same_text(second, first, "the log comes back %s names", names ? "with" : "without");
    must(restore("memory:r", first, &restored));
    ok(restored.added == 0 && restored.names == 0, "again: nothing changes");
    spar_experiment *experiment = NULL, *origin = NULL;
    unsigned char a[SPAR_HASH_SIZE], b[SPAR_HASH_SIZE];
    must(spar_experiment_open("memory:r", SPAR_EXPERIMENT_WRITE, &experiment, &err));
    must(spar_experiment_open("memory:e", SPAR_EXPERIMENT_READ, &origin, &err));
    spar_experiment_head(experiment, a);
    spar_experiment_head(origin, b);
    ok(memcmp(a, b, sizeof a) == 0, "the same head");
    (void)ask_and_tell(experiment, 1);
    ok(!restore("memory:r", first, &restored) && restored.added == 0, "an older file changes nothing");
    free(second);
    second = export_text(spar__export_jsonl, "memory:r", names, NULL);
    spar_experiment_close(experiment);
    spar_experiment_close(origin);
    spar__store_close(keep);
    must(spar__store_open("memory:r", SPAR__STORE_CREATE, &keep, &err));
    must(restore("memory:r", first, &restored));
    must(restore("memory:r", second, &restored));
    ok(restored.added == 2, "a longer file adds what is new");
    free(first);
    free(second);
    spar__store_close(keep);
}

/* One that went another way. */
static void test_parted(void)
{
    char *first = export_text(spar__export_jsonl, "memory:e", true, NULL);
    spar__store *keep = NULL;
    spar__restore_job restored;
    spar_experiment *experiment = NULL;
    must(spar__store_open("memory:r", SPAR__STORE_CREATE, &keep, &err));
    must(restore("memory:r", first, &restored));
    must(spar_experiment_open("memory:r", SPAR_EXPERIMENT_WRITE, &experiment, &err));
    (void)ask_and_tell(experiment, 0);
    char *one = export_text(spar__export_jsonl, "memory:r", true, NULL);
    spar_experiment_close(experiment);
    spar__store_close(keep);
    must(spar__store_open("memory:r", SPAR__STORE_CREATE, &keep, &err));
    must(restore("memory:r", first, &restored));
    must(spar_experiment_open("memory:r", SPAR_EXPERIMENT_WRITE, &experiment, &err));
    (void)ask_and_tell(experiment, 3);
    ok(restore("memory:r", one, &restored) == SPAR_CONFLICT && strstr(err.text, "begins like the file"),
       "two that parted are not mixed: %s", err.text);
    spar__restore_target target = SPAR__RESTORE_NEW;
    spar__history *history = history_of(one);
    must(spar__restore_look("memory:r", history, &target, &err));
    ok(target == SPAR__RESTORE_SAME, "the same experiment is seen");
    spar_experiment *other = new_experiment("memory:o");
    must(spar__restore_look("memory:o", history, &target, &err));
    ok(target == SPAR__RESTORE_OTHER, "another one is seen");
    must(spar__restore_look("memory:nothing", history, &target, &err));
    ok(target == SPAR__RESTORE_NEW, "none is seen");
    spar__history_free(history);
    spar_experiment_close(other);
    spar_experiment_close(experiment);
    spar__store_close(keep);
    free(first);
    free(one);
}

/* A log as answers into another experiment: as its csv. */
static void test_answers(void)
{
    char *log = export_text(spar__export_jsonl, "memory:e", true, NULL);
    char *csv = export_text(spar__export_csv, "memory:e", true, NULL);
    spar_experiment *other = new_experiment("memory:o");
    spar__import_log source = {history_of(log), "f"};
    spar__import_reader reader = spar__import_answers(&source);
    job = (spar__import_job){.experiment = other, .add_options = true};
    must(spar__import_run(&job, &reader, &err));
    ok(job.added == 26, "the answers of a log");
    char *again = export_text(spar__export_csv, "memory:o", true, NULL);
    same_text(again, csv, "the same as the rows of its csv");
    must(import_csv(other, csv, true));
    ok(job.added == 0 && job.known == 26, "which are then known");
    spar__history_free(source.history);
    spar_experiment_close(other);
    free(log);
    free(csv);
    free(again);
}

/* --- damaged files --- */

static void refuses(spar_experiment *experiment, const char *text, const char *sentence)
{
    ok(import_csv(experiment, text, true) != SPAR_OK && job.added == 0 && job.options == 0, "refused");
    same_text(err.text, sentence, "with a sentence");
}

static void test_bad_rows(void)
{
    spar_experiment *other = new_experiment("memory:o");
    refuses(other, "id,shown,kind\n",
            "f:1: no column 'answer' in the header, expected one as in "
            "'id,screen,time,voter,shown,kind,answer,taken,flags,item,comment'");
    refuses(other, "shown,kind,answer\nA,tie\n", "f:2: the row has 2 fields, expected 3 as in the header");
    refuses(other, "shown,kind,answer\nAssam,tie,\n", "f:2: 'shown' has 1 option, expected at least two, as in 'A,B'");
    refuses(other, "shown,kind,answer\n\"Assam,late\",tie,\n\"A,A\",tie,\n", "f:3: 'shown' has 'A' twice");
    refuses(other, "shown,kind,answer\n\"A>B\",tie,\n",
            "f:2: 'shown' is 'A>B', expected names as in 'A,B,\"C, with a comma\"'");
    refuses(other, "shown,kind,answer\n\"A,B\",best,A\n",
            "f:2: 'kind' is 'best', expected winner, ranking, pairs, tie, bad or skip");
    refuses(other, "shown,kind,answer\n\"A,B\",winner,C\n", "f:2: the answer names 'C', which was not shown");
    refuses(
        other, "shown,kind,answer\n\"A,B\",winner,\n",
        "f:2: the answer '' is no winner, expected a name for winner, 'B,A=C' for ranking, 'A>B,C=A' for pairs, and "
        "nothing for tie, bad and skip");
    refuses(
        other, "shown,kind,answer\n\"A,B\",ranking,A<B\n",
        "f:2: the answer 'A<B' is no ranking, expected a name for winner, 'B,A=C' for ranking, 'A>B,C=A' for pairs, "
        "and nothing for tie, bad and skip");
    refuses(other, "shown,kind,answer,taken\n\"A,B\",tie,,soon\n",
            "f:2: 'taken' is 'soon', expected a whole number or nothing");
    refuses(other, "shown,kind,answer,time\n\"A,B\",tie,,yesterday\n",
            "f:2: 'time' is 'yesterday', expected one as in 2026-11-16T04:39:03.123456Z");
    refuses(other, "id,shown,kind,answer\n1,\"A,B\",tie,\n1,\"A,B\",bad,\n",
            "f:3: a row before has the same id '1', but says something else");
    refuses(other, "shown,kind,answer\n\"A,B\x1b\",tie,\n",
            "the id of an option 'B\\x1b' has a control character at byte 2");
    spar_experiment_close(other);
}

/* Rows without ids: equal ones count as often as they stand there. */
static void test_equal_rows(void)
{
    spar_experiment *other = new_experiment("memory:o");
    const char *two = "shown,kind,answer\n\"A,B\",winner,A\n\"A,B\",winner,A\n";
    const char *three = "shown,kind,answer\n\"A,B\",tie,\n\"A,B\",winner,A\n\"A,B\",winner,A\n\"A,B\",winner,A\n";
    must(import_csv(other, two, true));
    ok(job.added == 2, "two equal rows are two answers");
    must(import_csv(other, two, true));
    ok(job.added == 0 && job.known == 2, "once");
    must(import_csv(other, three, true));
    ok(job.added == 2 && job.known == 2, "a longer file adds what is new");
    spar_experiment_close(other);
}

static bool stop_at(void *context, uint64_t done, uint64_t total)
{
    (void)total;
    return done < *(uint64_t *)context;
}

static void test_interrupted(void)
{
    spar_experiment *other = new_experiment("memory:o");
    spar__buf text = {0};
    spar__buf_adds(&text, "shown,kind,answer\n");
    for (int i = 0; i < 5000; i++)
        spar__buf_printf(&text, "\"Assam,late\",%s\n", i % 2 ? "tie," : "winner,Assam");
    uint64_t stop = 1024;
    spar__import_text file = {text.text, "f", text.length};
    spar__import_reader reader = spar__import_csv(&file);
    job = (spar__import_job){.experiment = other, .add_options = true, .progress = stop_at, .context = &stop};
    ok(spar__import_run(&job, &reader, &err) == SPAR_INTERRUPTED && job.added == 1023, "interrupted: %s", err.text);
    stop = UINT64_MAX;
    must(spar__import_run(&job, &reader, &err));
    ok(job.added == 5000 - 1023 && job.known == 1023, "it goes on where it was");
    spar__buf_free(&text);
    spar_experiment_close(other);
}

static spar_status import_votes(spar_experiment *experiment, spar_status parsed, const spar__votes *votes)
{
    must(parsed);
    spar__import_ballots ballots = {votes, "f"};
    spar__import_reader reader = spar__import_votes(&ballots);
    job = (spar__import_job){.experiment = experiment, .add_options = true};
    err = (spar_error){0};
    return spar__import_run(&job, &reader, &err);
}

/* What a format says comes back in the same format. */
static void test_formats(void)
{
    spar_experiment *duels = make_experiment("memory:d", 2, N_IDS), *orders = make_experiment("memory:p", 4, 4);
    for (size_t i = 0; i < 24; i++) {
        (void)ask_and_tell(duels, i);
        (void)ask_and_tell(orders, i);
    }
    spar__votes votes = {0};
    char *first = export_text(spar__export_arena, "memory:d", true, NULL);
    spar_experiment *other = new_experiment("memory:o");
    must(import_votes(other, spar__votes_parse_csv(first, strlen(first), "f", NULL, &votes, &err), &votes));
    ok(job.added == 21 && job.rows == 21, "arena: %d of 24 answers; 3 are skips", (int)job.added);
    char *second = export_text(spar__export_arena, "memory:o", true, NULL);
    same_text(second, first, "arena comes back");
    must(import_votes(other, SPAR_OK, &votes));
    ok(job.added == 0 && job.known == 21, "again: nothing changes");
    spar__votes_free(&votes);
    free(first);
    free(second);
    spar_experiment_close(other);

    first = export_text(spar__export_preflib, "memory:p", true, NULL);
    other = make_experiment("memory:o", 4, 4);
    must(import_votes(other, spar__preflib_parse(first, strlen(first), "f", &votes, &err), &votes));
    ok(job.added == 15, "PrefLib: %d of 24 answers; 9 are skip, bad or pairs", (int)job.added);
    second = export_text(spar__export_preflib, "memory:o", true, NULL);
    same_text(second, first, "PrefLib comes back");
    must(import_votes(other, SPAR_OK, &votes));
    ok(job.added == 0 && job.known == 15, "again: nothing changes");
    spar__votes_free(&votes);
    free(first);
    free(second);
    spar_experiment_close(other);
    spar_experiment_close(duels);
    spar_experiment_close(orders);
}

static void test_lines_and_ids(void)
{
    static const char lines[] = "A > B\nA > B = C\nA = B\n";
    static const char ids[] = "id,model_a,model_b,winner,judge\n1,A,B,A,ann\n2,A,B,A,ann\n1,A,B,A,ann\n";
    static const char wrong[] = "id,model_a,model_b,winner\n1,A,B,A\n\n1,A,B,B\n", self[] = "A > B\nA = A > B\n";
    static const char none[] = "{\"model_a\":\"A\",\"model_b\":\"A\",\"winner\":\"tie\"}";
    spar_experiment *other = new_experiment("memory:o");
    spar__votes votes = {0};
    must(import_votes(other, spar__votes_parse_lines(lines, strlen(lines), "f", &votes, &err), &votes));
    spar__votes_free(&votes);
    char *csv = export_text(spar__export_csv, "memory:o", true, NULL);
    ok(job.added == 3 && strstr(csv, ",\"A,B\",winner,A,") && strstr(csv, ",\"A,B,C\",ranking,\"A,B=C\",") &&
           strstr(csv, ",\"A,B\",tie,,"),
       "lines");
    free(csv);
    must(import_votes(other, spar__votes_parse_csv(ids, strlen(ids), "f", NULL, &votes, &err), &votes));
    ok(job.added == 2 && job.known == 1, "an id counts once");
    spar__votes_free(&votes);
    ok(import_votes(other, spar__votes_parse_csv(wrong, strlen(wrong), "f", NULL, &votes, &err), &votes) == SPAR_PARSE,
       "two rows of one id: %s", err.text);
    spar__votes_free(&votes);
    ok(spar__votes_parse_lines(self, strlen(self), "f", &votes, &err) == SPAR_PARSE, "an option twice");
    ok(import_votes(other, spar__votes_parse_json(none, strlen(none), "f", NULL, &votes, &err), &votes) == SPAR_PARSE,
       "an option against itself: %s", err.text);
    spar__votes_free(&votes);
    spar_experiment_close(other);
}

/* Every byte of a log changed, one at a time: refused, or the change says nothing. */
static void test_bad_log(void)
{
    char *log = export_text(spar__export_jsonl, "memory:e", true, NULL),
         *whole = export_text(spar__export_jsonl, "memory:e", true, NULL);
    size_t length = strlen(log), refused = 0, tried = 0, same = 0;
    for (size_t i = 60; i < length; i += 97, tried++) {
        char old = log[i];
        spar__store *keep = NULL;
        spar__restore_job restored;
        log[i] = old == '7' ? '8' : '7';
        must(spar__store_open("memory:b", SPAR__STORE_CREATE, &keep, &err));
        spar_status status = restore("memory:b", log, &restored);
        refused += status == SPAR_PARSE && strncmp(err.text, "f:", 2) == 0 && restored.added == 0;
        if (!status) {
            char *back = export_text(spar__export_jsonl, "memory:b", true, NULL);
            same += strncmp(back, whole, strlen(back) / 2) == 0;
            free(back);
        }
        spar__store_close(keep);
        log[i] = old;
    }
    ok(refused + same >= tried - 4 && refused > tried * 9 / 10, "%zu of %zu changed logs are refused with a line",
       refused, tried);
    free(log);
    free(whole);
}

/* The longest comment, of characters that take most room as JSON. */
static void test_long_comment(void)
{
    static char comment[16 * 1024 + 1];
    memset(comment, '\r', sizeof comment - 1);
    spar_experiment *from = make_experiment("memory:l", 3, N_IDS), *to = new_experiment("memory:o");
    spar_screen *screen = NULL;
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    must(spar_answer_new(&answer));
    must(spar_remarks_new(&remarks));
    must(spar_remarks_set_comment(remarks, comment, &err));
    must(spar_experiment_ask(from, NULL, &screen, &err));
    must(spar_experiment_tell(from, 1, NULL, answer, remarks, NULL, &err));
    char *first = export_text(spar__export_csv, "memory:l", true, NULL);
    must(import_csv(to, first, false));
    char *second = export_text(spar__export_csv, "memory:o", true, NULL);
    ok(strcmp(first, second) == 0 && strlen(first) > 16 * 1024, "the longest comment comes back");
    free(first);
    free(second);
    spar_screen_free(screen);
    spar_answer_free(answer);
    spar_remarks_free(remarks);
    spar_experiment_close(from);
    spar_experiment_close(to);
}

/* A text is part of the experiment as much as its events. */
static void test_bad_text(const char *from, const char *to)
{
    char *log = export_text(spar__export_jsonl, "memory:e", true, NULL), *at = strstr(log, from);
    spar__restore_job restored;
    ok(at && strlen(from) == strlen(to), "'%s' is there", from);
    if (at)
        memcpy(at, to, strlen(to));
    ok(restore("memory:t", log, &restored) == SPAR_PARSE && strstr(err.text, "the text is not the one"), "%s",
       err.text);
    free(log);
}

int main(void)
{
    spar_experiment *experiment = make_experiment("memory:e", 3, N_IDS);
    live_through(experiment, 29);
    test_csv(true);
    test_csv(false);
    test_own(experiment);
    test_restore(true);
    test_restore(false);
    test_parted();
    test_answers();
    test_bad_rows();
    test_equal_rows();
    test_interrupted();
    test_formats();
    test_lines_and_ids();
    test_long_comment();
    test_bad_log();
    test_bad_text("\"text\":\"Which tea?", "\"text\":\"Which pea?");
    test_bad_text("\"body\":\"# Mark", "\"body\":\"# Bark");
    test_bad_text("quotes \\\" and", "quotes \\\" but");
    spar_experiment_close(experiment);
    return done();
}
