#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How near the time left that the progress line says is to the truth, of runs and sweeps that a file names.

usage: time-left.py INCA FILE [PATTERN [GIB]]     PATTERN: of the names of those to run, a regular expression; all by
default. GIB: so much memory is used and given back before each command. A virtual machine that hands what is free to
its host takes several times as long for the first use of a page that is not there; what a run takes is a matter of that
then, and not of the run.

FILE has one command a line: its name, a colon, `run` or `sweep`, the trace, then keys with their values (KEY=VALUE)
and options as INCA takes them; `;;` and more options make a command that is run before it, into the same folder.
INCA runs on a terminal of its own. Whenever its line is drawn, this reads the line and
what CPU time the program and its processes have taken so far; a line that says another thing than the last one (a
run, then what is uncompressed, for the gain) is looked at by itself, until it is cleared.

On a machine that others use, too, wall time is a matter of them. So the time that is said is taken times the CPU time
per wall time that the program has had so far, and compared with CPU time. With --jobs above 1, where the last runs
leave cores idle, it is compared with wall time.

Of lines after a tenth of the whole, it prints `whole`: (elapsed + said) / whole, and `left`: said / what was truly
left, where that is a second or more; each as its median, and what is furthest from 1. Times are said in whole seconds.
"""

import mmap
import os
import pathlib
import pty
import re
import statistics
import subprocess
import sys
import tempfile
import time

CLEAR = b"\r\x1b[K"
UNITS = {"s": 1, "min": 60, "h": 3600}
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
SMALLEST_SHARE = 0.1
SMALLEST_SECONDS = 1.0


class Line:
    """One drawn line: when, and what it says."""

    def __init__(self, wall, cpu, text):
        self.wall, self.cpu = wall, cpu
        drawn = re.match(r"([^:\r\n]+): (\d+ %|\d+ of \d+ done)", text)
        self.text = text
        self.label = drawn[1] if drawn else None
        said = re.search(r"([0-9.]+) (s|min|h) left", text)
        self.left = float(said[1]) * UNITS[said[2]] if said else None


def touch(gib):
    """Has the machine bring so much memory"""
    with mmap.mmap(-1, max(int(gib * 2**30), 1)) as memory:
        for page in range(0, len(memory), mmap.PAGESIZE):
            memory[page] = 1


def cpu_seconds(pid):
    """Of a process, those that it has, and those that it had."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = sum(int(field) for field in fields[11:15]) / TICKS_PER_SECOND
    return own + sum(cpu_seconds(child) for child in children)


def watch(command, folder):
    """Runs COMMAND @return its status, the parts of what it says, each from where the one before ended, and its output"""
    begin = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execv(command[0], command)
    parts, output = [[Line(0, 0, "")]], b""
    end = parts[0][0]
    while True:
        try:
            read = os.read(terminal, 65536)
        except OSError:
            read = b""
        now, cpu = time.monotonic() - begin, cpu_seconds(pid)
        if not read:
            break
        output += read
        for text in read.split(CLEAR)[1:]:
            line = Line(now, cpu, text.decode(errors="replace"))
            if line.label is None:  # cleared
                end = line
                continue
            if len(parts[-1]) > 1 and parts[-1][-1].label != line.label:
                parts[-1].append(end)
                parts.append([end])
            parts[-1].append(line)
    _, status, usage = os.wait4(pid, 0)
    parts[-1].append(Line(time.monotonic() - begin, usage.ru_utime + usage.ru_stime, ""))
    return status, parts, output.decode(errors="replace")


def furthest(ratios):
    return max(ratios, key=lambda ratio: max(ratio, 1 / max(ratio, 1e-9)))


def judge(lines, by_wall):
    """@return what the table says of one part; None if it is short"""
    begin, end = lines[0], lines[-1]
    clock = (lambda line: line.wall) if by_wall else (lambda line: line.cpu)
    whole = clock(end) - clock(begin)
    if whole < 2 * SMALLEST_SECONDS or len(lines) < 3:
        return None
    of_whole, of_left, silent = [], [], 0
    for line in lines[1:-1]:
        elapsed = clock(line) - clock(begin)
        if elapsed < SMALLEST_SHARE * whole or whole - elapsed < SMALLEST_SECONDS:
            continue
        if line.left is None:
            silent += 1
            continue
        said = line.left * elapsed / (line.wall - begin.wall)
        of_whole.append((elapsed + said) / whole)
        of_left.append(said / (whole - elapsed))
    return whole, of_whole, of_left, silent


def commands_of(line, inca, folder):
    """@return the name, the command, and the one to be run before it, or None"""
    name, words = line.split(":", 1)
    words, *earlier = words.split(";;")
    verb, trace, *settings = words.split()
    scenario = pathlib.Path(folder) / "scenario.toml"
    scenario.write_text(f'[training]\ntrace = "{trace}"\n')
    command = [inca, verb, str(scenario)]
    for word in settings:
        is_setting = "=" in word and not word.startswith("-") and command[-1] not in ("--vary", "--zip", "--where", "--system")
        command += ["--set", word] if is_setting else [word]
    command += ["--out", str(pathlib.Path(folder) / "out")] if verb == "sweep" else []
    return name.strip(), command, command + earlier[0].split() if earlier else None


def main():
    inca, cases = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).read_text().splitlines()
    pattern = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    gib = float(sys.argv[4]) if len(sys.argv) > 4 else 0
    print("| run | line | whole, s | lines | whole: median | furthest | left: median | furthest |")
    print("|---|---|---|---|---|---|---|---|")
    near = parts = 0
    for case in cases:
        if not case or case.startswith("#") or not pattern.search(case.split(":")[0]):
            continue
        with tempfile.TemporaryDirectory() as folder:
            name, command, earlier = commands_of(case, inca, folder)
            if earlier:
                subprocess.run(earlier, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            touch(gib)
            status, watched, output = watch(command, folder)
        if status != 0:
            print(f"{name}: failed\n{output[-2000:]}", file=sys.stderr)
            continue
        by_wall = "--jobs" in command and command[command.index("--jobs") + 1] != "1"
        for lines in watched:
            found = judge(lines, by_wall)
            if found is None:
                continue
            whole, of_whole, of_left, silent = found
            label = lines[1].label
            if not of_whole:
                print(f"| {name} | {label} | {whole:.1f} | 0, {silent} silent |  |  |  |  |", flush=True)
                continue
            parts += 1
            near += 0.75 <= furthest(of_whole) <= 1.25
            print(
                f"| {name} | {label} | {whole:.1f} | {len(of_whole)}{f', {silent} silent' if silent else ''} "
                f"| {statistics.median(of_whole):.2f} | {furthest(of_whole):.2f} "
                f"| {statistics.median(of_left):.2f} | {furthest(of_left):.2f} |",
                flush=True,
            )
    print(f"\n{near} of {parts} within a quarter of the whole from a tenth on")


if __name__ == "__main__":
    main()
