/* Rankings and pairs that are put together in the address of a page. */
#include "service/pages/pages.h"

#include "base/buf.h"
#include "tap.h"

static spar__buf out;

static const char *order_of(size_t m, const char *text)
{
    spar__order order;
    spar__json json = {.out = &out};
    spar__buf_clear(&out);
    spar__order_read(&order, m, text);
    spar__json_begin_object(&json);
    spar__order_json(&order, &json);
    spar__json_end_object(&json);
    return out.text;
}

static const char *card_of(size_t m, const char *text, size_t place)
{
    spar__order order;
    spar__json json = {.out = &out};
    spar__buf_clear(&out);
    spar__order_read(&order, m, text);
    spar__json_begin_object(&json);
    spar__order_card_json(&order, place, &json);
    spar__json_end_object(&json);
    return out.text;
}

static void test_order(void)
{
    same_text(order_of(4, ""), "{\"ranking\":\"\",\"ranked_some\":false,\"ranked_all\":false}", "nothing yet");
    same_text(order_of(4, "C"), "{\"ranking\":\"C\",\"ranked_some\":true,\"ranked_all\":false}", "one");
    same_text(order_of(4, "C,A=B"), "{\"ranking\":\"C,A=B,D\",\"ranked_some\":true,\"ranked_all\":true}",
              "of one that is left it is clear");
    same_text(order_of(4, "C,A=B=D"), "{\"ranking\":\"C,A=B=D\",\"ranked_some\":true,\"ranked_all\":true}", "all");
    same_text(order_of(3, "=,Z,,C,C,a<\xFF"), "{\"ranking\":\"C\",\"ranked_some\":true,\"ranked_all\":false}",
              "what makes no sense is passed over");
    same_text(order_of(99, "Z"), "{\"ranking\":\"Z\",\"ranked_some\":true,\"ranked_all\":false}", "at most 26 places");
}

static void test_cards(void)
{
    same_text(card_of(4, "C,A", 1),
              "{\"position\":0,\"next_position\":3,\"order_next\":\"C,A,B\",\"order_same\":\"C,A=B\"}",
              "one that is not ranked");
    same_text(card_of(4, "C,A", 2), "{\"position\":1,\"next_position\":3,\"order_next\":\"A\",\"order_same\":\"\"}",
              "the first is taken back");
    same_text(card_of(4, "C=A,B", 1), "{\"position\":3,\"next_position\":4,\"order_next\":\"A=C\",\"order_same\":\"\"}",
              "positions count those before");
    same_text(card_of(4, "", 3), "{\"position\":0,\"next_position\":1,\"order_next\":\"D\",\"order_same\":\"\"}",
              "the first one has none before");
}

static void test_pairs(void)
{
    static const char *const title[SPAR__MAX_ORDER_POSITIONS] = {"x", "y", NULL};
    spar__pair_marks marks;
    spar__json json = {.out = &out};
    spar__buf_clear(&out);
    spar__pair_marks_read(&marks, 3, "A>B,B<C,,Z>A,B>A,A,A=,A?C");
    spar__json_begin_object(&json);
    spar__pair_marks_json(&marks, title, &json);
    spar__json_end_object(&json);
    ok(strstr(out.text, "\"pairs\":\"A>B,C>B\"") != NULL, "the better one first when they are sent");
    ok(strstr(out.text, "\"first\":{\"value\":\"B<C\",\"pressed\":true}") != NULL, "one that is pressed is taken back");
    ok(strstr(out.text, "\"equal\":{\"value\":\"A=B,B<C\",\"pressed\":false}") != NULL, "another one takes its place");
    ok(strstr(out.text, "\"b_name\":null") != NULL, "an option that was removed has no name");
}

int main(void)
{
    test_order();
    test_cards();
    test_pairs();
    spar__buf_free(&out);
    return done();
}
