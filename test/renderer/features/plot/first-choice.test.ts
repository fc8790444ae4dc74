import { describe, expect, it } from 'vitest';
import { choiceFor } from '../../../../src/renderer/features/plot/first-choice.ts';
import type { PlotField } from '../../../../src/renderer/features/plot/source.ts';
import type { PlotChoice } from '../../../../src/shared/tabs/plot.ts';

const field = (id: string, kind: PlotField['kind'] = 'number'): PlotField => ({ id, kind });
const records = [field('timestamp', 'time'), field('data.rop'), field('data.wob')];
const chosen: PlotChoice = { kind: 'lines', x: 'timestamp', y: ['data.wob'], align: 'recorded' };

describe('the fields of a plot', () => {
  it('are the user’s selection, even before its first field exists', () => {
    expect(choiceFor(chosen, 'time', records)).toBe(chosen);
    expect(choiceFor({ ...chosen, y: ['data.wob', 'data.gone'] }, 'time', records)).toMatchObject({
      y: ['data.wob', 'data.gone'],
    });
    expect(choiceFor({ ...chosen, y: [] }, 'time', records)).toMatchObject({ y: [] });
  });

  it('are the default for a result with entirely different fields', () => {
    const groups = [field('_id', 'text'), field('n', 'integer'), field('rop')];
    expect(choiceFor(chosen, 'time', groups)).toMatchObject({ kind: 'scatter', x: 'n', y: ['rop'] });
    expect(choiceFor(chosen, 'time', [field('_id', 'text')])).toBeNull();
  });
});
