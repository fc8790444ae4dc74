import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './run.mjs';

/** Licenses of packages that may be distributed with the app. */
const allowedLicenses = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
];
/** Licenses of build and test tools; what of them is in the build must have one of those above (licenses.mjs). */
const alsoForTools = ['MPL-2.0', 'CC-BY-4.0', 'CC BY-SA 4.0', 'WTFPL'];
/** Packages that may run an install script, and why. None of them downloads anything. */
const allowedScripts = {
  // A dependency of the packager, which is installed without scripts (packaging/.npmrc), for an installer type that isn't built.
  'electron-winstaller': 'selects one of its bundled programs',
};

/** @returns exit code: 1 if a package has a problem */
export function checkPackages(folder) {
  const problems = packageProblems(folder);
  for (const problem of problems) say(`  ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

/** Whether an SPDX expression allows distribution: one license of an OR, each license of an AND. */
function isAllowed(license, allowed) {
  const text = license.replace(/^\((.*)\)$/, '$1');
  if (/ OR /.test(text)) return text.split(' OR ').some((part) => isAllowed(part, allowed));
  if (/ AND /.test(text)) return text.split(' AND ').every((part) => isAllowed(part, allowed));
  return allowed.includes(text);
}

/** Whether a package under this license may be distributed with the app. */
export const isDistributable = (license) => isAllowed(license ?? '', allowedLicenses);

function licenseOf(folder, name) {
  const path = join(folder, name, 'package.json');
  if (!existsSync(path)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(path, 'utf8'));
  return license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
}

/**
 * The problems of the packages in a lockfile: licenses that aren't allowed, install scripts, and download hosts.
 * @param folder with package-lock.json and node_modules
 * @returns a sentence for each problem
 */
export function packageProblems(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const problems = [];
  for (const [name, entry] of Object.entries(packages)) {
    // The project itself, and its own folder of dependencies.
    if (entry.link || !name.includes('node_modules/')) continue;
    const short = name.replace(/^.*node_modules\//, '');
    const license = entry.license ?? licenseOf(folder, name);
    const allowed = entry.dev ? [...allowedLicenses, ...alsoForTools] : allowedLicenses;
    if (!license) problems.push(`${short} has no license.`);
    else if (!isAllowed(license, allowed))
      problems.push(`${short} is under ${license}, which isn't allowed.`);
    if (entry.hasInstallScript && !Object.hasOwn(allowedScripts, short))
      problems.push(`${short} runs an install script.`);
    if (entry.resolved)
      problems.push(
        `${short} names a download host; remove “resolved”, so that npm uses the configured registry.`,
      );
    if (!entry.integrity) problems.push(`${short} has no integrity hash.`);
  }
  return problems;
}
