import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRelaxedArray } from '../../../../src/shared/language/relaxed.ts';
import { placeFinder } from '../../../../src/shared/language/reader.ts';
import { scan } from '../../../../src/shared/language/scan.ts';
import {
  canSwitch,
  movedStages,
  joinPipeline,
  rewriteStages,
  withStageEnabled,
  splitPipeline,
  splitFirstStage,
  stagePlace,
  withStage,
  withoutStage,
  type PipelinePieces,
} from '../../../../src/shared/language/text/pipeline.ts';

const apart = (text: string): PipelinePieces => {
  const pieces = splitPipeline(text);
  if (!pieces) throw new Error(`not taken apart: ${text}`);
  return pieces;
};
const read = (text: string) => parseRelaxedArray(text, 'stages');
const commentsIn = (text: string) =>
  [...scan(text)].filter(({ kind }) => kind === 'comment').map(({ start, end }) => text.slice(start, end));

// Texts in typical notation: on one line and on many, with comments in every possible position.
const trivia = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n  ',
  '\t',
  ' /* a */ ',
  '\n  // b\n  ',
  '\r\n  ',
  '\n\n    ',
);
const stage = fc.constantFrom(
  '{ $match: { asset_id: 5001 } }',
  "{$sort:{'timestamp':-1}}",
  '{ $limit: 20 }',
  '{\n    $group: {\n      _id: "$data.state", // by state\n      n: { $sum: 1 },\n    },\n  }',
  '{ "$match": { a: { $in: [1, 2,] }, b: /x\\/}/i, c: "// no comment }" } }',
  '{ $project: { /* all */ a: 1 } }',
  '{\n$match: {\n\n t: "`{[" } }',
);
const behind = fc.constantFrom('', ' ', ' // why', ' /* c */');
const pipelineText = fc
  .tuple(
    fc.array(fc.tuple(trivia, stage, fc.constantFrom('', ' ', '\n'), behind), { maxLength: 5 }),
    fc.boolean(),
    trivia,
  )
  .map(([parts, last, end]) => {
    const items = parts.map(([before, text, gap, rest], at) => {
      const comma = at < parts.length - 1 || last ? ',' : '';
      const line = rest.includes('//') ? '\n' : '';
      return `${before}${text}${comma === '' ? '' : gap}${comma}${rest}${line}`;
    });
    return `[${items.join('')}${end}]`;
  });

describe('the start of a pipeline', () => {
  it('has the first active stage, and an edit there is an edit of the whole', () => {
    fc.assert(
      fc.property(pipelineText, stage, (text, added) => {
        const [begin, whole] = [splitFirstStage(text)!, apart(text)];
        expect(joinPipeline(begin)).toBe(text);
        expect(begin.stages.find(({ on }) => on)?.text).toBe(whole.stages.find(({ on }) => on)?.text);
        expect(read(joinPipeline(withStage(begin, added, 0)))).toEqual([
          ...read(`[${added}]`),
          ...read(text),
        ]);
      }),
    );
  });

  it('is read although the text after it is incomplete', () => {
    expect(splitFirstStage('[\n// { $limit: 1 },\n{ $match: {} }, { $sort: {')).toMatchObject({
      stages: [{ on: false }, { on: true, text: '{ $match: {} }' }],
      tail: ' { $sort: {',
    });
    expect(splitFirstStage('[{ $match: {, { $sort: {} }]')).toBeNull();
  });
});

describe('a pipeline split into stages', () => {
  it('is joined to the same text, character by character', () => {
    fc.assert(fc.property(pipelineText, (text) => joinPipeline(apart(text)) === text));
  });

  it('has a piece for each stage', () => {
    fc.assert(
      fc.property(pipelineText, (text) => {
        expect(apart(text).stages.map((piece) => read(`[${piece.text}]`)[0])).toEqual(read(text));
      }),
    );
  });

  it.each(['{ $match: {} }', '[{ $match: {} }', '[{]}', '[{}] [', 'x', '[,{}]'])(
    'is undefined when it isn’t a list: %s',
    (text) => {
      expect(splitPipeline(text)).toBeNull();
    },
  );

  it('of a blank text has no stage, and accepts one', () => {
    expect(joinPipeline(withStage(apart(''), '{ $limit: 1 }'))).toBe('[\n  { $limit: 1 },\n]\n');
    expect(joinPipeline(withStage(apart('[]'), '{ $limit: 1 }'))).toBe('[\n  { $limit: 1 },\n]');
  });
});

describe('a stage that is turned off', () => {
  it('is not sent, is found again, and is restored with all comments', () => {
    fc.assert(
      fc.property(pipelineText, fc.nat(4), (text, nth) => {
        const pieces = apart(text);
        fc.pre(pieces.stages.length > 0);
        const at = nth % pieces.stages.length;
        expect(canSwitch(pieces.stages[at]!)).toBe(true);
        const off = joinPipeline(withStageEnabled(pieces, at));
        expect(read(off)).toEqual(read(text).toSpliced(at, 1));
        const found = apart(off);
        expect(found.stages.map(({ on }) => on)).toEqual(pieces.stages.map((_, index) => index !== at));
        expect(found.stages[at]!.text).toBe(pieces.stages[at]!.text);
        const on = joinPipeline(withStageEnabled(found, at));
        expect(read(on)).toEqual(read(text));
        expect(commentsIn(on).toSorted()).toEqual(commentsIn(text).toSorted());
      }),
    );
  });

  it('on its own lines is restored to the same text', () => {
    const text =
      '[\n  // first\n  { $match: { a: 1 } }, // one\n  {\n    $sort: { a: 1 },\n  },\n  { $limit: 1 }\n]\n';
    for (const at of [0, 1, 2]) {
      const off = joinPipeline(withStageEnabled(apart(text), at));
      expect(joinPipeline(withStageEnabled(apart(off), at))).toBe(text);
    }
    expect(joinPipeline(withStageEnabled(apart(text), 1))).toBe(
      '[\n  // first\n  { $match: { a: 1 } }, // one\n  // {\n  //   $sort: { a: 1 },\n  // },\n  { $limit: 1 }\n]\n',
    );
  });

  it('is text that an editor comments out, and no other comment', () => {
    const text = `[
      // { $match: { a: 1 } },
      // a note { $sort }
      // { not: "a stage" }
      // { $limit: 2 }, // two
      { $skip: 1 }, // { $limit: 3 }
      /* { $limit: 4 } */
    ]`;
    expect(apart(text).stages.map(({ on, text: stageText }) => [on, stageText])).toEqual([
      [false, '{ $match: { a: 1 } }'],
      [false, '{ $limit: 2 }'],
      [true, '{ $skip: 1 }'],
    ]);
  });

  it('must be one that can be found again', () => {
    expect(canSwitch(apart('[{ $match: }]').stages[0]!)).toBe(false);
    expect(canSwitch(apart('[{ $match: {}, $sort: {} }]').stages[0]!)).toBe(false);
  });
});

describe('stages', () => {
  it('are moved, inserted, removed, and rewritten as in a list, each with its own comments', () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('move' as const), from: fc.nat(4), to: fc.nat(5) }),
      fc.record({ kind: fc.constant('add' as const), at: fc.nat(5), text: stage }),
      fc.record({ kind: fc.constant('remove' as const), at: fc.nat(4) }),
      fc.record({ kind: fc.constant('rewrite' as const), at: fc.nat(4), text: stage }),
      fc.record({ kind: fc.constant('switch' as const), at: fc.nat(4) }),
    );
    fc.assert(
      fc.property(pipelineText, fc.array(change, { maxLength: 6 }), (start, changes) => {
        let text = start;
        // The same operation on a plain list.
        let model = apart(text).stages.map(({ on, text: stageText }) => ({ on, text: stageText }));
        for (const one of changes) {
          const pieces = apart(text);
          const count = model.length;
          if (one.kind === 'add') {
            const at = one.at % (count + 1);
            text = joinPipeline(withStage(pieces, one.text, at));
            model = model.toSpliced(at, 0, { on: true, text: one.text });
          } else if (count === 0) continue;
          else if (one.kind === 'move') {
            const { pieces: next, order } = movedStages(pieces, [one.from % count], one.to % (count + 1));
            text = joinPipeline(next);
            model = order.map((at) => model[at]!);
          } else {
            const at = one.at % count;
            if (one.kind === 'remove') {
              text = joinPipeline(withoutStage(pieces, at));
              model = model.toSpliced(at, 1);
            } else if (one.kind === 'switch') {
              text = joinPipeline(withStageEnabled(pieces, at));
              model = model.with(at, { ...model[at]!, on: !model[at]!.on });
            } else {
              text = joinPipeline(rewriteStages(pieces, at, one.text));
              model = model.with(at, { ...model[at]!, text: one.text });
            }
          }
          const found = apart(text);
          expect(found.stages.map(({ on, text: stageText }) => ({ on, text: stageText }))).toEqual(model);
          expect(read(text)).toEqual(model.filter(({ on }) => on).map((each) => read(`[${each.text}]`)[0]));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the place of a position', () => {
  const text = `[
  { $match: { a: 1 } }, // first
  // { $skip: 2 },
  {
    $sort: { a: 0 }
  }, { $limit: -1 }
]`;

  it.each([
    ['a: 1', 0, 1, 13],
    ['a: 0', 2, 2, 14],
    ['-1', 3, 1, 11],
  ])('a position in %s belongs to stage %i, at %i:%i of its own text', (said, at, line, column) => {
    const whole = placeFinder(text, 'stages')(text.indexOf(said));
    const place = stagePlace(text, whole.line, whole.column);
    expect(place).toEqual({ at, line, column });
    const own = splitPipeline(text)?.stages[at]?.text.split('\n') ?? [];
    expect(own.at(line - 1)?.slice(column - 1)).toMatch(new RegExp(`^${said}`));
  });

  it('a position outside the stages belongs to none', () => {
    expect(stagePlace(text, 2, 27)).toBeNull();
    expect(stagePlace('{', 1, 1)).toBeNull();
  });
});
