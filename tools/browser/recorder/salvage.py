"""Films of a run that was killed: made afterwards from the takes and the notes that the recorder left."""

from __future__ import annotations

from tools.browser.recorder.develop import develop
from tools.browser.recorder.takes import Notes
from tools.browser.recorder.tracks import write_tracks
from tools.errors import EnvironmentFault
from tools.evidence.ledger import Ledger
from tools.evidence.rows import Gap, Row
from tools.media.video import packets
from tools.processes import ProcessList

_LIMIT_S = 60.0


async def salvage(ledger: Ledger, processes: ProcessList, *, fps: int) -> list[Row]:
    """Finish what was filmed in the run's folder and not finished; returns the rows that were written: recordings, gaps, tracks.

    Call it before a new stage is opened, so that the rows belong to the stage that was filmed. What cannot be finished is a
    gap's row, and its files are left.
    """
    rows: list[Row] = []
    for path in sorted(ledger.run_dir.glob("recording*.takes")):
        notes = Notes.read(path)
        notes.mend()
        try:
            last_s = max(float(found[-1]) + take.zero_s for take in notes.takes if len(found := packets(take.path, "v").at_s))
            # The film ends where its last whole fragment does; app time ran on evenly until then, unless it stood.
            if len(notes.knots) % 2 == 1 and last_s > notes.knots[-1][1]:
                app_ms, moment_s = notes.knots[-1]
                notes.knots.append((app_ms + (last_s - moment_s) * 1000, last_s))
            body, gaps = await develop(
                notes, processes, fps=fps, limit_s=_LIMIT_S, why="the run was killed before its calibration"
            )
        except (EnvironmentFault, ValueError) as fault:
            reason = f"the run was killed while it was filmed, and no film could be made of {path.stem}: {fault}"
            rows.append(ledger.append(Gap(what="recording", reason=reason, blame="environment"), producer="resume"))
            continue
        notes.discard()
        row = ledger.append(body, producer="recorder")
        rows.append(row)
        rows += [ledger.append(gap, producer="recorder", app_ms=gap.from_ms) for gap in gaps]
        lost = "the run was killed while it was filmed: of its last second up to a whole one may be missing"
        rows.append(ledger.append(Gap(what="recording", reason=lost, blame="environment"), producer="resume"))
        rows += await write_tracks(row, ledger)
    return rows
