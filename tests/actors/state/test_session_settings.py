"""Directories for files of a session."""

import tempfile
from pathlib import Path

import pytest

from charlotte.actors.state.session_settings import session_settings
from charlotte.config.config import Config


@pytest.mark.req("C-CFG-03", "C-CONF-01")
def test_a_temporary_output_directory_is_removed_with_its_session_if_it_has_no_files() -> None:
    settings = session_settings(Config())
    place = settings.output_dir()
    assert place.parent == Path(tempfile.gettempdir()).resolve()

    (place / "tab-1.png").write_text("image")
    settings.remove_output()
    assert place.is_dir()

    (place / "tab-1.png").unlink()
    settings.remove_output()
    assert not place.exists()


def test_the_configured_output_directory_is_kept(tmp_path: Path) -> None:
    settings = session_settings(Config(output_dir=str(tmp_path / "out")))
    place = settings.output_dir()

    settings.remove_output()

    assert place.is_dir()
