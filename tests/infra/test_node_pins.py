"""The pins of the CDK's command line."""

import json

from infra.paths import ROOT


def test_lock_file_names_no_registry() -> None:
    content = (ROOT / "package-lock.json").read_text()
    assert "resolved" not in content
    assert "://" not in content


def test_lock_file_holds_the_version_that_package_json_pins() -> None:
    wanted = json.loads((ROOT / "package.json").read_text())["devDependencies"]["aws-cdk"]
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]["node_modules/aws-cdk"]
    assert locked["version"] == wanted
    assert locked["integrity"].startswith("sha512-")
