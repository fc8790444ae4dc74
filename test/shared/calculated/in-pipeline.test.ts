import { describe, expect, it } from 'vitest';
import { runStages } from '../../../src/demo/mongo.ts';
import { readyColumns } from '../../../src/shared/calculated/compile.ts';
import type { Calculation } from '../../../src/shared/calculated/calculated.ts';
import type { JsonObject, JsonValue } from '../../../src/shared/json.ts';

const calculationOf = (expression: string): Calculation => ({
  columns: [{ name: 'c', expression }],
  fields: [
    { id: 'timestamp', values: 'time' },
    { id: 'data.a', values: 'number', unit: 'psi' },
    { id: 'data.b', values: 'number', unit: 'kPa' },
    { id: 'data.n', values: 'number' },
    { id: 'data.m', values: 'number' },
  ],
  index: 'timestamp',
  order: 'ascending',
  series: [],
});

const samples: readonly JsonValue[] = [-999.25, null, -2.5, -1, 0, 0.5, 2, 7, 'text', null];
const records = samples.flatMap((n, at) =>
  samples.map((m, other): JsonObject => ({
    timestamp: 1_700_000_000_000 + at * 1000 + other,
    data: { a: 100 + at, b: 500 + other, ...(at === 9 ? {} : { n }), m },
  })),
);

const numbersOf = (path: string): Float64Array =>
  Float64Array.from(records, (record) => {
    const data = record['data'] as JsonObject;
    const value = path === 'timestamp' ? record['timestamp'] : data[path.slice('data.'.length)];
    return typeof value === 'number' ? value : Number.NaN;
  });

describe('an expression in a pipeline', () => {
  it.each([
    'n',
    'n + m * 2',
    'n / m',
    'n ^ m',
    'n ^ 2',
    '-n',
    'not n',
    'a + b',
    'a > b',
    'n < m',
    'n = m or n != 2 and m <= 1',
    'n >= m and m > 0',
    'abs(n)',
    'min(n, m, 1)',
    'max(n, m)',
    'round(n)',
    'round(n * 1.37, 2)',
    'log(n)',
    'ln(n)',
    'exp(n * 200)',
    'sqrt(n)',
    'if(n > 1, m, 3)',
    'if(n, m)',
    'timestamp / 2',
    'if(sqrt(abs(n)) / m > 1, log(n) ^ 2, min(n, 1 / m))',
  ])('%s has the values of the table, record by record', (expression) => {
    const [column] = readyColumns(calculationOf(expression));
    const compiled = column?.compiled;
    if (!compiled) throw new Error(column?.problem ?? 'not compiled');
    const values = compiled.of({ length: records.length, numbers: numbersOf, index: new Float64Array() });
    const answers = runStages(records, [{ $project: { c: compiled.inPipeline } }]);
    for (const [at, value] of values.entries()) {
      const answer = answers[at]?.['c'] ?? null;
      const record = JSON.stringify(records[at]);
      if (Number.isNaN(value)) expect(answer, record).toBeNull();
      else expect(Math.abs(Number(answer) - value), record).toBeLessThanOrEqual(Math.abs(value) * 1e-12);
    }
  });

  it('can’t need rows before', () => {
    const columns = readyColumns({
      ...calculationOf('rolling_mean(n, 10)'),
      columns: [
        { name: 'mean', expression: 'rolling_mean(n, 10)' },
        { name: 'twice', expression: 'mean * 2' },
        { name: 'row', expression: 'n * 2' },
      ],
    });
    expect(columns.map(({ compiled }) => compiled?.inPipeline === null)).toEqual([true, true, false]);
  });

  it('can’t name a field whose name has a dot', () => {
    const calculation = calculationOf('"data.a\\.b" * 2');
    const [column] = readyColumns({
      ...calculation,
      fields: [...calculation.fields, { id: 'data.a\\.b', values: 'number' }],
    });
    expect(column?.problem).toBeNull();
    expect(column?.compiled?.inPipeline).toBeNull();
  });
});
