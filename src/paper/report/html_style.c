/* html_style.c - the style sheet. Drawings are made for a white page; on dark screens their colours are replaced here,
 * so that the files and the page have the same drawing. */
#include "paper/report/html.h"

static const char *const general =
    ":root{color-scheme:light dark;--page:#fff;--text:#1c1e21;--soft:#5b6067;--rule:#d9dce0;--card:#fff;"
    "--stripe:#f5f6f8;--link:#0b5cad;--good:#0a6b3d;--part:#8a5a00;--bad:#b3261e;--none:#5b6067}\n"
    "*{box-sizing:border-box}\n"
    "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
    "body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:64rem;background:var(--page);color:var(--text);"
    "font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",\"DejaVu Sans\",Arial,sans-serif}\n"
    "h1{font-size:1.75rem;line-height:1.2;margin:0 0 .4rem;text-wrap:balance}\n"
    "h2{font-size:1.35rem;line-height:1.25;margin:3rem 0 .6rem;padding-top:.8rem;border-top:2px solid var(--rule)}\n"
    "h3{font-size:1.08rem;line-height:1.3;margin:2.2rem 0 .3rem}\n"
    "p{margin:.4rem 0;max-width:46rem}figure{margin:0}\n"
    "a{color:var(--link)}\n"
    "code{font:.86em/1.4 ui-monospace,SFMono-Regular,Menlo,\"DejaVu Sans Mono\",monospace;overflow-wrap:anywhere}\n"
    ".lead{color:var(--soft)}\n"
    ".facts{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:1rem 0}\n"
    ".facts dt{color:var(--soft)}\n"
    ".facts dd{margin:0}\n"
    ".toc{columns:18rem;column-gap:2.2rem;padding-left:1.2rem;margin:.4rem 0}\n"
    ".scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:8px;margin:.8rem 0;background:var(--card)}\n"
    ".scroll:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}\n"
    ".scroll>svg{display:block;width:100%;height:auto;margin:0 auto}\n"
    "table{border-collapse:collapse;width:100%;font-size:.88rem;line-height:1.4}\n"
    "th,td{padding:.32rem .7rem;text-align:left;vertical-align:top}\n"
    "thead th{font-weight:600;color:var(--soft);border-bottom:1px solid var(--rule);white-space:nowrap}\n"
    "tbody+tbody tr:first-child>*{border-top:1px solid var(--rule)}\n"
    "tbody th{font-weight:600}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".best{font-weight:700}\n"
    ".regrets td,.regrets th{white-space:nowrap}\n"
    ".regrets tbody th,.settings tbody th{white-space:normal;min-width:6.5rem;max-width:12rem}\n"
    ".settings td:nth-child(2){min-width:16rem}\n"
    ".key{width:1.3em;height:.7em;margin-right:.5em;vertical-align:-.02em}\n"
    ".wide{margin-inline:calc(50% - min(50vw - 1.2rem,40rem))}\n"
    ".claims{min-width:56rem;table-layout:fixed}\n"
    ".claims col.c{width:25%}.claims col.v{width:8.8rem}.claims col.t{width:24%}\n"
    ".claims tr>*{border-top:1px solid var(--rule)}.claims thead th{border-top:0}\n"
    ".claims td b{display:block}\n"
    ".claims p{margin:0 0 .2rem;padding-left:.9em;text-indent:-.9em;font-variant-numeric:tabular-nums}\n"
    ".verdict{font-weight:700;white-space:nowrap}\n"
    ".holds{color:var(--good)}.part{color:var(--part)}.fails{color:var(--bad)}.none{color:var(--none)}\n"
    ".sum{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;margin:.6rem 0;padding:0;list-style:none}\n"
    "details{margin:.8rem 0}\n"
    "summary{cursor:pointer;color:var(--link)}\n"
    ".note,footer{color:var(--soft);font-size:.88rem}\n"
    "footer{margin-top:3rem;border-top:1px solid var(--rule);padding-top:.8rem}\n";

static const char *const narrow = "@media (max-width:40rem){body{padding:1rem .8rem 2rem}h1{font-size:1.45rem}"
                                  ".facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.4rem}"
                                  ".claims,.claims tbody,.claims tr,.claims td{display:block;min-width:0;border:0}"
                                  ".claims thead,.claims colgroup{display:none}"
                                  ".claims tr{padding:.5rem 0;border-top:1px solid var(--rule)}"
                                  ".claims td{padding:.15rem .8rem}.wide{margin-inline:0}}\n";

static const char *const print =
    "@page{size:A4;margin:14mm 13mm}\n"
    "@media print{body{max-width:none;padding:0;font-size:10pt}a{color:inherit;text-decoration:none}"
    ".toc{display:none}"
    ".scroll{overflow:visible;border:0;border-radius:0}.scroll>svg{min-width:0!important;max-height:222mm}"
    ".keep{break-inside:avoid}h2,h3,summary{break-after:avoid}tr,.regrets tbody{break-inside:avoid}"
    ".note,footer{font-size:8.5pt}.claims .note{font-size:inherit}table{font-size:8pt}th,td{padding:.12rem "
    ".4rem}.claims{min-width:0;font-size:7.5pt}.claims col.c{width:23%}.claims col.v{width:5.8rem}.claims "
    "col.t{width:30%}.wide{margin:0}"
    ".regrets th{white-space:normal}.settings td:nth-child(2){min-width:0}"
    "details::details-content{content-visibility:visible;height:auto}summary{list-style:none;color:inherit}"
    "h2{margin-top:1.6rem}}\n";

static const char *const dark =
    ":root{--page:#14161a;--text:#e4e6ea;--soft:#a2a8b1;--rule:#363b43;--card:#1b1e23;--stripe:#20242a;"
    "--link:#7db8f0;--good:#5fcf95;--part:#e5b454;--bad:#ff8a80;--none:#a2a8b1}\n";

/* The colours of the drawings, and what replaces them on a dark page. */
static const struct {
    const char *light, *dark;
} dark_color[] = {
    {"#fff", "#1b1e23"},    {"#111", "#f0f1f3"},    {"#1a1a1a", "#eceef0"}, {"#222", "#e2e4e8"},
    {"#333", "#c9cdd3"},    {"#444", "#8d949d"},    {"#555", "#aeb4bc"},    {"#666", "#a2a8b1"},
    {"#dcdcdc", "#363b43"}, {"#f2f2f2", "#25292f"}, {"#000000", "#f2f2f2"}, {"#0072B2", "#4aa8e8"},
    {"#D55E00", "#ff8a3d"}, {"#009E73", "#2cc79a"}, {"#CC79A7", "#f0b6d6"}, {"#56B4E9", "#9ad7ff"},
    {"#E69F00", "#f2bb3f"}, {"#882255", "#cf4a86"}, {"#7F7F7F", "#9a9fa6"}, {"#44379B", "#9d90f5"},
};

void spar__html_style(spar__buf *out)
{
    spar__buf_adds(out, "<style>\n");
    spar__buf_adds(out, general);
    spar__buf_adds(out, narrow);
    spar__buf_adds(out, print);
    spar__buf_adds(out, "@media screen and (prefers-color-scheme:dark){\n");
    spar__buf_adds(out, dark);
    for (size_t i = 0; i < sizeof dark_color / sizeof *dark_color; i++)
        spar__buf_printf(out, "svg [fill=\"%s\"]{fill:%s}svg [stroke=\"%s\"]{stroke:%s}\n", dark_color[i].light,
                         dark_color[i].dark, dark_color[i].light, dark_color[i].dark);
    spar__buf_adds(out, "}\n</style>\n");
}
