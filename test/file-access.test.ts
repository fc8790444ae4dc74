import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Functions that open, create, or rename files: for paths of the user, only `src/main/files/` has them. */
const guarded = new Set(
  [
    'open openSync readFile readFileSync createReadStream',
    'writeFile writeFileSync appendFile appendFileSync createWriteStream',
    'rename renameSync copyFile copyFileSync cp cpSync link linkSync symlink symlinkSync',
  ].flatMap((names) => names.split(' ')),
);

/** Modules that open files of Wellbench itself, in the data folder or a staging folder, and nothing else. */
const ownFiles: Readonly<Record<string, readonly string[]>> = {
  'catalogue/cached-list.ts': ['createReadStream'],
  'export/tables/write-folder.ts': ['writeFile'],
  'history/history-file.ts': ['copyFile', 'open'],
  'hosts/browser/transfer.ts': ['createWriteStream'],
  'hosts/electron/pages.ts': ['readFile'],
  'jobs/journal.ts': ['open', 'readFile'],
  'jobs/store.ts': ['readFile'],
  'quality/check-file.ts': ['openSync', 'writeFileSync'],
  'quality/record-places.ts': ['openSync'],
  'quality/spooled-file.ts': ['openSync', 'writeFileSync'],
  'sql/exported-tables.ts': ['writeFile'],
  'upload/conversion/unpack.ts': ['createWriteStream'],
  'upload/existing/existing-records.ts': ['readFileSync', 'writeFileSync'],
  'upload/preparing/rejects.ts': ['openSync'],
  'upload/sending/source-file.ts': ['copyFile', 'link'],
  'upload/sources/xlsx/string-pool.ts': ['openSync'],
  'upload/table-records.ts': ['open'],
  'workspace/logger.ts': ['appendFileSync', 'renameSync'],
};

/** The guarded functions that a module imports. `*`: all of them. */
function guardedImports(code: string): string[] {
  const imports = code.matchAll(/import\s+(?!type\s)([^;]*?)\s+from\s+'(?:node:)?fs(?:\/promises)?';/g);
  return [...imports]
    .flatMap(([, names = '']) => (names.startsWith('{') ? names.replaceAll(/[{}]/g, '').split(',') : ['*']))
    .map((name) => name.trim().split(' ')[0] ?? '')
    .filter((name) => name === '*' || guarded.has(name))
    .toSorted();
}

it('files of the user are opened and written by src/main/files alone', () => {
  const modules = globSync('src/main/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/').replace('src/main/', ''))
    .filter((path) => !path.startsWith('files/'));
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
