import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Functions that open, create, or rename files: for paths of the user, only `src/main/core/files/` has them. */
const guarded = new Set(
  [
    'open openSync readFile readFileSync createReadStream',
    'writeFile writeFileSync appendFile appendFileSync createWriteStream',
    'rename renameSync copyFile copyFileSync cp cpSync link linkSync symlink symlinkSync',
  ].flatMap((names) => names.split(' ')),
);

/** Modules that open files of Wellbench itself, in the data folder or a staging folder, and nothing else. */
const ownFiles: Readonly<Record<string, readonly string[]>> = {
  'features/catalogue/catalogue.ts': ['createReadStream'],
  'features/history/history.ts': ['copyFile', 'open'],
  'hosts/browser/serve.ts': ['createWriteStream'],
  'hosts/electron/desktop.ts': ['readFile'],
  'core/jobs/journal.ts': ['open', 'readFile'],
  'core/jobs/job-index.ts': ['open', 'readFile'],
  'features/quality/check-file.ts': ['openSync', 'writeFileSync'],
  'features/quality/record-places.ts': ['openSync'],
  'features/quality/spooled-file.ts': ['openSync', 'writeFileSync'],
  'features/sql/sql.ts': ['writeFile'],
  'core/mapping/existing.ts': ['openSync'],
  'core/mapping/source-file.ts': ['copyFile', 'link'],
  'core/tables/sources/xlsx.ts': ['openSync'],
  'features/sql/tables.ts': ['open'],
  'core/write/delta/checkpoint.ts': ['writeFile'],
  'core/logger.ts': ['appendFileSync', 'renameSync'],
};

/** The guarded functions that a module imports. `*`: all of them. */
function guardedImports(code: string): string[] {
  const imports = code.matchAll(
    /import\s+(?!type\s)([^;]*?)\s+from\s+'(?:(?:node:)?fs(?:\/promises)?|[./]*\/world\/files\.ts)';/g,
  );
  return [...imports]
    .flatMap(([, names = '']) => (names.startsWith('{') ? names.replaceAll(/[{}]/g, '').split(',') : ['*']))
    .map((name) => name.trim().split(' ')[0] ?? '')
    .filter((name) => name === '*' || guarded.has(name))
    .toSorted();
}

it('files of the user are opened and written by src/main/core/files alone', () => {
  const modules = globSync('src/main/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/').replace('src/main/', ''))
    .filter((path) => !path.startsWith('core/files/') && !path.startsWith('world/'));
  const found = Object.fromEntries(
    modules
      .map((path) => [path, guardedImports(readFileSync(join(root, 'src/main', path), 'utf8'))] as const)
      .filter(([, names]) => names.length > 0),
  );
  expect(found).toEqual(ownFiles);
});

it('an import of such a function is noticed', () => {
  expect(guardedImports("import { mkdir, writeFile as put } from 'node:fs/promises';")).toEqual([
    'writeFile',
  ]);
  expect(guardedImports("import * as fs from 'node:fs';")).toEqual(['*']);
  expect(guardedImports("import fs from 'fs';")).toEqual(['*']);
  expect(guardedImports("import type { open } from 'node:fs';\nimport { stat } from 'node:fs';")).toEqual([]);
});
