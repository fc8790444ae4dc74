import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => pattern.test(name))
    .map((name) => ({ name, text: readFileSync(join(root, folder, name), 'utf8') }));

const sheets = filesIn('src/renderer', /\.css$/);
const code = filesIn('src/renderer', /\.tsx?$/);
/** Classes by which tests find elements. */
const tests = filesIn('test', /\.tsx?$/);

/** Classes of libraries. */
const isForeign = (name: string): boolean => /^(?:ag-|monaco-|u-|uplot|react-aria-|action|lucide)/.test(name);

/** The classes of a stylesheet. */
function styledIn(css: string): string[] {
  const selectors = [...css.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([^{};]+)\{/g)].map(
    ([, selector = '']) => selector.trim(),
  );
  return selectors
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => [...selector.matchAll(/\.(-?[a-z][\w-]*)/gi)].map(([, name = '']) => name));
}

/** The classes that attributes name as a whole; parts such as `button-${size}` aren't. */
function namedIn(tsx: string): string[] {
  const attributes = tsx.matchAll(/\b\w*[cC]lassName=(?:"([^"]*)"|\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\})/g);
  return [...attributes].flatMap(([, plain, computed = '']) => {
    // Comparisons have texts that are no classes.
    const texts =
      plain === undefined
        ? [...computed.replaceAll(/[=!]== ?'[^']*'/g, '').matchAll(/'([^']*)'|`([^`]*)`/g)].map(
            ([, quoted, template = '']) => quoted ?? template.replaceAll(/[\w-]*\$\{[^}]*\}[\w-]*/g, ' '),
          )
        : [plain];
    return texts.flatMap((text) => text.split(/\s+/).filter((name) => /^[a-z][\w-]*$/i.test(name)));
  });
}

const styled = new Set(sheets.flatMap(({ text }) => styledIn(text)));
const words = new Set(code.flatMap(({ text }) => text.match(/[\w-]+/g) ?? []));
/** Beginnings of classes whose end is computed. */
const prefixes = new Set(
  code.flatMap(({ text }) => [...text.matchAll(/([a-z]\w*(?:-\w+)*-)\$\{/g)].map(([, p = '']) => p)),
);
const isUsed = (name: string): boolean =>
  words.has(name) || [...prefixes].some((prefix) => name.startsWith(prefix));
/** The classes of selectors in code and tests. */
const selected = new Set(
  [...code, ...tests].flatMap(({ text }) =>
    [...text.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)]
      .map(([, single = '', double = '', template = '']) => single + double + template)
      .filter((literal) => !literal.includes('/'))
      .flatMap((literal) => [...literal.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name)),
  ),
);

describe('the classes of the window', () => {
  it('all occur in its components', () => {
    expect(styled.size).toBeGreaterThan(400);
    expect([...styled].filter((name) => !isForeign(name) && !isUsed(name))).toEqual([]);
  });

  it('all have a style, or are how code or a test finds an element', () => {
    const bare = code.flatMap(({ name, text }) =>
      namedIn(text)
        .filter((each) => !styled.has(each) && !selected.has(each))
        .map((each) => `${name}: ${each}`),
    );
    expect(bare).toEqual([]);
  });

  it('and others are found', () => {
    const planted = `<p className="row bare" /><b className={is ? 'part' : \`tone-\${x} other\`} labelClassName="label" />`;
    expect(namedIn(planted)).toEqual(['row', 'bare', 'part', 'other', 'label']);
    expect(styledIn('/* .no */ @media (x) { .a.b > .c:hover { d: url(x.png) } }')).toEqual(['a', 'b', 'c']);
    expect(isUsed('no-such-class')).toBe(false);
  });
});
