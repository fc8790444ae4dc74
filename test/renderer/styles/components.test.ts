import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const renderer = join(import.meta.dirname, '../../../src/renderer');
const sheets = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.css'));
const textOf = (name: string): string => readFileSync(join(renderer, name), 'utf8');

/** The selectors of a stylesheet, without those of conditions. */
const selectorsIn = (css: string): string[] =>
  [...css.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([^{};]+)\{/g)]
    .map(([, selector = '']) => selector.trim())
    .filter((selector) => !selector.startsWith('@'));
const classesIn = (selector: string): string[] =>
  [...selector.matchAll(/\.(-?[a-z][\w-]*)/gi)].map(([, name = '']) => name);

/** More contrast names classes of all folders. */
const shared = sheets.filter((name) => /^(ui|styles)\//.test(name) && name !== 'styles/contrast.css');
const ofFeatures = sheets.filter((name) => /^(features|app)\//.test(name));
const componentClasses = new Set(shared.map(textOf).flatMap(selectorsIn).flatMap(classesIn));

/** The selectors of a feature that style a component from outside. */
const overridesIn = (css: string): string[] =>
  selectorsIn(css).filter((selector) => classesIn(selector).some((name) => componentClasses.has(name)));

describe('the components of the window', () => {
  it('are not restyled by features: they have variants, and a feature styles classes of its own', () => {
    expect(ofFeatures.length).toBeGreaterThan(30);
    const overrides = ofFeatures.flatMap((name) =>
      overridesIn(textOf(name)).map((selector) => `${name}: ${selector}`),
    );
    expect(overrides).toEqual([]);
  });

  it('and an override is found', () => {
    const planted = `
      .live-tab > .alert { margin: 0 }
      @container (max-width: 430px) { .live-bar .search-input { width: 1ch } }
      .live-end { > .button { padding: 0 } }
      .live-alert, .live-bar > * { margin: 0; color: red }`;
    expect(overridesIn(planted)).toEqual(['.live-tab > .alert', '.live-bar .search-input', '> .button']);
  });
});
