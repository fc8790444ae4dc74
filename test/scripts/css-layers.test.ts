import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cssLayers, layerOf, layers } from '../../scripts/lib/build-plugins.mjs';

const renderer = join(import.meta.dirname, '../../src/renderer');
const sheets = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.css'));

describe('the layers of stylesheets', () => {
  it('follow from their folders, and what restyles libraries stands above them', () => {
    expect(new Set(sheets.map(layerOf))).toEqual(new Set([...layers, null]));
    expect(sheets.filter((name) => layerOf(name) === null).toSorted()).toEqual([
      'styles/contrast.css',
      'ui/editor/editor.css',
      'ui/grid/grid.css',
      'ui/plot/plot.css',
    ]);
  });

  it('have no rule for an element of a library: its own styles would win', () => {
    const library = /\.(ag-|monaco-|u-|uplot|action-widget)/;
    const layered = sheets.filter((name) => layerOf(name) !== null);
    expect(layered.filter((name) => library.test(readFileSync(join(renderer, name), 'utf8')))).toEqual([]);
    expect(library.test('.chart .u-select { }')).toBe(true);
  });

  it('are declared in order by the first of them', () => {
    const { transform } = cssLayers(renderer);
    if (typeof transform !== 'function') throw new Error('the plugin transforms nothing');
    const codeOf = (name: string) => {
      const result: unknown = transform.call({} as never, '.a{}', `${renderer}/${name}`);
      return result && typeof result === 'object' && 'code' in result ? result.code : null;
    };
    expect(codeOf('styles/tokens.css')).toBe(
      '@layer tokens, base, ui, layout, features;\n@layer tokens {\n.a{}\n}\n',
    );
    expect(codeOf('features/jobs/jobs.css')).toBe('@layer features {\n.a{}\n}\n');
    expect(codeOf('ui/grid/grid.css')).toBeNull();
  });
});
