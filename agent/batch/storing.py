"""Copying a finished run to a shared path or an object store, by fsspec URL (`s3://`, `gs://`, `abfs://`, `file://`)."""

from __future__ import annotations

from pathlib import Path

from tools.errors import EnvironmentFault, UserError

KEPT_HERE = frozenset({"origin.json", "processes.json"})
"""What means something only where the run was made."""


def check(url: str) -> None:
    """Raises `UserError` for a URL that no installed file system can handle."""
    import fsspec  # noqa: PLC0415 - heavy

    try:
        fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise UserError(f"{url}: {error}.", hint="S3 needs s3fs, Google's gcsfs, Azure's adlfs.") from error
    except (ValueError, OSError) as error:
        raise UserError(f"{url} is no place runs could be copied to: {error}.") from error


def store(run_dir: Path, url: str) -> str:
    """Copy the run's files there, the verdict last, so that who finds it finds the rest; returns the URL.

    Raises `EnvironmentFault` when the store refuses.
    """
    import fsspec  # noqa: PLC0415 - heavy

    system, root = fsspec.core.url_to_fs(url)
    found = (path for path in run_dir.rglob("*") if path.name not in KEPT_HERE and path.is_file() and not path.is_symlink())
    names = sorted(path.relative_to(run_dir) for path in found)
    names.sort(key=lambda name: name.name == "verdict.json")
    try:
        for name in names:
            target = f"{root}/{name.as_posix()}"
            system.makedirs(target.rpartition("/")[0], exist_ok=True)
            system.put_file(str(run_dir / name), target)
    except (OSError, ValueError) as error:
        raise EnvironmentFault(f"The run could not be copied to {url}: {error}.") from error
    return url
