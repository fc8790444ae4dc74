import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const renderer = join(import.meta.dirname, '../../../src/renderer');
const tokens = readFileSync(join(renderer, 'styles/tokens.css'), 'utf8');
/** The tokens whose names start so. */
const named = (prefix: string): string[] =>
  [...tokens.matchAll(/^ {2}(--[\w-]+):/gm)].flatMap(([, name = '']) =>
    name.startsWith(prefix) ? [name] : [],
  );

/** Declarations of a stylesheet that have a size, a font size, or a level of their own. Conditions can't use tokens. */
function breachesIn(css: string): string[] {
  const code = css.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/@[\w-]+[^{;]*[{;]/g, '');
  const values = [...code.matchAll(/([\w-]+):\s*([^;{}]+)[;}]/g)];
  return values.flatMap(([, property = '', text = '']) => {
    const value = text.trim();
    const isOwn =
      /(?<![\w-])-?[\d.]+px\b/.test(value) ||
      (property === 'z-index' && !/^var\(--z-\w+\)$/.test(value)) ||
      (property === 'font-size' && !/^(inherit|var\(--font-size(-small|-large)?\))$/.test(value)) ||
      (property === 'font' && !/^(inherit$|var\(--font-size)/.test(value));
    return isOwn ? [`${property}: ${value}`] : [];
  });
}

describe('the scales of the window', () => {
  it('are three font sizes, and five levels above each other', () => {
    expect(named('--font-size')).toEqual(['--font-size', '--font-size-small', '--font-size-large']);
    expect(named('--z-')).toEqual(['--z-base', '--z-raised', '--z-bar', '--z-popup', '--z-top']);
  });

  it('have all sizes of stylesheets: none has pixels of its own', () => {
    const sheets = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.css') && !name.endsWith('tokens.css'),
    );
    expect(sheets.length).toBeGreaterThan(40);
    const breaches = sheets.flatMap((name) =>
      breachesIn(readFileSync(join(renderer, name), 'utf8')).map((breach) => `${name}: ${breach}`),
    );
    expect(breaches).toEqual([]);
  });

  it('and a breach is found', () => {
    const planted = `
      @media (max-width: 800px) { .a { padding: var(--space-1) -3px; z-index: 5; } }
      .b { font-size: 11px; height: calc(3 * var(--unit)); font: 12px/16px sans-serif; /* 7px */ }
      .c { font-size: var(--font-size-title); z-index: var(--z-bar) }`;
    expect(breachesIn(planted)).toEqual([
      'padding: var(--space-1) -3px',
      'z-index: 5',
      'font-size: 11px',
      'font: 12px/16px sans-serif',
      'font-size: var(--font-size-title)',
    ]);
  });
});
