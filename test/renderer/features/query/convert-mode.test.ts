import * as fc from 'fast-check';
import { Aggregator, Query } from 'mingo';
import { describe, expect, it } from 'vitest';
import { parseRelaxedArray, parseRelaxedObject } from '../../../../src/shared/language/relaxed.ts';
import type { JsonObject } from '../../../../src/shared/json.ts';
import { questionText, type QuestionText } from '../../../../src/shared/query/question.ts';
import { bindQuestion, parametersOf } from '../../../../src/renderer/features/query/bound-query.ts';
import { joinPipeline, splitPipeline } from '../../../../src/shared/language/text/pipeline.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { convertMode, withoutAggregate } from '../../../../src/renderer/features/query/convert-mode.ts';

const records = Array.from({ length: 40 }, (_, n) => ({
  _id: n,
  asset_id: 5000 + (n % 3),
  timestamp: n * 10,
  data: { rop: (n * 7) % 11, state: n % 2 === 0 ? 'on' : 'off' },
}));
const object = (text: string): JsonObject => parseRelaxedObject(text, 'x');

/** The response of a service in each of the modes (specification, section 4.1). */
function answer({ mode, find, aggregate, pipeline }: QuestionText): unknown[] {
  if (mode === 'pipeline')
    return new Aggregator(parseRelaxedArray(pipeline.stages, 'stages') as JsonObject[]).run(
      structuredClone(records),
    );
  if (mode === 'find') {
    const fields = find.fields.split(/[\s,]+/).filter((path) => path !== '');
    const projection = Object.fromEntries(fields.map((path) => [path, 1]));
    const order = object(find.sort);
    const cursor = new Query(object(find.query)).find<JsonObject>(structuredClone(records), projection);
    if (Object.keys(order).length > 0) cursor.sort(order);
    return cursor
      .skip(Number(find.skip || 0))
      .limit(Number(find.limit || 1000))
      .all();
  }
  const { match, sort, skip, limit, group, project } = aggregate;
  const stages = [
    { $match: object(match) },
    ...(Object.keys(object(sort)).length > 0 ? [{ $sort: object(sort) }] : []),
    { $skip: Number(skip || 0) },
    ...(limit === '' && group.trim() !== '' ? [] : [{ $limit: Number(limit || 1000) }]),
    ...(group.trim() === '' ? [] : [{ $group: object(group) }]),
    ...(project.trim() === '' ? [] : [{ $project: object(project) }]),
  ];
  return new Aggregator(stages).run(structuredClone(records));
}

const conditions = fc.constantFrom(
  '',
  '{}',
  '{ asset_id: 5001 }',
  '{ asset_id: { $in: [5000, 5002] }, // two\n  "data.rop": { $gt: 3 } }',
  "{ 'data.state': 'on' } // only these",
);
const sort = fc.constantFrom('', '{ timestamp: -1 }', '{ "data.rop": 1, _id: -1 } // rop');
const number = fc.constantFrom('', '3', '25');
const skip = fc.constantFrom('', '0', '4');
const fields = fc.constantFrom('', 'timestamp', 'data.rop, asset_id');
const group = fc.constantFrom('', '{ _id: "$asset_id", n: { $sum: 1 } }');
const project = fc.constantFrom('', '{ n: 1 } // n', '{ _id: 1 }');
const question = fc
  .record({
    find: fc.record({ query: conditions, sort, fields, limit: number, skip }),
    aggregate: fc.record({ match: conditions, sort, limit: number, skip, group, project }),
  })
  .map((text) => questionText.parse(text));

/** What a find has before anybody sets a sort and a limit. */
const unset = { sort: '', limit: '1000' };

describe('a conversion to another mode', () => {
  it('of a find to a pipeline has the same meaning', () => {
    fc.assert(
      fc.property(question, (text) => {
        const found = convertMode(text, 'find', 'pipeline', unset);
        expect(found?.omitted).toEqual([]);
        expect(answer({ ...found!.text, mode: 'pipeline' })).toEqual(answer({ ...text, mode: 'find' }));
      }),
    );
  });

  it('of an aggregate that is stored shows it as a pipeline with the same meaning', () => {
    fc.assert(
      fc.property(question, (text) => {
        const stored: QuestionText = { ...text, mode: 'aggregate' };
        const shown = withoutAggregate(stored, '', 1000);
        expect(shown.mode).toBe('pipeline');
        expect(answer(shown)).toEqual(answer(stored));
        expect(withoutAggregate(text, '', 1000)).toBe(text);
      }),
    );
  });

  it('of an aggregate keeps the draft of a pipeline as comments, which change nothing', () => {
    const group = '{ _id: "$asset_id", n: { $sum: 1 } }';
    const draft =
      '[\n  { $match: { asset_id: {{ask:well}} } }, // mine\n  /* two\r\n lines */ { $limit: 2 },\n]\n';
    const stored = questionText.parse({
      mode: 'aggregate',
      aggregate: { group },
      pipeline: { stages: draft },
    });
    const shown = withoutAggregate(stored, '', 1000);
    const { stages } = shown.pipeline;
    expect(answer(shown)).toEqual(answer(stored));
    expect(parametersOf(shown)).toEqual([]);
    const comments = stages.slice(stages.indexOf(words.query.earlierPipeline)).split('\n').slice(1);
    expect(comments.map((line) => line.slice('// '.length)).join('\n')).toBe(draft.replace('\r\n', '\n'));
    // The cards leave the comments where they are.
    expect(joinPipeline(splitPipeline(stages)!)).toBe(stages);

    for (const untyped of ['', '[]', '[\n]\n', draft])
      expect(
        withoutAggregate({ ...stored, pipeline: { ...stored.pipeline, stages: untyped } }, draft, 1000)
          .pipeline.stages,
      ).not.toContain('//');
  });

  it('of an aggregate keeps a limit and a skip that are parameters or no numbers', () => {
    const stored = questionText.parse({
      mode: 'aggregate',
      aggregate: { group: '{ _id: 1 }', limit: '{{ask:rows}} // few', skip: '{{ask:first}}' },
      answers: { rows: '3', first: '2' },
    });
    const shown = withoutAggregate(stored, '', 1000);
    const values = { wells: [], company: null, now: 0, zone: 'UTC' };
    const bound = bindQuestion(shown, values).pipeline.stages;
    expect(parseRelaxedArray(bound, 'stages')).toEqual([
      { $match: {} },
      { $skip: 2 },
      { $limit: 3 },
      { $group: { _id: 1 } },
    ]);
    expect(convertMode(shown, 'pipeline', 'find', unset)?.omitted).toEqual(['$group', '$skip', '$limit']);

    const wrong = { ...stored, aggregate: { ...stored.aggregate, limit: 'many' } };
    expect(() => bindQuestion(withoutAggregate(wrong, '', 1000), values)).toThrow();
  });

  it('and back again has the same meaning', () => {
    fc.assert(
      fc.property(question, (text) => {
        const there = convertMode(text, 'find', 'pipeline', unset)!.text;
        const back = convertMode(there, 'pipeline', 'find', unset)!;
        expect(back.omitted).toEqual([]);
        expect(answer({ ...back.text, mode: 'find' })).toEqual(answer({ ...text, mode: 'find' }));
      }),
    );
  });

  it('keeps the typed text, and names what it drops', () => {
    const text = questionText.parse({
      pipeline: {
        stages:
          '[{ $match: { a: 1 /* one */ } },\n// { $skip: 5 },\n{ $group: { _id: 1 } }, { $sort: { n: 1 } }, { $limit: 3 }]',
      },
    });
    expect(convertMode(text, 'pipeline', 'find', unset)?.omitted).toEqual(['$sort', '$limit', '$group']);
  });

  it('has no sort and no limit that nobody set', () => {
    const initial = { sort: '{ timestamp: -1 }', limit: '1000' };
    const text = questionText.parse({
      find: { query: '{ asset_id: 5001 }', ...initial, skip: '0' },
    });
    expect(convertMode(text, 'find', 'pipeline', initial)?.text.pipeline.stages).toBe(
      '[\n  { $match: { asset_id: 5001 } },\n]\n',
    );
    const typed = questionText.parse({ find: { sort: '{ _id: 1 }', limit: '500', skip: '0' } });
    expect(convertMode(typed, 'find', 'pipeline', initial)?.text.pipeline.stages).toContain('$limit: 500');
  });

  it('is empty when the pipeline can’t be read', () => {
    expect(
      convertMode(questionText.parse({ pipeline: { stages: '[{' } }), 'pipeline', 'find', unset),
    ).toBeNull();
  });
});
