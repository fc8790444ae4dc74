import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const list = (...patterns: string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
/** Texts for users and contributors. docs/voice.md quotes the phrases that it replaces. */
const texts = list(
  'src/renderer/words/*.ts',
  'src/shared/errors/sentences.ts',
  'README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'docs/*.md',
  'docs/guide/*.md',
  'docs/decisions/*.md',
).filter((file) => file !== 'docs/voice.md');
/** Files in American spelling. */
const spelled = [...texts, ...list('docs/voice.md', 'src/main/hosts/cli/**/*.ts')];

/** Phrases of the earlier style, and the terms of the glossary. Names in backquotes may contain them. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bas at first\b/i, 'reset, default'],
  [/\bask(ed|s|ing)? (again|anew|for a lot)\b/i, 'refresh, retry'],
  [/\banew\b/i, 'again'],
  [/\bat hand\b/i, 'available'],
  [/\b(logs?|logged|logging) (in|out)\b|\blogins?\b/i, 'sign in, session, credentials'],
  [/\bIT desk\b/i, 'IT department'],
  [/\be-mail\b/i, 'email'],
  [/\bgo(es)? on\b/i, 'continue, resume'],
  [/\bstands? (there|here|in front|in the place|below|above|beside|between)\b/i, 'is, appears, exists'],
  [/\bwhat stands\b/i, 'existing records'],
  [/\bis called so\b|\bare called so\b/i, 'named'],
  [/\b(is|are) no (?!longer\b)[a-z]/i, 'isn’t a'],
  [/\bworth knowing\b/i, 'issues'],
  [/\bhow it is read\b/i, 'file format'],
  [/\bmay ask for\b/i, 'could return'],
  [/\btake (it|them) over\b|\btakes? over\b/i, 'copy'],
  [/\bhas ended\b|\bdoes not hold\b/i, 'has expired, is not valid yet'],
  [/\bcan[’']t be had\b/i, 'isn’t available'],
  [/\bgive (a|an|the|it|them)\b/i, 'enter, provide'],
  [/(?<!\bat )\b(least|greatest)\b(?! one)/i, 'min, max'],
  [/\bchosen\b/i, 'selected'],
  [/\bcancelled\b/i, 'canceled'],
  [/\blook over\b|\blook at it\b/i, 'validate, view'],
  [/\bthose (who|that) run (it|the service)\b/i, 'operator (of a service)'],
];

/** Phrases that sound translated. Texts of the past, and tables that a measurement writes, keep them. */
const translated: readonly (readonly [RegExp, string])[] = [
  [/\bagain and again\b/i, 'keeps …ing, repeatedly'],
  [/\bmeanwhile\b/i, 'during, while'],
  [/, (too|also)\b/i, 'also (before the verb), even, including'],
  [/\bby hand\b/i, 'manually, yourself'],
  [/\b(replaces?|separate) \w+ by\b/i, 'with'],
  [/\bof (its|their|your) own\b/i, 'separate, its own'],
  [/\bin (the )?place of\b/i, 'instead of'],
  [/\bbeyond (the|its|these|this|that|a)\b/i, 'above, outside'],
  [/\btables? of Delta Lake\b/i, 'Delta Lake table'],
  [
    /\b(files?|pages?|manifests?|header|summary|metadata|folders?|reports?|workbooks?|journal|definition) (has|have) (?!been|changed)/i,
    'contains, lists, shows',
  ],
];
const present = [...texts, ...list('src/main/hosts/cli/**/*.ts')].filter(
  (file) => !/CHANGELOG|decisions|performance/.test(file),
);

/** The prose of a file: strings of a source file, a page without code. */
function proseOf(file: string): string[] {
  const text = readFileSync(`${root}${file}`, 'utf8');
  if (file.endsWith('.md'))
    return text
      .replaceAll(/^```[^]*?^```$/gm, '')
      .replaceAll(/`[^`]*`|^### [a-z_]+$/gm, '')
      .replaceAll(/(?<=\S)\n *(?=[^\s#|*-])/g, ' ')
      .split('\n');
  const strings = [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g)];
  return strings
    .map(([, single, template, double]) => single ?? template ?? double ?? '')
    .filter((one) => /\s/.test(one));
}

const findings = (lines: readonly string[], patterns = phrases): string[] =>
  lines.flatMap((line) =>
    patterns.flatMap(([phrase, instead]) => (phrase.test(line) ? [`${line.trim()} → ${instead}`] : [])),
  );

describe('texts', () => {
  it.each(texts)('%s has no phrase that docs/voice.md replaces', (file) => {
    expect(findings(proseOf(file))).toEqual([]);
  });

  it.each(present)('%s has no phrase that sounds translated', (file) => {
    expect(findings(proseOf(file), translated)).toEqual([]);
  });

  it('have typographic apostrophes in the window', () => {
    const straight = list('src/renderer/words/*.ts').flatMap((file) =>
      proseOf(file).filter((text) => /\p{L}'\p{L}/u.test(text.replaceAll(/\$\{[^}]*\}/g, ''))),
    );
    expect(straight).toEqual([]);
  });

  it('are reported when they break a rule', () => {
    expect(findings(['Look at it, or log in and ask again.'])).toHaveLength(3);
    expect(
      findings(['The file has rows of its own, too.', 'The file has changed.'], translated),
    ).toHaveLength(3);
  });

  it('are spelled in American English, with the terms of the field', { timeout: 60_000 }, async () => {
    const words = await promisify(execFile)(
      process.execPath,
      ['node_modules/cspell/bin.mjs', '--no-progress', '--no-summary', '--unique', ...spelled],
      { cwd: root },
    ).then(
      () => '',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
    );
    expect(words).toBe('');
  });
});
