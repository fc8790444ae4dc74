import { describe, expect, it } from 'vitest';
import { questionText } from '../../../../src/shared/query/question.ts';
import { assetId } from '../../../../src/shared/wells/wells.ts';
import {
  bindQuestion,
  parametersOf,
  withWellIds,
} from '../../../../src/renderer/features/query/bound-query.ts';
import { requiredAnswers } from '../../../../src/shared/language/parameters.ts';

const values = { wells: [assetId.parse(5001)], company: 7, now: 1_700_000_000_000, zone: 'UTC' };

describe('the parameters of a query', () => {
  it('are replaced in every input of the current mode, and in no other', () => {
    const text = questionText.parse({
      mode: 'find',
      find: { query: '{ asset_id: {{wells}}, company_id: {{company}}, n: {{ask:n}} }' },
      pipeline: { stages: '[{ $match: { a: {{wells}} } }]' },
      answers: { n: '1' },
    });
    expect(bindQuestion(text, values)).toMatchObject({
      find: { query: '{ asset_id: 5001, company_id: 7, n: 1 }' },
      pipeline: { stages: '[{ $match: { a: {{wells}} } }]' },
    });
  });

  it('do not shift the positions of other errors', () => {
    const text = questionText.parse({ find: { query: '{ asset_id: {{wells}}, $where: "1" }', limit: '5' } });
    expect(() => bindQuestion(text, values)).toThrow(
      expect.objectContaining({
        details: { issues: [expect.objectContaining({ place: { field: 'query', line: 1, column: 24 } })] },
      }),
    );
  });

  it('without a value are all reported at once, each at its position', () => {
    const text = questionText.parse({
      find: { query: '{ a: {{ask:depth:number}},\n b: {{ask:name}} }', sort: '{ a: {{nwo}} }' },
      answers: { depth: 'deep' },
    });
    expect(() => bindQuestion(text, values)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: {
          issues: [
            expect.objectContaining({ place: { field: 'query', line: 1, column: 6 } }),
            expect.objectContaining({ place: { field: 'query', line: 2, column: 5 } }),
            expect.objectContaining({ place: { field: 'sort', line: 1, column: 6 } }),
          ],
        },
      }),
    );
  });

  it('that are the wells can be kept as ids in every mode, SQL too', () => {
    const text = questionText.parse({
      mode: 'sql',
      find: { query: '{ asset_id: {{wells}}, a: {{company}} }' },
      sql: { statement: 'SELECT * FROM t WHERE asset_id IN {{wells}} AND c = {{company}} -- {{wells}}' },
    });
    expect(
      withWellIds(
        text,
        [5001, 5002].map((id) => assetId.parse(id)),
      ),
    ).toMatchObject({
      find: { query: '{ asset_id: {"$in":[5001,5002]}, a: {{company}} }' },
      sql: { statement: 'SELECT * FROM t WHERE asset_id IN (5001, 5002) AND c = {{company}} -- {{wells}}' },
    });
  });

  it('are requested once each, in their order', () => {
    const text = questionText.parse({
      mode: 'pipeline',
      pipeline: {
        stages: '[{$match: {a: {{ask:x}}, b: {{ask:y:date}}, c: {{ask:x:number}} }} // {{ask:z}}\n]',
      },
    });
    expect(requiredAnswers(parametersOf(text))).toEqual([
      { name: 'x', type: 'number' },
      { name: 'y', type: 'date' },
    ]);
  });
});
