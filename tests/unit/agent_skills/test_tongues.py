"""German, French and Spanish words: known where a brief or a page is in them, without any effect anywhere else."""

from __future__ import annotations

import asyncio
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.deciders.curious import Curious
from agent.planning import make_plan
from agent.skills.buttons import propose
from agent.skills.checks.labelled import figures
from agent.skills.survey import Survey
from agent.skills.values import value_for
from agent.tongues import FURTHER, Tongues, by_tongues, speaking, spoken, tongue_of, tongues_of
from agent.words import concepts, keywords, lexicon, numbers, says, stems
from tests.unit.agent_skills.scenes import mark, page, view

BUTTONS = {
    "de": {
        "Abfeuern": "start", "Löschen": "delete", "Aufgabe hinzufügen": "add", "Zurücksetzen": "reset", "Weiter": "next",
        "Zurück": "previous", "Abbrechen": "cancel", "Speichern": "save", "In den Warenkorb": "cart", "Zur Kasse": "pay",
        "Berechnen": "calculate", "Nochmal spielen": "restart", "Als erledigt markieren": "complete", "Dunkelmodus": "theme",
        "Filtern": "filter", "Karten mischen": "generate", "Alles löschen": "clear", "Rückgängig": "undo", "Anhalten": "pause",
    },
    "fr": {
        "Supprimer": "delete", "Annuler": "cancel", "Ajouter au panier": "cart", "Ajouter une tâche": "add", "Suivant": "next",
        "Précédent": "previous", "Réinitialiser": "reset", "Enregistrer": "save", "S'inscrire": "submit", "Rejouer": "restart",
        "Mode sombre": "theme", "Terminées": "filter", "Vider le panier": "clear", "Calculer": "calculate", "D’accord": "confirm",
        "Démarrer": "start", "Tirer": "start", "Rechercher": "search", "Convertir": "convert", "Payer": "pay",
    },
    "es": {
        "Comprar": "pay", "Eliminar": "delete", "Añadir al carrito": "cart", "Siguiente": "next", "Anterior": "previous",
        "Guardar": "save", "Cancelar": "cancel", "Jugar de nuevo": "restart", "Modo oscuro": "theme", "Calcular": "calculate",
        "Vaciar carrito": "clear", "Disparar": "start", "Buscar": "search", "Marcar como completada": "complete",
        "Restablecer": "reset", "Pausa": "pause", "Deshacer": "undo", "Enviar": "submit", "Barajar": "generate",
    },
}  # fmt: skip
OTHERWISE = [
    ("de", "Nächster Tag", "add"), ("de", "Neu laden", "add"), ("de", "Vor 3 Tagen", "next"), ("es", "No hay tareas", "cancel"),
    ("es", "Jugar de nuevo", "add"), ("fr", "Comment jouer", "comment"), ("fr", "Essayer à nouveau", "add"),
]  # fmt: skip
SHOPS = {
    "en": "Create an online shop where users can search products, filter them by category, add them to the cart, change the "
    "quantity and remove items. The cart shows the subtotal, the shipping and the total. The cart survives a reload of the page.",
    "de": "Erstelle einen Onlineshop, in dem Benutzer Produkte suchen, nach Kategorie filtern, in den Warenkorb legen, die Menge "
    "ändern und Artikel entfernen können. Der Warenkorb zeigt Zwischensumme, Versand und Gesamtsumme. Der Warenkorb bleibt nach "
    "dem Neuladen der Seite erhalten.",
    "fr": "Crée une boutique en ligne où les utilisateurs peuvent rechercher des produits, les filtrer par catégorie, les "
    "ajouter "
    "au panier, changer la quantité et supprimer des articles. Le panier affiche le sous-total, la livraison et le total. Le "
    "panier est conservé après un rechargement de la page.",
    "es": "Crea una tienda en línea donde los usuarios puedan buscar productos, filtrarlos por categoría, añadirlos al carrito, "
    "cambiar la cantidad y eliminar artículos. El carrito muestra el subtotal, el envío y el total. El carrito se conserva al "
    "recargar la página.",
}  # fmt: skip
PAGES = {
    "de": "Meine Aufgaben\nNeue Aufgabe\nHinzufügen\nAlle\nOffen\nErledigt\nKeine Aufgaben vorhanden, bitte eine hinzufügen",
    "fr": "Mes tâches\nNouvelle tâche\nAjouter\nToutes\nTerminées\nAucune tâche pour le moment, veuillez en ajouter une",
    "es": "Mis tareas\nNueva tarea\nAñadir\nTodas\nPendientes\nCompletadas\nNo hay tareas todavía",
}


def _book(name: str) -> list[str]:
    book = tomllib.loads((files("configs") / "lexicon" / f"{name}.toml").read_text(encoding="utf-8"))
    tables = [book["concepts"], book["aspects"], book["aspects_strong"], book["words"], book["plain"]]
    listed = [words for table in tables for words in table.values()] + [entry["words"] for entry in book["fields"]]
    return sorted({word for words in listed for word in words})


KNOWN_ALWAYS = [*_book("en"), *_book("zh")]


@pytest.mark.parametrize(("language", "name"), [(language, name) for language, names in BUTTONS.items() for name in names])
def test_a_button_says_what_it_is_for(language: str, name: str) -> None:
    """Names of buttons as apps of the three languages have them; to a run in English they say what they said before."""
    with speaking(Tongues((language,), language)):
        assert BUTTONS[language][name] in concepts(name)


@pytest.mark.parametrize(("language", "name", "concept"), OTHERWISE)
def test_words_that_only_look_alike_say_something_else(language: str, name: str, concept: str) -> None:
    """English words that mean something else there, and adverbs that look like adjectives."""
    with speaking(Tongues((language,), language)):
        assert concept not in concepts(name)


@pytest.mark.parametrize("language", FURTHER)
def test_every_book_has_what_the_english_one_has(language: str) -> None:
    """The same concepts, groups, domains and fields."""
    folder = files("configs") / "lexicon"
    english, other = (tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")) for name in ("en", language))
    for table in ("concepts", "aspects", "aspects_strong", "words", "domains", "plain"):
        assert set(english[table]) <= set(other[table])
    assert {entry["kind"] for entry in english["fields"]} == {entry["kind"] for entry in other["fields"]}
    assert not {word for word in other["telling"] if word in KNOWN_ALWAYS}
    assert not set(english["telling"]) & set(other["telling"])


@settings(deadline=None)
@given(st.lists(st.sampled_from(KNOWN_ALWAYS), max_size=40), st.sampled_from(["", "en", "zh-CN", "de", "fr-FR", "es", "pt"]))
def test_english_and_chinese_are_read_as_if_there_were_nothing_else(words: list[str], declared: str) -> None:
    """Whatever language a page claims: no word of English or Chinese makes it one of the others, and what was read stays."""
    text = " ".join(words)
    found = concepts(text), keywords(text), stems(text), numbers(text)
    assert tongues_of(text, declared, text, declared) == Tongues()
    with speaking(Tongues(FURTHER, "de")):
        _ = (concepts(text), keywords(text), stems(text), numbers(text))  # what is kept of it must not be given to others
    assert (concepts(text), keywords(text), stems(text), numbers(text)) == found


def test_a_run_in_english_reads_english_and_chinese_alone() -> None:
    """Nothing of the other books is in its lexicon, and their words stand for nothing."""
    assert set(lexicon().words) == {"en", "zh"}
    assert not concepts("Löschen") | concepts("Supprimer") | concepts("Comprar")
    assert not says("success", "gespeichert")
    assert numbers("12,5") == (12.0, 5.0)


@pytest.mark.parametrize("language", FURTHER)
def test_a_page_is_told_by_its_words_and_not_by_what_it_declares_alone(language: str) -> None:
    """Few words do where the page says so, more are needed where it does not; an English page that claims more is English."""
    short = {"de": "Löschen", "fr": "Supprimer", "es": "Eliminar"}[language]
    assert tongue_of(PAGES[language], language) == tongue_of(PAGES[language], "en") == language
    assert (tongue_of(short, f"{language}-XX"), tongue_of(short)) == (language, "")
    assert tongue_of("My tasks\nAdd a task\nShow all of the tasks you have", language) == ""
    assert tongue_of(PAGES[language], "it") == ""


def test_the_brief_and_the_page_each_bring_their_language() -> None:
    """An English brief for a German page: words of both are known, and figures are the page's."""
    plan = make_plan("A list of tasks to add and delete", "en", page(text=PAGES["de"], language="de"))
    assert (plan.languages, plan.page_language) == (("de",), "de")
    plan = make_plan(SHOPS["es"], "es", page(text="The cart of the shop is empty", language="en"))
    assert (plan.languages, plan.page_language) == (("es",), "")
    assert spoken() == Tongues()


def _first_of(survey: Survey, name: str) -> float:
    found = [one for one in propose(survey) if getattr(getattr(one.decision.action, "target", None), "name", "") == name]
    return max(one.priority for one in found)


def test_a_german_delete_button_is_pressed_late() -> None:
    """As an English one is: what undoes the work of others comes after everything else."""
    now = page(mark("Löschen"), mark("Drucken", at=(300, 100)), mark("Bericht", at=(500, 100)), text=PAGES["de"], language="de")
    seen = view(now)
    with speaking(Tongues(seen.plan.languages, seen.plan.page_language)):
        assert _first_of(Survey(seen), "Löschen") < _first_of(Survey(seen), "Bericht")
    assert _first_of(Survey(seen), "Löschen") > _first_of(Survey(seen), "Bericht") - 1  # unread, it is a button like any other


def test_what_is_typed_is_in_the_pages_language() -> None:
    """A field called `Prénom` gets a French first name, one for a task something to do in French."""
    with speaking(Tongues(("fr",), "fr")):
        first = value_for(mark("Prénom", "input"), page(text=PAGES["fr"]))
        task = value_for(mark("Nouvelle tâche", "input"), page(text=PAGES["fr"]))
    assert (first, task) == ("Anna", "Acheter du lait")


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("de", "1.234,56 € und 12,5 kg", (1234.56, 12.5)),
        ("de", "1.250 Punkte, 12.50 €, 3.14159, 0.123", (1250.0, 12.5, 3.14159, 0.123)),
        ("de", "1,250.00 und $1,250", (1250.0, 1250.0)),
        ("de", "-3,5 um 12:30, 1,2,3", (-3.5, 1.0, 2.0, 3.0)),
        ("fr", "1\u202f234,56 € 1 250 € 2 100 points 1.250", (1234.56, 1250.0, 2.0, 100.0, 1.25)),
        ("es", "1.234,56 € $1,234.50 $1.250", (1234.56, 1234.5, 1250.0)),
        ("", "1,234.56 12,5", (1234.56, 12.0, 5.0)),
    ],
)
def test_figures_are_read_as_their_page_writes_them(language: str, text: str, read: tuple[float, ...]) -> None:
    """Decimal commas and points, thousands set apart by points or spaces; what programs write the English way stays."""
    with speaking(Tongues((), language)):
        assert numbers(text) == read


def test_labelled_figures_have_decimal_commas() -> None:
    """Also where the page is remembered: the same text is read anew in another language."""
    shown = page(text="Zwischensumme: 1.234,50 €\nVersand: 4,90 €")
    with speaking(Tongues(("de",), "de")):
        assert figures(shown) == {"zwischensumme": 1234.5, "versand": 4.9}
    assert figures(shown) != {"zwischensumme": 1234.5, "versand": 4.9}


def test_runs_side_by_side_speak_each_their_own_language() -> None:
    """Tasks and threads begun inside keep it; what is remembered is remembered for that language."""
    calls: list[str] = []

    @by_tongues(10)
    def read(text: str) -> frozenset[str]:
        calls.append(text)
        return concepts(text)

    async def run(tongues: Tongues) -> tuple[frozenset[str], frozenset[str]]:
        with speaking(tongues):
            first = read("Löschen")
            await asyncio.sleep(0)
            inside = asyncio.create_task(asyncio.to_thread(read, "Löschen"))
            return first, await inside

    async def both() -> list[tuple[frozenset[str], frozenset[str]]]:
        return list(await asyncio.gather(run(Tongues(("de",), "de")), run(Tongues()), run(Tongues(("de",), "de"))))

    german, english, again = asyncio.run(both())
    assert german == again == (frozenset({"delete"}),) * 2
    assert english == (frozenset(),) * 2
    assert calls == ["Löschen"] * 2


def test_a_french_cancel_button_lets_a_dialog_be_left() -> None:
    """The decider that needs no model reads the page's words as the plan says."""
    marks = (mark("Annuler"), mark("Confirmer", at=(300, 100)))
    with speaking(Tongues(("fr",), "fr")):
        assert "cancel" in concepts(marks[0].name)
        assert "confirm" in concepts(marks[1].name)
        assert asyncio.run(Curious(0).decide(view(page(*marks, text=PAGES["fr"], language="fr")))).action is not None
