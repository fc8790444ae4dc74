import type { Random } from './random.ts';

/** A value of a frame; built as text, because object literals can't represent some of it. */
export type Hostile = { readonly name: string; readonly text: string };

const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + '1' + close.repeat(levels);

/** Values that often cause bugs: wrong types, edge cases of numbers and texts, prototypes, paths, formulas. */
export const hostileValues: readonly [Hostile, ...Hostile[]] = [
  { name: 'null', text: 'null' },
  { name: 'true', text: 'true' },
  { name: 'minus zero', text: '-0' },
  { name: 'minus one', text: '-1' },
  { name: 'half', text: '0.5' },
  { name: 'beyond 2^53', text: '9007199254740993' },
  { name: 'infinite', text: '1e999' },
  { name: 'tiny', text: '1e-320' },
  { name: 'empty text', text: '""' },
  { name: 'spaces', text: '"   "' },
  { name: 'NUL', text: '"a\\u0000b"' },
  { name: 'lone surrogate', text: '"\\ud800"' },
  { name: 'right-to-left', text: '"\\u202egpj.exe"' },
  { name: 'long text', text: JSON.stringify('x'.repeat(70_000)) },
  { name: 'path upwards', text: JSON.stringify('../../../outside/keep.txt') },
  { name: 'path upwards, Windows', text: JSON.stringify('..\\..\\..\\outside\\keep.txt') },
  { name: 'absolute path', text: '"/etc/passwd"' },
  { name: 'drive', text: JSON.stringify('C:\\Windows\\system.ini') },
  { name: 'device', text: '"CON"' },
  { name: 'file address', text: '"file:///etc/passwd"' },
  { name: 'script address', text: '"javascript:alert(1)"' },
  { name: 'formula', text: '"=HYPERLINK(1)"' },
  { name: 'mark-up', text: '"<img src=x onerror=alert(1)>"' },
  { name: 'format', text: '"%s%n{{now}}${1}"' },
  { name: 'slow pattern', text: JSON.stringify('^(a+)+$') },
  { name: 'many shifts', text: JSON.stringify(`{ timestamp: { $gte: {{ now${'+1  '.repeat(5000)}!}} } }`) },
  { name: 'many unknown operators', text: JSON.stringify(`{ a: { ${'$gtt: 1, '.repeat(5000)} } }`) },
  { name: 'many stages that write', text: JSON.stringify(`[${'{ $out: 1 }, '.repeat(5000)}]`) },
  { name: 'many unclosed comments', text: JSON.stringify('/*'.repeat(20_000)) },
  { name: 'many digits', text: JSON.stringify(`{ a: ${'9'.repeat(50_000)} }`) },
  { name: 'many backslashes', text: JSON.stringify(`{ a: "${'\\'.repeat(50_000)}`) },
  { name: 'many line breaks', text: JSON.stringify('\n#\n'.repeat(10_000)) },
  { name: 'terminal sequences', text: '"a\\u001b[2J\\u009b1A\\r\\nb"' },
  { name: 'many small keys', text: `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":0`).join()}}` },
  { name: 'empty list', text: '[]' },
  { name: 'empty object', text: '{}' },
  { name: 'prototype', text: '{"__proto__":{"polluted":1}}' },
  { name: 'constructor', text: '{"constructor":{"prototype":{"polluted":1}}}' },
  { name: 'own then', text: '{"then":{"polluted":1},"toString":1,"valueOf":null,"toJSON":{}}' },
  { name: 'length', text: '{"length":4294967295}' },
  { name: 'deep list', text: deep('[', ']', 900) },
  { name: 'very deep list', text: deep('[', ']', 60_000) },
  { name: 'deep object', text: deep('{"a":', '}', 5_000) },
  { name: 'long list', text: `[${'0,'.repeat(20_000)}0]` },
  { name: 'name of a prototype', text: '"__proto__"' },
  { name: 'name of a constructor', text: '"constructor"' },
];

/** Invalid names of keys. */
export const hostileKeys: readonly [string, ...string[]] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
  '$where',
  '0',
];

const pieces: readonly [string, ...string[]] = [
  '{', '}', '[', ']', '"', "'", ',', ':', '$', '.', '..', '/', '\\', '\0', '\n', ' ', '{{', '}}', '$gte', '$where',
  '__proto__', 'ISODate(', 'NumberLong("9e9")', '/(a+)+$/', '=', '%00', '\u{1F6E2}', '\ud800', '-', '1e999', '//',
  'NaN', 'x'.repeat(300), '['.repeat(400),
]; // oxfmt-ignore

/** A text with a few characters inserted, removed, or doubled. */
export function mutatedText(text: string, random: Random): string {
  let changed = text;
  for (let count = random.integer(1, 3); count > 0; count--) {
    const at = random.integer(0, changed.length);
    const to = Math.min(changed.length, at + random.integer(1, 6));
    const kind = random.integer(0, 4);
    if (kind === 4)
      changed =
        changed.slice(0, at) + changed.slice(at, to).repeat(random.integer(2, 2000)) + changed.slice(to);
    else if (kind === 0) changed = changed.slice(0, at) + random.pick(pieces) + changed.slice(at);
    else if (kind === 1) changed = changed.slice(0, at) + changed.slice(to);
    else if (kind === 2) changed = changed.slice(0, to) + changed.slice(at);
    else changed = changed.slice(0, at);
  }
  return changed;
}
