import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './run.mjs';

/** Licences under which what we use may stand; each lets an application be given away with it. */
const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
];
/** For tools that only build or test: they are not given away. */
const alsoForTools = ['MPL-2.0', 'CC-BY-4.0', 'CC BY-SA 4.0', 'WTFPL'];
/** Packages that may run a script when they are installed, and why. None of them fetches anything. */
const allowedScripts = {
  // Of the packer, which is installed without scripts (packaging/.npmrc), for a kind of installer that is not made.
  'electron-winstaller': 'chooses among programs that come with it',
};

/** Gives 0 when nothing is wrong with the packages, 1 when something is. */
export function checkPackages(folder) {
  const problems = packageProblems(folder);
  for (const problem of problems) say(`  ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

/** A licence in the language of SPDX: one of several that may be chosen, or all of several that hold. */
function isAllowed(licence, allowed) {
  const text = licence.replace(/^\((.*)\)$/, '$1');
  if (/ OR /.test(text)) return text.split(' OR ').some((part) => isAllowed(part, allowed));
  if (/ AND /.test(text)) return text.split(' AND ').every((part) => isAllowed(part, allowed));
  return allowed.includes(text);
}

function licenceOf(folder, name) {
  const path = join(folder, name, 'package.json');
  if (!existsSync(path)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(path, 'utf8'));
  return license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
}

/**
 * What is wrong with the packages of a lockfile: licences that are not on the list, scripts that run at install, and
 * hosts that packages are to come from. Reads files alone.
 * @param folder where package-lock.json and node_modules are
 * @returns sentences; none: all is well
 */
export function packageProblems(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const problems = [];
  for (const [name, entry] of Object.entries(packages)) {
    if (name === '') continue;
    const short = name.replace(/^.*node_modules\//, '');
    const licence = entry.license ?? licenceOf(folder, name);
    const allowed = entry.dev ? [...allowedLicences, ...alsoForTools] : allowedLicences;
    if (!licence) problems.push(`${short} says no licence.`);
    else if (!isAllowed(licence, allowed))
      problems.push(`${short} is under ${licence}, which is not on the list.`);
    if (entry.hasInstallScript && !Object.hasOwn(allowedScripts, short))
      problems.push(`${short} runs a script when it is installed.`);
    if (entry.resolved)
      problems.push(`${short} names a host to come from; the registry that is set here is to be asked.`);
    if (!entry.integrity && !entry.link) problems.push(`${short} has no digest.`);
  }
  return problems;
}
