import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCycles, importsOf, moduleIn, type Import } from './support/imports.ts';

const imports = importsOf(join(import.meta.dirname, '..', 'src'));

const layers = ['main/world/', 'main/core/', 'main/features/'];

/** The layer of a file in main, from below; above are the hosts and what builds the application. */
function layerOf(file: string): number {
  const at = layers.findIndex((folder) => file.startsWith(folder));
  return at < 0 ? layers.length : at;
}

/** The imports of main that go up, or from one feature to another. */
const wrongImports = (all: readonly Import[]): Import[] =>
  all.filter(({ from, to }) => {
    if (!from.startsWith('main/') || !to.startsWith('main/')) return false;
    const [feature, other] = [from, to].map(moduleIn('main/features'));
    return layerOf(from) < layerOf(to) || (feature !== null && other !== null && feature !== other);
  });

describe('imports of main go down: hosts, features, core, world', () => {
  it('and features do not import each other', () => {
    expect(wrongImports(imports)).toEqual([]);
  });

  it('and a breach is found', () => {
    const planted = [
      { from: 'main/core/files/a.ts', to: 'main/features/sql/sql.ts' },
      { from: 'main/core/files/a.ts', to: 'main/app.ts' },
      { from: 'main/world/files.ts', to: 'main/core/files/files.ts' },
      { from: 'main/features/sql/a.ts', to: 'main/hosts/browser/a.ts' },
      { from: 'main/features/sql/a.ts', to: 'main/features/upload/upload.ts' },
    ];
    const allowed = [
      { from: 'main/hosts/cli/a.ts', to: 'main/features/sql/sql.ts' },
      { from: 'main/features/sql/a.ts', to: 'main/core/files/files.ts' },
      { from: 'main/features/sql/a.ts', to: 'main/features/sql/sql.ts' },
    ];
    expect(wrongImports([...planted, ...allowed])).toEqual(planted);
  });
});

/** Folders with one door: the only file of them that others import. */
const doors = [
  'main/core/connections/connections.ts',
  'main/core/duckdb/duckdb.ts',
  'main/core/duckdb/parquet-file.ts',
  'main/core/jobs/jobs.ts',
  'main/core/mapping/mapping.ts',
  'main/core/reading/reading.ts',
  'main/core/tables/tables.ts',
  'main/core/write/write.ts',
];

/** The imports of files behind a door, from outside. */
const importsBehindDoors = (all: readonly Import[]): Import[] =>
  all.filter(({ from, to }) =>
    doors.some((door) => {
      const folder = door.slice(0, door.lastIndexOf('/') + 1);
      return to.startsWith(folder) && !doors.includes(to) && !from.startsWith(folder);
    }),
  );

describe('a folder with a door', () => {
  it('is imported through it', () => {
    expect(importsBehindDoors(imports)).toEqual([]);
    expect(doors.filter((door) => !imports.some(({ to }) => to === door))).toEqual([]);
  });

  it('and a breach is found', () => {
    const planted = [{ from: 'main/core/write/a.ts', to: 'main/core/reading/runs.ts' }];
    const allowed = [
      { from: 'main/core/write/a.ts', to: 'main/core/reading/reading.ts' },
      { from: 'main/core/reading/pages.ts', to: 'main/core/reading/runs.ts' },
    ];
    expect(importsBehindDoors([...planted, ...allowed])).toEqual(planted);
  });
});

describe('imports between modules form no cycle', () => {
  it.each(['main', 'main/features/export', 'main/features/upload', 'renderer', 'renderer/features'])(
    'between the folders of src/%s',
    (parent) => {
      expect(importCycles(imports, moduleIn(parent))).toEqual([]);
    },
  );

  it('and a cycle of any length is found, with the imports that form it', () => {
    const planted = [
      { from: 'main/a/x.ts', to: 'main/b/x.ts' },
      { from: 'main/b/y.ts', to: 'main/c/x.ts' },
      { from: 'main/c/x.ts', to: 'main/a/z.ts' },
      { from: 'main/c/x.ts', to: 'main/d/x.ts' },
      { from: 'main/app.ts', to: 'main/a/x.ts' },
    ];
    expect(importCycles(planted, moduleIn('main'))).toEqual([
      'a → b: main/a/x.ts imports main/b/x.ts',
      'b → c: main/b/y.ts imports main/c/x.ts',
      'c → a: main/c/x.ts imports main/a/z.ts',
    ]);
    expect(
      importCycles(
        [...imports, { from: 'main/core/files/x.ts', to: 'main/features/sql/x.ts' }],
        moduleIn('main'),
      ),
    ).not.toEqual([]);
  });
});

describe('a folder with a door is imported through it', () => {
  const folder = 'main/core/mapping/';
  const door = `${folder}mapping.ts`;
  // They start, resume, and read back an upload, and import what they drive.
  const inside = [
    'features/upload/run.ts',
    'features/upload/upload.ts',
    'features/upload/sending/existing.ts',
  ];
  const pastDoor = (all: readonly Import[]): Import[] =>
    all.filter(
      ({ from, to }) =>
        to.startsWith(folder) &&
        to !== door &&
        !from.startsWith(folder) &&
        !inside.some((file) => from === `main/${file}`),
    );

  it('that of mappings', () => {
    expect(pastDoor(imports)).toEqual([]);
  });

  it('and a breach is found', () => {
    const planted = [{ from: 'main/features/sql/a.ts', to: `${folder}decide.ts` }];
    const allowed = [
      { from: 'main/features/sql/a.ts', to: door },
      { from: `${folder}rules.ts`, to: `${folder}decide.ts` },
    ];
    expect(pastDoor([...planted, ...allowed])).toEqual(planted);
  });
});
