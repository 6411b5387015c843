"""The site: the Markdown pages of docs/, and a reference made from the public headers. Built by `./dev docs`.

The pages contain nothing that is special to the site, so that they also read well on GitHub and the like:
 - the menu is made from the lists of links in index.md; its headings are those of index.md;
 - submenus are made from the tables in README.md of methods/ and site/reference/;
 - drawings are image files; the site includes their SVG text in the page, so that they follow the light or dark theme.
"""

import html.parser
import pathlib
import re
import xml.etree.ElementTree

import furo
from docutils import nodes
from sphinx.errors import ExtensionError

docs = pathlib.Path(__file__).resolve().parent.parent
project_folder = docs.parent

project = "abut"
author = "the abut authors"
release = re.search(r'ABUT_VERSION "(.*)"', (project_folder / "include/abut/version.hpp").read_text())[1]
version = release

extensions = ["myst_parser", "breathe", "sphinx_copybutton"]
exclude_patterns = ["site/static"]
root_doc = "index"
source_suffix = {".md": "markdown"}
primary_domain = "cpp"
highlight_language = "none"

myst_heading_anchors = 3

breathe_projects = {"abut": str(project_folder / "build/docs/xml")}
breathe_default_project = "abut"
breathe_default_members = ("members",)
breathe_show_include = False
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}


def theme_colors(css):
    """The colors of the theme's dark mode. Debian's build of furo lacks the rule that applies them if the reader's system is dark;
    given as options, they apply again."""
    dark = re.search(r'body\[data-theme="?dark"?\]\s*\{([^}]*)', css)[1]
    return dict(re.findall(r"--([\w-]+):\s*([^;}]+)", dark))


furo_css = (pathlib.Path(furo.__file__).parent / "theme/furo/static/styles/furo.css").read_text()
# Debian installs this style sheet, which the theme imports, in another folder.
normalize = pathlib.Path("/usr/share/javascript/normalize.css")
import_of_normalize = "@import url(/javascript/normalize.css/normalize.css);"

html_theme = "furo"
html_title = f"abut {release}"
html_favicon = "static/logo.svg"
html_logo = "static/logo.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
if import_of_normalize in furo_css:
    html_static_path.append(str(normalize))
    html_css_files.append(("normalize.css", {"priority": 100}))
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = False
html_domain_indices = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6e8a", "color-brand-content": "#0b6e8a"},
    "dark_css_variables": theme_colors(furo_css) | {"color-brand-primary": "#5cc3dd", "color-brand-content": "#5cc3dd"},
}
pygments_style = "tango"
pygments_dark_style = "native"
copybutton_prompt_text = "$ "

link = re.compile(r"\]\(([\w/-]+)\.md\)")


def toctree(pages, caption=None):
    lines = ["```{toctree}", ":hidden:"] + ([f":caption: {caption}"] if caption else []) + [""] + pages + ["```"]
    return "\n".join(lines) + "\n"


def add_menu(app, docname, source):
    """Adds the menu, from the links in index.md and in the tables of README.md files."""
    text = source[0]
    if docname == "index":
        for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
            caption, _, body = section.partition("\n")
            items = [line for line in body.splitlines() if line.startswith("- [")]
            pages = [link.search(line)[1] for line in items if link.search(line)]
            if pages:
                source[0] += "\n" + toctree(pages, caption.strip())
    elif docname.endswith("/README"):
        rows = [link.search(line) for line in text.splitlines() if line.startswith("| [")]
        source[0] += "\n" + toctree([found[1] for found in rows if found])  # links into a page are not of the menu


def name_folders(app, docname, source):
    """Replaces links to folders of the project, which the site cannot show, by the folders' names."""

    def name(found):
        path = (docs / docname).parent / found[2]
        return f"`{path.resolve().relative_to(project_folder)}`" if path.is_dir() else found[0]

    source[0] = re.sub(r"\[([^\]]+)\]\((\.\./[^)#]+)\)", name, source[0])


def set_in_drawings(app, doctree, docname):
    """Replaces the images of docs/drawings by their SVG text."""
    if app.builder.format != "html":
        return
    for image in list(doctree.findall(nodes.image)):
        path = docs / image["uri"]
        if path.parent.name != "drawings":
            continue
        figure = f'<figure class="drawing">{path.read_text()}</figure>'
        image.replace_self(nodes.raw("", figure, format="html"))


class loaded(html.parser.HTMLParser):
    """Collects what a page loads from the network when it is opened, as opposed to links that people follow."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        address = given.get("src") or given.get("data") or (given.get("href") if tag in ("link", "use", "image") else None)
        if given.get("rel") in ("canonical", "author"):
            return
        if address and re.match(r"(?i)(https?:|/)", address):
            self.found.append(f"<{tag}> {address}")


def mend_theme(app, failure):
    """Debian's build of furo imports a style sheet and a script from paths that do not work for pages opened from a folder. Links
    the sheet from every page instead, and puts the script in front of the one that imports it."""
    static = pathlib.Path(app.outdir) / "_static"
    sheet, script = static / "styles/furo.css", static / "scripts/furo.js"
    if failure or not sheet.exists():
        return
    sheet.write_text(sheet.read_text().replace(import_of_normalize, ""))
    needed = 'import Gumshoe from "./gumshoe-patched.js";'
    if needed in script.read_text():
        script.write_text(script.read_text().replace(needed, (static / "scripts/gumshoe-patched.js").read_text()))


def check_nothing_is_fetched(app, failure):
    """Fails if a page needs the network."""
    if failure or app.builder.name != "html":
        return
    out = pathlib.Path(app.outdir)
    problems = []
    for page in out.rglob("*.html"):
        reader = loaded()
        reader.feed(page.read_text())
        problems += [f"{page.relative_to(out)}: {what}" for what in reader.found]
    for sheet in out.rglob("*.css"):
        for address in re.findall(r"""(?:url\(|@import)\s*['"]?((?:https?:|/)[^)'"]*)""", sheet.read_text()):
            problems.append(f"{sheet.relative_to(out)}: {address}")
    if problems:
        raise ExtensionError("the site would load from the network:\n  " + "\n  ".join(problems))


def check_reference(app):
    """Fails if a name that the headers declare is missing in the reference."""
    pages = "\n".join(page.read_text() for page in (docs / "site/reference").glob("*.md"))
    for namespace in ("abut", "abut::dem"):
        file = project_folder / f"build/docs/xml/namespace{namespace.replace('::', '_1_1')}.xml"
        declared = xml.etree.ElementTree.parse(file).getroot()
        names = [node.text for node in declared.iter("innerclass")]
        names += [f"{namespace}::{node.findtext('name')}" for node in declared.iter("memberdef")]
        for name in names:
            inside = "::".join(name.split("::")[: namespace.count("::") + 2])  # members are listed with their class
            if "operator" not in name and not re.search(rf"}} {inside}\b", pages):
                raise ExtensionError(f"{name} is missing in docs/site/reference")


def setup(app):
    app.connect("builder-inited", check_reference)
    app.connect("source-read", add_menu)
    app.connect("source-read", name_folders)
    app.connect("doctree-resolved", set_in_drawings)
    app.connect("build-finished", mend_theme)
    app.connect("build-finished", check_nothing_is_fetched)
