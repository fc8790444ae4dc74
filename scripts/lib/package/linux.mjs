import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ar, gzip, tarGz } from './archive.mjs';
import { fileEntry, portableEntries, textEntry } from './contents.mjs';

/**
 * What desktops show, and which files they open with Wellbench.
 * @param program how the desktop starts it
 */
export const desktopEntry = (program) => `[Desktop Entry]
Type=Application
Name=Wellbench
GenericName=Well data client
Comment=Find wells, query their data, export results, and upload files
Exec=${program} app %U
Icon=wellbench
Terminal=false
Categories=Science;Engineering;
Keywords=well;drilling;LAS;CSV;upload;export;
MimeType=application/x-wellbench;application/x-las-log;text/csv;x-scheme-handler/wellbench;
StartupWMClass=wellbench
StartupNotify=false
`;

export const mimeTypes = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-wellbench">
    <comment>Wellbench queries</comment>
    <sub-class-of type="application/json"/>
    <icon name="wellbench"/>
    <glob pattern="*.wellbench"/>
  </mime-type>
  <mime-type type="application/x-las-log">
    <comment>LAS well log</comment>
    <sub-class-of type="text/plain"/>
    <magic priority="50"><match type="string" offset="0:400" value="~V"/></magic>
    <glob pattern="*.las"/>
  </mime-type>
</mime-info>
`;

/** The files of the desktop, below `share/`. */
export function shareEntries(root, prefix, program) {
  const icons = join(root, 'resources', 'icons');
  const place = `${prefix}icons/hicolor`;
  return [
    textEntry(`${prefix}applications/wellbench.desktop`, desktopEntry(program)),
    textEntry(`${prefix}mime/packages/wellbench.xml`, mimeTypes),
    fileEntry(join(icons, 'wellbench.svg'), `${place}/scalable/apps/wellbench.svg`),
    ...[48, 128, 256].map((size) =>
      fileEntry(join(icons, `wellbench-${size}.png`), `${place}/${size}x${size}/apps/wellbench.png`),
    ),
  ];
}

const launcher = (folder) => `#!/bin/sh
exec "${folder}/bin/node" "${folder}/app/out/main/cli.js" "$@"
`;

const isRunning = `is_running() {
  for program in /proc/[0-9]*/exe; do
    case "$(readlink "$program")" in "$1"/*) return 0 ;; esac
  done
  return 1
}`;

/** The scripts of the Debian package. A running Wellbench loads files later: on an upgrade, its version stays until it ends. */
const scripts = (version) => ({
  prerm: `#!/bin/sh
set -e
${isRunning}
folder=/usr/lib/wellbench/${version}
if [ "$1" = upgrade ] && is_running "$folder"; then
  rm -rf "/usr/lib/wellbench/.kept-${version}"
  cp -al "$folder" "/usr/lib/wellbench/.kept-${version}"
fi
`,
  postinst: `#!/bin/sh
set -e
${isRunning}
if [ "$1" = configure ]; then
  for kept in /usr/lib/wellbench/.kept-*; do
    [ -d "$kept" ] || continue
    folder="/usr/lib/wellbench/\${kept##*/.kept-}"
    if [ -e "$folder" ]; then rm -rf "$kept"; else mv "$kept" "$folder"; fi
  done
  for folder in /usr/lib/wellbench/*; do
    [ "$folder" = /usr/lib/wellbench/${version} ] || is_running "$folder" || rm -rf "$folder"
  done
fi
`,
  postrm: `#!/bin/sh
set -e
case "$1" in remove | purge) rm -rf /usr/lib/wellbench ;; esac
`,
});

const control = ({ version, installedKb }) => `Package: wellbench
Version: ${version}
Architecture: amd64
Maintainer: ${maintainer}
Installed-Size: ${installedKb}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Recommends: chromium | google-chrome-stable | microsoft-edge-stable
Suggests: gnome-keyring
Section: science
Priority: optional
Description: client for well data: queries, exports, and uploads
 It finds wells, queries and plots their records, exports results, and uploads
 files without losing or duplicating a row.
 .
 It contains its own Node. The window opens in an installed Chromium, Chrome,
 or Edge, else in the default browser.
`;

const maintainer = 'Wellbench <maintainers@wellbench.invalid>';

const debianChangelog = (version, seconds) => `wellbench (${debianVersion(version)}) stable; urgency=medium

  * See CHANGELOG.md.

 -- ${maintainer}  ${new Date(seconds * 1000).toUTCString().replace('GMT', '+0000')}
`;

const copyright = (license) => `${license.trim()}

The licenses of Node and of the libraries are in LICENSES.txt.
`;

/** A version of npm as Debian writes it: a prerelease sorts before its release. */
const debianVersion = (version) => version.replace('-', '~');

/**
 * The Debian package.
 * @param root folder of the built project
 * @param contents of {@link applicationContents} for Linux
 * @param project name, version, and description
 * @param texts licenses and bill of materials
 * @param seconds time of the build, in Unix seconds
 * @returns the file
 */
export function debianPackage(root, contents, { version }, { licenses, bill }, seconds) {
  const folder = `/usr/lib/wellbench/${version}`;
  const doc = 'usr/share/doc/wellbench';
  const entries = [
    ...contents.map((entry) => ({ ...entry, path: `${folder.slice(1)}/${entry.path}` })),
    textEntry('usr/bin/wellbench', launcher(folder), 0o755),
    ...shareEntries(root, 'usr/share/', 'wellbench'),
    { ...textEntry(`${doc}/changelog.gz`, ''), bytes: gzip(debianChangelog(version, seconds)) },
    fileEntry(join(root, 'CHANGELOG.md'), `${doc}/CHANGELOG.md`),
    textEntry(`${doc}/copyright`, copyright(readFileSync(join(root, 'LICENSE'), 'utf8'))),
    textEntry(`${doc}/LICENSES.txt`, licenses),
    textEntry(`${doc}/bill-of-materials.cdx.json`, bill),
  ].map((entry) => ({ ...entry, path: `./${entry.path}` }));
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
  const controlEntries = [
    textEntry(
      './control',
      control({ version: debianVersion(version), installedKb: Math.ceil(bytes / 1024) }),
    ),
    ...Object.entries(scripts(version)).map(([name, text]) => textEntry(`./${name}`, text, 0o755)),
  ];
  return ar(
    [
      { path: 'debian-binary', bytes: Buffer.from('2.0\n') },
      { path: 'control.tar.gz', bytes: tarGz(controlEntries, seconds) },
      { path: 'data.tar.gz', bytes: tarGz(entries, seconds) },
    ],
    seconds,
  );
}

const portableLauncher = `#!/bin/sh
# Starts Wellbench from its own folder. Without arguments, it opens the app.
folder=$(dirname "$(readlink -f "$0")")
exec "$folder/bin/node" "$folder/app/out/main/cli.js" "$@"
`;

const menuScript = `#!/bin/sh
# Adds Wellbench in this folder to your applications, with its file types. --remove removes it.
set -e
folder=$(dirname "$(readlink -f "$0")")
share="\${XDG_DATA_HOME:-$HOME/.local/share}"
files=$(cd "$folder/share" && find . -type f)
for file in $files; do
  if [ "$1" = --remove ]; then rm -f "$share/$file"; continue; fi
  mkdir -p "$(dirname "$share/$file")"
  cp "$folder/share/$file" "$share/$file"
done
entry=applications/wellbench.desktop
[ "$1" = --remove ] || {
  grep -v ^Exec= "$folder/share/$entry"
  printf 'Exec="%s/wellbench" app %%U\\n' "$folder"
} > "$share/$entry"
if command -v update-desktop-database > /dev/null; then update-desktop-database "$share/applications" || true; fi
if command -v update-mime-database > /dev/null; then update-mime-database "$share/mime" || true; fi
`;

/** The portable folder for Linux. The parameters are those of {@link debianPackage}. */
export function portableLinux(root, contents, project, texts, seconds) {
  const entries = [
    ...contents,
    textEntry('wellbench', portableLauncher, 0o755),
    textEntry('menu-entry.sh', menuScript, 0o755),
    ...shareEntries(root, 'share/', 'wellbench'),
  ];
  return tarGz(portableEntries(entries, project, texts), seconds);
}
