import { describe, expect, it } from 'vitest';
import { firstChoice } from '../../../../src/renderer/features/plot/first-choice.ts';
import { movedCurve, styledCurve, tracksOf } from '../../../../src/renderer/features/plot/tracks.ts';
import { channelOf, noSynonyms } from '../../../../src/shared/channels/channels.ts';
import { plotChoice, type PlotChoice } from '../../../../src/shared/tabs/plot.ts';

const known = (field: string) => channelOf(field, { synonyms: noSynonyms })?.channel ?? null;
const choice: PlotChoice = {
  kind: 'tracks',
  x: 'measured_depth',
  y: ['data.gr', 'data.ild', 'data.rhob', 'data.ilm', 'data.nphi', 'data.note'],
  align: 'recorded',
};

describe('the tracks of a plot', () => {
  it('have the curves together that logs print together', () => {
    expect(tracksOf(choice, known)).toEqual([
      ['data.gr'],
      ['data.ild', 'data.ilm'],
      ['data.rhob', 'data.nphi'],
      ['data.note'],
    ]);
    expect(tracksOf(choice, () => null)).toEqual(choice.y.map((field) => [field]));
  });

  it('have curves where the user moved them, and new ones by their channel', () => {
    const moved = movedCurve(choice, tracksOf(choice, known), 'data.gr', 2);
    expect(tracksOf(moved, known)).toEqual([
      ['data.ild', 'data.ilm'],
      ['data.rhob', 'data.nphi', 'data.gr'],
      ['data.note'],
    ]);
    const apart = movedCurve(moved, tracksOf(moved, known), 'data.nphi', 3);
    expect(tracksOf(apart, known).at(-1)).toEqual(['data.nphi']);
    const added = {
      ...apart,
      y: [...apart.y.filter((field) => field !== 'data.note'), 'data.sflu', 'data.cali'],
    };
    expect(tracksOf(added, known)).toEqual([
      ['data.ild', 'data.ilm', 'data.sflu'],
      ['data.rhob', 'data.gr'],
      ['data.nphi'],
      ['data.cali'],
    ]);
    expect(plotChoice.parse(JSON.parse(JSON.stringify(added)))).toEqual(added);
  });

  it('keep the style of each curve, until it is reset', () => {
    const styled = styledCurve(choice, 'data.gr', {
      scale: { left: 0, right: 200, isLog: false },
      unit: 'gAPI',
    });
    const both = styledCurve(styled, 'data.ild', { isWrapped: true });
    expect(plotChoice.parse(JSON.parse(JSON.stringify(both)))).toEqual(both);
    expect(styledCurve(both, 'data.gr', null).curves).toEqual({ 'data.ild': { isWrapped: true } });
  });
});

describe('the first tracks of a log', () => {
  const field = (id: string) => ({ id, kind: 'number' as const });
  const fields = (names: string) =>
    ['measured_depth', ...names.split(' ').map((name) => `data.${name}`)].map(field);

  it('are gamma ray and caliper, resistivity, density with neutron, and sonic', () => {
    const first = firstChoice('depth', fields('cali coal dt gr nphi phie rhob rt temp'), noSynonyms);
    expect(first && tracksOf(first, known)).toEqual([
      ['data.gr', 'data.cali'],
      ['data.rt'],
      ['data.rhob', 'data.nphi'],
      ['data.dt'],
    ]);
  });

  it('have a channel once, and are filled with the channels of the rig', () => {
    const first = firstChoice(
      'depth',
      fields('rop rate_of_penetration weight_on_bit hook_load x'),
      noSynonyms,
    );
    expect(first?.y).toEqual(['data.rop', 'data.weight_on_bit', 'data.hook_load', 'data.x']);
    expect(firstChoice('depth', fields('ild ilm sflu rxo gr'), noSynonyms)?.y).toEqual([
      'data.gr',
      'data.ild',
      'data.ilm',
      'data.sflu',
    ]);
  });
});
