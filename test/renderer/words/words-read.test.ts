import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCatalogues } from '../../support/catalogues.ts';
import { readsIn, type Path } from './reads.ts';

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const leavesOf = (table: Readonly<Record<string, unknown>>, path: Path = []): Path[] =>
  Object.entries(table).flatMap(([key, value]) =>
    isTable(value) ? leavesOf(value, [...path, key]) : [[...path, key]],
  );

/** A part that is read as a whole, or passed on, is read with everything in it. */
const covers = (read: Path, leaf: Path): boolean =>
  read.every((key, depth) => depth >= leaf.length || fits(key, leaf[depth] ?? ''));

const fits = (pattern: string, key: string): boolean =>
  new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(key);

it('every word of the window is read somewhere in it', async () => {
  const catalogues = await loadCatalogues();
  expect(Object.keys(catalogues).length).toBeGreaterThan(3);
  const reads = readsIn(join(import.meta.dirname, '../../../src/renderer'));
  const unread = leavesOf(catalogues).filter((leaf) => !reads.some((read) => covers(read, leaf)));
  expect(unread.map((leaf) => leaf.join('.'))).toEqual([]);
});
