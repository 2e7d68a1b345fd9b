"""Bots with files in a real browser: dropped, chosen, checked, sent and looked at."""

import json
import re
import shutil
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.author_site import SEND, Site, faults_of, tab_to
from tests.league.factories import make_bundle

BUNDLE = make_bundle()
CHECK = "checks.run(checks.claim())"
DROP_SYNTHETIC = """(files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    const facts = { dataTransfer: transfer, bubbles: true, cancelable: true };
    const event = new DragEvent("drop", facts);
    document.querySelector("[data-pick]").dispatchEvent(event);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("site"))
    try:
        site.create()
        site.serve()
        site.python('factories.make_user("axe")')
        yield site
    finally:
        site.end()


@pytest.fixture
def folder(tmp_path):
    """A folder as authors have them, with more than the bot in it."""
    shark = tmp_path / "shark"
    junk = {".git/objects/00/x": b"x", "__pycache__/model.pyc": b"x", "bot.py~": b"x"}
    for path, data in (BUNDLE.files | junk).items():
        file = shark / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return shark


@pytest.fixture
def page(window, site):
    """The form for a new bot, for somebody who is signed in."""
    sign_in(window, site)
    expect(window.locator("[data-pick]")).to_be_visible()
    return window


def sign_in(page, site):
    page.goto(f"{site.address}/accounts/login/?next=/bots/new/")
    page.fill("#id_username", "axe")
    page.fill("#id_password", "open sesame")
    page.click("main button")


def drop(page, *paths):
    """Drop what lies on this disk, as a person does with the mouse."""
    session = page.context.new_cdp_session(page)
    page.locator("[data-pick]").scroll_into_view_if_needed()
    place = page.locator("[data-pick]").bounding_box()
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        at = {"x": place["x"] + 20, "y": place["y"] + 20}
        session.send("Input.dispatchDragEvent", {"type": kind, **at, "data": data})


def files_shown(page):
    expect(page.locator("[data-kept]")).to_be_visible()
    return page.locator(".chosen .tree tbody tr:not(.folder) th").all_inner_texts()


def upload(page, name):
    page.fill("#id_name", name)
    page.click(SEND)
    expect(page.locator("#pipeline")).to_be_visible()


def test_a_dropped_folder_is_shown_checked_sent_and_plays(page, site, folder):
    drop(page, folder)
    assert files_shown(page) == ["bot.py", "weights.bin", "model.py"]
    expect(page.locator("#findings")).to_contain_text("MyBot plays")
    expect(page.locator("#findings")).to_contain_text("3 left out")
    expect(page.locator("#id_code")).to_be_hidden()
    assert page.evaluate("document.activeElement.id") == "files-title"
    upload(page, "Dropped Shark")
    site.python(CHECK)
    page.reload()
    expect(page.locator("#passed")).to_have_text("It plays")
    assert site.python("tell(Source.objects.get(bundle=True).digest)") == BUNDLE.digest


def test_a_chosen_folder_is_the_same_as_a_dropped_one(page, folder):
    page.set_input_files("[data-folder]", folder)
    assert files_shown(page) == ["bot.py", "weights.bin", "model.py"]
    expect(page.locator("#findings")).to_contain_text("3 left out")


def test_files_without_a_folder_join_each_other(page):
    page.evaluate(DROP_SYNTHETIC, [["model.py", "x = 1\n"], ["table.csv", "1,2\n"]])
    assert files_shown(page) == ["model.py", "table.csv"]
    expect(page.locator("#findings")).to_contain_text("No bot.py is at the top")
    page.evaluate(DROP_SYNTHETIC, [["bot.py", BUNDLE.files["bot.py"].decode()]])
    expect(page.locator("#findings")).to_contain_text("No problems found.")
    assert files_shown(page) == ["bot.py", "model.py", "table.csv"]


def test_a_single_python_file_goes_into_the_editor(page):
    page.evaluate(DROP_SYNTHETIC, [["mine.py", "x = 1\n"]])
    expect(page.locator("#id_code")).to_have_value("x = 1\n")
    expect(page.locator("[data-files]")).to_be_hidden()


def test_a_zip_is_read_before_it_is_sent(page, folder):
    archive = shutil.make_archive(str(folder.with_name("packed")), "zip", folder.parent, "shark")
    drop(page, archive)
    expect(page.locator("#findings")).to_contain_text("No problems found.")
    assert files_shown(page) == ["bot.py", "weights.bin", "model.py"]
    upload(page, "Zipped Shark")


def test_what_is_wrong_is_said_before_anything_is_sent(page, folder):
    (folder / "model.py").write_text("def choose(options)\n")
    drop(page, folder)
    expect(page.locator("#findings")).to_contain_text("model.py, line 1")
    sent = []
    page.on("request", lambda request: sent.append(request.method))
    page.click(SEND)
    page.wait_for_timeout(300)
    assert "POST" not in sent
    (folder / "huge.npy").write_bytes(bytes(21 << 20))
    drop(page, folder)
    expect(page.locator("#findings")).to_contain_text("a form takes 20 MB")


def test_a_large_archive_is_sent_to_be_read_only_on_request(page, folder):
    with zipfile.ZipFile(folder.with_name("large.zip"), "w") as archive:
        for path, data in {**BUNDLE.files, "data/weights.bin": bytes(3 << 20)}.items():
            archive.writestr(path, data)
    drop(page, folder.with_name("large.zip"))
    expect(page.locator("#findings")).to_contain_text("read when you press Check")
    page.click("[data-check]")
    expect(page.locator("#findings")).to_contain_text("No problems found.")
    assert "weights.bin" in files_shown(page)


def test_sending_shows_how_far_it_is(page, folder):
    (folder / "data/weights.bin").write_bytes(bytes(1 << 20))
    drop(page, folder)
    expect(page.locator("#findings")).to_contain_text("No problems found.")
    page.fill("#id_name", "Slow Shark")
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 1 << 18}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    page.click(SEND)
    expect(page.locator("[data-progress] progress")).to_be_visible()
    expect(page.locator("[data-progress]")).to_contain_text(re.compile(r"Sending, \d+ %"))
    expect(page.locator("#pipeline")).to_be_visible(timeout=30_000)


def test_what_could_not_be_sent_stays_to_be_sent_again(chromium, site, folder):
    context = chromium.new_context()
    page = context.new_page()
    sign_in(page, site)
    drop(page, folder)
    expect(page.locator("#findings")).to_contain_text("No problems found.")
    context.set_offline(True)
    page.click("[data-check]")
    expect(page.locator("#findings")).to_contain_text("the connection broke")
    expect(page.locator("[data-progress]")).to_be_hidden()
    context.set_offline(False)
    upload(page, "Second Shark")
    context.close()


def test_a_folder_with_too_many_files_is_refused_in_the_browser(page, folder):
    for number in range(5001):
        (folder / f"{number}.txt").touch()
    drop(page, folder)
    expect(page.locator("#findings")).to_contain_text("more than 5,000 files")


def test_files_are_chosen_and_removed_with_the_keyboard_alone(page, folder):
    chosen = [folder / "bot.py", folder / "model.py"]
    page.on("filechooser", lambda chooser: chooser.set_files(chosen))
    tab_to(page, "[data-choose-files]")
    page.keyboard.press("Enter")
    assert files_shown(page) == ["bot.py", "model.py"]
    tab_to(page, "[data-remove]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-files]")).to_be_hidden()
    expect(page.locator("#id_code")).to_be_visible()
    assert page.evaluate("document.activeElement.matches('[data-choose-files]')")


def test_a_guest_is_told_to_sign_in_before_choosing_files(window, site, folder):
    window.goto(f"{site.address}/bots/new/")
    drop(window, folder)
    expect(window.locator("#findings")).to_contain_text("Sign in to upload files.")
    expect(window.locator("#findings")).to_contain_text("No problems found.")
    window.click("#findings >> text=Sign in >> nth=-1")
    expect(window.locator("h1")).to_have_text("Sign in")


def test_files_are_sent_without_javascript(chromium, site, folder):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, site)
    page.fill("#id_name", "Silent Shark")
    page.set_input_files("#id_file", [folder / "bot.py", folder / "model.py"])
    page.click("[data-check]")
    expect(page.locator("#findings")).to_contain_text("No problems found.")
    page.set_input_files("#id_file", [folder / "bot.py", folder / "model.py"])
    page.click(SEND)
    expect(page.locator("#pipeline")).to_be_visible()
    context.close()


ADDRESSES = (
    "/bots/new/",
    "/me/",
    "/bots/net-bot/versions/",
    "/bots/net-bot/versions/new/",
    "/bots/net-bot/versions/1/",
    "/bots/net-bot/versions/1/delete/",
    "/bots/net-bot/versions/2/files/data/weights.bin/",
    "/bots/net-bot/diff/",
)


def test_pages_of_bundles_fit_a_small_phone_and_everybody_can_use_them(page, site, folder):
    site.python("""
        bot = factories.make_bot(User.objects.get(username="axe"), "Net Bot")
        for number in range(2):
            factories.make_version(bot, factories.make_bundle(bytes(9), str(number)))
    """)
    page.set_viewport_size({"width": 320, "height": 700})
    wrong = []
    for address in ADDRESSES:
        page.goto(site.address + address)
        if "new" in address:
            drop(page, folder)
            files_shown(page)
        wrong += [(address, one) for one in faults_of(page)]
    assert not json.dumps(wrong)[2:-2]
