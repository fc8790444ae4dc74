import { expect, it } from 'vitest';
import { statementNames } from '../../../../src/shared/channels/plain-names.ts';
import {
  missingWells,
  alongLabel,
  groupNames,
  groupTitles,
  wellsText,
} from '../../../../src/renderer/features/plot/names.ts';
import type { PlotChoice } from '../../../../src/shared/tabs/plot.ts';
import { plotWords } from '../../../../src/renderer/words/plot.ts';

const names = {
  field: statementNames,
  unitOf: () => undefined,
  wellName: (id: string) => (id === '5001' ? 'Ridge 1' : undefined),
};
const text = (groups: string[][], groupsLeft = 0) => wellsText({ groups, groupsLeft }, names);

it('a plot is titled by its wells, each once; an unknown well by its id', () => {
  expect(text([['5001', 'gamma'], ['5001', 'cbl'], ['7']])).toBe(
    plotWords.wells(['Ridge 1', plotWords.well('7')], false),
  );
  expect(text([[]])).toBe('');
  expect(text([['1'], ['2'], ['3'], ['4'], ['5']])).toContain('2');
  expect(text([['5001']], 3)).toBe(plotWords.wells(['Ridge 1'], true));
});

it('a line is named by its well, and by its log where the well has several', () => {
  const groups = [
    ['5001', 'gamma'],
    ['5001', 'cbl'],
    ['7', 'gamma'],
  ];
  expect(groupNames(groups, names)).toEqual(['Ridge 1 · gamma', 'Ridge 1 · cbl', plotWords.well('7')]);
});

it('a log with the id of a program is named by its order in the well and its depths', () => {
  const groups = [
    ['5001', '0d3c143d8cd1'],
    ['5001', 'a41b9c7755e0'],
    ['7', 'gamma'],
  ];
  const range = (from: number, to: number) => ({ x: { from, to }, y: { from: 0, to: 1 } });
  const line = (group: number, extent: ReturnType<typeof range>) => ({ group, extent });
  const choice: PlotChoice = { kind: 'tracks', x: 'measured_depth', y: ['gr'], align: 'recorded' };
  const lines = [line(0, range(5331, 12_400)), line(1, range(0, 900)), line(2, range(0, 1))];
  const titles = (kind: PlotChoice['kind']) =>
    groupTitles({ choice: { ...choice, kind }, groups, lines }, { ...names, unitOf: () => 'ft' });
  expect(titles('tracks')).toEqual([
    `Ridge 1 · ${plotWords.log(1, '5,331–12,400 ft')}`,
    `Ridge 1 · ${plotWords.log(2, '0–900 ft')}`,
    plotWords.well('7'),
  ]);
  expect(titles('scatter')[0]).toBe(`Ridge 1 · ${plotWords.log(1, '')}`);
});

it('the title names queried wells without records, unless there are too many lines to list', () => {
  const absent = (groupsLeft: number) =>
    missingWells(['7', '5001', '8'], { groups: [['7', 'gamma']], groupsLeft }, names);
  expect(absent(0)).toEqual(['Ridge 1', plotWords.well('8')]);
  expect(absent(2)).toEqual([]);
});

it('an axis from zero says if it starts with the first loaded record, which is not the first one', () => {
  const choice: PlotChoice = { kind: 'lines', x: 'measured_depth', y: [], align: 'elapsed' };
  const part = { selected: false, count: 5, gaps: 0 } as const;
  const label = (of: typeof part | null) => alongLabel({ choice, part: of }, { show: 'number' }, names);
  expect(label(null)).toBe(`measured_depth, ${plotWords.elapsed}`);
  expect(label(part)).toBe(`measured_depth, ${plotWords.elapsedOfPart}`);
});
