"""A headless browser for the tests of the HTML and SVG reports: one page at a time, as a person uses it."""

import pathlib
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars "
         "--disable-background-networking --disable-component-update --disable-sync").split()


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in FLAGS + [f"--user-data-dir={self.profile.name}"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_script_timeout(60)

    def close(self):
        self.driver.quit()
        self.profile.cleanup()

    def size(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.settle()

    def prefer(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.settle()

    def open(self, path):
        self.driver.get(pathlib.Path(path).resolve().as_uri())
        self.settle()

    def settle(self):
        """Waits for two frames: what was asked for is drawn then."""
        self.driver.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

    def _at(self, x, y):
        """A chain with the mouse at a point of the canvas, which is scrolled into view."""
        canvas = self.find("canvas")
        self.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
        box = self.run("const b = arguments[0].getBoundingClientRect(); return [b.left, b.top]", canvas)
        chain = ActionChains(self.driver)
        chain.w3c_actions.pointer_action.move_to_location(round(box[0] + x), round(box[1] + y))
        return chain, box

    def hover(self, x, y):
        self._at(x, y)[0].perform()
        self.settle()

    def click(self, x, y):
        chain, _ = self._at(x, y)
        chain.w3c_actions.pointer_action.click()
        chain.perform()
        self.settle()

    def drag(self, x, y, dx, dy):
        chain, box = self._at(x, y)
        chain.w3c_actions.pointer_action.pointer_down()
        chain.w3c_actions.pointer_action.move_to_location(round(box[0] + x + dx), round(box[1] + y + dy))
        chain.w3c_actions.pointer_action.pointer_up()
        chain.perform()
        self.settle()

    def wheel(self, x, y, pixels):
        _, box = self._at(x, y)
        origin = ScrollOrigin.from_viewport(round(box[0] + x), round(box[1] + y))
        ActionChains(self.driver).scroll_from_origin(origin, 0, pixels).perform()
        self.settle()

    def pinch(self, x, y, start, end):
        """Two fingers on the canvas, `start` pixels apart, then `end`."""
        _, box = self._at(x, y)
        for kind, apart in (("touchStart", start), ("touchMove", (start + end) / 2),
                            ("touchMove", end), ("touchEnd", None)):
            points = [] if apart is None else [
                {"x": box[0] + x + side * apart / 2, "y": box[1] + y, "id": number}
                for number, side in ((1, -1), (2, 1))]
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent",
                                        {"type": kind, "touchPoints": points})
        self.settle()

    def pixel(self, x, y):
        """Red, green and blue of a point of the canvas."""
        return self.run("""
            const canvas = document.querySelector('canvas');
            const ratio = canvas.width / canvas.clientWidth;
            return Array.from(canvas.getContext('2d').getImageData(
                Math.round(arguments[0] * ratio), Math.round(arguments[1] * ratio), 1, 1).data)
                .slice(0, 3);""", x, y)

    def errors(self):
        """What the console holds since it was last asked, hints on how often a test looks left out."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if "willReadFrequently" not in entry["message"]]

    def picture_of(self, path):
        """Saves a picture of the whole page, up to 4,000 pixels of it."""
        width, height = self.run("return [innerWidth, innerHeight]")
        full = self.run("return document.documentElement.scrollHeight")
        self.run("scrollTo(0, 0)")
        self.size(width, min(full, 4000))
        self.driver.save_screenshot(str(path))
        self.size(width, height)

# SPDX-License-Identifier: Apache-2.0
