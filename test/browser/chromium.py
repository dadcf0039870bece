"""Drives Chromium without a window, over its DevTools protocol on two pipes; needs Python's own library only."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

PATIENCE_S = 60  # how long anything may take before the test fails


def program():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    raise SystemExit("no chromium to test pages with: tools/packages test installs it")


class Chromium:
    """One page. What it asks the network for, and what goes to its console, is kept."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="inca-chromium-")
        from_page, to_python = os.pipe()
        from_python, to_page = os.pipe()

        def become_three_and_four():
            # the copies first: either number may be the other's pipe
            reads, writes = os.dup(from_python), os.dup(to_python)
            os.dup2(reads, 3)
            os.dup2(writes, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
             f"--user-data-dir={self.home}", "about:blank"],
            preexec_fn=become_three_and_four, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(from_python)
        os.close(to_python)
        self.reads = os.fdopen(from_page, "rb", buffering=0)
        self.writes = os.fdopen(to_page, "wb", buffering=0)
        os.set_blocking(self.reads.fileno(), False)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.complaints = []  # errors and warnings of the console
        self.requests = []  # addresses that were asked for
        self.events = []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.reads.close()
        self.writes.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def messages(self):
        """Yields what has come, and waits for more."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if b"\0" in self.buffer:
                message, self.buffer = self.buffer.split(b"\0", 1)
                yield json.loads(message)
                continue
            more = self.reads.read(1 << 20)
            if more:
                self.buffer += more
            elif more == b"" or self.process.poll() is not None:
                raise SystemExit("chromium has ended")
            else:
                time.sleep(0.002)
        raise SystemExit("chromium does not answer")

    def keep(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in values["args"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.complaints.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        if method:
            self.events.append(method)

    def call(self, method, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[self.writes.write(data):]
        for answer in self.messages():
            self.keep(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, address):
        self.events.clear()
        self.call("Page.navigate", url=address)
        if "Page.loadEventFired" not in self.events:
            for message in self.messages():
                self.keep(message)
                if message.get("method") == "Page.loadEventFired":
                    break
        self.settle()

    def run(self, script):
        """The value of an expression of the page; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(f"{script}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def settle(self):
        """Until the page has drawn what it was to draw."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def until(self, script):
        """Until an expression holds."""
        end = time.monotonic() + PATIENCE_S
        while not self.run(script):
            if time.monotonic() > end:
                raise AssertionError(f"does not come to be: {script}")
        self.settle()

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)
        self.settle()

    def theme(self, name):
        """As the system of the user would have it."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        self.settle()

    def press(self, key):
        code = {"Enter": 13, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
                "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}[key]
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)
        self.settle()

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=1)
        self.settle()

    def hover(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def picture(self, path, whole=True):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
