import { describe, expect, it } from 'vitest';
import { toTable } from '../../../../src/renderer/features/results/columns.ts';
import { gridColumns } from '../../../../src/renderer/features/results/grid-columns.ts';
import { en } from '../../../../src/renderer/words/en.ts';

describe('gridColumns', () => {
  const table = toTable([
    { timestamp: 1_700_000_000_000, data: { rop: 142.7, state: 'Rotary Drilling' } },
    { timestamp: 1_700_000_001_000, data: { rop: null } },
  ]);

  it('groups nested columns and names the zone of times', () => {
    const columns = gridColumns(table, 'utc', en.results);
    expect(columns.map(({ header }) => header)).toEqual(['timestamp (UTC)', 'data']);
    const [, data] = columns;
    expect(data && 'children' in data ? data.children.map(({ header }) => header) : []).toEqual([
      'rop',
      'state',
    ]);
  });

  it('gives the text, tone and tip of each row', () => {
    const [time, data] = gridColumns(table, 'utc', en.results);
    if (!time || !data || 'children' in time || !('children' in data))
      throw new Error('not the expected columns');
    expect(time.text(1)).toBe('2023-11-14 22:13:21');
    const [rop, state] = data.children;
    if (!rop || !state || 'children' in rop || 'children' in state)
      throw new Error('not the expected columns');
    expect([rop.align, state.align]).toEqual(['end', 'start']);
    expect([rop.tip, rop.text(0), rop.text(1), rop.tone(1)]).toEqual(['data.rop', '142.7', 'null', 'null']);
    expect([state.text(1), state.tone(1)]).toEqual(['', 'absent']);
  });

  it('gives each column an id of its own, also where names look alike', () => {
    const alike = gridColumns(toTable([{ 'a.b': 1, a: { b: 2 } }]), 'utc', en.results);
    expect(
      alike.map((column) => ('children' in column ? column.children.map(({ id }) => id) : column.id)),
    ).toEqual([String.raw`a\.b`, ['a.b']]);
  });
});
