import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../../..', 'src');

interface Pattern {
  readonly file: string;
  readonly text: string;
}

/** A regular expression in TypeScript, where an expression can begin. */
const literal =
  /(?<=(?:[(=,:[!&|?>]|return)\s*)\/(?![*/])((?:\[(?:\\.|[^\]\\\n])*\]|\\.|[^/\\\n[])+)\/[dgimsuvy]*/g;

function patternsIn(folder: string): Pattern[] {
  const names = readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = join(folder, name);
      const matches = readFileSync(join(source, file), 'utf8').matchAll(literal);
      return [...matches].map(([, text = '']) => ({ file, text }));
    });
}

/** Whether a repeated group contains a repetition: the time of such a pattern can double with each character. */
function hasNestedRepetition(pattern: string): boolean {
  const plain = pattern
    .replaceAll(/\\(?:[pPuk]\{[^}]*\}|.)/gu, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll(/\{(?:\d+|\d*,\d{1,2})\}/g, '?');
  const groups: { repeats: boolean }[] = [{ repeats: false }];
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at] ?? '';
    if (char === '(') groups.push({ repeats: false });
    const closed = char === ')' ? groups.pop() : undefined;
    const next = plain[at + 1] ?? '';
    const isRepeated = ['*', '+', '{'].includes(next);
    if (closed && isRepeated && closed.repeats) return true;
    const outer = groups.at(-1);
    if (outer && ((char !== '(' && isRepeated) || closed?.repeats === true)) outer.repeats = true;
  }
  return false;
}

describe('patterns for content of files', () => {
  it.each(['main/features/upload', 'shared/channels', 'shared/upload'])(
    'in %s have no repetition in a repetition, whose time can double with each character',
    (folder) => {
      const patterns = patternsIn(folder);
      expect(patterns.length).toBeGreaterThan(0);
      expect(patterns.filter(({ text }) => hasNestedRepetition(text))).toEqual([]);
    },
  );

  it.each([
    [String.raw`^(?:\s*#[^\n\r]*[\n\r]+|\s*[\n\r])*\s*~V`, true],
    [String.raw`(a+)+$`, true],
    [String.raw`((?:a|b*)c)*`, true],
    [String.raw`(?:\d{1,3}){2,}`, false],
    [String.raw`(?:a[)*+]b)*`, false],
    [String.raw`(?:a\)\*)+`, false],
    [String.raw`(?:a*b)?c+`, false],
  ])('such as %s are recognized: %j', (pattern, isNested) => {
    expect(hasNestedRepetition(pattern)).toBe(isNested);
  });
});
