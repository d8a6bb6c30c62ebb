#include "base/spec.h"

#include "base/alloc.h"
#include "tap.h"

static void refuses(const char *text, const char *because)
{
    spar__spec spec;
    spar_error err = {0};
    spar_status status = spar__spec_parse(text, &spec, &err);
    if (!ok(status == SPAR_PARSE && strstr(err.text, because) && !spec.stage, "'%s' is refused: %s", text, because))
        printf("# %s\n", err.text);
}

/* Lists double, so there are hardly more allocations than names: time is linear. */
static void test_long(void)
{
    enum { STAGES = 50000 };
    static char text[2 * STAGES];
    for (size_t i = 0; i < STAGES; i++)
        memcpy(text + 2 * i, "x/", 2);
    text[2 * STAGES - 1] = '\0';
    spar__spec spec;
    spar__alloc_fail_at(0);
    ok(spar__spec_parse(text, &spec, NULL) == SPAR_OK && spec.n == STAGES, "a long path");
    ok(spar__alloc_count() < STAGES + 100, "in linear time");
    spar__spec_free(&spec);
    memset(text, '(', sizeof text - 1);
    refuses(text, "(: expected a name at position 1");
}

int main(void)
{
    spar__spec spec;
    spar_error err = {0};
    ok(spar__spec_parse("self_sparring(eta=3.5,distinct=1)/thompson/beta(a=2)", &spec, &err) == SPAR_OK, "parses");
    ok(spec.n == 3 && spec.stage[0].n_args == 2 && spec.stage[1].n_args == 0, "three stages");
    same_text(spec.stage[0].name, "self_sparring", "the name of a stage");
    same_text(spec.stage[0].arg[1].name, "distinct", "the name of a parameter");
    same_text(spec.stage[2].arg[0].value, "2", "its value");
    spar__spec_free(&spec);
    ok(spar__spec_parse("matrix(file=/data/a b/m.txt,subset=16)", &spec, &err) == SPAR_OK && spec.n == 1,
       "a path in a value is no new stage");
    same_text(spec.stage[0].arg[0].value, "/data/a b/m.txt", "and comes through whole");
    spar__spec_free(&spec);
    ok(spar__spec_parse("matrix(file=\"odd,(name).txt\")", &spec, &err) == SPAR_OK, "a quoted value");
    same_text(spec.stage[0].arg[0].value, "odd,(name).txt", "may hold anything");
    spar__spec_free(&spec);
    ok(spar__spec_parse("random()", &spec, &err) == SPAR_OK && spec.stage[0].n_args == 0, "empty parentheses");
    spar__spec_free(&spec);

    refuses("", "expected a name");
    refuses("a/", "expected a name at position 3");
    refuses("a b", "expected '/' or the end at position 2");
    refuses("a(", "expected a parameter name");
    refuses("a(x)", "expected '='");
    refuses("a(x=)", "expected a value");
    refuses("a(x=1", "expected ',' or ')'");
    refuses("a(x=1(2))", "expected ',' or ')'");
    refuses("a(x=1)b", "expected '/' or the end");
    refuses("a(x=\"1)", "quote is not closed");

    test_long();
    bool clean = true;
    size_t k = 1;
    for (spar_status status = SPAR_NOMEM; status; k++) {
        spar__alloc_fail_at(k);
        status = spar__spec_parse("a(x=1,y=2)/b(z=3)", &spec, &err);
        clean &= status == SPAR_OK || (status == SPAR_NOMEM && !spec.stage);
    }
    spar__alloc_fail_at(0);
    spar__spec_free(&spec);
    ok(clean && k > 8, "each of %zu allocations fails once, cleanly", k - 2);
    return done();
}
