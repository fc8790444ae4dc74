import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const features = join(import.meta.dirname, '../../src/renderer/features');
const contexts = readFileSync(join(features, '../contexts.ts'), 'utf8');

/** The feature of each part of the window, by the table of all parts. */
const featureOf = new Map(
  [...contexts.matchAll(/readonly (\w+): (\w+);/g)].flatMap(([, part = '', type = '']) => {
    const [, feature] = new RegExp(`\\b${type}\\b[^;]* from './features/([^/]+)/`).exec(contexts) ?? [];
    return feature === undefined ? [] : [[part, feature] as const];
  }),
);

/** The subscriptions of a file to stores of other features. Views follow stores: `useStore` does the same. */
function breachesIn(file: string, text: string): string[] {
  const [feature = ''] = file.split('/');
  if (feature === 'tabs' || file.endsWith('.tsx')) return [];
  return [...text.matchAll(/([\w.]+)\.subscribe\(/g)].flatMap(([, receiver = '']) => {
    const parts = receiver.split('.').filter((part) => part !== 'store');
    const others = parts.filter((part) => featureOf.has(part) && featureOf.get(part) !== feature);
    return others.length > 0 ? [`${file}: ${receiver}`] : [];
  });
}

describe('no feature follows the store of another', () => {
  it('but the workspace of tabs, and app/follow.ts, which has the effects between stores of the window', () => {
    const files = readdirSync(features, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /\.tsx?$/.test(name));
    expect(files.length).toBeGreaterThan(200);
    expect(files.flatMap((file) => breachesIn(file, readFileSync(join(features, file), 'utf8')))).toEqual([]);
  });

  it('and a breach is found', () => {
    expect(featureOf.size).toBeGreaterThan(25);
    const planted = 'wells.store.subscribe(({ selected }) => datasets.actions.setWells(selected));';
    expect(breachesIn('datasets/datasets.ts', planted)).toEqual(['datasets/datasets.ts: wells.store']);
    expect(breachesIn('datasets/datasets.ts', 'settings.subscribe(() => reload())')).toHaveLength(1);
    expect(breachesIn('wells/wells.ts', planted)).toEqual([]);
    expect(breachesIn('tabs/tabs.ts', planted)).toEqual([]);
  });

  it('and the wells of tabs are in no other store', () => {
    const states = ['wells/wells-state.ts', 'datasets/datasets.ts'].map((name) =>
      readFileSync(join(features, name), 'utf8'),
    );
    for (const text of states) expect(text).not.toMatch(/^ {2}readonly (selected|wells)\b.*Well/m);
  });

  it('and all parts of the window are in one table', () => {
    const isExtension = (text: string) => /declare module '[^']*contexts\.ts'/.test(text);
    const extensions = readdirSync(features, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .filter((name) => isExtension(readFileSync(join(features, name), 'utf8')));
    expect(extensions).toEqual([]);
    expect(isExtension("declare module '../../contexts.ts' {")).toBe(true);
  });
});

describe('a component selects what it draws', () => {
  const wholeStates = (text: string) =>
    text.match(/\buse(?:App|Session|Tab)State\('\w+', \((\w+)\) => \1\)/g) ?? [];

  it('not the whole state of an upload, of which any change would draw it again', () => {
    const views = readdirSync(join(features, 'upload'), { recursive: true, encoding: 'utf8' });
    const texts = views
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => readFileSync(join(features, 'upload', name), 'utf8'));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.flatMap(wholeStates)).toEqual([]);
    expect(wholeStates("const { match } = useTabState('upload', (state) => state);")).toHaveLength(1);
  });
});
