"""The package without its optional part `charlotte.cluster`."""

import json
import shutil
from pathlib import Path

import charlotte
from tests.programs import run_python

PACKAGE = Path(charlotte.__file__).parent
_IMPORT_ALL = """
import importlib, json, pkgutil, charlotte
failed = []
for module in pkgutil.walk_packages(charlotte.__path__, "charlotte."):
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        if error.name.startswith("charlotte"):  # not an extra that is not installed
            failed.append(module.name)
print(json.dumps([charlotte.__file__, failed]))
"""


def test_every_other_module_is_imported_without_the_cluster(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("cluster", "__pycache__")
    copied = shutil.copytree(PACKAGE, tmp_path / "charlotte", ignore=ignored)
    imported, failed = json.loads(run_python("-c", _IMPORT_ALL, cwd=tmp_path, timeout=120).out)
    assert Path(imported) == copied / "__init__.py"
    assert not failed
