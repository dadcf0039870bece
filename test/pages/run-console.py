"""ctest: what a page shows on a console is what the programs print.

usage: run-console.py ROOT BUILD WORK PAGE [--update]     --update writes what they print into the page

Runs every block of PAGE that begins with ```console, and what begins with ```python before it, in the folder
WORK. There stand the files that the page shows (a block whose lead-in ends with `NAME.toml` or `NAME.csv` is that
file), beside ROOT's examples/, tools/ and traces/, with inca, my-inca and BUILD as build/release. Commands follow
"$ "; what follows them is what they print, stdout and stderr together, to the letter. A line "..." stands for any
lines, and "..." in a line for any text. Below a comment <!-- exits with N --> a line [M] shows the exit code of a
command that ends otherwise. Blocks of ```sh show no output: those of inca's commands alone are run, and must succeed.
<!-- not run: REASON --> before a block leaves it out: it needs what is not there, or prints how fast this machine is.

Every figure with a unit in the prose, a time, a rate, a share or a ratio, must stand in a block, where it may have more
digits. A figure from elsewhere is named in a comment that says where it is from: <!-- 25.6 Gb/s: width times clock -->
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

FILE_NAME = re.compile(r"`([\w.-]+\.(?:toml|csv))`")
INCA = re.compile(r"(build/release/|my-)?inca ")
NO_FILES = ("console", "python", "cpp", "cmake", "sh")
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
UNITS = {unit: unit for unit in ("ps", "ns", "us", "ms", "s", "h", "%", "x", "points", "Gb/s", "GB/s", "TB/s", "Mv/s")}
UNITS |= {"times": "x", "pt": "points", "Gbps": "Gb/s", "Gbit/s": "Gb/s", "GBps": "GB/s", "TBps": "TB/s"}
FIGURE = re.compile(rf"(?<![\w.^])({NUMBER})(?:(?: to | or | and |\.\.)({NUMBER}))? ?({'|'.join(UNITS)})(?![\w/^])")
BARE = re.compile(rf"(?<![\w.^])({NUMBER})(?![\w.]| ?(?:{'|'.join(UNITS)})(?![\w/^]))")
BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
EXIT = re.compile(r"<!-- exits with (\d+) -->")
CODE = re.compile(r"`[^`]*`|^ {4}.*$", re.MULTILINE)


def blocks(page):
    """Yields (line, kind, lead-in, body) of each block."""
    lines = page.read_text().split("\n")
    at = 0
    while at < len(lines):
        kind = lines[at][3:] if lines[at].startswith("```") else None
        if kind is None:
            at += 1
            continue
        end = lines.index("```", at + 1)
        lead = [line for line in lines[max(0, at - 3) : at] if line]
        yield at + 1, kind, " ".join(lead), lines[at + 1 : end]
        at = end + 1


def figures(text):
    """Each (number, unit) of a text; those of "2 to 3 ms" are two."""
    found = [(match[at], UNITS[match[3]]) for match in FIGURE.finditer(text) for at in (1, 2) if match[at]]
    return [(number.replace(",", ""), unit) for number, unit in found]


def strange_figures(text):
    """The figures in the prose of a page that neither its blocks nor its comments have."""
    shown = "\n".join(BLOCK.findall(text))
    known = figures(shown) + [(number.replace(",", ""), "x") for number in BARE.findall(shown)]
    named = figures("\n".join(COMMENT.findall(text)))
    prose = CODE.sub("", COMMENT.sub("", BLOCK.sub("", text)))

    def is_known(number, unit):
        digits = len(number.partition(".")[2])
        return any(unit == its and f"{float(other):.{digits}f}" == number for other, its in known)

    return [f"{number} {unit}" for number, unit in figures(prose) if (number, unit) not in named and not is_known(number, unit)]


def write_files(page, work):
    """The files that a page shows, each below a line that ends with its name."""
    for _, kind, lead, body in blocks(page):
        names = FILE_NAME.findall(lead)
        if kind not in NO_FILES and names:
            (work / names[-1]).write_text("\n".join(body) + "\n")


def commands(body):
    """Yields (command, lines that it prints)."""
    command, output = None, []
    continues = False
    for line in body:
        if continues:
            command += "\n" + line
        elif line.startswith("$ "):
            if command is not None:
                yield command, output
            command, output = line[2:], []
        else:
            output.append(line)
            continue
        continues = command.endswith("\\")
    if command is not None:
        yield command, output


def matches(expected, printed):
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(matches(expected[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    pattern = ".*".join(map(re.escape, expected[0].rstrip().split("...")))
    return bool(printed) and bool(re.fullmatch(pattern, printed[0].rstrip())) and matches(expected[1:], printed[1:])


def run(command, work, environment, code):
    """The lines that a command prints, and its exit code if the page says of another one."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=work,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    printed = done.stdout.decode(errors="replace").rstrip("\n").split("\n") if done.stdout else []
    return printed if code in (None, str(done.returncode)) else [*printed, f"[{done.returncode}]"]


def prepare(root, build, work, page):
    """The folder that a reader stands in: the repository's, as far as its commands see it."""
    shutil.rmtree(work, ignore_errors=True)
    (work / "build").mkdir(parents=True)
    folders = [(name, root / name) for name in ("examples", "tools", "traces")]
    for name, target in [*folders, ("build/release", build)]:
        (work / name).symlink_to(target)
    programs = work / "programs"
    programs.mkdir()
    for name, target in (("inca", build / "inca"), ("my-inca", build / "examples" / "my-inca")):
        (programs / name).symlink_to(target)
    write_files(page, work)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}


def replace(page, old, new):
    """The first lines of the page that are @p old become @p new."""
    text = page.read_text()
    page.write_text(text.replace("\n".join([*old, ""]), "\n".join([*new, ""]), 1))


def main():
    root, build, work, page = (pathlib.Path(argument).resolve() for argument in sys.argv[1:5])
    update = sys.argv[5:] == ["--update"]
    environment = prepare(root, build, work, page)
    lines = page.read_text().split("\n")
    ran = failed = 0
    for line, kind, lead, body in blocks(page):
        if kind not in ("console", "python", "sh") or "<!-- not run: " in lead:
            continue
        if kind == "sh":
            script = "\n".join(body)
            if all(INCA.match(command) for command in re.split(r"(?<!\\)\n", script)):
                subprocess.run(["bash", "-ec", script], cwd=work, env=environment, stdout=subprocess.DEVNULL, check=True)
            continue
        if kind == "python":
            subprocess.run(["python3", "-c", "\n".join(body)], cwd=work, check=True)
            continue
        code = ([None] + EXIT.findall("\n".join(lines[:line])))[-1]
        for command, expected in commands(body):
            ran += 1
            printed = run(command, work, environment, code)
            if not matches(expected, printed):
                failed += 1
                if update:
                    shown = ("$ " + command).split("\n")
                    replace(page, shown + expected, shown + [text.rstrip() for text in printed])
                print(f"{page.name}:{line}: $ {command}\n-- the page says\n" + "\n".join(expected))
                print("-- it prints\n" + "\n".join(printed) + "\n")
    strange = strange_figures(page.read_text())
    print(f"{page.name}: {ran} commands, {failed} print something else")
    if strange:
        print(f"{page.name}: no block shows, and no comment explains: {', '.join(strange)}")
    return 1 if failed or strange or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
