import { describe, expect, it } from 'vitest';
import type { CalculationField } from '../../../src/shared/calculated/calculated.ts';
import { compileExpression, type Remark, type Scope } from '../../../src/shared/calculated/compile.ts';
import { unitText } from '../../../src/shared/calculated/values.ts';
import { ExpressionError } from '../../../src/shared/calculated/parse.ts';

const columns: Readonly<Record<string, { readonly values: number[]; readonly unit?: string }>> = {
  'data.wob': { values: [10, 20, -999.25, 40], unit: 'klbf' },
  'data.rpm': { values: [100, 0, 100, 120], unit: 'rpm' },
  'data.rop': { values: [50, 0, 60, Number.NaN], unit: 'ft/h' },
  'data.spp': { values: [3000, 3100, 3200, 3300], unit: 'psi' },
  'data.spp_kpa': { values: [6894.757293168, 0, 0, 0], unit: 'kPa' },
  'data.flow_in': { values: [600, 600, 610, 600], unit: 'gal/min' },
  'data.flow_out': { values: [610, 590, 610, 595], unit: 'gal/min' },
  'data.temp': { values: [20, 21, 22, 23], unit: 'degC' },
  'data.temp_f': { values: [68, 68, 68, 68], unit: 'degF' },
  'data.odd': { values: [1, 2, 3, 4] },
  measured_depth: { values: [100, 101, 103, 106], unit: 'ft' },
};
const timestamps = [0, 60_000, 120_000, 300_000].map((ms) => 1_700_000_000_000 + ms);

const fields: readonly CalculationField[] = [
  { id: 'timestamp', values: 'time' },
  { id: 'asset_id', values: 'number' },
  { id: 'data.state', values: 'other' },
  { id: 'a.same', values: 'number' },
  { id: 'b.same', values: 'number' },
  ...Object.entries(columns).map(([id, { unit }]) => ({
    id,
    values: 'number' as const,
    ...(unit && { unit }),
  })),
];
const scope = (index: string | null = 'timestamp'): Scope => ({
  fields,
  columns: new Map(),
  index: fields.find(({ id }) => id === index) ?? null,
});

function calculate(expression: string, index: string | null = 'timestamp') {
  const remarks: Remark[] = [];
  const compiled = compileExpression(expression, scope(index), (remark) => remarks.push(remark));
  const numbers = (id: string) =>
    Float64Array.from(id === 'timestamp' ? timestamps : (columns[id]?.values ?? [0, 0, 0, 0]));
  const values = compiled.of({
    length: 4,
    numbers,
    index: numbers(index ?? 'timestamp').map((at) => (index === 'timestamp' ? at / 1000 : at)),
  });
  return {
    values: [...values].map((value) => (Number.isNaN(value) ? null : Number(value.toPrecision(12)))),
    unit: unitText(compiled.measure),
    remarks: remarks.map(({ message }) => message),
  };
}

function problemOf(expression: string, index: string | null = 'timestamp') {
  try {
    calculate(expression, index);
  } catch (error) {
    if (error instanceof ExpressionError)
      return { message: error.message, wrong: expression.slice(error.from, error.to) };
    throw error;
  }
  throw new Error(`${expression} has no problem`);
}

describe('an expression over columns', () => {
  it.each([
    ['wob * rpm / rop', [20, null, null, null], 'klbf·rpm·h/ft'],
    ['flow_out - flow_in', [10, -10, 0, -5], 'gal/min'],
    ['data.flow_out - "data.flow_in"', [10, -10, 0, -5], 'gal/min'],
    ['ROP + 1', [51, 1, 61, null], 'ft/h'],
    ['2 + 3 * 4 ^ 2 / -8', [-4, -4, -4, -4], null],
    ['2 ^ 3 ^ 2 - (1 - 2 - 3)', [516, 516, 516, 516], null],
    ['-odd ^ 2', [-1, -4, -9, -16], null],
    ['abs(flow_out - flow_in)', [10, 10, 0, 5], 'gal/min'],
    ['min(flow_out, flow_in)', [600, 590, 610, 595], 'gal/min'],
    ['max(rop, 55)', [55, 55, 60, null], 'ft/h'],
    ['round(wob / 3, 1)', [3.3, 6.7, null, 13.3], 'klbf'],
    ['round(-2.5)', [-3, -3, -3, -3], null],
    ['log(spp / spp_kpa)', [-0.361397728179, null, null, null], null],
    ['ln(0 * odd)', [null, null, null, null], null],
    ['sqrt(measured_depth * measured_depth)', [100, 101, 103, 106], 'ft'],
    ['if(rop > 10 ft/h, 1, 0)', null, null],
    ['if(rop > 10, wob, 0)', [10, 0, null, null], 'klbf'],
    ['if(rpm = 0 or rpm >= 120, 1)', [null, 1, null, 1], null],
    ['if(not (rpm > 0) and odd != 1, 5, 6)', [6, 5, 6, 6], null],
    ['measured_depth + 1 m', [103.280839895, 104.280839895, 106.280839895, 109.280839895], 'ft'],
    // Not milliseconds.
    ['1 m * 1 s', [1, 1, 1, 1], 'm·s'],
    ['1 ft * 1 lbf', [1, 1, 1, 1], 'ft·lbf'],
    ['difference(measured_depth) / difference(timestamp)', [null, 1 / 60, 2 / 60, 3 / 180], 'ft/s'],
    ['previous(wob)', [null, 10, 20, null], 'klbf'],
    ['rolling_mean(wob, 2)', [10, 15, 20, 40], 'klbf'],
    ['rolling_mean(flow_out, 2 min)', [610, 600, 600, 595], 'gal/min'],
    ['rolling_sum(odd, 3)', [1, 3, 6, 9], null],
    ['rolling_min(odd, 3)', [1, 1, 1, 2], null],
    ['rolling_max(odd, 2)', [1, 2, 3, 4], null],
    ['rolling_mean(difference(odd), 2)', [null, 1, 1, 1], null],
  ])('%s', (expression, values, unit) => {
    if (values === null) {
      expect(() => calculate(expression)).toThrow(ExpressionError);
      return;
    }
    const found = calculate(expression);
    expect(found.values).toEqual(
      values.map((value) => (value === null ? null : Number(value.toPrecision(12)))),
    );
    expect(found.unit).toBe(unit);
  });

  it('has windows of depth in the unit of the depths', () => {
    expect(calculate('rolling_sum(odd, 1 m)', 'measured_depth').values).toEqual([1, 3, 6, 7]);
  });

  it('says that a unit is converted, or isn’t known', () => {
    const pressure = calculate('spp - spp_kpa');
    expect(pressure.values[0]).toBeCloseTo(2000, 6);
    expect(pressure.unit).toBe('psi');
    expect(pressure.remarks).toEqual([expect.stringContaining('kPa is converted to psi')]);
    expect(calculate('spp + odd').remarks).toEqual([expect.stringContaining('isn’t known')]);
  });

  it('isn’t converted between a product and the unit that is spelled alike', () => {
    expect(() => calculate('1 m * 1 s + 1 s')).toThrow(ExpressionError);
    expect(calculate('1 ft * 1 lbf + 1 N.m').remarks).toHaveLength(1);
  });

  it('has no unit if it is a difference of temperatures, which other units of temperature would shift', () => {
    for (const text of ['difference(temp)', 'temp - temp_f', 'previous(temp) - temp'])
      expect(calculate(text).unit).toBeNull();
    for (const text of ['temp - 5', 'previous(temp)', 'rolling_mean(temp, 2)'])
      expect(calculate(text).unit).toBe('°C');
  });

  it('tells which rows have all rows before them that its parts need', () => {
    const first = (expression: string, minutes: readonly number[]) =>
      compileExpression(expression, scope()).firstInReach?.(
        Float64Array.from(minutes, (at) => at * 60),
        0,
      );
    expect(first('odd * 2', [0, 1, 2])).toBeUndefined();
    expect(first('rolling_mean(difference(odd), 3)', [0, 1, 2, 3])).toBe(3);
    expect(first('previous(odd) + rolling_sum(odd, 3)', [0, 1, 2, 3])).toBe(2);
    expect(first('rolling_mean(odd, 5 min)', [0, 1, 5, 6])).toBe(2);
    expect(first('rolling_mean(difference(odd), 5 min)', [0, 1, 5, 6])).toBe(3);
    // The row before the one after a gap has a window of its own.
    expect(first('previous(rolling_mean(odd, 5 min))', [0, 1, 100, 101])).toBe(3);
    expect(first('rolling_mean(odd, 5 min)', [0, 1])).toBe(2);
  });

  it('has windows of any length in one pass', () => {
    const length = 200_000;
    const values = Float64Array.from({ length }, (_, at) =>
      at % 1000 === 7 ? Number.NaN : (at * 7919) % 1013,
    );
    const index = Float64Array.from({ length }, (_, at) => at);
    const series = { length, numbers: () => values, index };
    for (const name of ['mean', 'sum', 'min', 'max'] as const) {
      const all = compileExpression(`rolling_${name}(odd, 1 d)`, scope()).of(series);
      for (const at of [0, 1, 65, 86_399, 86_400, length - 1]) {
        const window = values.slice(Math.max(at - 86_399, 0), at + 1).filter((value) => !Number.isNaN(value));
        const sum = window.reduce((total, value) => total + value, 0);
        const expected = {
          sum,
          mean: sum / window.length,
          min: window.reduce((lowest, value) => Math.min(lowest, value), Infinity),
          max: window.reduce((highest, value) => Math.max(highest, value), -Infinity),
        };
        expect([name, at, all[at]]).toEqual([name, at, expected[name]]);
      }
    }
  });
});

describe('a mistake is named with its place and the next step', () => {
  it.each([
    ['spp + measured_depth', 'spp + measured_depth', 'psi'],
    ['rop > wob', 'rop > wob', 'klbf'],
    ['ropp * 2', 'ropp', 'Did you mean rop?'],
    ['rolling_meen(rop, 2)', 'rolling_meen(rop, 2)', 'Did you mean rolling_mean?'],
    ['rop *', '', 'ends too early'],
    ['rop rop', 'rop', 'operator'],
    ['(rop', '', '“)”'],
    ['abs(rop', '', '“)”'],
    ['rop # 2', '#', 'Remove it'],
    ['"rop', '"', 'quotation mark'],
    ['state * 2', 'state', 'no numbers'],
    ['same + 1', 'same', 'a.same'],
    ['abs(rop, 2)', 'abs(rop, 2)', 'abs has 1 argument:'],
    ['rolling_mean(rop, 1)', '1', '2 to 1000'],
    ['rolling_mean(rop, 5 ft)', '5 ft', 'timestamp'],
    ['rolling_mean(rop, wob)', 'wob', '5 min'],
    ['5 parsec + rop', '5 parsec', 'isn’t a unit'],
  ])('%s', (expression, wrong, message) => {
    const problem = problemOf(expression);
    expect(problem.wrong).toBe(wrong);
    expect(problem.message).toContain(message);
  });

  it('says what an order needs', () => {
    expect(problemOf('difference(rop)', null).message).toContain('timestamp or measured_depth');
  });

  it('refuses a text that would exhaust the stack', () => {
    expect(problemOf(`${'('.repeat(2000)}1`).message).toContain('nested too deeply');
  });
});
