#include "base/error.h"

#include "tap.h"

int main(void)
{
    spar_error err = {0};
    ok(spar__fail(&err, SPAR_PARSE, "%s: row %d", "a.txt", 3) == SPAR_PARSE && err.status == SPAR_PARSE, "a status");
    same_text(err.text, "a.txt: row 3", "and its sentence");
    (void)spar__fail(&err, SPAR_IO, "%s: cannot open", "a\nb\x1b[31m\x7f\t\xc3\xa9");
    same_text(err.text, "a?b?[31m??\xc3\xa9: cannot open", "stays on one line, whatever a name holds");
    char lengthy[2 * sizeof err.text];
    memset(lengthy, 'x', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    (void)spar__fail(&err, SPAR_IO, "%s", lengthy);
    ok(strlen(err.text) == sizeof err.text - 1, "too long a sentence is cut");
    ok(spar__fail(NULL, SPAR_IO, "unheard") == SPAR_IO, "nobody has to listen");
    ok(spar__fail_memory(&err) == SPAR_NOMEM && err.status == SPAR_NOMEM, "no memory");
    return done();
}
