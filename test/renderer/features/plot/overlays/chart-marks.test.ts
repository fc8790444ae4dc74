import { describe, expect, it } from 'vitest';
import {
  chartMarks,
  markedOverlay,
  markedWells,
  namesAt,
  noteOverlays,
  overlayAxis,
  overlayReadings,
  overlayTexts,
} from '../../../../../src/renderer/features/plot/overlays/chart-marks.ts';
import { maxMarks } from '../../../../../src/renderer/features/plot/overlays/overlays.ts';
import { rangesInUnit } from '../../../../../src/renderer/features/records/shown-cells.ts';
import { notesWords } from '../../../../../src/renderer/words/notes.ts';
import { plotWords } from '../../../../../src/renderer/words/plot.ts';
import { wellNote, type WellNote } from '../../../../../src/shared/contract/notes.ts';
import type { PlotChoice, PlotOverlay } from '../../../../../src/shared/tabs/plot.ts';

const overlay: PlotOverlay = {
  provider: 'p',
  dataset: 'd',
  along: 'depth',
  name: 'data.name',
  from: 'data.md',
  to: null,
};
const mark = (well: string, name: string, from: number, to: number | null = null) => ({
  well,
  name,
  from,
  to,
});

describe('the axis of overlays', () => {
  const fields = [
    { id: 'timestamp', kind: 'time' },
    { id: 'measured_depth', kind: 'number' },
    { id: 'data.tvd', kind: 'number' },
    { id: 'data.rop', kind: 'number' },
  ] as const;
  const axis = (choice: Partial<PlotChoice>) => {
    const found = overlayAxis(
      { kind: 'lines', x: 'data.rop', y: ['data.rop'], align: 'recorded', ...choice },
      fields,
    );
    return found && [found.along, found.field, found.isAcross];
  };
  it('is a time or a depth along the hole, in a crossplot also upwards', () => {
    expect(axis({ x: 'timestamp' })).toEqual(['time', 'timestamp', false]);
    expect(axis({ kind: 'tracks', x: 'measured_depth' })).toEqual(['depth', 'measured_depth', false]);
    expect(axis({ kind: 'scatter', y: ['measured_depth'] })).toEqual(['depth', 'measured_depth', true]);
  });

  it('is none of depths below the surface, other channels, or wells aligned at their start', () => {
    expect(axis({ kind: 'tracks', x: 'data.tvd' })).toBeNull();
    expect(axis({})).toBeNull();
    expect(axis({ x: 'timestamp', align: 'elapsed' })).toBeNull();
  });
});

describe('marks of a plot', () => {
  const loaded = [
    { overlay, marks: [mark('1', 'A', 10), mark('2', 'B', 12), mark('3', 'C', 5), mark('', 'D', 7)] },
  ];

  it('are said to be only some of an overlay that has more', () => {
    const cut = { overlay, marks: [], isCut: true };
    const text = plotWords.overlays.cut('p/d', maxMarks);
    expect(overlayTexts([cut, { ...cut, isCut: false }, { overlay: null, marks: [] }])).toEqual([text]);
    const unread = { overlay, marks: [], needsWells: true };
    expect(overlayTexts([unread])).toEqual([plotWords.overlays.noWells('p/d')]);
  });

  it('are of the wells of its records, or else of its query', () => {
    expect(markedWells({ groups: [['1', 'A'], ['1', 'B'], ['']] }, ['2'])).toEqual(['1']);
    expect(markedWells({ groups: [[]] }, ['2'])).toEqual(['2']);
    // Names and API numbers of wells are no asset ids.
    expect(markedWells({ groups: [['Smith 1H'], ['4212345678']] }, ['2'])).toEqual(['2']);
    expect(chartMarks(loaded, ['Smith 1H'], 8).map(({ text }) => text)).toEqual(['C', 'D', 'A', 'B']);
  });

  it('are of its wells, in their colors', () => {
    expect(chartMarks(loaded, ['1', '2'], 8).map(({ text, color }) => [text, color])).toEqual([
      ['D', null],
      ['A', 1],
      ['B', 2],
    ]);
    expect(chartMarks(loaded, ['1'], 8).map(({ text, color }) => [text, color])).toEqual([
      ['D', null],
      ['A', null],
    ]);
    // Records without wells have all marks.
    expect(chartMarks(loaded, [''], 8)).toHaveLength(4);
  });

  it('are in the unit of the axis, if both are known', () => {
    const [first] = rangesInUnit([mark('1', 'A', 100, 200)], 'ft', 'm');
    expect([first?.from, first?.to]).toEqual([30.48, 60.96]);
    expect(rangesInUnit([mark('1', 'A', 100)], undefined, 'm')[0]?.from).toBe(100);
    expect(rangesInUnit([mark('1', 'A', 100)], 'psi', 'm')[0]?.from).toBe(100);
  });

  it('are said to be drawn as stored where only one of the units is known', () => {
    const textsOf = (stored?: string, unit?: string, along: PlotOverlay['along'] = 'depth') =>
      overlayTexts([
        markedOverlay({ ...overlay, along }, { marks: [mark('1', 'A', 8000)], isCut: false }, stored, unit),
      ]);
    const text = plotWords.overlays.noUnit('p/d');
    expect([textsOf(undefined, 'm'), textsOf('ft'), textsOf('psi', 'm')]).toEqual([[text], [text], [text]]);
    expect([textsOf('ft', 'm'), textsOf(), textsOf('ms', undefined, 'time')]).toEqual([[], [], []]);
    expect(overlayTexts([markedOverlay(overlay, { marks: [], isCut: false }, undefined, 'm')])).toEqual([]);
  });

  it('have names at a position: of the ranges around it, or of the last line of each well before it', () => {
    const lines = [mark('1', 'Salado', 10), mark('2', 'Rustler', 12), mark('1', 'Wolfcamp', 20)];
    expect(namesAt(lines, 9)).toEqual([]);
    expect(namesAt(lines, 15)).toEqual(['Salado', 'Rustler']);
    expect(namesAt(lines, 20)).toEqual(['Wolfcamp', 'Rustler']);
    const ranges = [mark('1', 'Surface', 0, 10), mark('1', 'Lateral', 20, 30)];
    expect(namesAt(ranges, 10)).toEqual(['Surface']);
    expect(namesAt(ranges, 15)).toEqual([]);
    expect(overlayReadings([{ overlay, marks: lines }], ['2'], 30)).toEqual([
      { field: 'data.name', names: ['Rustler'] },
    ]);
  });
});

describe('notes', () => {
  const marksAlong = (along: 'time' | 'depth', notes: readonly WellNote[], unit?: string, hasNotes = true) =>
    noteOverlays(notes, { hasNotes }, along, unit).flatMap(({ marks }) => marks);
  const note = (more: Partial<Record<keyof WellNote, unknown>>) =>
    wellNote.parse({
      id: 'a',
      well: 1,
      along: 'depth',
      from: 1000,
      to: 1010,
      unit: 'm',
      text: 'hard\n  stringer',
      changedAt: 1,
      ...more,
    });

  it('are marks in the unit of the axis, whatever the unit in which each was written', () => {
    const notes = [note({}), note({ from: 3000, to: null, unit: 'ft', well: 2 })];
    const [feet, metres] = ['ft', 'm'].map((unit) => marksAlong('depth', notes, unit));
    expect(
      feet?.map(({ well, name, from, to }) => [well, name, Math.round(from), to && Math.round(to)]),
    ).toEqual([
      ['2', 'hard stringer', 3000, null],
      ['1', 'hard stringer', 3281, 3314],
    ]);
    expect(metres?.map(({ from, to }) => [from.toFixed(1), to])).toEqual([
      ['914.4', null],
      ['1000.0', 1010],
    ]);
  });

  it('are drawn as written where a unit is unknown', () => {
    expect(marksAlong('depth', [note({ unit: null })], 'ft')).toMatchObject([{ from: 1000, to: 1010 }]);
    expect(marksAlong('depth', [note({})])).toMatchObject([{ from: 1000, to: 1010 }]);
  });

  it('are said to be drawn as written where only one of the units is known', () => {
    const texts = (unit: string | null, shown?: string) =>
      overlayTexts(noteOverlays([note({ unit })], {}, 'depth', shown));
    expect([texts(null, 'ft'), texts('m'), texts('m', 'psi')]).toEqual([
      [notesWords.noUnit],
      [notesWords.noUnit],
      [notesWords.noUnit],
    ]);
    expect([texts('m', 'ft'), texts(null), texts('m', 'm')]).toEqual([[], [], []]);
    expect(overlayTexts(noteOverlays([note({ along: 'time', unit: null })], {}, 'time', undefined))).toEqual(
      [],
    );
  });

  it('on a time are not drawn along a depth', () => {
    const time = note({ along: 'time', unit: null });
    expect(marksAlong('time', [time, note({})])).toHaveLength(1);
    expect(marksAlong('depth', [time], 'ft')).toEqual([]);
  });

  it('are not drawn where the user hides them, or the axis is neither time nor depth', () => {
    expect(marksAlong('depth', [note({})], 'ft', false)).toEqual([]);
    expect(noteOverlays([note({})], {}, null, 'ft')).toEqual([]);
  });
});
