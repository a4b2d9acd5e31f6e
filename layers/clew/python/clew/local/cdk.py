"""The CDK's command line, run against the emulator."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.errors import ConfigurationError
from clew.local.child import Child
from clew.local.lock import waiting_for
from clew.local.node import Node
from clew.local.project import REGION, STACK_NAME, STAGE

ACCOUNT = "000000000000"
Run = Callable[[Callable[[], Child]], int]


@dataclass(frozen=True)
class Cdk:
    """The CDK that package-lock.json pins, and how its programs are run.

    ``run`` starts a program and waits for its exit code; whoever passes it in sees to it that the program
    also ends when the wait is interrupted.
    """

    project: Path
    node: Node
    environment: Mapping[str, str]
    log: Path
    output: Path
    run: Run

    def installed(self) -> bool:
        return self._mark.exists() and self._mark.read_text() == self._pins()

    def install(self) -> None:
        """Fetch the pinned command line into node_modules, once; of two stacks that begin at once, one does."""
        if not (self.project / "package-lock.json").exists():
            raise ConfigurationError(
                f"package-lock.json is missing in {str(self.project)!r}. Restore it: git checkout package-lock.json"
            )
        with waiting_for(self.project / "build" / "cdk-install.lock"):
            if self.installed():
                return
            self._execute(
                "npm ci",
                [*self.node.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"],
                "Is the network up? The CDK's command line comes from the npm registry.",
            )
            self._mark.write_text(self._pins())

    def bootstrap(self) -> None:
        """Make the bucket and roles that a deployment needs; once for an emulator's state."""
        # Without an app: bootstrapping is about the account, and synthesis would only cost time.
        self._execute("cdk bootstrap", [*self._cdk, "bootstrap", f"aws://{ACCOUNT}/{REGION}", "--app", ""])

    def deploy(self) -> dict[str, str]:
        """Synthesize and deploy the stack; returns its outputs."""
        outputs = self.output / "outputs.json"
        options = [
            "--context",
            f"stage={STAGE}",
            "--require-approval",
            "never",
            "--outputs-file",
            str(outputs),
        ]
        options += ["--output", str(self.output / "cdk.out"), "--progress", "events"]
        self._execute("cdk deploy", [*self._cdk, "deploy", STACK_NAME, *options])
        found: dict[str, str] = json.loads(outputs.read_text())[STACK_NAME]
        return found

    @property
    def _cdk(self) -> list[str]:
        script = self.project / "node_modules" / "aws-cdk" / "bin" / "cdk"
        return [str(self.node.program), str(script), "--no-notices", "--ci"]

    @property
    def _mark(self) -> Path:
        return self.project / "node_modules" / ".clew-installed"

    def _pins(self) -> str:
        return hashlib.sha256((self.project / "package-lock.json").read_bytes()).hexdigest()

    def _execute(self, name: str, command: Sequence[str], advice: str = "") -> None:
        environment = self.node.environment(self.environment) | {
            "CDK_DEFAULT_ACCOUNT": ACCOUNT,
            "CDK_DEFAULT_REGION": REGION,
            "CDK_DISABLE_CLI_TELEMETRY": "true",
            "JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION": "1",
            "NO_COLOR": "1",
        }
        with self.log.open("a") as log:
            log.write(f"\n--- {name}\n")
        code = self.run(lambda: Child(name, command, environment, self.log, self.project))
        if code != 0:
            raise ConfigurationError(f"{name} failed (exit code {code}). Its log: {self.log}. {advice}".strip())
