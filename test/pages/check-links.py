#!/usr/bin/env python3
"""ctest: every link of a page to a file of this repository, and to a heading of a page, leads somewhere."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def headings(page):
    """The anchors that a viewer makes of the headings of @p page."""
    text = FENCED.sub("", page.read_text())
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def broken(page):
    for link in LINK.findall(FENCED.sub("", page.read_text())):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in headings(target)):
            yield link


def main():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("test/**/*.md")]
    failed = [f"{page.relative_to(ROOT)}: {link} leads nowhere" for page in pages for link in broken(page)]
    print("\n".join(failed) or f"{len(pages)} pages")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
