import { expect, it } from 'vitest';
import { statementNames } from '../../../../src/shared/channels/plain-names.ts';
import {
  missingWells,
  alongLabel,
  groupNames,
  plotFacts,
  wellsText,
} from '../../../../src/renderer/features/plot/names.ts';
import { dataName, pictureTexts } from '../../../../src/renderer/features/plot/saving.ts';
import type { Content } from '../../../../src/renderer/features/plot/content.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import type { PlotChoice } from '../../../../src/shared/tabs/plot.ts';
import { notesWords } from '../../../../src/renderer/words/notes.ts';
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

it('a log with the id of a program has its name where that is known, of its own well', () => {
  const logNames = new Map([['5001', new Map([['0d3c143d8cd1', plotWords.log(2, '5,331–12,400 ft')]])]]);
  const groups = [
    ['5001', '0d3c143d8cd1'],
    ['5001', 'a41b9c7755e0'],
    ['7', '0d3c143d8cd1'],
    ['7', 'gamma'],
  ];
  expect(groupNames(groups, { ...names, logNames })).toEqual([
    `Ridge 1 · ${plotWords.log(2, '5,331–12,400 ft')}`,
    'Ridge 1 · a41b9c7755e0',
    `${plotWords.well('7')} · 0d3c143d8cd1`,
    `${plotWords.well('7')} · gamma`,
  ]);
});

it('the title names queried wells without records, unless there are too many lines to list', () => {
  const absent = (groupsLeft: number) =>
    missingWells(['7', '5001', '8'], { groups: [['7', 'gamma']], groupsLeft }, names);
  expect(absent(0)).toEqual(['Ridge 1', plotWords.well('8')]);
  expect(absent(2)).toEqual([]);
  // Sums of an hour have no well.
  expect(missingWells(['7'], { groups: [[]], groupsLeft: 0 }, names)).toEqual([]);
  // A pipeline has the names of wells, and none where they are null.
  expect(missingWells(['7', '8'], { groups: [['Smith 1H'], ['']], groupsLeft: 0 }, names)).toEqual([]);
});

it('an axis from zero says if it starts with the first loaded record, which is not the first one', () => {
  const choice: PlotChoice = { kind: 'lines', x: 'measured_depth', y: [], align: 'elapsed' };
  const part = { selected: false, count: 5, gaps: 0 } as const;
  const label = (of: typeof part | null) => alongLabel({ choice, part: of }, { show: 'number' }, names);
  expect(label(null)).toBe(`measured_depth, ${plotWords.elapsed}`);
  expect(label(part)).toBe(`measured_depth, ${plotWords.elapsedOfPart}`);
});

it('a picture begins with the wells that it lacks, and the name of the data says so: a long subtitle is cut', () => {
  const part = { selected: false, count: 5, gaps: 0 } as const;
  const content: Content = {
    choice: { kind: 'lines', x: 'measured_depth', y: ['rop'], align: 'recorded' },
    isPath: false,
    changes: {},
    axis: '',
    part,
    steps: 'of each 10 ft',
    groups: [['1'], ['2']],
    groupsLeft: 3,
    lines: [],
    gaps: [],
    extent: null,
    colorRange: null,
  };
  const drawn = { content, part: { x: { from: 0, to: 9 } }, lines: [] };
  const facts = plotFacts(drawn, [], 'UTC', names, ['7']);
  const shown = plotWords.groupsShown(2, '5');
  expect(facts.lacking).toEqual([shown]);
  const one = { drawn, names, title: 'wits', overlays: [], statistics: null };
  // Whole sentences would take the place of the range.
  const overlays = [{ overlay: null, marks: [], lacksUnit: true }];
  expect(pictureTexts({ ...one, overlays }, facts).subtitle.split(' · ')).toEqual([
    shown,
    words.results.partName(part),
    content.steps,
    facts.range,
    notesWords.noUnit,
  ]);
  expect(dataName('wits', content)).toContain(shown);
  const complete = { ...content, groupsLeft: 0 };
  expect(dataName('wits', complete)).not.toContain(shown);
  expect(plotFacts({ ...drawn, content: complete }, [], 'UTC', names, ['1', '7']).lacking).toEqual([
    plotWords.absent([plotWords.well('7')], true),
  ]);
});
