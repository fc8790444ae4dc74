// Virtual environments of Python with packages of PyPI, made once for each list of packages.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, say } from './run.mjs';

const windows = process.platform === 'win32';

/** The packages that programs of other makers have in tests, in the versions that the guide names. */
export const packagesIn = (requirements) =>
  readFileSync(requirements, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * Makes an environment in a folder. Packages are installed one by one, so that one that isn't available doesn't prevent the
 * others.
 * @returns its Python, and the names of packages that couldn't be installed
 */
export async function ensurePython(place, packages) {
  const folder = join(place, createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 12));
  const python = join(folder, windows ? 'Scripts/python.exe' : 'bin/python');
  const stamp = join(folder, 'missing.json');
  if (existsSync(stamp)) return { python, missing: JSON.parse(readFileSync(stamp, 'utf8')) };
  mkdirSync(place, { recursive: true });
  if ((await run(windows ? 'python' : 'python3', ['-m', 'venv', folder])) !== 0)
    throw new Error('Python 3 with venv is needed. On Debian: apt-get install python3-venv');
  const missing = [];
  for (const name of packages) {
    say(`Installing ${name} …`);
    if ((await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', name])) !== 0)
      missing.push(name.split('==')[0]);
  }
  writeFileSync(stamp, JSON.stringify(missing));
  return { python, missing };
}
