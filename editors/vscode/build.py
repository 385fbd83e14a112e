"""Builds the extension: writes the grammar, bundles the client, and packs a `.vsix`, which is a zip archive.

`python3 dev.py vsix` runs it. Node and npm come with the development tools; npm installs what
package-lock.json pins. The same sources give the same bytes.
"""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from editors.vscode.grammar import FILE as GRAMMAR
from editors.vscode.grammar import format_grammar
from ludograph import __version__

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUNDLE = HERE / "dist" / "extension.js"

PACKED = (
    "language-configuration.json",
    "syntaxes/tgdl.tmLanguage.json",
    "README.md",
    "LICENSE",
    "dist/extension.js",
)
ASSETS = {
    "Code.Manifest": "package.json",
    "Services.Content.Details": "README.md",
    "Services.Content.License": "LICENSE",
}
FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def main() -> int:
    GRAMMAR.write_text(format_grammar(), encoding="utf-8", newline="\n")
    bundle()
    output = ROOT / "dist" / f"ludograph-{__version__}.vsix"
    output.parent.mkdir(exist_ok=True)
    pack(output, {name: (HERE / name).read_bytes() for name in PACKED})
    print(f"{output.relative_to(ROOT)}: {output.stat().st_size:,} bytes")
    return 0


def bundle() -> None:
    """Install the pinned packages, and join the client and the library for the protocol in one file."""
    if not (HERE / "node_modules" / "vscode-languageclient").exists():
        _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    options = [
        "--bundle",
        "--platform=node",
        "--target=node20",
        "--external:vscode",
        "--minify",
        "--legal-comments=inline",
    ]
    _run("node", "node_modules/esbuild/bin/esbuild", "extension.js", *options, f"--outfile={BUNDLE}")


def _run(*command: str) -> None:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    done = subprocess.run(
        command,
        cwd=HERE,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        shell=os.name == "nt" and command[0] == "npm",
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def pack(output: Path, files: dict[str, bytes]) -> None:
    """Write the archive with its two lists of contents."""
    package = {**json.loads((HERE / "package.json").read_text(encoding="utf-8")), "version": __version__}
    for name in ("dependencies", "devDependencies", "private"):
        package.pop(name, None)
    manifest = (json.dumps(package, indent=2, ensure_ascii=False) + "\n").encode()
    entries = {
        "extension.vsixmanifest": _manifest(package).encode(),
        "[Content_Types].xml": _content_types().encode(),
        "extension/package.json": manifest,
        **{f"extension/{name}": content for name, content in files.items()},
    }
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name, FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)


def _manifest(package: dict[str, object]) -> str:
    engines = package["engines"]
    assert isinstance(engines, dict)
    identity = {
        "Language": "en-US",
        "Id": package["name"],
        "Version": package["version"],
        "Publisher": package["publisher"],
    }
    attributes = " ".join(f"{name}={quoteattr(str(value))}" for name, value in identity.items())
    assets = "\n".join(
        f'    <Asset Type="Microsoft.VisualStudio.{type}" Path="extension/{name}" Addressable="true"/>'
        for type, name in ASSETS.items()
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity {attributes}/>
    <DisplayName>{escape(str(package["displayName"]))}</DisplayName>
    <Description xml:space="preserve">{escape(str(package["description"]))}</Description>
    <Categories>Programming Languages</Categories>
    <License>extension/LICENSE</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(str(engines["vscode"]))}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
{assets}
  </Assets>
</PackageManifest>
"""


def _content_types() -> str:
    types = {
        ".json": "application/json",
        ".vsixmanifest": "text/xml",
        ".md": "text/markdown",
        ".js": "text/javascript",
    }
    rows = "".join(
        f'<Default Extension="{suffix}" ContentType="{content}"/>' for suffix, content in types.items()
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'{rows}<Override PartName="/extension/LICENSE" ContentType="text/plain"/></Types>\n'
    )


if __name__ == "__main__":
    sys.exit(main())
