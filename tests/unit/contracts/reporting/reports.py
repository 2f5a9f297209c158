"""Reports for the tests of formats: an ordinary one, and one in which every text is hostile."""

from toolbooth.contracts import Change, Diff, Finding, Level, Severity
from toolbooth.contracts.reporting import ContractReport, ServerTokens

UGLY = (
    "\x1b[2J\u202e|`</details>\n::error::x\r##[error]y [a](https://evil.example) {0} $x$ @octocat <b>%0A, :"
)
CHANGES = (
    Change("tool-removed", Severity.BREAKING, "mail", "drop", "", "the tool is gone: calls of it fail"),
    Change(
        "description-changed",
        Severity.RISKY,
        "mail",
        "send",
        "/description",
        "the tool's description changed: models act on it",
        "Sends.",
        "Sends, and tells nobody.",
    ),
    Change("limit-tightened", Severity.SAFE, "mail", "send", "/inputSchema/properties/n", "fewer", 50, 20),
    Change("total-over-budget", Severity.RISKY, "", "", "", "all of it weighs 9"),
)
FINDINGS = (
    Finding("conceals", Level.HIGH, "mail", "send", "/description", "hides what it does", "tells nobody"),
    Finding("long-description", Level.LOW, "mail", "send", "/description", "it is long", "Sends …", 40),
    Finding("parameter-undescribed", Level.NOTE, "mail", "", "/instructions", "it says nothing", tokens=-3),
)


def sample() -> ContractReport:
    """A lock that does not fit, with a server that could not be asked."""
    return ContractReport(
        "toolbooth lock --check",
        Diff(CHANGES),
        FINDINGS,
        verdict="toolbooth.lock does not fit: 1 breaking",
        exit_code=1,
        hint="accept it",
        source_errors=(("files", "the process ended"),),
        notes=("a note",),
        tokens=(ServerTokens("mail", 100, 150), ServerTokens("files", 20, 20)),
    )


def hostile() -> ContractReport:
    """Every text that a server or a file can bring."""
    change = Change(UGLY, Severity.RISKY, UGLY, UGLY, f"/{UGLY}", UGLY, UGLY, {UGLY: [UGLY]})
    finding = Finding(UGLY, Level.HIGH, UGLY, UGLY, f"/{UGLY}", UGLY, UGLY)
    return ContractReport(
        "toolbooth scan",
        Diff((change,)),
        (finding,),
        verdict=UGLY,
        exit_code=1,
        hint=UGLY,
        source_errors=((UGLY, UGLY),),
        notes=(UGLY,),
        tokens=(ServerTokens(UGLY, 1, 2), ServerTokens("b", 1, 2)),
    )
