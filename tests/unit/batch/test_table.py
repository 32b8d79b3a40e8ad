"""The job table: a job is taken once, kept while somebody beats, and ends once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.batch.jobs import TERMINAL, Lease, State
from agent.batch.table import DiskFull, Table
from evaluator.verdict.taxonomy import Blame
from tests.unit.batch.making import jobs
from tools.errors import UserError


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table in a file, with three jobs."""
    opened = Table.in_folder(tmp_path / "batch")
    opened.add(jobs(tmp_path, 3))
    yield opened
    opened.close()


def claim(table: Table, owner: str = "here/1", lease_s: float = 60.0) -> Lease:
    """Take a job that must be there."""
    lease = table.claim(owner, lease_s)
    assert lease is not None
    return lease


def test_jobs_come_in_their_order_and_each_once(table: Table) -> None:
    """Three claims give three jobs in order, a fourth gives none."""
    taken = [claim(table).job.query.id for _ in range(3)]
    assert taken == ["q1", "q2", "q3"]
    assert table.claim("here/1", 60.0) is None


def test_many_threads_take_each_job_once(tmp_path: Path) -> None:
    """Eight threads with connections of their own empty a table of forty jobs without taking one twice."""
    folder = tmp_path / "batch"
    first = Table.in_folder(folder)
    first.add(jobs(tmp_path, 40))
    taken: list[str] = []

    def work() -> None:
        mine = Table.in_folder(folder)
        while (lease := mine.claim("here/1", 60.0)) is not None:
            taken.append(lease.job.key)
            assert mine.finish(lease, State.scored, result="{}")
        mine.close()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(taken) == len(set(taken)) == 40
    assert first.counts() == {State.scored: 40}
    first.close()


def test_a_lease_that_ran_out_goes_to_another_and_its_first_owner_can_no_longer_end_it(table: Table) -> None:
    """The second owner's verdict stands; the first one's comes too late and changes nothing."""
    late = claim(table, lease_s=0.0)
    time.sleep(0.01)
    second = claim(table, "there/2")
    assert second.job.key == late.job.key
    assert second.attempt == 2
    assert table.beat([late, second], 60.0) == {late.token}
    assert not table.finish(late, State.failed, result="{}", reason="late")
    assert table.finish(second, State.scored, result="{}")
    entry = table.entry(second.job.key)
    assert entry is not None
    assert (entry.state, entry.reason) == (State.scored, "")


def test_a_beat_keeps_a_lease(table: Table) -> None:
    """A job with a lease of no time is not taken by another once it has been prolonged."""
    held = claim(table, lease_s=0.0)
    assert table.beat([held], 60.0) == frozenset()
    assert claim(table).job.key != held.job.key


def test_what_dead_processes_held_comes_back_and_counts_as_no_attempt(table: Table) -> None:
    """Only owners on this machine that are not alive lose their jobs."""
    dead, alive, elsewhere = claim(table, "here/1"), claim(table, "here/2"), claim(table, "there/1")
    assert table.free_dead(frozenset({"here/2"}), "here") == 1
    states = {entry.job.key: (entry.state, entry.attempts) for entry in table.entries()}
    assert states[dead.job.key] == (State.waiting, 0)
    assert states[alive.job.key] == states[elsewhere.job.key] == (State.running, 1)


def test_another_attempt_remembers_why_and_waits(table: Table) -> None:
    """`again` keeps the count and the note; the job is not taken before its time."""
    lease = claim(table)
    assert table.again(lease, "the page crashed", after_s=0.0)
    second = claim(table)
    assert (second.job.key, second.attempt, second.notes) == (lease.job.key, 2, ("the page crashed",))
    assert table.again(second, "again", after_s=60.0)
    assert lease.job.key not in {claim(table).job.key, claim(table).job.key}
    assert table.claim("here/1", 60.0) is None


def test_the_same_jobs_again_change_nothing_and_a_changed_one_starts_anew(table: Table, tmp_path: Path) -> None:
    """Verdicts stay while brief, subject and settings do."""
    first = claim(table)
    table.finish(first, State.incomplete, result="{}", reason="why", blame=Blame.environment)
    same = table.add(jobs(tmp_path, 3))
    assert (same.new, same.changed, same.kept) == (0, 0, 3)
    other = table.add(jobs(tmp_path, 3, text="Another answer"))
    assert (other.new, other.changed, other.kept) == (0, 3, 0)
    entry = table.entry(first.job.key)
    assert entry is not None
    assert (entry.state, entry.attempts, entry.reason, entry.blame, entry.result) == (State.waiting, 0, "", None, "")


def test_a_cancelled_job_is_lost_to_whoever_had_it(table: Table) -> None:
    """Cancelling is terminal; the worker's beat finds out, and its verdict is refused."""
    lease = claim(table)
    assert table.cancel(lease.job.key)
    assert table.beat([lease], 60.0) == {lease.token}
    assert not table.finish(lease, State.scored, result="{}")
    assert not table.cancel(lease.job.key)


def test_batches_in_one_database_do_not_see_each_other(tmp_path: Path) -> None:
    """Two tables at one URL hold their own jobs, also under equal keys."""
    url = f"sqlite:///{tmp_path / 'all.sqlite'}"
    item, two = Table(url, "one"), Table(url, "two")
    item.add(jobs(tmp_path, 2))
    two.add(jobs(tmp_path, 3))
    assert claim(item).job.key == claim(two).job.key
    assert (len(item.entries()), len(two.entries())) == (2, 3)
    item.close()
    two.close()


def test_a_terminal_state_is_asked_for(table: Table) -> None:
    """Finishing with a state that is none is a mistake of ours."""
    with pytest.raises(ValueError, match="no terminal"):
        table.finish(claim(table), State.waiting, result="")


def test_a_url_that_is_none_gets_one_line() -> None:
    """No traceback of a database library for a typing mistake."""
    with pytest.raises(UserError, match="no database's URL"):
        Table("nonsense", "x")


def test_a_full_database_is_told_as_a_full_disk(table: Table, tmp_path: Path) -> None:
    """SQLite's own limit on pages stands in for the disk's: the error is typed and says what to do."""
    with table._begin() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    with pytest.raises(DiskFull, match="full") as caught:
        table.add(jobs(tmp_path, 400, text="long " * 50))
    assert "same command" in caught.value.hint
    assert len(table.entries()) == 3


MOVES = ("claim", "finish", "again", "release", "beat", "free", "cancel")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(st.tuples(st.sampled_from(MOVES), st.integers(0, 3), st.booleans()), max_size=30))
def test_whatever_happens_a_job_ends_once(tmp_path: Path, moves: list[tuple[str, int, bool]]) -> None:
    """Any order of claims, losses and endings: terminal states never change, and no job is lost or doubled."""
    table = Table(f"sqlite:///{tmp_path / 'moves.sqlite'}", str(time.monotonic_ns()))
    table.add(jobs(tmp_path, 3))
    leases: list[Lease] = []
    ended: dict[str, State] = {}
    for move, which, expires in moves:
        lease = leases[which % len(leases)] if leases else None
        match move:
            case "claim":
                taken = table.claim("here/1", 0.0 if expires else 60.0)
                leases += [taken] if taken else []
            case "finish" if lease is not None:
                state = State.failed if expires else State.scored
                if table.finish(lease, state, result="{}"):
                    assert lease.job.key not in ended
                    ended[lease.job.key] = state
            case "again" if lease is not None:
                assert not (table.again(lease, "x", after_s=0.0) and lease.job.key in ended)
            case "release" if lease is not None:
                assert not (table.release(lease) and lease.job.key in ended)
            case "beat":
                table.beat(leases, 60.0)
            case "free":
                table.free_dead(frozenset(), "here")
            case "cancel" if lease is not None:
                if table.cancel(lease.job.key):
                    assert lease.job.key not in ended
                    ended[lease.job.key] = State.cancelled
            case _:
                pass
    entries = table.entries()
    assert len(entries) == 3
    assert {entry.job.key: entry.state for entry in entries if entry.state in TERMINAL} == ended
    assert all(entry.attempts >= 0 for entry in entries)
    table.close()
