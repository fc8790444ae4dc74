import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete } from '../../../src/shared/language/editing/complete.ts';
import { formatText } from '../../../src/shared/language/editing/format.ts';
import { hoverAt } from '../../../src/shared/language/editing/hover.ts';
import { parseAnswer, bindTexts, bindWells, bindSql } from '../../../src/shared/language/parameters.ts';
import type { TextKind } from '../../../src/shared/language/knowledge.ts';
import { lintText } from '../../../src/shared/language/lint/lint.ts';
import { parseRelaxed } from '../../../src/shared/language/relaxed.ts';
import { appendItem, prependItem, removeItem, outlineOf } from '../../../src/shared/language/text/edits.ts';
import {
  joinPipeline,
  splitFirstStage,
  splitPipeline,
  stagePlace,
  withStageEnabled,
} from '../../../src/shared/language/text/pipeline.ts';
import {
  rangeFieldOf,
  readRange,
  readScope,
  writeScope,
} from '../../../src/shared/language/text/conditions.ts';
import { toAppError } from '../../../src/shared/errors/errors.ts';
import { datasetField } from '../../../src/shared/datasets/fields.ts';
import { assetId } from '../../../src/shared/wells/wells.ts';
import { lawRuns } from '../../support/sample.ts';
import { knowing, wells } from './knowing.ts';

const ids = [assetId.parse(5003), assetId.parse(5004)];
const values = { wells: ids, company: 3, now: 0, zone: 'UTC', answers: new Map([['a', '1']]) };
const present = { now: 0, zone: 'UTC' };
const field = (path: string) => datasetField.parse({ path, types: ['number'], from: 'sample' });
const knowledge = knowing('time', { wells, fields: [field('data.rop'), field('timestamp')] });
const range = rangeFieldOf('time');

function editEverything(text: string): void {
  const outline = outlineOf(text, '{') ?? outlineOf(text, '[');
  if (!outline) return;
  appendItem(text, outline, 'x: 1');
  prependItem(text, outline, 'x: 1');
  removeItem(text, outline, outline.items.length - 1);
}

function editStages(text: string): void {
  splitFirstStage(text);
  const pieces = splitPipeline(text);
  if (pieces) joinPipeline(withStageEnabled(pieces, 0));
}

const kinds: readonly TextKind[] = ['query', 'sort', 'group', 'project', 'stages', 'stage', 'body:$fill'];
const functions: readonly (readonly [string, (text: string) => unknown])[] = [
  ...kinds.flatMap((kind) => [
    [`lint of ${kind}`, (text: string) => lintText(text, kind, knowledge)] as const,
    [`completion of ${kind}`, (text: string) => complete(text, kind, text.length, knowledge)] as const,
    [`hover of ${kind}`, (text: string) => hoverAt(text, kind, text.length >> 1, knowledge, 0)] as const,
  ]),
  ['parse', (text) => parseRelaxed(text, 'query')],
  ['format', formatText],
  ['bind', (text) => bindTexts({ query: `${text} /*{{*/` }, values)],
  ['bind wells', (text) => bindWells(text, ids)],
  ['bind SQL', (text) => bindSql(text, 'sql', values)],
  ['scope', (text) => readScope(text, 'asset_id')],
  ['new scope', (text) => writeScope(text, 'asset_id', { kind: 'ids', ids })],
  ['range', (text) => range && readRange(text, range)],
  ['edits', editEverything],
  ['stages', editStages],
  ['place of a stage', (text) => stagePlace(text, 1, 5)],
  ['answer', (text) => parseAnswer(text, null, present)],
  ['answer of a date', (text) => parseAnswer(text, 'date', present)],
];

/** CPU time of a call in microseconds: another process on the same computer doesn't count. */
function costOf(run: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  try {
    run(text);
  } catch (error) {
    expect(toAppError(error).code, JSON.stringify(text.slice(0, 200))).toBe('invalid_input');
  }
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const fragments =
  ` |\n|\r|\\|"|'|\`|/|//|/*|*/|{|}|[|]|(|)|{}|[]|{{|}}|{{}}|{{now}}|{{ask:a}}|{{wells}}|{{x}}|,|:|;|a|a:1,|$a|$gtt:1,|` +
  `{$match:{}},|{$limit:0},|{$out:1},|{$a:1,b:2},|1|0|1_|.|-|+|- |new |e|9,|"a"|"a":1,|\\u0041|\\d|\\u{|+1 | + 1|d@|a.|` +
  `a.b:1,|$and:[{|ISODate("2024-01-01"),|ISODate(|f(|/a/,|[^/]|é|“|=|=>|function |--|''|""|\${|null,|asset_id:1,|` +
  `timestamp:{$gte:1},|x:{{now}},|//\n|// {$match:{}},\n|datetime:1,`;
const fragment = fc.oneof(
  fc.constantFrom(...fragments.split('|')),
  fc.string({ minLength: 1, maxLength: 3 }),
);
const frame = fc.constantFrom(
  ['', ''],
  ['{', '}'],
  ['[', ']'],
  ['{a:', '!}'],
  ['{a:"', '!"}'],
  ['{ timestamp: { $gte: {{ now', '!}} } }'],
  ['{a:{', '}}'],
  ['{$and:[', ']}'],
  ['[{$match:{', '}}]'],
  ['[{$match:{}},', ']'],
  ['[{$sort:{', '}}]'],
  ['{$group:{_id:1,a:{', '}}}'],
  ['{ $match: {', '}}'],
  ['now', '!'],
  ["'", '!'],
  ['/', '!/'],
);

const short = 6000;
/** What a linear function needs at most for a text that is 4 times as long; a quadratic one needs 16 times as much. */
const maxRatio = 9;
/** Below this, in microseconds, the clock and the garbage collector decide. */
const minCost = 20_000;

/** Whether the cost grows faster than the length in each of four measurements: one alone can be that of a busy machine. */
const growsFaster = (run: (text: string) => unknown, textOf: (length: number) => string): boolean =>
  [1, 2, 3, 4].every(() => seemsToGrowFaster(run, textOf));

/** Whether the cost of a text of repeated pieces seems to grow faster than its length. */
function seemsToGrowFaster(run: (text: string) => unknown, textOf: (length: number) => string): boolean {
  // A text that would take exponential time is noticed while it is short.
  for (let length = 20; length < 200; length += 4)
    if (costOf(run, textOf(length)) > 20 * minCost) return true;
  const long = textOf(short * 4);
  if (costOf(run, long) < minCost) return false;
  // The lowest of several: a collection of garbage is no part of the cost.
  const cost = (text: string) => Math.min(...[1, 2, 3].map(() => costOf(run, text)));
  return cost(long) > Math.max(minCost, maxRatio * cost(textOf(short)));
}

describe('the time for a text grows no faster than its length', () => {
  it.each(functions)('%s', (_name, run) => {
    fc.assert(
      fc.property(fc.array(fragment, { minLength: 1, maxLength: 2 }), frame, (parts, [head, tail]) => {
        const piece = parts.join('');
        const textOf = (length: number) => head + piece.repeat(Math.ceil(length / piece.length)) + tail;
        expect(growsFaster(run, textOf)).toBe(false);
      }),
      { numRuns: lawRuns(20) },
    );
  });

  it.each([
    [
      'shifts of a moment',
      (length: number) => `{ timestamp: { $gte: {{ now${'+1  '.repeat(length / 4)}!}} } }`,
    ],
    ['unknown operators', (length: number) => `{ a: { ${'$gtt: 1, '.repeat(length / 9)} } }`],
    ['digits', (length: number) => `{ a: ${'1'.repeat(length)} }`],
    ['backslashes', (length: number) => `{ a: "${'\\'.repeat(length)}" }`],
    ['stages that write', (length: number) => `[${'{ $out: 1 }, '.repeat(length / 13)}]`],
    ['unclosed comments', (length: number) => '/*'.repeat(length / 2)],
  ])('%s', (_name, textOf) => {
    for (const [name, run] of functions) expect(growsFaster(run, textOf), name).toBe(false);
  });
});
