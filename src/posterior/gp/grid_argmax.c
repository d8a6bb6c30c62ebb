/* The largest value of f = phi w on a product grid, from coarse to fine.
 *
 * Each axis is cut into blocks between edges. With x at a share t of the way from one edge of its block to the other,
 * column k of the axis's basis is
 *
 *     phi_k(x) = (1 - t) phi_k(edge) + t phi_k(next edge) + e_k(x)
 *
 * Let low_k be the larger |phi_k| of the two edges and high_k = low_k + max |e_k| over the places of the block. A
 * column of the product basis is a product of such columns, of axes a = 1 .. d. Multiplied out, that is the product of
 * the parts that are linear in t, and other terms which together are at most
 *
 *     product_a high_k(a) - product_a low_k(a)
 *
 * Summed up with the weights, the linear parts are a mean of the values of f at the corners of the block (a box of one
 * block of each axis), and so
 *
 *     f(x) <= max f(corners) + gap,     gap = sum_k |w_k| (product_a high_k(a) - product_a low_k(a))
 *
 * Both sums have the form of f itself with other tables in the place of the axes' bases, so the bounds of all blocks
 * cost as much as three small grids. Only blocks whose bound reaches the largest value seen so far are evaluated. For a
 * smooth kernel gap is about (block / length)^2 / 8 for each axis times a few standard deviations.
 *
 * Values are computed with errors: each is the exact one but for at most N u sum_k |w_k phi_k|, u = 2^-53, where N
 * counts the operations that a term goes through, at most r + 1 for each axis. That sum is at most sum_k |w_k| high_k.
 * The value in question, the value at the corner and the two sums of gap are off by no more than four such errors;
 * `rounding` takes eight. So a block that is left out holds no point whose computed value is largest, and the point
 * found is that which evaluating everything finds, bit by bit. */
#include "base/alloc.h"
#include "posterior/gp/grid.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

enum {
    FEW = 1024, /* points that are soon evaluated */
    GAIN = 12   /* points in a block, at least */
};

#define UNIT (DBL_EPSILON / 2)
#define BEND 0.35

static void axis_free(spar__peak_axis *axis)
{
    spar__free(axis->edge);
    spar__free(axis->corner);
    spar__free(axis->low);
    spar__free(axis->high);
    *axis = (spar__peak_axis){0};
}

static size_t block_end(const spar__peak_axis *axis, size_t block)
{
    return axis->edge[block + 1] + (block + 1 == axis->blocks);
}

/* The largest part of column k that is not linear in block b, with what rounding may hide of it. */
static double bend(const spar__peak_axis *axis, const spar__basis *basis, const double *x, size_t b, size_t k,
                   double low)
{
    size_t from = axis->edge[b], to = axis->edge[b + 1];
    const double *phi = basis->phi + k;
    double left = phi[from * basis->r], right = phi[to * basis->r], most = 0;
    for (size_t i = from + 1; i < to; i++) {
        double t = fmin((x[i] - x[from]) / (x[to] - x[from]), 1);
        most = fmax(most, fabs(phi[i * basis->r] - ((1 - t) * left + t * right)));
    }
    return most * (1 + 4 * UNIT) + 8 * UNIT * low;
}

/* Tables of the last axis are by columns. Returns the largest bend of a block, as a part of the standard deviation of f
 * along this axis. */
static double fill_axis(spar__peak_axis *axis, const spar__basis *basis, const double *x, bool last)
{
    size_t r = basis->r, n = axis->blocks;
    double most = 0, bent = 0;
    for (size_t b = 0; b <= n; b++) {
        double square = 0, bends = 0;
        for (size_t k = 0; k < r; k++) {
            double here = basis->phi[axis->edge[b] * r + k];
            axis->corner[last ? k * (n + 1) + b : b * r + k] = here;
            square += here * here;
            if (b == n)
                continue;
            double low = fmax(fabs(here), fabs(basis->phi[axis->edge[b + 1] * r + k]));
            double more = bend(axis, basis, x, b, k, low);
            size_t at = last ? k * n + b : b * r + k;
            axis->low[at] = low;
            axis->high[at] = low + more;
            bends += more * more;
        }
        most = fmax(most, square);
        bent = fmax(bent, bends);
    }
    return most > 0 ? sqrt(bent / most) : 0;
}

static spar_status make_axis(const spar__basis *basis, const double *x, bool last, size_t width, spar__peak_axis *axis,
                             double *bent)
{
    size_t n = basis->n, blocks = n > 1 ? (n - 2) / width + 1 : 1;
    *axis = (spar__peak_axis){.blocks = blocks, .widest = width + 1 < n ? width + 1 : n};
    axis->edge = spar__alloc(blocks + 1, sizeof *axis->edge);
    axis->corner = spar__alloc((blocks + 1) * basis->r, sizeof *axis->corner);
    axis->low = spar__alloc(blocks * basis->r, sizeof *axis->low);
    axis->high = spar__alloc(blocks * basis->r, sizeof *axis->high);
    if (!axis->edge || !axis->corner || !axis->low || !axis->high)
        return SPAR_NOMEM;
    for (size_t b = 0; b <= blocks; b++)
        axis->edge[b] = b < blocks ? b * width : n - 1;
    *bent = fill_axis(axis, basis, x, last);
    return SPAR_OK;
}

/* In blocks as wide as they should be. With s places in a block, bounds cost as 1 / s^2, and the points that they leave
 * as the bend, which grows as s^2: measured on 100 x 100 and 1000 x 1000 points, the sum is least at BEND / s^2. */
static spar_status fit_axis(const spar__basis *basis, const double *x, bool last, spar__peak_axis *axis)
{
    size_t width = 1;
    for (size_t s = 2; s < basis->n; s *= 2) {
        double bent;
        spar_status status = make_axis(basis, x, last, s, axis, &bent);
        if (status)
            return status;
        axis_free(axis);
        double excess = bent * (double)(s * s) / BEND;
        if (excess > 1)
            break;
        width = (size_t)((double)s * fmin(sqrt(sqrt(1 / excess)), 2));
    }
    double bent;
    return make_axis(basis, x, last, width, axis, &bent);
}

spar_status spar__peak_make(const spar__kron *kron, const spar__lattice *lattice, size_t width, spar__peak *out)
{
    *out = (spar__peak){.kron = kron, .lattice = lattice, .corners = 1, .blocks = 1};
    if (!width && kron->points < FEW)
        out->blocks = 0;
    spar_status status = SPAR_OK;
    for (size_t a = 0; !status && out->blocks && a < kron->d; a++) {
        const spar__basis *basis = &kron->axis[a];
        const double *x = lattice->value[a];
        double bent;
        bool last = a + 1 == kron->d;
        spar__peak_axis *axis = &out->axis[a];
        status = width ? make_axis(basis, x, last, width, axis, &bent) : fit_axis(basis, x, last, axis);
        out->corners *= axis->blocks + 1;
        out->blocks *= axis->blocks;
        out->rounding += 8 * UNIT * (double)(basis->r + 2);
    }
    if (!width && out->blocks > kron->points / GAIN)
        out->blocks = 0;
    if (status)
        spar__peak_free(out);
    return status;
}

void spar__peak_free(spar__peak *peak)
{
    for (size_t a = 0; a < SPAR__KRON_AXES; a++)
        axis_free(&peak->axis[a]);
    *peak = (spar__peak){0};
}

/* What a search for the peak of one w works with. */
typedef struct peak_search {
    const spar__peak *peak;
    const double *table; /* w */
    const bool *open;
    double *size;               /* |w| */
    double *bound, *high, *low; /* of each block */
    double *work, *value;       /* of the points of a row of blocks */
    double floor;               /* some open point has that value */
} peak_search;

typedef enum peak_table { CORNER, LOW, HIGH } peak_table;

static void sides_of(const spar__peak *peak, peak_table which, spar__kron_side *side)
{
    for (size_t a = 0; a < peak->kron->d; a++) {
        const spar__peak_axis *axis = &peak->axis[a];
        size_t n = axis->blocks + (which == CORNER);
        side[a].n = n;
        side[a].value = which == CORNER ? axis->corner : which == LOW ? axis->low : axis->high;
        side[a].stride = a + 1 < peak->kron->d ? peak->kron->axis[a].r : n;
    }
}

/* A piece of the grid: some blocks of the last axis, one of each other. */
typedef struct piece {
    spar__kron_side side[SPAR__KRON_AXES];
    size_t from[SPAR__KRON_AXES];
    size_t rows, width; /* along the last axis */
} piece;

/* Blocks first .. last of the last axis, where `band` numbers the blocks of the axes before it. */
static void piece_cut(piece *p, const spar__peak *peak, size_t band, size_t first, size_t last)
{
    size_t a = peak->kron->d - 1;
    p->rows = 1;
    p->from[a] = peak->axis[a].edge[first];
    p->width = block_end(&peak->axis[a], last) - p->from[a];
    p->side[a] = spar__kron_part(peak->kron, a, p->from[a], p->width);
    while (a-- > 0) {
        const spar__peak_axis *axis = &peak->axis[a];
        size_t block = band % axis->blocks;
        band /= axis->blocks;
        p->from[a] = axis->edge[block];
        p->side[a] = spar__kron_part(peak->kron, a, p->from[a], block_end(axis, block) - axis->edge[block]);
        p->rows *= p->side[a].n;
    }
}

/* The number in the grid of the first point of a row. */
static size_t piece_start(const piece *p, const spar__kron *kron, size_t row)
{
    size_t a = kron->d - 1, start = p->from[a], weight = kron->axis[a].n;
    while (a-- > 0) {
        start += weight * (p->from[a] + row % p->side[a].n);
        row /= p->side[a].n;
        weight *= kron->axis[a].n;
    }
    return start;
}

static bool is_open(const peak_search *s, size_t cell)
{
    size_t p = s->peak->lattice->point ? s->peak->lattice->point[cell] : cell;
    return p != SIZE_MAX && s->open[p];
}

/* out[b] is the larger of in[b] and in[b + 1] in each of `lines` lines of n + 1, every place being `wide` numbers. */
static void join(size_t lines, size_t n, size_t wide, const double *restrict in, double *restrict out)
{
    for (size_t l = 0; l < lines; l++) {
        for (size_t i = 0; i < n * wide; i++)
            out[i] = in[i] > in[i + wide] ? in[i] : in[i + wide];
        in += (n + 1) * wide;
        out += n * wide;
    }
}

/* From the values at the corners: the floor, and the largest around each block. */
static void look_at_corners(peak_search *s)
{
    const spar__peak *peak = s->peak;
    spar__kron_side side[SPAR__KRON_AXES];
    sides_of(peak, CORNER, side);
    spar__kron_apply(peak->kron, side, s->table, s->work, s->bound);
    s->floor = -INFINITY;
    for (size_t c = 0; c < peak->corners; c++) {
        if (!(s->bound[c] > s->floor))
            continue;
        size_t cell = 0, weight = 1, corner = c;
        for (size_t a = peak->kron->d; a-- > 0;) {
            const spar__peak_axis *axis = &peak->axis[a];
            cell += weight * axis->edge[corner % (axis->blocks + 1)];
            corner /= axis->blocks + 1;
            weight *= peak->kron->axis[a].n;
        }
        if (is_open(s, cell))
            s->floor = s->bound[c];
    }
    size_t lines = 1, wide = peak->corners;
    for (size_t a = 0; a < peak->kron->d; a++) {
        size_t n = peak->axis[a].blocks;
        wide /= n + 1;
        join(lines, n, wide, s->bound, s->high);
        lines *= n;
        double *joined = s->high;
        s->high = s->bound;
        s->bound = joined;
    }
}

static bool can_win(const peak_search *s, size_t block)
{
    return !(s->bound[block] < s->floor);
}

/* Neighbours along the last axis are evaluated together. */
static void scan_all(const peak_search *s, spar_rng *rng, spar__gp_max *max)
{
    size_t across = s->peak->axis[s->peak->kron->d - 1].blocks;
    for (size_t band = 0; band < s->peak->blocks / across; band++)
        for (size_t b = 0; b < across; b++) {
            size_t first = b;
            while (b < across && can_win(s, band * across + b))
                b++;
            if (b == first)
                continue;
            piece p;
            piece_cut(&p, s->peak, band, first, b - 1);
            const spar__kron *kron = s->peak->kron;
            spar__kron_apply(kron, p.side, s->table, s->work, s->value);
            for (size_t i = 0; i < p.rows; i++)
                spar__gp_max_add(max, rng, p.width, s->value + i * p.width, piece_start(&p, kron, i),
                                 s->peak->lattice->point, s->open);
        }
}

static bool take_memory(peak_search *s, spar_scratch *scratch)
{
    const spar__peak *peak = s->peak;
    spar__kron_side corner[SPAR__KRON_AXES], band[SPAR__KRON_AXES];
    sides_of(peak, CORNER, corner);
    size_t values = 1;
    for (size_t a = 0; a < peak->kron->d; a++) {
        band[a].n = a + 1 < peak->kron->d ? peak->axis[a].widest : peak->kron->axis[a].n;
        values *= band[a].n;
    }
    size_t one = spar__kron_work(peak->kron, corner), other = spar__kron_work(peak->kron, band);
    s->size = spar__scratch_take(scratch, peak->kron->cells, sizeof *s->size);
    s->bound = spar__scratch_take(scratch, peak->corners, sizeof *s->bound);
    s->high = spar__scratch_take(scratch, peak->corners, sizeof *s->high);
    s->low = spar__scratch_take(scratch, peak->corners, sizeof *s->low);
    s->work = spar__scratch_take(scratch, one > other ? one : other, sizeof *s->work);
    s->value = spar__scratch_take(scratch, values, sizeof *s->value);
    return s->size && s->bound && s->high && s->low && s->work && s->value;
}

spar_status spar__peak_find(const spar__peak *peak, spar_scratch *scratch, spar_rng *rng, const double *table,
                            const bool *open, spar__gp_max *max, bool *found)
{
    size_t mark = spar__scratch_mark(scratch);
    peak_search s = {.peak = peak, .table = table, .open = open};
    bool room = take_memory(&s, scratch);
    *found = false;
    if (room) {
        look_at_corners(&s);
        /* To the bound of each block comes its gap. */
        spar__kron_side side[SPAR__KRON_AXES];
        size_t left = 0;
        for (size_t k = 0; k < peak->kron->cells; k++)
            s.size[k] = fabs(table[k]);
        sides_of(peak, LOW, side);
        spar__kron_apply(peak->kron, side, s.size, s.work, s.low);
        sides_of(peak, HIGH, side);
        spar__kron_apply(peak->kron, side, s.size, s.work, s.high);
        for (size_t b = 0; b < peak->blocks; b++)
            s.bound[b] += s.high[b] - s.low[b] + (s.high[b] * peak->rounding + DBL_MIN);
        /* The most promising block may have larger values than any corner. */
        size_t top = 0, across = peak->axis[peak->kron->d - 1].blocks;
        for (size_t b = 1; b < peak->blocks; b++)
            top = s.bound[b] > s.bound[top] ? b : top;
        piece p;
        piece_cut(&p, peak, top / across, top % across, top % across);
        spar__kron_apply(peak->kron, p.side, s.table, s.work, s.value);
        for (size_t i = 0; i < p.rows * p.width; i++)
            if (s.value[i] > s.floor && is_open(&s, piece_start(&p, peak->kron, i / p.width) + i % p.width))
                s.floor = s.value[i];
        for (size_t b = 0; b < peak->blocks; b++)
            left += can_win(&s, b);
        *found = left <= peak->blocks / 4;
    }
    if (*found)
        scan_all(&s, rng, max);
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}
