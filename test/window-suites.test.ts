import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, 'renderer/window');

/** Suites with one tab, file, or well of each kind. New ones open several, with `support/several.ts`. */
const suitesWithOne = [
  // One connection, whose form it is about.
  'client-certificate',
  'combo-box',
  'connection-form',
  'connections',
  'datasets',
  // Single components.
  'day-range',
  'drawn-shape',
  'findings',
  'grid-rows',
  'help',
  // The page without tabs.
  'home',
  'jobs',
  // A single component.
  'list-field',
  'mirrors',
  // A single component, with two wells.
  'notes',
  'opening',
  'quality',
  'query',
  'query-modes',
  'real-files',
  'settings',
  'tabs',
  'times',
  'upload',
  'upload-channels',
  'upload-edges',
  'upload-file',
  'upload-formats',
  'upload-run',
  'wells',
];

it('suites of the window open at least two of everything, except those that are listed', async () => {
  const suites = (await readdir(folder)).filter((name) => name.endsWith('.test.tsx'));
  const texts = await Promise.all(suites.map((name) => readFile(join(folder, name), 'utf8')));
  const withOne = suites.filter((_, at) => !/openSeveral\w*\(/.test(texts[at] ?? ''));
  expect(withOne.map((name) => name.replace('.test.tsx', '')).toSorted()).toEqual(suitesWithOne);
});
