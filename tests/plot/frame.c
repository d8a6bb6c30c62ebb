#include "plot/frame.h"

#include "plot/svg.h"
#include "tap.h"

#include <stdlib.h>

/* Where the labelled ticks of the x axis begin and end. */
static bool labels_apart(const spar__axis *axis)
{
    double end = -HUGE_VAL;
    for (size_t i = 0; i < axis->n; i++) {
        const spar__tick *tick = &axis->tick[i];
        if (!tick->major)
            continue;
        double half = spar__svg_text_width(&spar__font_tick, tick->label) / 2;
        double middle = spar__axis_at(axis, tick->value);
        if (middle - half < end)
            return false;
        end = middle + half;
    }
    return true;
}

int main(void)
{
    spar__captions captions = {"A title", "and a subtitle", "round", "regret", 600};
    spar__box outer = {10, 20, 600, 400};
    double head = spar__captions_height(&captions);
    ok(head > 30 && head < 60, "two lines of titles");
    ok(spar__captions_height(&(spar__captions){.width = 600}) == 0, "no titles, no head");
    captions.width = 60;
    ok(spar__captions_height(&captions) > head + 10, "narrow titles take more lines");
    captions.width = 600;

    spar__plot_frame frame;
    spar__plot_frame_fit(&frame, outer, head, &captions, (spar__range){1, 1e5}, false, (spar__range){0, 300}, false);
    const spar__box *plot = &frame.plot;
    ok(plot->x > outer.x + 40 && plot->y >= outer.y + head && plot->x + plot->width < outer.x + outer.width &&
           plot->y + plot->height < outer.y + outer.height - 30,
       "the plot leaves room for titles, labels and ticks");
    ok(frame.x.from == 0 && frame.x.to == plot->width && frame.y.from == plot->height && frame.y.to == 0,
       "y grows upwards");
    double narrow = plot->width;
    spar__plot_frame_fit(&frame, outer, head, &captions, (spar__range){1, 1e5}, false, (spar__range){1e9, 1e9 + 5},
                         false);
    ok(plot->width < narrow - 20, "wide tick labels get a wider margin");
    spar__plot_frame_fit(&frame, outer, head, &captions, (spar__range){1e9, 1e9 + 4}, false, (spar__range){0, 1},
                         false);
    const spar__tick *last = &frame.x.tick[frame.x.n - 1];
    double half = spar__svg_text_width(&spar__font_tick, last->label) / 2;
    ok(last->major && plot->x + plot->width + half < outer.x + outer.width, "and a wide last label stays inside");
    for (double width = 100; width < 1000; width *= 1.3)
        for (int log = 0; log < 2; log++) {
            outer.width = width;
            spar__plot_frame_fit(&frame, outer, head, &captions, (spar__range){1, 1e5}, log, (spar__range){0, 1},
                                 false);
            ok(labels_apart(&frame.x), "labels do not touch at %g px, %s", width, log ? "log" : "linear");
        }
    spar__plot_frame_fit(&frame, (spar__box){0, 0, 1, 1}, head, &captions, (spar__range){0, 1}, false,
                         (spar__range){0, 1}, false);
    ok(plot->width > 0 && plot->height > 0, "a box too small still gives a plot");

    spar__plot_frame_set(&frame, (spar__box){50, 60, 300, 200}, (spar__range){-0.07, 1.07}, false,
                         (spar__range){0.1, 9.3}, false);
    ok(plot->x == 50 && plot->height == 200 && frame.x.lo == -0.07 && frame.x.hi == 1.07 && frame.y.lo == 0.1 &&
           frame.y.hi == 9.3,
       "exactly the box and the ranges asked for");
    ok(spar__axis_at(&frame.y, 0.1) == 200 && spar__axis_at(&frame.x, 1.07) == 300, "from corner to corner");
    ok(spar__plot_frame_y_width(&frame) > 5 && spar__plot_frame_y_width(&frame) < 30, "labels of y take room");
    spar__buf full = {0}, bare = {0};
    spar__plot_frame_draw(&full, &frame, &(spar__captions){.width = 300});
    frame.bare_x = frame.bare_y = true;
    spar__plot_frame_draw(&bare, &frame, &(spar__captions){.width = 300});
    ok(strstr(full.text, "<text") && !strstr(bare.text, "<text") && strstr(bare.text, "<line"),
       "a bare frame has ticks without labels");
    spar__buf_free(&full);
    spar__buf_free(&bare);
    spar__plot_frame_set(&frame, (spar__box){0, 0, 300, 200}, (spar__range){1, 20000}, true, (spar__range){7, 4000},
                         true);
    ok(frame.x.log && frame.y.log && frame.x.hi == 20000 && frame.y.lo == 7 && frame.y.hi == 4000,
       "the same on logarithmic axes");
    ok(fabs(spar__axis_at(&frame.y, sqrt(7.0 * 4000)) - 100) < 1e-9, "with the geometric mean in the middle");
    return done();
}
