"""headers.py - the public headers as data, and as pages.

A header opens with a comment: its name, what it is for, and what holds for all of it. What follows are blocks between
empty lines: a comment, and the declarations that it describes. A comment to the right of a declaration describes that
one, and '/* --- words --- */' is a heading. So a function is documented if its block begins with a comment, or if
one stands beside it.
"""
import re
from dataclasses import dataclass, field
from html import escape

FUNCTION = re.compile(r"\b(spar_\w+)\s*\(")
CONSTANT = re.compile(r"\bSPAR_[A-Z0-9_]+\b")
WORD = re.compile(r"\b(?:spar_\w+|SPAR_[A-Z0-9_]+|[a-z_]+\.h)\b")


@dataclass
class Declaration:
    code: str  # as it is written, with the comment beside it
    names: list  # what it declares
    function: str = None
    remark: bool = False  # is there a comment beside it?


@dataclass
class Block:
    comment: str
    declarations: list = field(default_factory=list)
    heading: str = None


@dataclass
class Header:
    file: str
    brief: str
    intro: str
    blocks: list

    def functions(self):
        return [d.function for b in self.blocks for d in b.declarations if d.function]

    def undocumented(self):
        return [d.function for b in self.blocks for d in b.declarations if d.function and not (b.comment or d.remark)]

    def names(self):
        return [name for b in self.blocks for d in b.declarations for name in d.names]


def words_of(comment):
    """The text of a comment, without its frame."""
    lines = comment.strip().removeprefix("/*").removesuffix("*/").split("\n")
    return "\n".join([lines[0].strip()] + [re.sub(r"^ ?\* ?", "", line.rstrip()) for line in lines[1:]]).strip()


def read_comment(lines, i):
    end = i
    while "*/" not in lines[end]:
        end += 1
    return "\n".join(lines[i:end + 1]), end + 1


def code_of(text):
    """Without comments, for looking at."""
    return re.sub(r"/\*.*?(\*/|$)", " ", text, flags=re.S)


def is_whole(text):
    """Does the declaration end here, and the comment beside it, too?"""
    code = code_of(text)
    if text.count("/*") != text.count("*/"):
        return False
    if code.lstrip().startswith("#"):
        return not text.rstrip().endswith("\\")
    return code.rstrip().endswith(";") and code.count("{") == code.count("}") and code.count("(") == code.count(")")


def read_declaration(lines, i):
    end = i + 1
    while not is_whole("\n".join(lines[i:end])):
        if end == len(lines):
            raise ValueError(f"this declaration has no end: {lines[i]}")
        end += 1
    return declaration("\n".join(lines[i:end])), end


def declaration(text):
    code = code_of(text)
    remark = text.rstrip().endswith("*/")
    if code.startswith("#"):
        name = re.match(r"#define (\w+)", code)
        return Declaration(text, [name[1]] if name else [])
    if code.startswith("SPAR_API"):
        name = FUNCTION.search(code)[1]
        return Declaration(text, [name], name, remark)
    pointer = re.search(r"\(\*(spar_\w+)\)", code.partition("{")[0])
    plain = re.search(r"(spar_\w+)(\([^{]*\))?;\s*$", code)
    names = [pointer[1] if pointer else plain[1]]
    if "enum" in code:
        names += [constant for constant in CONSTANT.findall(code) if "MAP" not in constant and "ENUM" not in constant]
    return Declaration(text, names)


def parse(path):
    lines = path.read_text().splitlines()
    lines = [line for line in lines if not line.startswith("/* clang-format")]
    head, i = read_comment(lines, 0)
    brief, _, intro = words_of(head).partition("\n\n")
    name, _, brief = " ".join(brief.split()).partition(" - ")
    while i < len(lines) and not lines[i].startswith("#include"):
        i += 1
    if 'extern "C" {' in lines:
        i = lines.index('extern "C" {') + 2
    blocks, fresh = [], True
    while i < len(lines) and lines[i] != "#ifdef __cplusplus" and lines[i:] != ["#endif"]:
        if not lines[i].strip() or lines[i].startswith("#include"):
            fresh, i = True, i + 1
        elif lines[i].startswith("#if"):  # what differs between compilers is of no interest here
            i = lines.index("#endif", i) + 1
        elif lines[i].startswith("/*"):
            comment, i = read_comment(lines, i)
            heading = re.fullmatch(r"/\* --- (.*) --- \*/", comment)
            blocks.append(Block("", heading=heading[1]) if heading else Block(words_of(comment)))
            fresh = bool(heading)
        else:
            if fresh:
                blocks.append(Block(""))
            fresh = False
            made, i = read_declaration(lines, i)
            blocks[-1].declarations.append(made)
    return Header(name, brief, intro, blocks)


def text_html(text, link):
    """Paragraphs; what is indented stays as it is written."""
    out = []
    for part in re.split(r"\n\s*\n", text):
        lines, prose = part.split("\n"), []
        while lines:
            if lines[0].startswith("  "):
                kept = []
                while lines and (lines[0].startswith("  ") or not lines[0].strip()):
                    kept.append(lines.pop(0))
                out += [paragraph(prose, link), f"<pre>{linked(escape(dedent(kept)), link)}</pre>"]
                prose = []
            else:
                prose.append(lines.pop(0))
        out.append(paragraph(prose, link))
    return "\n".join(filter(None, out))


def dedent(lines):
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[least:] for line in lines)


def paragraph(lines, link):
    if not lines:
        return ""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(lines), quote=False))
    return f"<p>{linked(text, link)}</p>"


def linked(text, link):
    """Names that are declared somewhere become links."""
    return WORD.sub(lambda m: f'<a href="{link[m[0]]}">{m[0]}</a>' if m[0] in link else m[0], text)


def declaration_html(made, link):
    text = re.sub(r"\n {9}", "\n", made.code).removeprefix("SPAR_API ") if made.function else made.code
    pieces = re.split(r"(/\*.*?\*/)", text, flags=re.S)
    pieces = [escape(piece, quote=False) for piece in pieces]
    out = "".join(f'<span class="remark">{p}</span>' if p.startswith("/*") else p for p in pieces)
    others = {name: target for name, target in link.items() if name not in made.names}
    out = linked(out, others)
    for name in made.names:
        out = re.sub(rf"\b{name}\b", f'<b id="{name}">{name}</b>', out, count=1)
    return out


def page_html(header, link):
    """The page of a header; link says where names are."""
    out = [f"<h1>{header.file}</h1>", f"<p>{escape(header.brief[:1].upper() + header.brief[1:], quote=False)}</p>",
           f"<p><code>#include &lt;spar/{header.file}&gt;</code></p>", text_html(header.intro, link)]
    if not header.names():
        return "\n".join(out)
    out.append("<h2>Declarations</h2>" if not any(b.heading for b in header.blocks[:2]) else "")
    for block in header.blocks:
        if block.heading:
            out.append(f"<h2>{escape(block.heading[:1].upper() + block.heading[1:])}</h2>")
            continue
        code = "\n".join(declaration_html(d, link) for d in block.declarations)
        out.append('<div class="declared">' + (f"<pre>{code}</pre>" if code else "") + text_html(block.comment, link) + "</div>")
    return "\n".join(out)


def index_html(headers):
    """All headers, and all functions by name."""
    page = {h.file: h.file.removesuffix(".h") + ".html" for h in headers}
    rows = "".join(f'<tr><td><a href="{page[h.file]}"><code>{h.file}</code></a></td><td>{escape(h.brief)}</td></tr>' for h in headers)
    functions = sorted((name, page[h.file]) for h in headers for name in h.functions())
    items = "".join(f'<li><a href="{target}#{name}"><code>{name}</code></a></li>' for name, target in functions)
    return f"""<h1>C interface</h1>
<p>Made from the public headers. <code>#include &lt;spar/spar.h&gt;</code> has the science (<code>pkg-config --cflags --libs
spar</code>), <code>#include &lt;spar/experiment.h&gt;</code> live experiments, too (<code>spar-live</code>).</p>
<table><thead><tr><th>header</th><th>what it is for</th></tr></thead><tbody>{rows}</tbody></table>
<h2>All {len(functions)} functions</h2>
<ul class="names">{items}</ul>"""
