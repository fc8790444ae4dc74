import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages, licensesText, readPackage } from '../licenses.mjs';
import { fetchPackage, nativePackages, nodePackage } from './locked-packages.mjs';

/**
 * The files below a folder, as entries with a prefix.
 * @param {string} folder
 * @param {string} prefix
 * @param {(path: string) => boolean} isWanted
 */
export function entriesBelow(folder, prefix, isWanted = () => true) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter(isWanted)
    .map((path) => fileEntry(join(folder, path), prefix + path));
}

export const fileEntry = (file, path, mode = 0o644) => ({ path, bytes: readFileSync(file), mode });
export const textEntry = (path, text, mode = 0o644) => ({ path, bytes: Buffer.from(text), mode });

/** The entries of a portable folder with its legal texts, below a folder named by the version. */
export const portableEntries = (entries, { version }, { licenses, bill }) =>
  [...entries, textEntry('LICENSES.txt', licenses), textEntry('bill-of-materials.cdx.json', bill)].map(
    (entry) => ({ ...entry, path: `wellbench-${version}/${entry.path}` }),
  );

/** What an installed package needs of its files: no sources, types, or builds for other platforms. */
const isRuntime = (platform) => (path) => {
  const prebuild = /^prebuilds\/([^/]+)\//.exec(path)?.[1];
  if (prebuild && prebuild !== `${platform}-x64`) return false;
  return !/\.(map|[cm]?ts|md|c|h|cc|hpp|bare)$|(^|\/)CMakeLists\.txt$/.test(path);
};

/** The project's own files in a package: of the build, and what people read or copy. */
export function ownEntries(root, prefix) {
  return [
    ...entriesBelow(join(root, 'out', 'main'), `${prefix}out/main/`, (path) => !path.endsWith('.map')).map(
      (entry) => (entry.path.endsWith('/cli.js') ? { ...entry, mode: 0o755 } : entry),
    ),
    ...entriesBelow(join(root, 'out', 'renderer'), `${prefix}out/renderer/`),
    ...entriesBelow(join(root, 'resources'), `${prefix}resources/`),
    ...entriesBelow(join(root, 'docs', 'guide'), `${prefix}docs/guide/`),
    ...['package.json', 'LICENSE', 'CHANGELOG.md'].map((name) => fileEntry(join(root, name), prefix + name)),
  ];
}

/**
 * The application with its Node for a platform: `app/`, `bin/`, and the texts beside them.
 * @param root folder of the built project
 * @param platform `linux` or `win32`, on x64
 * @returns the entries, and the packages in them
 */
export async function applicationContents(root, platform) {
  const natives = nativePackages(root, platform);
  const node = nodePackage(root, platform);
  const folders = await Promise.all([...natives, node].map((each) => fetchPackage(root, each)));
  const nodeFolder = folders[folders.length - 1];
  const program = platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const packages = [...bundledPackages(root), ...folders.map(readPackage)];
  const entries = [
    ...ownEntries(root, 'app/'),
    ...natives.flatMap(({ place }, at) => entriesBelow(folders[at], `app/${place}/`, isRuntime(platform))),
    fileEntry(join(nodeFolder, program), program, 0o755),
  ];
  return { entries, packages, licenses: licensesText(packages) };
}
