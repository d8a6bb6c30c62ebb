/* Options: what is accepted, and their records, whole and damaged. */
#include "live/option.h"

#include "live/world.h"

static spar_option *option;

static bool refuses_id(const char *id)
{
    spar_option *none = option;
    spar_status status = spar_option_new(id, &none, &err);
    printf("# %s\n", err.text);
    return status == SPAR_INVALID && !none && err.text[0];
}

static char *repeat(const char *text, size_t n)
{
    size_t length = strlen(text);
    char *out = calloc(n, length + 1);
    for (size_t i = 0; out && i < n; i++)
        memcpy(out + i * length, text, length);
    return out;
}

static void test_checks(void)
{
    ok(refuses_id(NULL) && refuses_id("") && refuses_id("a\nb") && refuses_id("\x1b[31mred") && refuses_id("\xff") &&
           refuses_id("\xe2\x80\xae"),
       "ids that are empty, have control characters or are no UTF-8");
    char *most = repeat("\xc3\xa4", 200), *more = repeat("\xc3\xa4", 201), *body = repeat("x", 65536),
         *long_body = repeat("x", 65537);
    ok(refuses_id(more), "201 characters");
    must(spar_option_new(most, &option, &err));
    ok(strcmp(spar_option_title(option), most) == 0, "200 are fine, and the id is the title");
    ok(spar_option_set_title(option, more, &err) == SPAR_INVALID && !spar_option_set_title(option, most, &err),
       "titles too");
    ok(!spar_option_set_body(option, body, &err) && spar_option_set_body(option, long_body, &err) == SPAR_INVALID &&
           strlen(spar_option_body(option)) == 65536,
       "64 KiB of body and no more; a refused one changes nothing");
    ok(!spar_option_set_body(option, "two\n\tlines", &err) && spar_option_set_body(option, "\x07", &err),
       "a body has lines");
    const unsigned char bytes[] = {1, 0, 2};
    ok(spar_option_set_image(option, "text/html", bytes, 3, &err) == SPAR_INVALID &&
           spar_option_set_image(option, "image/png", bytes, (8u << 20) + 1, &err) == SPAR_INVALID &&
           spar_option_set_image(option, "image/png", NULL, 3, &err) == SPAR_INVALID,
       "images of other types, too large, or none");
    ok(!spar_option_set_image(option, "image/png", bytes, 3, &err), "an image");
    double x[] = {0.5, -1};
    ok(spar_option_set_features(option, 2, (double[]){1, (double)INFINITY}, &err) == SPAR_INVALID &&
           !spar_option_set_features(option, 2, x, &err),
       "features are finite");
    ok(spar_option_set_title(NULL, "a", &err) == SPAR_INVALID && spar_option_set_body(NULL, "a", &err) &&
           spar_option_set_image(NULL, "image/png", bytes, 3, &err) && spar_option_set_features(NULL, 1, x, &err) &&
           !spar_option_id(NULL) && !spar_option_title(NULL) && spar_option_dup(NULL, &option) == SPAR_INVALID,
       "NULL");
    free(most);
    free(more);
    free(body);
    free(long_body);
}

static bool same_record(const spar_option *a, const spar_option *b)
{
    spar__buf x = {0}, y = {0};
    must(spar__option_record(a, &x));
    must(spar__option_record(b, &y));
    bool same = x.length == y.length && memcmp(x.text, y.text, x.length) == 0;
    spar__buf_free(&x);
    spar__buf_free(&y);
    return same;
}

static void test_records(void)
{
    spar_option *copy = NULL, *other = NULL;
    spar__buf record = {0};
    must(spar_option_new("a", &option, &err));
    must(spar_option_set_title(option, "Earl Grey", &err));
    must(spar_option_set_body(option, "*hot*", &err));
    must(spar_option_set_image(option, "image/gif", (const unsigned char *)"\0\1", 2, &err));
    must(spar_option_set_features(option, 2, (double[]){0.5, -1}, &err));
    must(spar_option_dup(option, &copy));
    ok(same_record(option, copy), "a copy is the same");
    must(spar__option_record(option, &record));
    must(spar__option_read((unsigned char *)record.text, record.length, &other, &err));
    ok(same_record(option, other), "what is read is the same");
    spar_option_free(other);
    size_t taken = 0, twisted = 0;
    for (size_t n = 0; n < record.length; n++)
        if (!spar__option_read((unsigned char *)record.text, n, &other, &err) || other)
            taken++;
    ok(taken == 0, "a record that is cut off is refused wherever it is cut");
    for (size_t i = 0; i < 8 * record.length; i++) { /* a flipped bit: refused, or another option with that record */
        record.text[i / 8] = (char)(record.text[i / 8] ^ 1 << i % 8);
        if (!spar__option_read((unsigned char *)record.text, record.length, &other, &err)) {
            spar__buf again = {0};
            must(spar__option_record(other, &again));
            twisted += again.length != record.length || memcmp(again.text, record.text, again.length) != 0;
            spar__buf_free(&again);
            spar_option_free(other);
        }
        record.text[i / 8] = (char)(record.text[i / 8] ^ 1 << i % 8);
    }
    ok(twisted == 0, "a record that is read would be written the same");
    spar__buf_free(&record);
    spar_option_free(option);
    spar_option_free(copy);
}

int main(void)
{
    test_checks();
    spar_option_free(option);
    test_records();
    return done();
}
