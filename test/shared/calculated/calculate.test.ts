import { describe, expect, it } from 'vitest';
import { readyColumns } from '../../../src/shared/calculated/compile.ts';
import { calculatedColumn, type CalculatedColumn } from '../../../src/shared/calculated/calculated.ts';

const ready = (...columns: CalculatedColumn[]) =>
  readyColumns({
    columns,
    fields: [
      { id: 'rop', values: 'number', unit: 'ft/h' },
      { id: 'speed', values: 'number', unit: 'ft/min' },
    ],
    index: null,
    order: 'none',
    series: [],
  });
const series = { length: 1, numbers: () => Float64Array.of(60), index: new Float64Array() };

describe('calculated columns of calculated columns', () => {
  it('have the unit that a person stated for those', () => {
    const [, sum] = ready(
      { name: 'a', expression: 'rop / 60', unit: 'ft/min' },
      { name: 'b', expression: 'a + speed' },
    );
    expect(sum?.unit).toBe('ft/min');
    expect(sum?.compiled?.of(series)).toEqual(Float64Array.of(61));
  });

  it('are calculated once for all that use them', () => {
    const columns = Array.from({ length: 50 }, (_, at) => ({
      name: `c${at}`,
      expression: at === 0 ? 'rop' : `(c${at - 1} + c${at - 1}) / 2`,
    }));
    expect(
      ready(...columns)
        .at(-1)
        ?.compiled?.of(series),
    ).toEqual(Float64Array.of(60));
  });

  it.each(['__proto__', 'constructor'])('aren’t named %s, which every object has', (name) => {
    expect(calculatedColumn.safeParse({ name, expression: '1' }).success).toBe(false);
  });
});
