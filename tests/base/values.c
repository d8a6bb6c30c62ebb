#include "base/alloc.h"
#include "base/spec.h"
#include "tap.h"

static const spar_param params[] = {
    {"eta", SPAR_PARAM_NUMBER, "1", 0, 10, NULL, "a number"},
    {"count", SPAR_PARAM_INTEGER, "3", 1, INFINITY, NULL, "a whole number"},
    {"mode", SPAR_PARAM_CHOICE, "mean", 0, 0, "mean|each", "a choice"},
    {"values", SPAR_PARAM_NUMBERS, NULL, 0, 1, NULL, "some numbers"},
    {"file", SPAR_PARAM_PATH, NULL, 0, 0, NULL, "a file"},
    {0},
};
static const spar_entry entry = {"thing", "for tests", NULL, params}, bare = {"bare", "no knobs", NULL, NULL};

static spar_status bind_to(const spar_entry *to, const char *text, spar__values *values, spar_error *err)
{
    spar__spec spec;
    spar_status status = spar__spec_parse(text, &spec, err);
    if (!status)
        status = spar__values_bind(to, &spec.stage[0], values, err);
    spar__spec_free(&spec);
    return status;
}

static void refuses(const spar_entry *to, const char *text, const char *sentence)
{
    spar__values values = {0};
    spar_error err = {0};
    ok(bind_to(to, text, &values, &err) != SPAR_OK && !values.value, "%s is refused", text);
    same_text(err.text, sentence, "and says why");
}

int main(void)
{
    spar__values v;
    spar_error err = {0};
    ok(spar__values_bind(&entry, NULL, &v, &err) == SPAR_OK, "defaults alone");
    ok(spar__number(&v, "eta") == 1 && spar__integer(&v, "count") == 3 && spar__choice(&v, "mode") == 0, "are used");
    ok(!spar__given(&v, "eta") && !spar__text(&v, "file"), "and known not to be given");
    spar__values_free(&v);
    ok(bind_to(&entry, "thing(mode=each,values=0.5:1:0,eta=2.5,file=a/b.txt)", &v, &err) == SPAR_OK, "given values");
    ok(spar__choice(&v, "mode") == 1 && spar__number(&v, "eta") == 2.5 && spar__given(&v, "eta"), "are used");
    const spar__value *list = spar__value_of(&v, "values");
    ok(list->n == 3 && list->numbers[0] == 0.5 && list->numbers[2] == 0, "lists are read");
    same_text(spar__text(&v, "file"), "a/b.txt", "paths are kept");
    spar__values_free(&v);

    refuses(&entry, "thing(etta=1)", "thing: unknown parameter 'etta'; did you mean 'eta'?");
    refuses(&entry, "thing(something=1)",
            "thing: unknown parameter 'something'; known: eta, count, mode, values, file");
    refuses(&bare, "bare(eta=1)", "bare: unknown parameter 'eta'; there are none");
    refuses(&entry, "thing(eta=11)", "thing: eta=11 is out of range, expected 0 to 10");
    refuses(&entry, "thing(count=0)", "thing: count=0 is out of range, expected at least 1");
    refuses(&entry, "thing(count=1.5)", "thing: count=1.5 is not a whole number");
    refuses(&entry, "thing(eta=nan)", "thing: eta=nan is not a number");
    refuses(&entry, "thing(mode=median)", "thing: mode=median is not one of mean|each");
    refuses(&entry, "thing(values=0.5::1)", "thing: values= is not a number");
    refuses(&entry, "thing(values=0.5:2)", "thing: values=2 is out of range, expected 0 to 1");
    refuses(&entry, "thing(eta=1,eta=1)", "thing: eta is given twice");

    bool clean = true;
    size_t k = 1;
    for (spar_status status = SPAR_NOMEM; status; k++) {
        spar__alloc_fail_at(k);
        status = bind_to(&entry, "thing(values=0.1:0.2,mode=each)", &v, &err);
        clean &= status == SPAR_OK || (status == SPAR_NOMEM && !v.value);
    }
    spar__alloc_fail_at(0);
    spar__values_free(&v);
    ok(clean && k > 8, "each of %zu allocations fails once, cleanly", k - 2);
    return done();
}
