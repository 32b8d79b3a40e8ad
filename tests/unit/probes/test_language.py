"""Languages of briefs and interfaces."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.probes.language import base_language, count_words, detect_language, script_share

BRIEFS = [
    ("Build a snake game", "en"),
    ("Create a calculator with dark mode", "en"),
    ("A landing page for a coffee roastery", "en"),
    ("Make a Pomodoro timer with start, pause and reset buttons", "en"),
    ("Physics simulation: a pendulum with sliders for gravity and length", "en"),
    ("Build a flashcard app for learning Chinese words like 你好 and 谢谢", "en"),
    ("Translate “今天天气很好” into English with one button", "en"),
    ("做一个贪吃蛇游戏", "zh"),
    ("請製作一個計算機", "zh"),
    ("用 React 做一个 todo app,支持 dark mode", "zh"),
    ("帮我实现一个 Kanban board，使用 HTML5 drag and drop API，localStorage 保存数据，TypeScript + Vite", "zh"),
    ("スネークゲームを作って", "ja"),
    ("計算機アプリ", "ja"),
    ("뱀 게임을 만들어 주세요", "ko"),
    ("Сделай игру змейка с таблицей рекордов", "ru"),
    ("Зроби гру змійка", "uk"),
    ("اصنع لعبة الثعبان", "ar"),
    ("Crea una calculadora con modo oscuro", "es"),
    ("Erstelle einen Taschenrechner", "de"),
    ("Une application de liste de tâches", "fr"),
    ("Crie um aplicativo de lista de tarefas com filtro", "pt"),
    ("Crea una pagina per una pizzeria con menu e orari", "it"),
    ("Maak een eenvoudige rekenmachine", "nl"),
    ("Bir hesap makinesi oluştur", "tr"),
    ("Tạo một trò chơi rắn", "vi"),
    ("Φτιάξε ένα παιχνίδι", "el"),
    ("สร้างเกมงูด้วยจาวาสคริปต์", "th"),
]


@pytest.mark.parametrize(("brief", "language"), BRIEFS)
def test_briefs_are_told(brief: str, language: str) -> None:
    """Short briefs in many languages, mixed with technical English and quotations."""
    told, confidence = detect_language(brief)
    assert told == language
    assert 0.2 <= confidence <= 1


@pytest.mark.parametrize("text", ["", "   ", "12345 !!!", "https://example.com/a?b=c", "SVG", "🙂🙂"])
def test_what_cannot_be_told_is_not_guessed(text: str) -> None:
    """No words, no language."""
    assert detect_language(text) == ("", 0.0)


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_gets_an_answer_in_range(text: str) -> None:
    """Never an exception; a language goes with a positive confidence, none with 0."""
    language, confidence = detect_language(text)
    assert 0 <= confidence <= 1
    assert bool(language) == (confidence > 0)


@given(st.text(alphabet="汉字语言测试页面", min_size=1, max_size=40), st.text(alphabet=" ,.0123456789", max_size=20))
@settings(max_examples=60, deadline=None)
def test_han_without_kana_is_chinese(characters: str, noise: str) -> None:
    """Digits and punctuation do not change the language."""
    assert detect_language(noise + characters + noise)[0] == "zh"


def test_words_are_counted_by_script() -> None:
    """Addresses, numbers and abbreviations are no words; Han characters weigh as parts of words."""
    counted = count_words("Open the page https://example.com in 3 seconds, see CSS and 首页设置")
    assert counted["latin"] == 7
    assert counted["han"] == pytest.approx(4 / 1.5)
    assert script_share(counted, "zh") == pytest.approx((4 / 1.5) / (7 + 4 / 1.5))
    assert script_share(count_words("123"), "en") == 0


@pytest.mark.parametrize(
    ("tag", "base"), [("zh-Hant-TW", "zh"), ("nb", "no"), ("EN_us", "en"), ("", ""), ("iw", "he"), (" pt-BR ", "pt")]
)
def test_tags_are_reduced(tag: str, base: str) -> None:
    """Language tags of any form become one primary subtag."""
    assert base_language(tag) == base


def test_the_room_is_light_until_the_model_is_needed() -> None:
    """Importing the room and telling Chinese loads neither numpy nor the language model."""
    code = (
        "import sys; from tools.probes.language import detect_language; assert detect_language('做一个游戏')[0] == 'zh'; "
        "assert not {'numpy', 'py3langid', 'cv2', 'playwright'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_numbers_and_addresses_do_not_swallow_the_words_they_touch() -> None:
    """Chinese is written without spaces: what follows a number or an address is still text."""
    assert count_words("共3个按钮和2024年统计")["han"] == pytest.approx(8 / 1.5)
    assert count_words("见https://example.com/a的说明")["han"] == pytest.approx(4 / 1.5)
