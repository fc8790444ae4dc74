import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCycles, importsOf, moduleIn } from './support/imports.ts';

const imports = importsOf(join(import.meta.dirname, '..', 'src'));

describe('imports between modules form no cycle', () => {
  it.each(['main', 'main/export', 'main/upload', 'renderer', 'renderer/features'])(
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
      importCycles([...imports, { from: 'main/http/x.ts', to: 'main/cli/x.ts' }], moduleIn('main')),
    ).not.toEqual([]);
  });
});
