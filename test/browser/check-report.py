"""ctest: the pages of inca report in a real browser: they load without complaints and ask the network for nothing,
sort, filter and switch axes, and their numbers are those of the CSV.

usage: check-report.py INCA WORK [FOLDER]     FOLDER: pictures of the pages go there
"""

import csv
import json
import pathlib
import shlex
import shutil
import subprocess
import sys

from chromium import Chromium

SCRIPT = "<script>document.title='taken'</script>"


def require(is_true, what):
    if not is_true:
        raise AssertionError(what)


def same(found, expected, what):
    require(found == expected, f"{what}: {found!r} instead of {expected!r}")


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def four_digits(number):
    """As the page writes figures: four significant digits at most."""
    return f"{float(f'{number:.4g}'):.10f}".rstrip("0").rstrip(".")


class Workshop:
    """Where results are made, by the program itself."""

    def __init__(self, inca, work):
        self.inca = str(pathlib.Path(inca).resolve())
        self.work = pathlib.Path(work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def run(self, *words, codes=(0,)):
        done = subprocess.run([self.inca, *words], cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        require(done.returncode in codes, f"inca {words}: {done.returncode}: {done.stderr.decode()}")

    def put(self, name, text):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def address(self, name):
        return (self.work / name).resolve().as_uri()


class Page:
    """One page in the browser."""

    def __init__(self, browser, shop, name):
        self.browser = browser
        self.address = shop.address(name)
        browser.complaints.clear()
        browser.requests.clear()
        browser.open(self.address)

    def run(self, script):
        return self.browser.run(script)

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.textContent ?? null")

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((node) => node.textContent)")

    def click(self, selector):
        self.run(f"document.querySelector({json.dumps(selector)}).click()")
        self.browser.settle()

    def choose(self, selector, value):
        self.run(f"(() => {{ const node = document.querySelector({json.dumps(selector)}); node.value = {json.dumps(value)};"
                 "node.dispatchEvent(new Event('change')); })()")
        self.browser.settle()

    def filter(self, text, says):
        self.run(f"(() => {{ const node = document.querySelector('#filter'); node.value = {json.dumps(text)};"
                 "node.dispatchEvent(new Event('input')); })()")
        self.browser.until(f"document.querySelector('#filtered').textContent === {json.dumps(says)}")

    def table_rows(self):
        """The points in the order of the table, by their numbers."""
        return self.texts(".points td.first")

    def column(self, name):
        """What the table shows of a column, top to bottom."""
        return self.run(f"""(() => {{
            const heads = [...document.querySelectorAll('.points thead th')];
            const at = heads.findIndex((head) => head.title.startsWith({json.dumps(name + ':')}));
            return [...document.querySelectorAll('.points tbody tr[data-row]')].map((row) => row.children[at].textContent);
        }})()""")

    def sort(self, name):
        self.run(f"document.querySelector('.points thead th[title^=\"{name}:\"] button').click()")
        self.browser.settle()

    def figures(self):
        """The chosen point's figures, as they stand in CSV."""
        if not self.run("document.querySelector('#figures').open"):
            self.click("#figures summary")
        return dict(self.run("[...document.querySelectorAll('#figures .exact')].map((node) => [node.dataset.column, node.textContent])"))

    def tip(self):
        """What the chart says at the cursor: [[series, value], ...]."""
        return self.run("[...document.querySelectorAll('.tip tr')].map((row) => [row.cells[1].textContent, row.cells[2].textContent])")

    def must_be_quiet(self):
        same(self.browser.complaints, [], f"console of {self.address}")
        asked = [a for a in self.browser.requests if a.split("#")[0] != self.address]
        same(asked, [], f"what {self.address} asks for")


# -- a sweep ---------------------------------------------------------------------------------------

SYSTEMS = """
[training]
trace = "tensor:4MB"
[sweep]
vary = ["cluster.bandwidth=1Gbps,10Gbps,100Gbps", "cluster.workers=2,4"]
[[sweep.system]]
label = "ring"
set = ["exchange.algorithm=ring"]
[[sweep.system]]
label = "ring + inceptionn"
set = ["exchange.algorithm=ring", "codec.name=inceptionn"]
[[sweep.system]]
label = "no"
set = ["exchange.algorithm=switch-slots", "codec.name=truncate"]
"""


def make_sweep(shop):
    shop.put("systems.toml", SYSTEMS)
    shop.run("sweep", "systems.toml", "--out", "sweep")
    shop.run("report", "sweep", "-o", "sweep.html")
    (shop.work / "rows").mkdir()
    (shop.work / "sweep/results.csv").rename(shop.work / "rows/results.csv")  # the store alone is enough
    shop.run("report", "sweep", "-o", "again.html")
    same((shop.work / "sweep.html").read_bytes(), (shop.work / "again.html").read_bytes(), "page of the store")
    shop.run("report", "rows", "-o", "rows.html")
    return rows_of(shop.work / "rows/results.csv")


def check_numbers(page, rows):
    """Each cell that is shown, and all figures of each point, are the texts of the CSV."""
    page.click("#exact")
    same(page.texts(".points td.first"), [row["point"] for row in rows], "points")
    for name in ("label", "workers", "bandwidth_gbps", "status", "iteration_time_s", "communication_s", "limited_by"):
        same(page.column(name), [row[name] for row in rows], name)
    page.click("#exact")
    for place, row in enumerate(rows):
        page.run(f"document.querySelector('tr[data-row=\"{place}\"]').click()")
        same(page.figures(), {name: text for name, text in row.items() if text != ""}, f"figures of point {row['point']}")


def check_sorting(page, rows):
    done = [row for row in rows if row["status"] == "done"]
    up = sorted(done, key=lambda row: (float(row["iteration_time_s"]), int(row["point"])))
    page.sort("iteration_time_s")
    last = [row["point"] for row in rows if row["status"] != "done"]  # what has no value stands last
    same(page.table_rows(), [row["point"] for row in up] + last, "ascending")
    page.sort("iteration_time_s")
    down = sorted(done, key=lambda row: (-float(row["iteration_time_s"]), int(row["point"])))
    same(page.table_rows(), [row["point"] for row in down] + last, "descending")
    page.sort("iteration_time_s")
    same(page.table_rows(), [row["point"] for row in rows], "not sorted")


def check_filter(page, rows):
    page.filter('label="ring + inceptionn" workers>=4', "3 of 18 rows")
    same(page.table_rows(), [r["point"] for r in rows if r["label"] == "ring + inceptionn" and r["workers"] == "4"], "filtered")
    page.filter("refused", "6 of 18 rows")
    page.filter("wokers>=4", "there is no column wokers")
    page.filter("", "18 rows")


def check_chart(page, rows, browser):
    """The values at the cursor, of two columns, over two axes; units are those of the largest value."""
    page.choose("#chart-x", "bandwidth_gbps")
    page.run("document.querySelector('.chart').focus()")
    for column in ("iteration_time_s", "communication_s"):
        page.choose("#chart-y", column)
        browser.press("ArrowRight")  # to the first place
        drawn = [r for r in rows if r["status"] == "done"]
        largest = max(float(r[column]) for r in drawn)
        factor = 1e3 if largest >= 1e-3 else 1e6
        expected = {f"{r['label']}, {r['workers']} workers": four_digits(float(r[column]) * factor) for r in drawn if r["bandwidth_gbps"] == "1"}
        found = {name: value for name, value in page.tip() if value != "refused"}
        same(found, expected, column)
        require("1 Gbit/s" in page.text(".tip strong"), page.text(".tip strong"))
        browser.press("Escape")
    page.choose("#chart-x", "workers")
    browser.press("ArrowRight")
    require(page.text(".tip strong").startswith("workers 2"), page.text(".tip strong"))
    page.choose("#chart-x", "label")
    same(sorted(set(page.texts(".chart h3"))), ["no", "ring", "ring + inceptionn"], "bars over names")
    page.choose("#chart-x", "bandwidth_gbps")
    page.choose("#chart-y", "iteration_time_s")


def check_keyboard(page, browser):
    page.run("document.querySelector('.scroll').focus()")
    browser.press("Home")
    require(page.text("#point-title").startswith("Point 1:"), page.text("#point-title"))
    browser.press("ArrowDown")
    require(page.text("#point-title").startswith("Point 2:"), page.text("#point-title"))
    browser.press("End")
    require(page.text("#point-title").startswith("Point 18:"), page.text("#point-title"))
    same(page.texts('tr[aria-selected="true"] td.first'), ["18"], "row that is marked")
    browser.press("Home")


def check_command(page, shop, rows):
    """The command of a row gives that row, but for its label and number."""
    command = shlex.split(page.text("#point .command code"))
    same(command[:2], ["inca", "run"], "command")
    shop.run(*command[1:], "--csv", "one.csv")
    again = rows_of(shop.work / "one.csv")[-1]
    for name, text in rows[0].items():
        if name not in ("label", "point"):
            same(again[name], text, f"{name} of {command}")


def check_asked(page):
    require(page.text("#counts") == "18 points: 12 done, 6 refused", page.text("#counts"))
    require("How the systems differ" in page.text("#asked") and "inceptionn" in page.text("#asked"), "systems' differences")
    require("truncate" in page.text("#warnings") and "refused" in page.text("#warnings"), "why points are refused")
    require("CRC" in page.text("#origins") or "build" in page.text("#origins"), "versions and checksums")


def check_themes(page, browser):
    ground = "getComputedStyle(document.body).backgroundColor"
    browser.theme("light")
    light = page.run(ground)
    browser.theme("dark")
    dark = page.run(ground)
    require(light != dark, "dark is as light")
    browser.theme("light")


def check_widths(page, browser):
    for width in (390, 820, 1440):
        browser.size(width, 900)
        require(page.run("document.documentElement.scrollWidth") <= width, f"wider than {width} pixels")
    browser.size(1280, 900)


def check_sweep(browser, shop):
    rows = make_sweep(shop)
    page = Page(browser, shop, "sweep.html")
    check_asked(page)
    check_numbers(page, rows)
    check_sorting(page, rows)
    check_filter(page, rows)
    check_chart(page, rows, browser)
    check_keyboard(page, browser)
    check_command(page, shop, rows)
    check_themes(page, browser)
    check_widths(page, browser)
    page.must_be_quiet()
    table = Page(browser, shop, "rows.html")  # of the CSV alone: the same figures
    check_numbers(table, rows)
    table.must_be_quiet()


def check_crossings(browser, shop):
    """Of three lines, those that are neighbours where they change places, and between which points."""
    rows = ["a,10,0.004", "a,100,0.002", "b,10,0.002", "b,100,0.004", "c,10,0.009", "c,100,0.009"]
    shop.put("cross.csv", "\n".join(["label,bandwidth_gbps,iteration_time_s", *rows]) + "\n")
    shop.run("report", "cross.csv", "-o", "cross.html")
    page = Page(browser, shop, "cross.html")
    same(page.text("#crossings"), "cross: b and a between 10 and 100 Gbit/s", "crossings")


def check_series(browser, shop):
    """28 series are all there, and no two of their samples look the same; rates have units."""
    rows = [f"{rate},{workers},{gbps},0.00{workers}" for rate in (28 * 10**11, 84 * 10**8) for workers in range(2, 16) for gbps in (10, 25)]
    shop.put("series.csv", "\n".join(["sum_rate_bytes_per_s,workers,bandwidth_gbps,iteration_time_s", *rows]) + "\n")
    shop.run("report", "series.csv", "-o", "series.html")
    page = Page(browser, shop, "series.html")
    page.choose("#chart-x", "bandwidth_gbps")
    names = page.texts(".series button")
    same(len(names), 28, "series")
    require("2 workers, 2.8 TB/s" in names, names)
    samples = page.run("JSON.stringify([...document.querySelectorAll('.series .swatch')].map((node) => getComputedStyle(node).background))")
    same(len(set(json.loads(samples))), 28, "samples")
    require("0.0084, 2.8" in page.text("#asked"), page.text("#asked"))
    page.must_be_quiet()


# -- a run, with texts that would be markup ------------------------------------------------------------

TRACE = f"""#inca-trace v1
# model: {SCRIPT}
# source: made up
# class: assumed
# device: none
# batch: 32
# gradient_type: fp32
layer,elements,forward_ns,backward_ns,update_ns
{SCRIPT},1000000,1000,2000,10
<img src=x onerror=alert(1)>,500000,1000,2000,10
"""


def check_run(browser, shop):
    # a folder "<" and a file in it: their path holds "</script>"
    shop.put("</script>" + "<script>.csv", TRACE)
    shop.put("run.toml", f'[training]\ntrace = "</script><script>.csv"\n[cluster]\nworkers = 2\n[[cluster.worker]]\nindex = 1\ncompute_scale = 2.0\n')
    shop.run("run", "run.toml", "--out", "run<b>")
    shop.run("report", "run<b>", "-o", "run.html")
    page = Page(browser, shop, "run.html")
    same(page.run("document.title"), "run<b> - INCA", "title")
    same(page.text("h1"), "run<b>", "heading")
    same(page.run("document.scripts.length"), 2, "scripts: the data and the page's own")
    same(page.run("document.images.length"), 0, "images")
    require("</script><script>.csv" in page.text("#asked"), "the trace's path as text")
    same(page.figures(), {k: v for k, v in rows_of(shop.work / "run<b>/result.csv")[0].items() if v != ""}, "figures")
    path = rows_of(shop.work / "run<b>/path.csv")
    same(page.text("#path .bar-name"), f"{path[0]['kind']} {path[0]['place']}", "first part of the critical path")
    check_command(page, shop, rows_of(shop.work / "run<b>/result.csv"))
    check_widths(page, browser)
    page.must_be_quiet()


# -- many rows -----------------------------------------------------------------------------------------

def check_many(browser, shop, example):
    count = 10_000
    with open(shop.work / "many.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(example), lineterminator="\n")
        writer.writeheader()
        for i in range(count):
            writer.writerow({**example, "point": i + 1, "label": ("ring", SCRIPT)[i % 2], "workers": 2 + i // 2,
                             "iteration_time_s": f"{(i * 7919) % count + 1}"})
    shop.run("report", "many.csv", "-o", "many.html")
    page = Page(browser, shop, "many.html")
    same(page.text("#counts"), "10,000 points: 10,000 done", "counts")
    page.sort("iteration_time_s")  # 7919 is prime to 10000: the times are 1 to 10000, each once
    page.run("document.querySelector('.scroll').focus()")
    browser.press("End")
    same(page.figures()["iteration_time_s"], "1000", "last row of those that are shown")
    same(page.text(".scroll .note"), "9,000 more rows: sort or filter to see them", "rows that are left")
    page.filter("workers<=11", "20 of 10,000 rows")
    same(page.run("document.title"), "many.csv - INCA", "title")
    page.must_be_quiet()


# -- all of them ---------------------------------------------------------------------------------------

def main():
    inca, work, *pictures = sys.argv[1:]
    shop = Workshop(inca, work)
    with Chromium() as browser:
        browser.size(1280, 900)
        check_sweep(browser, shop)
        check_run(browser, shop)
        check_many(browser, shop, next(r for r in rows_of(shop.work / "rows/results.csv") if r["status"] == "done"))
        check_crossings(browser, shop)
        check_series(browser, shop)
        for folder in pictures:
            take_pictures(browser, shop, pathlib.Path(folder))


def take_pictures(browser, shop, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("sweep", "run"):
        for theme in ("light", "dark"):
            for width in (390, 820, 1440):
                browser.theme(theme)
                browser.size(width, 900)
                Page(browser, shop, f"{name}.html")
                browser.picture(folder / f"{name}-{theme}-{width}.png")


if __name__ == "__main__":
    main()
