"""What mkdocs needs to know of these pages: make site."""
import os
import posixpath
import re
import subprocess

from mkdocs.structure.files import File

ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Pages that stand outside of docs/, by the name that they have on the site.
OUTSIDE = {
    "index.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "results.md": "benchmarks/RESULTS.md",
    "scale.md": "benchmarks/SCALE.md",
    "tables.md": "benchmarks/TABLES.md",
    "logs.md": "benchmarks/LOGS.md",
}
PAGES = {source: page for page, source in OUTSIDE.items()}


def on_files(files, config):
    for page, source in OUTSIDE.items():
        with open(os.path.join(ROOT, source), encoding="utf-8") as f:
            files.append(File.generated(config, page, content=f.read()))
    for folder in ["benchmarks/results"]:
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            if name.endswith((".svg", ".png")):
                files.append(File.generated(config, "results/" + name, abs_src_path=os.path.join(ROOT, folder, name)))
    return files


def helps(markdown):
    """What `tacheck help COMMAND --all` prints of each command in a list."""
    for name in re.findall(r"(?m)^\* `tacheck ([a-z-]+)", markdown):
        told = subprocess.run(
            [os.path.join(ROOT, "bin", "tacheck"), "help", name, "--all"], check=True, capture_output=True, text=True
        ).stdout
        yield f"\n## tacheck {name}\n\n```text\n{told}```\n"


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri == "commands.md":
        markdown += "".join(helps(markdown))
    here = posixpath.dirname(OUTSIDE.get(page.file.src_uri, "docs/" + page.file.src_uri))

    def link(m):
        target, _, anchor = m[2].partition("#")
        if not target or "://" in target:
            return m[0]
        path = posixpath.normpath(posixpath.join(here, target))
        known = PAGES.get(path) or path.removeprefix("docs/")
        if path.startswith("benchmarks/results/"):
            known = path.removeprefix("benchmarks/")
        if files.get_file_from_path(known) is None:
            return m[1].lstrip("!")  # a file of the project that the site does not have: its name
        return f"{m[1]}({known}{'#' + anchor if anchor else ''})"

    parts = re.split(r"(?ms)^(```.*?^```$)", markdown)
    for i, part in enumerate(parts):
        if part.startswith("```"):
            parts[i] = re.sub(r"\A```(\w+) (\S+)$", r'```text title="\2"', part, count=1, flags=re.M)
            parts[i] = re.sub(r"\A```(console|ftdp|ta|reading|ndjson|pyv)?$", "```text", parts[i], count=1, flags=re.M)
        else:
            parts[i] = re.sub(r"(!?\[[^\]]*\])\(([^)\s]+)\)", link, part)
            if page.file.src_uri == "field.md":
                parts[i] = re.sub(r"(!\[[^\]]*\]\(field/(\w+)\.svg\))", r"\1\n\n[Step through it](steps/\2.html)", parts[i])
    return "".join(parts)
