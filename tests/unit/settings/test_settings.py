"""Settings: what wins over what, what is refused, and in how few words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pydantic import ValidationError
from pydantic_settings import SettingsError

from configs.settings import Settings, load, profiles


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No `ASSAY_…` variable of the machine's takes part."""
    for name in list(os.environ):
        if name.upper().startswith("ASSAY_"):
            monkeypatch.delenv(name)


def test_defaults_stand_alone() -> None:
    """Without profile, environment and options the defaults hold, and are those of the class."""
    assert load() == Settings()


def test_every_shipped_profile_loads() -> None:
    """Each profile is valid and differs from the defaults."""
    assert {"fast", "thorough"} <= set(profiles())
    for name in profiles():
        assert load(name) != Settings()


def test_profile_changes_only_what_it_names() -> None:
    """A profile that names three budgets leaves the fourth as it was."""
    fast = load("fast")
    assert fast.budget.max_acts < Settings().budget.max_acts
    assert fast.budget.watchdog_s == Settings().budget.watchdog_s
    assert fast.timeouts == Settings().timeouts


def test_environment_wins_over_profile_and_options_over_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Defaults < profile < environment < command line, key by key inside a group."""
    monkeypatch.setenv("ASSAY_BUDGET__MAX_ACTS", "7")
    monkeypatch.setenv("ASSAY_SEED", "3")
    settings = load("thorough")
    assert settings.budget.max_acts == 7
    assert settings.budget.explore_app_s == load("thorough", {"budget": {"max_acts": 1}}).budget.explore_app_s != 600.0
    assert settings.seed == 3
    settings = load("thorough", {"budget": {"max_acts": 5}})
    assert settings.budget.max_acts == 5
    assert settings.seed == 3
    assert load(overrides={"seed": 9}).seed == 9


def test_environment_is_not_case_sensitive_and_may_be_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole group may be given as JSON; lower-case names work too."""
    monkeypatch.setenv("assay_viewport", '{"width": 800, "height": 600}')
    assert (load().viewport.width, load().viewport.height) == (800, 600)


def test_profile_from_a_file(tmp_path: Path) -> None:
    """A TOML file of one's own is a profile too."""
    own = tmp_path / "own.toml"
    own.write_text('network = "none"\n[recording]\nfps = 10\n', encoding="utf-8")
    settings = load(str(own))
    assert (settings.network, settings.recording.fps, settings.recording.crf) == ("none", 10, 23)


@pytest.mark.parametrize(
    ("overrides", "where"),
    [
        ({"seed": "many"}, "seed"),
        ({"clock": "sundial"}, "clock"),
        ({"budget": {"max_acts": -1}}, "budget.max_acts"),
        ({"viewport": {"width": 5, "height": 800}}, "viewport.width"),
        ({"budget": {"steps": 5}}, "budget.steps"),
        ({"colour": "red"}, "colour"),
        ({"budget": 5}, "budget"),
    ],
)
def test_a_bad_value_is_refused_by_name(overrides: dict[str, object], where: str) -> None:
    """The error names the setting by its path and fits in one line."""
    with pytest.raises(ValidationError) as caught:
        load(overrides=overrides)
    (first,) = caught.value.errors()
    assert ".".join(str(part) for part in first["loc"]) == where
    assert "\n" not in first["msg"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("ASSAY_BUDGET__MAX_ACTS", "lots"), ("ASSAY_BUDGET__MAX_ACT", "3"), ("ASSAY_NETWORK", "sometimes")],
)
def test_a_bad_variable_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """A value that does not fit, or a key that does not exist inside a group, is an error."""
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError):
        load()


def test_a_variable_that_is_not_json_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group given as text that is no JSON names the group."""
    monkeypatch.setenv("ASSAY_BUDGET", "plenty")
    with pytest.raises(SettingsError, match="budget"):
        load()


def test_a_misspelt_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable with our prefix that names no setting is not passed over in silence."""
    monkeypatch.setenv("ASSAY_BUDGT__MAX_ACTS", "3")
    with pytest.raises(ValueError, match="ASSAY_BUDGT__MAX_ACTS is no setting; there are: ASSAY_SEED"):
        load()


@pytest.mark.parametrize("profile", ["slow", "", "../settings", "fast.tom"])
def test_an_unknown_profile_names_the_known_ones(profile: str) -> None:
    """An unknown profile is refused with the list of profiles; an empty one is none."""
    if not profile:
        assert load(profile) == Settings()
        return
    with pytest.raises(ValueError, match="fast, thorough") as caught:
        load(profile)
    assert "\n" not in str(caught.value)


def test_an_unreadable_profile_file_is_an_error(tmp_path: Path) -> None:
    """A file that is not there or no TOML is said to be so."""
    with pytest.raises(FileNotFoundError):
        load(str(tmp_path / "none.toml"))
    (tmp_path / "bad.toml").write_text("seed = = 3", encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        load(str(tmp_path / "bad.toml"))


def test_settings_cannot_be_changed_afterwards() -> None:
    """A run's settings are those in its manifest: frozen, down into the groups."""
    settings = load()
    with pytest.raises(ValidationError):
        settings.seed = 1
    with pytest.raises(ValidationError):
        settings.budget.max_acts = 1


def test_settings_survive_the_ledger() -> None:
    """A manifest's settings give the same settings back when a run is resumed."""
    settings = load("fast", {"seed": 5, "network": "none"})
    assert Settings(**settings.model_dump(mode="json")) == settings


@pytest.mark.parametrize("name", ["budget.explore_s", "budget.total_s", "budget.prove_s", "models.think_s"])
def test_a_removed_setting_is_named_with_what_took_its_place(name: str, tmp_path: Path) -> None:
    """One line for an old profile; a run that was recorded with it can still be read."""
    from agent.run.chosen_settings import chosen  # noqa: PLC0415
    from configs.settings import of_record  # noqa: PLC0415
    from tools.errors import UserError  # noqa: PLC0415

    part, key = name.split(".")
    old = tmp_path / "old.toml"
    old.write_text(f"[{part}]\n{key} = 45.0\n")
    with pytest.raises(UserError, match=rf"There is no setting {name} any more") as refused:
        chosen(str(old), {})
    assert refused.value.hint
    assert of_record({"seed": 3, part: {key: 45.0}}) == Settings(seed=3)
