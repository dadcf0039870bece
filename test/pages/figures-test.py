"""ctest: which figures of a page's prose run-console.py takes to be known."""

import importlib.util
import pathlib
import sys

PAGE = """# A page
{}

```console
$ inca run a.toml --set cluster.bandwidth=10Gbps
  iteration time  439.7 ms      7.1 %
  busbw           8.834 Gbit/s
  gain            1.75
```
"""

# prose, and those of its figures that neither a block nor a comment has
CASES = (
    ("It takes 439.7 ms, 440 ms or about 7 %, at 10 Gb/s, 8.8 Gb/s of which are used.", []),
    ("It takes 423.9 ms, 8 % of it, 85 % and 1.6 times as long.", ["423.9 ms", "8 %", "85 %", "1.6 x"]),
    ("The ring takes 1.75 times as long, a gain of 1.8 x.", []),
    ("From 34 to 61 % faster, -53 % at `99 %` and 2^-10.", ["34 %", "61 %", "53 %"]),
    ("10 times, as in a rate", ["10 x"]),
    ("<!-- 25.6 Gb/s: width times clock -->\nEngines take 25.6 Gb/s and 4 MiB, links 25 Gb/s.", ["25 Gb/s"]),
)


def main():
    path = pathlib.Path(__file__).with_name("run-console.py")
    spec = importlib.util.spec_from_file_location("run_console", path)
    console = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(console)
    failed = 0
    for prose, expected in CASES:
        found = console.strange_figures(PAGE.format(prose))
        if found != expected:
            failed += 1
            print(f"{prose}\n-- expected {expected}\n-- found {found}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
