/* The report of a small paper: two figures, four claims, texts that try to break out. */
#include "settings.h"

#include "paper/paper.h"
#include "plot/page.h"
#include "plot/plot.h"

#define EVIL "<b>&\"'</script>"

static const spar__paper_policy one[] = {
    {"IndSelfSparring", "ind_self_sparring"}, {EVIL, "dts(" EVIL ")"}, {"MDB", "mdb"}};

static spar_status draw_line(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data, (void)paper, (void)err;
    static const double x[] = {0, 1}, y[] = {2, 3};
    spar__series line = {.label = EVIL, .n = 2, .x = x, .y = y};
    return spar__draw_panels(&(spar__figure){.title = EVIL, .n_series = 1, .series = &line, .width = 500}, 1, 1, to);
}

static spar_status draw_nothing(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data, (void)paper, (void)to, (void)err;
    return SPAR_OK;
}

static spar_status draw_badly(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data, (void)paper;
    spar__buf_adds(&to->svg, "<svg>half of it");
    return spar__fail(err, SPAR_INVALID, "cannot");
}

static const char *const settings[] = {"b/second", "b/third", "a/first", "c/missing", NULL};
static const spar__paper_figure first = {
    .name = "first", .title = "First " EVIL, .says = EVIL, .draw = draw_line, .settings = settings};
static const spar__paper_figure second = {.name = "second", .title = "Second", .says = "s", .draw = draw_nothing};
static const spar__paper_figure broken = {.name = "broken", .title = "t", .says = "s", .draw = draw_badly};

static const spar__claim claims[] = {
    {.name = "holds", .title = "T" EVIL, .says = EVIL, .test = EVIL, .draw = draw_line, .figure = "first"},
    {.name = "part", .title = "Part", .says = "says", .test = "test", .figure = "elsewhere"},
    {.name = "fails", .title = "Fails", .says = "says", .test = "test", .draw = draw_nothing},
    {.name = "unjudged", .title = "Unjudged", .says = "says", .test = "test", .draw = draw_badly},
};

static spar_status custom(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                          double *curve, spar_error *err)
{
    (void)spec, (void)run, (void)n, (void)checkpoint, (void)curve, (void)err;
    return SPAR_OK;
}

static spar__paper *make_paper(void)
{
    enum { CLAIMS = sizeof claims / sizeof *claims };
    static const spar__verdict verdicts[CLAIMS] = {SPAR__HOLDS, SPAR__HOLDS_IN_PART, SPAR__DOES_NOT_HOLD,
                                                   SPAR__NOT_JUDGED};
    spar__paper *paper = workspace_paper(&(spar__paper_options){.seed = 42, .swap_from = "dts", .swap_to = EVIL});
    fill_setting(add_setting(paper, "a/first", "A " EVIL, one, 3));
    fill_setting(add_setting(paper, "b/second", "B", one, 3));
    fill_setting(add_setting(paper, "b/third", "B custom", one, 1));
    (void)add_setting(paper, "c/missing", "never run", one, 2);
    paper->setting[0]->cell[0].note = spar__strdup("a note " EVIL);
    paper->setting[0]->cell[1].note = spar__strdup("a note " EVIL);
    paper->setting[2]->cell[0].spec.custom = custom;
    paper->figure = spar__alloc(3, sizeof *paper->figure);
    paper->figure[paper->n_figures++] = &first;
    paper->figure[paper->n_figures++] = &second;
    paper->claim = spar__alloc(CLAIMS, sizeof *paper->claim);
    paper->finding = spar__alloc(CLAIMS, sizeof *paper->finding);
    for (size_t i = 0; i < CLAIMS; i++) {
        paper->claim[paper->n_claims++] = &claims[i];
        paper->finding[i].verdict = verdicts[i];
        if (verdicts[i] != SPAR__NOT_JUDGED)
            spar__buf_adds(&paper->finding[i].brief, "We find that 8 +- 9 " EVIL ".");
        if (verdicts[i] != SPAR__NOT_JUDGED)
            spar__buf_adds(&paper->finding[i].numbers, "1 < 2 & " EVIL ". second: 3 +- 4 and 5 +- 6. (Or 7.5.) third.");
    }
    paper->seconds = 12;
    return paper;
}

/* Every id once, and every link to one of them. */
static void check_anchors(const char *html)
{
    size_t ids = 0, twice = 0, links = 0, lost = 0;
    for (const char *at = html; (at = strstr(at, " id=\"")); at++, ids++) {
        char id[80];
        (void)snprintf(id, sizeof id, "%.*s\"", (int)(strcspn(at + 5, "\"") + 5), at);
        twice += count(html, id) != 1;
    }
    for (const char *at = html; (at = strstr(at, " href=\"#")); at++, links++) {
        char id[80];
        (void)snprintf(id, sizeof id, " id=\"%.*s\"", (int)strcspn(at + 8, "\""), at + 8);
        lost += count(html, id) != 1;
    }
    ok(ids >= 8 && twice == 0, "%zu ids, each once", ids);
    ok(links >= 4 && lost == 0, "%zu links lead somewhere", links);
}

/* The body without what XML would not take: void tags and the entity of HTML. */
static void check_form(const char *html)
{
    const char *body = strstr(html, "<body>");
    spar__buf xml = {0};
    for (const char *at = body; at && *at && strncmp(at, "</html>", 7) != 0; at++) {
        if (strncmp(at, "<script>", 8) == 0)
            at = strstr(at, "</script>") + 9;
        if (strncmp(at, "<col>", 5) == 0 || strncmp(at, "<col ", 5) == 0)
            at = strchr(at, '>');
        else if (strncmp(at, "&nbsp;", 6) == 0)
            at += 5;
        else
            spar__buf_add(&xml, at, 1);
    }
    const char *wrong = xml.text ? xml_wrong(xml.text) : "no body";
    ok(!wrong, "elements are nested and closed: %s", wrong ? wrong : "yes");
    spar__buf_free(&xml);
}

/* What was found comes first, then the figures of the paper, others, the claims, and what all was made of. */
static void check_order(const char *html)
{
    static const char *const ids[] = {"findings",     "figures", "figure-first", "more",
                                      "figure-holds", "claims",  "sets",         "about"};
    const char *at = html;
    size_t n = 0;
    for (; at && n < sizeof ids / sizeof *ids; n++) {
        char id[40];
        (void)snprintf(id, sizeof id, " id=\"%s\"", ids[n]);
        at = strstr(at, id);
    }
    ok(at, "the parts are in their order, up to %s", ids[n - 1]);
    const char *contents = strstr(html, "<nav"), *end = contents ? strstr(contents, "</nav>") : NULL;
    size_t headings = count(html, "<h3>"), links = 0;
    for (const char *link = contents; end && (link = strstr(link, " href=\"#figure-")) && link < end; link++)
        links++;
    ok(links == headings && links == 4, "the contents have all %zu figures", headings);
    const char *list = strstr(html, "<ol class=\"findings\">");
    ok(list && count(list, "<li>We find that 8 \xC2\xB1 9 &lt;b&gt;") == 3 &&
           strstr(list, "<li>We find that of the paper's 4 claims 1 holds, 1 holds in part, 1 does not hold, 1 was not "
                        "judged. Not so: <a href=\"#claim-fails\">"),
       "the findings are sentences about the results");
    ok(strstr(html, "<th scope=\"row\">1good</th><td>0.8, 15 \xC3\x97 0.2</td>"), "the utility sets are there");
}

/* Every picture has a name, every figure a caption and a table. */
static void check_names(const char *html)
{
    size_t pictures = 0, named = 0;
    for (const char *at = html; (at = strstr(at, "<svg style")); at++, pictures++) {
        const char *end = strchr(at, '>'), *label = strstr(at, " aria-label=\""), *role = strstr(at, " role=\"img\"");
        named += label && label < end && role && role < end;
    }
    ok(pictures == 3 && named == 3, "all %zu pictures have a name", pictures);
    ok(count(html, "<figcaption>") == 3 && count(html, "<table class=\"data\">") == 2,
       "and a caption; that of the first screen has its table below");
    ok(count(html, " tabindex=\"0\" role=\"group\" aria-label=\"") == count(html, "<div class=\"scroll"),
       "all that scrolls can be reached by keyboard and has a name");
}

static void test_page(void)
{
    spar__paper *paper = make_paper();
    spar__buf html = {0}, again = {0};
    spar_error err = {0};
    ok(spar__paper_html(paper, "spar paper " EVIL, &html, &err) == SPAR_OK, "written %s", err.text);
    paper->seconds = 34;
    ok(spar__paper_html(paper, "spar paper " EVIL, &again, &err) == SPAR_OK && strcmp(html.text, again.text) == 0,
       "the same bytes again, however long it took");
    ok(strncmp(html.text, "<!DOCTYPE html>", 15) == 0, "is HTML");
    ok(!strstr(html.text, "<b>&") && count(html.text, "</script>") == 1 && count(html.text, "<script") == 1,
       "nothing breaks out, nothing runs but the script of the page");
    ok(!strstr(html.text, "http://") || count(html.text, "http://") == count(html.text, "xmlns=\"http://www.w3.org"),
       "and nothing is fetched");
    ok(!strstr(html.text, " src=") && !strstr(html.text, "url(") && !strstr(html.text, "@import"), "from anywhere");
    check_anchors(html.text);
    check_form(html.text);
    check_order(html.text);
    check_names(html.text);
    ok(count(html.text, "<dt>seed</dt><dd>42</dd>") == 1, "the seed is there");
    ok(count(html.text, "<td class=\"verdict holds\">") == 1 && count(html.text, "<td class=\"verdict part\">") == 1 &&
           count(html.text, "<td class=\"verdict fails\">") == 1 &&
           count(html.text, "<td class=\"verdict none\">") == 1,
       "each claim with its verdict");
    ok(count(html.text, "</p><p>second: 3 \xC2\xB1 4 and 5 \xC2\xB1 6. (Or 7.5.)</p><p>third.</p></td>") == 3,
       "numbers stand sentence by sentence");
    ok(count(html.text, "<summary>How it is judged</summary>") == 4, "tests are folded away");
    ok(!strstr(html.text, "elsewhere") && strstr(html.text, "id=\"figure-fails\"") &&
           !strstr(html.text, "id=\"figure-unjudged\""),
       "what was judged has its drawing");
    spar__buf_clear(&again);
    paper->options.figure = "first";
    ok(spar__paper_html(paper, "spar paper", &again, &err) == SPAR_OK && strstr(html.text, ">Unjudged<") &&
           !strstr(again.text, ">Unjudged<") && strstr(again.text, ">1 <span class=\"verdict none\">"),
       "of one figure only those that it judges");
    ok(count(html.text, "<svg style=\"min-width:400px;max-width:550px\"") == 3, "drawings scroll where they get small");
    ok(count(html.text, "Its settings were not run") == 1, "a figure without a drawing says so");
    spar__buf_free(&html);
    spar__buf_free(&again);
    spar__paper_free(paper);
}

static void test_tables(void)
{
    spar__paper *paper = make_paper();
    spar__buf out = {0};
    spar_error err = {0};
    ok(spar__html_tables(paper, settings, &out, &err) == SPAR_OK, "tables");
    const char *b = strstr(out.text, ">B<"), *custom_at = strstr(out.text, ">B custom<"),
               *a = strstr(out.text, ">A &lt;");
    ok(b && custom_at && a && b < custom_at && custom_at < a, "settings stand in the order of the list");
    ok(!strstr(out.text, "never run"), "those not run are left out");
    /* sqrt(400) = 20 and runs 0 ... 4: mean and median 22, sd sqrt(5/2), se sqrt(1/2) */
    ok(strstr(out.text, "<td class=\"n best\">22.00</td><td class=\"n\">0.71</td><td class=\"n\">1.58</td>"
                        "<td class=\"n best\">22.00</td><td class=\"n\">\xE2\x80\x93</td><td class=\"n\">4.00</td>"
                        "<td class=\"n\">0.250</td>"),
       "mean, se, sd, median, set size and best share; the best is bold");
    ok(strstr(out.text, "<td class=\"n\">62.00</td><td class=\"n\">31.00</td>"), "the cost per slot where it differs");
    ok(count(out.text, "<td class=\"n\">\xE2\x80\x93</td><td class=\"n\">\xE2\x80\x93</td><td class=\"n\">"
                       "\xE2\x80\x93</td>") == 1,
       "a custom run has its regret only");
    ok(count(out.text, "a note &lt;b&gt;") == 1, "a note that cells share is there once");
    ok(count(out.text, "<code>utility(set=arith,link=linear)</code>") == 3 &&
           count(out.text, "<td class=\"n\">400</td>") == 3,
       "each setting has its setting");
    ok(!strstr(out.text, "<details>"), "few settings are shown");
    spar__buf_clear(&out);
    static const char *const all[] = {"d/1", "d/2", "a/first", "b/second", "b/third", NULL};
    static const char *const none[] = {"e", "a/fir", NULL};
    fill_setting(add_setting(paper, "d/1", "D1", one, 1));
    fill_setting(add_setting(paper, "d/2", "D2", one, 1));
    ok(spar__html_tables(paper, all, &out, &err) == SPAR_OK && strstr(out.text, "<details>"), "many are folded away");
    spar__buf_clear(&out);
    ok(spar__html_tables(paper, none, &out, &err) == SPAR_OK && out.length == 0, "none make no table");
    spar__buf_free(&out);
    spar__paper_free(paper);
}

static void test_failures(void)
{
    spar__paper *paper = make_paper();
    spar__buf html = {0};
    spar_error err = {0};
    paper->figure[paper->n_figures++] = &broken;
    ok(spar__paper_html(paper, "spar paper", &html, &err) == SPAR_INVALID, "a figure that fails is an error");
    same_text(err.text, "cannot", "and says why");
    spar__buf_free(&html);
    paper->n_figures--;
    size_t failures = 0;
    for (size_t k = 1;; k++, failures++) {
        spar__alloc_fail_at(k);
        spar_status status = spar__paper_html(paper, "spar paper", &html, &err);
        spar__alloc_fail_at(0);
        spar__buf_free(&html);
        if (status == SPAR_OK)
            break;
        if (status != SPAR_NOMEM)
            ok(false, "allocation %zu fails without a clean error", k);
    }
    ok(failures >= 20, "each of %zu failed allocations is an error", failures);
    spar__paper_free(paper);
    paper = workspace_paper(&(spar__paper_options){.quick = true, .figure = "<one>"});
    ok(spar__paper_html(paper, "spar paper", &html, &err) == SPAR_OK && strstr(html.text, "&lt;one&gt;") &&
           !strstr(html.text, "id=\"claims\"") && strstr(html.text, "quick:"),
       "an empty paper is a page too");
    check_form(html.text);
    spar__buf_free(&html);
    spar__paper_free(paper);
}

int main(void)
{
    test_page();
    test_tables();
    test_failures();
    return done();
}
