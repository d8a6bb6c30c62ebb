/* Events of every kind and answer to JSON and back: the same bytes. The members are compared with lines written by
 * hand, and the JSON is read by another program's reader. */
#include "live/log/event_json.h"

#include "sampler/rng.h"
#include "tap.h"
#include "types/round.h"

#include <spar/event.h>

#include <jansson.h>
#include <stdlib.h>

static spar_error err;
static spar__buf line, bytes;
static spar__json_tree tree;
static spar_rng rng;

static size_t below(size_t n)
{
    return (size_t)(spar_rng_uniform(&rng) * (double)n);
}

static void must(spar_status status)
{
    if (status)
        abort();
}

static const char *print(const spar_event *event)
{
    unsigned char *encoded = NULL;
    size_t length = 0;
    must(spar_event_encode(event, &encoded, &length));
    spar__buf_clear(&line);
    spar__json json = {.out = &line};
    spar__json_begin_object(&json);
    must(spar__event_json_add(&json, encoded, length, &err));
    spar__json_end_object(&json);
    spar_bytes_free(encoded);
    return line.text;
}

static bool comes_back(const spar_event *event)
{
    unsigned char *encoded = NULL;
    size_t length = 0;
    must(spar_event_encode(event, &encoded, &length));
    print(event);
    json_t *other = json_loads(line.text, JSON_REJECT_DUPLICATES, NULL);
    spar__buf_clear(&bytes);
    bool same = other && !spar__json_tree_parse(&tree, line.text, line.length, "f", 1, &err) &&
                !spar__event_json_read(&tree, &bytes, &err) && bytes.length == length &&
                memcmp(bytes.text, encoded, length) == 0;
    json_decref(other);
    spar_bytes_free(encoded);
    return same;
}

static void random_hash(spar_event *event)
{
    unsigned char hash[SPAR_HASH_SIZE];
    for (size_t i = 0; i < sizeof hash; i++)
        hash[i] = (unsigned char)below(256);
    spar_event_set_hash(event, below(3) ? hash : NULL);
}

static uint64_t random_number(void)
{
    static const uint64_t some[] = {1, 7, UINT32_MAX, (uint64_t)1 << 53, ((uint64_t)1 << 53) + 1, UINT64_MAX};
    return some[below(sizeof some / sizeof *some)];
}

/* An answer of any kind about m slots. */
static void random_answer(spar_answer *answer, size_t m)
{
    size_t slot[8], level[8], n = 1 + below(m);
    for (size_t i = 0; i < n; i++) {
        slot[i] = (i + n) % m;
        level[i] = i ? level[i - 1] + below(2) : 0;
    }
    spar_answer_set_skip(answer);
    switch (below(6)) {
    case 0:
        spar_answer_set_winner(answer, below(m));
        break;
    case 1:
        must(spar_answer_set_ranking(answer, n, slot, below(2) ? level : NULL, NULL));
        break;
    case 2:
        for (size_t k = 1; k < m; k++)
            must(spar_answer_add_pair(answer, 0, k, (spar_outcome)(1 + below(3)), NULL));
        break;
    case 3:
        spar_answer_set_tie(answer);
        break;
    case 4:
        spar_answer_set_bad(answer);
        break;
    default:
        break;
    }
}

static size_t random_round(spar_round *round)
{
    size_t m = 2 + below(5), arm[8];
    double x[16];
    for (size_t j = 0; j < 8; j++)
        arm[j] = below(4) ? below(1000) : 4000000000;
    for (size_t j = 0; j < 16; j++)
        x[j] = below(4) ? spar_rng_uniform(&rng) - 0.5 : -0.0;
    must(below(3) ? spar_round_set(round, m, arm) : spar_round_set_points(round, m, 2, x));
    round->asked = true;
    for (size_t j = 0; j < m; j++)
        round->prob[j] = below(2) ? 1 - spar_rng_uniform(&rng) : 5e-324;
    for (size_t i = 0; i < SPAR__MEMO; i++)
        round->memo[i] = below(2) ? 0 : below(2) ? INT64_MIN + (int64_t)below(2) : (int64_t)below(100) - 50;
    return m;
}

static void random_event(spar_event *event)
{
    spar_round *round = NULL;
    spar_answer *answer = NULL;
    unsigned char key[SPAR_HASH_SIZE] = {(unsigned char)below(256)};
    must(spar_round_new(2, &round) || spar_answer_new(&answer) ? SPAR_NOMEM : SPAR_OK);
    size_t m = random_round(round), place[8];
    for (size_t j = 0; j < m; j++)
        place[j] = (j + 1) % m;
    random_answer(answer, m);
    switch (below(4)) {
    case 0:
        must(spar_event_set_screen(event, random_number(), round, place));
        spar_event_set_basis(event, random_number() - 1, (uint32_t)below(3));
        spar_event_set_shown_item(event, below(2) ? SPAR_NO_ITEM : (uint32_t)below(9));
        break;
    case 1:
        must(spar_event_set_answer(event, random_number(), (uint32_t)below(4), answer));
        spar_event_set_taken(event, (uint32_t)below(100000));
        spar_event_set_flags(event, (uint32_t)random_number());
        random_hash(event);
        break;
    case 2:
        must(spar_event_set_imported(event, key, round, answer));
        break;
    default:
        must(spar_event_set_option(event, below(9), 1 + (uint32_t)below(9), 3, (double[]){0.1, 1e300, -0.0}));
        random_hash(event);
        break;
    }
    spar_event_set_voter(event, below(2) ? 0 : random_number());
    spar_event_set_stamp(event, random_number(), below(2) ? -(int64_t)below(9) : (int64_t)(random_number() >> 1));
    spar_round_free(round);
    spar_answer_free(answer);
}

static void test_random(spar_event *event)
{
    size_t good = 0;
    spar_rng_seed(&rng, 15, 0, 0);
    for (int i = 0; i < 3000; i++) {
        random_event(event);
        good += comes_back(event);
    }
    ok(good == 3000, "%zu of 3000 random events come back byte by byte", good);
}

static void test_created(spar_event *event)
{
    spar_space *space = NULL;
    spar_arms *arms = NULL;
    must(spar_event_set_created(event, "random", UINT64_MAX, SPAR_ANSWER_RANKING));
    spar_event_set_stamp(event, 1, 1794803943123456);
    spar_event_set_horizon(event, 100);
    spar_event_set_shuffle(event, true);
    same_text(
        print(event),
        "{\"seq\":1,\"time\":1794803943123456,\"kind\":\"created\",\"seed\":\"18446744073709551615\",\"horizon\":100,"
        "\"asks\":\"ranking\",\"shuffle\":true,\"dim\":0,\"axes\":[],\"policy\":\"random\"}",
        "created");
    ok(comes_back(event), "created comes back");
    must(spar_space_new(&space) || spar_space_add_range(space, -1, 1) || spar_space_add_levels(space, 0, 2, 3) ||
                 spar_space_add_choice(space, 3, 0.5) || spar_arms_new_space(space, &arms) ||
                 spar_event_set_space(event, arms)
             ? SPAR_NOMEM
             : SPAR_OK);
    ok(comes_back(event) && strstr(line.text, "\"axes\":[{\"kind\":\"range\",\"lo\":-1,\"hi\":1,\"n\":0}"), "a space");
    spar_space_free(space);
    spar_arms_free(arms);
}

static void test_plain(spar_event *event)
{
    must(spar_event_set_settings(event, 4, SPAR_RESULTS_AFTER_VOTE, SPAR_ACCESS_INVITED));
    spar_event_set_stamp(event, 2, 0);
    same_text(print(event),
              "{\"seq\":2,\"time\":0,\"kind\":\"settings\",\"m\":4,\"results\":\"after_vote\",\"access\":\"invited\","
              "\"content\":null}",
              "settings");
    ok(comes_back(event), "settings come back");
    must(spar_event_set_retired(event, 6));
    same_text(print(event), "{\"seq\":2,\"time\":0,\"kind\":\"retired\",\"arm\":6}", "retired");
    ok(comes_back(event), "retired comes back");
    spar_event_set_item(event, 3);
    must(spar_event_set_outputs(event, 2, 1, 2, (size_t[]){0, 5}));
    same_text(print(event),
              "{\"seq\":2,\"time\":0,\"kind\":\"item\",\"index\":3,\"version\":2,\"group\":1,"
              "\"outputs\":[0,5],\"content\":null}",
              "item");
    ok(comes_back(event), "an item comes back");
    spar_event_set_undo(event, 9, 1);
    same_text(print(event), "{\"seq\":2,\"time\":0,\"kind\":\"undo\",\"screen\":9,\"revision\":1}", "undo");
    ok(comes_back(event), "an undo comes back");
    spar_event_set_closed(event);
    ok(comes_back(event), "closed comes back");
    spar_event_set_reopened(event);
    ok(comes_back(event), "reopened comes back");
}

static void refused(const char *text, const char *sentence)
{
    must(spar__json_tree_parse(&tree, text, strlen(text), "f", 1, &err));
    spar__buf_clear(&bytes);
    err = (spar_error){0};
    ok(spar__event_json_read(&tree, &bytes, &err) == SPAR_PARSE, "refused: %s", text);
    same_text(err.text, sentence, "with a sentence");
}

static void test_refused(void)
{
    refused("[]", "'kind' is not there or not the kind of an event, such as \"answer\"");
    refused("{\"kind\":\"answr\"}", "'kind' is not there or not the kind of an event, such as \"answer\"");
    refused("{\"kind\":\"retired\",\"seq\":1,\"time\":0}",
            "'arm' of this 'retired' is not there or not right, expected a whole number below 2^32");
    refused("{\"kind\":\"retired\",\"seq\":1,\"time\":0,\"arm\":4294967296}",
            "'arm' of this 'retired' is not there or not right, expected a whole number below 2^32");
    refused("{\"kind\":\"retired\",\"seq\":-1,\"time\":0,\"arm\":0}",
            "'seq' of this 'retired' is not there or not right, expected a whole number");
    refused("{\"kind\":\"item\",\"seq\":1,\"time\":0,\"index\":0,\"version\":1,\"group\":null,\"outputs\":[],"
            "\"content\":\"00\"}",
            "'content' of this 'item' is not there or not right, expected 64 hexadecimal digits");
    refused(
        "{\"kind\":\"answer\",\"seq\":1,\"time\":0,\"screen\":1,\"revision\":0,\"voter\":null,\"taken\":0,\"flags\":0,"
        "\"content\":null,\"answer\":{\"kind\":\"best\"}}",
        "'kind' of this 'answer' is not there or not right, expected winner, ranking, pairs, tie, bad or skip");
    refused(
        "{\"kind\":\"answer\",\"seq\":1,\"time\":0,\"screen\":1,\"revision\":0,\"voter\":null,\"taken\":0,\"flags\":0,"
        "\"content\":null,\"answer\":{\"kind\":\"ranking\",\"order\":[1,2]}}",
        "'slot' of this 'answer' is not there or not right, expected a whole number below 2^32");
}

/* Whatever the bytes, they are an event or they are refused. */
static void test_damaged(spar_event *event)
{
    size_t printed = 0;
    for (int i = 0; i < 3000; i++) {
        unsigned char *encoded = NULL;
        size_t length = 0;
        random_event(event);
        must(spar_event_encode(event, &encoded, &length));
        encoded[6 + below(length - 6)] = (unsigned char)below(256);
        spar__buf_clear(&line);
        spar__json json = {.out = &line};
        size_t cut = below(3) ? length : below(length);
        printed += !spar__event_json_add(&json, encoded, cut, &err);
        spar_bytes_free(encoded);
    }
    ok(printed > 100 && printed < 2900, "damaged bytes: some are still an event (%zu), others refused", printed);
}

int main(void)
{
    spar_event *event = NULL;
    must(spar_event_new(&event));
    test_created(event);
    test_plain(event);
    test_random(event);
    test_refused();
    test_damaged(event);
    spar_event_free(event);
    spar__buf_free(&line);
    spar__buf_free(&bytes);
    spar__json_tree_free(&tree);
    return done();
}
