"""The pages of the desk in each language, and a browser that is led to its own."""

from __future__ import annotations

import json
import re

import pytest
from browser import Running, visits
from desk_server import WITH_KEY
from tironian.notation.language import languages
from tironian.tools.desk.site import served_site, table_site
from tironian.tools.desk.worker import DeskSession


def test_each_page_is_there_in_each_language_and_its_links_stay_in_it():
    for site in (served_site(), table_site()):
        pages = {name: text.decode() for name, text in site.items() if name.endswith(".html")}
        for name, page in pages.items():
            _, _, code = name.removesuffix(".html").partition(".")
            switch = re.findall(r'<a href="([^"]+)" lang="(\w+)"', page)
            assert f'<html lang="{code or "en"}">' in page
            assert [lang for _, lang in switch] == [*languages()]
            assert {address.replace("./", "index.html") for address, _ in switch} <= {*pages}
            others = {*re.findall(r'<a [^>]*href="([^"]+)"', page)} - {address for address, _ in switch}
            assert all(each.endswith(f".{code}.html") for each in others if code)


def test_a_question_is_answered_in_its_language():
    session = DeskSession()
    english, marked, same = (
        json.loads(session.answer(json.dumps({"ask": "nonsense", **more})))["fault"]
        for more in ({}, {"lang": "qps"}, {"lang": 5})
    )
    assert english != marked == same
    assert not re.search("[a-z]", marked)


@pytest.mark.slow
@pytest.mark.process
@visits
async def test_a_browser_is_led_to_its_language_and_a_choice_is_kept(running: Running, served: str):
    context = await running.browser.new_context(locale="de-AT")
    await context.add_init_script(WITH_KEY)
    page = await context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    await page.goto(f"{served}?renewed=1")
    await page.wait_for_url(re.compile(r"/index\.de\.html\?renewed=1$"))
    await page.wait_for_selector("#begin:not([hidden])")
    assert await page.get_attribute("html", "lang") == "de"
    await page.click("a[href='check.de.html']")
    await page.wait_for_selector("#check")
    await page.fill("#typed", "nonsense")
    await page.wait_for_selector("#broken .verdict")
    await page.click(".languages a[lang=en]")
    await page.wait_for_url(re.compile(r"/check\.html$"))
    await page.goto(served)
    await page.wait_for_selector("#begin:not([hidden])")
    assert await page.get_attribute("html", "lang") == "en"
    assert not faults
    await context.close()
