#include "plot/beliefs.h"

/* The points of the path behind the n-th place where `mark` stands. */
static size_t path_points(const char *svg, const char *mark, size_t n, double *px, double *py, size_t most)
{
    const char *at = svg;
    for (size_t i = 0; at && i <= n; i++)
        at = strstr(at + 1, mark);
    at = at ? strstr(at, " d=\"M") + 5 : NULL;
    size_t found = 0;
    while (at && found < most) {
        char *end;
        px[found] = strtod(at, &end);
        py[found++] = strtod(end, &end);
        if (*end != 'L')
            break;
        at = end + 1;
    }
    return found;
}

static void test_lines(void)
{
    spar__beliefs fig = make_beliefs(1);
    spar__buf svg = draw(&fig, "three snapshots");
    ok(count(svg.text, "fill-opacity=\"0.18\" stroke") == SHOTS, "a band each");
    ok(count(svg.text, ">after ") == SHOTS && count(svg.text, ">first feature<") == 1, "labels, and one shared axis");
    ok(count(svg.text, "P(arm beats the best)") == 1 && count(svg.text, "duels won") == 1, "one legend");
    size_t dark = 0, hollow = 0;
    for (size_t s = 0; s < SHOTS; s++)
        for (size_t i = 0; i < ARMS; i++) {
            dark += won[s][i] > 0;
            hollow += lost[s][i] > 0;
        }
    ok(count(svg.text, "<circle") == dark + hollow + 2, "a mark for every arm that won or lost, and in the legend");
    double px[2][100], py[2][100];
    size_t n = path_points(svg.text, "stroke=\"#0171b2\"", 0, px[0], py[0], 100);
    size_t m = path_points(svg.text, "stroke=\"#be4f03\"", 0, px[1], py[1], 100);
    bool good = n == ARMS && m == ARMS;
    for (size_t i = 0; good && i < ARMS; i++)
        good = px[0][i] == px[1][i] && (i == 0 || px[0][i] > px[0][i - 1]);
    ok(good, "mean and truth go from left to right");
    good = true;
    double unit = (py[1][0] - py[1][35]) / 0.35; /* px per 1, from the truth */
    for (size_t i = 0; i < ARMS; i++)
        good = good && fabs((py[0][i] - py[1][0]) + unit * 0.3) < 0.05;
    ok(good && unit > 50, "at the values they have");
    n = path_points(svg.text, "fill-opacity=\"0.18\" stroke", 0, px[0], py[0], 100);
    ok(n == 2 * ARMS && fabs(py[0][n - 1] - py[0][0] - 4 * sd[0][0] * unit) < 0.05, "the band is two sd to each side");
    fig.dashed = true;
    spar__buf other = draw(&fig, "a dashed mean");
    ok(count(other.text, "stroke=\"#000000\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-dasharray") ==
               SHOTS &&
           count(svg.text, "stroke=\"#be4f03\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-dasharray") ==
               SHOTS,
       "either the mean or the truth is dashed");
    spar__buf_free(&other);
    fig.n = 1;
    spar__buf one = draw(&fig, "one snapshot");
    ok(one.length < svg.length, "less to draw");
    spar__buf_free(&one);
    spar__buf_free(&svg);
    test_memory(&fig);
}

static void test_odd(void)
{
    static double zero[4], one[] = {1, 1, 1, 1}, same[] = {2, 2, 2, 2}, far[] = {-1e100, 0, 1e-300, 1e100};
    static double wide[] = {1e-3, 1e3, 0, 5}, nan[] = {NAN, NAN, 0.2, NAN};
    const double *xs[] = {zero, same, far, one};
    for (size_t i = 0; i < 4; i++)
        for (size_t n = 1; n <= 4; n += 3) {
            spar__belief shot = {
                .label = "odd", .n = n, .x = xs[i], .mean = one, .sd = wide, .truth = nan, .won = zero, .lost = zero};
            spar__beliefs fig = {.dim = 1, .value = "v", .truth = "t", .n = 1, .belief = &shot};
            spar__buf svg = draw(&fig, "odd data");
            ok(count(svg.text, "<circle") <= 4, "no duels, no marks");
            spar__buf_free(&svg);
        }
}

/* Rows with ticks of their own, a marked point, and arms that are no points of a scale. */
static void test_own_axes(void)
{
    static spar__axis ticks = {.n = 3,
                               .tick = {{.value = 0, .major = true, .label = "low"},
                                        {.value = 0.5, .major = true, .label = "middle"},
                                        {.value = 1, .major = true, .label = "high"}}};
    static double x[] = {0, 0.5, 1}, y[] = {1, 3, 2}, wide[] = {1, 1, 1}, nan[] = {NAN, NAN, NAN}, zero[3];
    spar__belief rows[2] = {
        {.label = "a", .n = 3, .x = x, .mean = y, .sd = wide, .truth = nan, .won = zero, .lost = zero}};
    rows[1] = rows[0];
    spar__beliefs fig = {.dim = 1, .value = "v", .chosen = "recommended", .words = "In words.", .n = 2, .belief = rows};
    spar__buf plain = draw(&fig, "numbers");
    rows[0].axis[0] = rows[1].axis[0] = &ticks;
    rows[0].chosen = rows[1].chosen = &x[1];
    rows[1].apart = true;
    fig.width = 480;
    spar__buf own = draw(&fig, "own axes");
    ok(count(own.text, ">middle<") == 2 && count(own.text, ">high<") == 2, "each row has its labels");
    ok(count(own.text, ">recommended<") == 1 && count(plain.text, ">recommended<") == 0, "marked points in the legend");
    ok(count(own.text, "stroke-opacity=\"0.25\"") == 1 && count(own.text, "<circle") == 3, "bars and dots in one row");
    ok(count(own.text, "fill-opacity=\"0.18\" stroke") == 1, "and a band in the other");
    ok(count(plain.text, "stroke=\"#f2f2f2\"") > 0 && count(own.text, "stroke=\"#f2f2f2\"") == 0 &&
           count(own.text, "stroke=\"#444\"") == 4,
       "a page has lines at labels only");
    ok(strstr(own.text, "<desc>In words.</desc>") && strstr(own.text, "width=\"480\""), "words and width as said");
    spar__buf_free(&plain);
    spar__buf_free(&own);
}

int main(void)
{
    test_lines();
    test_own_axes();
    test_odd();
    return done();
}
