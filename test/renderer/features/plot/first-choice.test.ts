import { describe, expect, it } from 'vitest';
import {
  choiceFor,
  groupFields,
  inKind,
  pathViews,
  runsDown,
  stationDepth,
} from '../../../../src/renderer/features/plot/first-choice.ts';
import type { PlotField } from '../../../../src/renderer/features/plot/source.ts';
import type { PlotChoice } from '../../../../src/shared/tabs/plot.ts';
import { noSynonyms, synonymsOf } from '../../../../src/shared/channels/channels.ts';

const field = (id: string, kind: PlotField['kind'] = 'number'): PlotField => ({ id, kind });
const records = [field('timestamp', 'time'), field('data.rop'), field('data.wob')];
const chosen: PlotChoice = { kind: 'lines', x: 'timestamp', y: ['data.wob'], align: 'recorded' };

describe('the fields of a plot', () => {
  it('are the user’s selection, even before its first field exists', () => {
    expect(choiceFor(chosen, 'time', records, noSynonyms)).toBe(chosen);
    expect(choiceFor({ ...chosen, y: ['data.wob', 'data.gone'] }, 'time', records, noSynonyms)).toMatchObject(
      {
        y: ['data.wob', 'data.gone'],
      },
    );
    expect(choiceFor({ ...chosen, y: [] }, 'time', records, noSynonyms)).toMatchObject({ y: [] });
  });

  it('are four in panels, as live views have them, and two in lines', () => {
    const fields = [...records, field('data.hook_load'), field('data.torque'), field('data.spp')];
    expect(choiceFor(null, 'time', fields, noSynonyms)).toMatchObject({
      kind: 'lines',
      y: ['data.rop', 'data.wob'],
    });
    const panels = choiceFor(null, 'time', fields, noSynonyms, 'panels');
    expect(panels).toMatchObject({ kind: 'panels', x: 'timestamp' });
    expect(panels?.y).toHaveLength(4);
    expect(panels && inKind('lines', panels, 'time', fields)).toEqual({ ...panels, kind: 'lines' });
  });

  it('are each channel once, where a file has it in two units', () => {
    const names = [
      'rop',
      'weight_on_bit',
      'weight_on_bit_kg',
      'mud_temperature_out',
      'mud_temperature_out_degc',
    ];
    const others = [
      'hook_load',
      'hook_load_kg',
      'standpipe_pressure',
      'standpipe_pressure_kpa',
      'mud_flow',
      'mud_flow_in',
    ];
    const fields = ['measured_depth', ...[...names, ...others].map((name) => `data.${name}`)].map((id) =>
      field(id),
    );
    expect(choiceFor(null, 'depth', fields, noSynonyms)).toMatchObject({
      kind: 'tracks',
      y: ['data.rop', 'data.weight_on_bit', 'data.hook_load', 'data.standpipe_pressure'],
    });
    const flows = ['measured_depth', 'data.flow', 'data.flow_in', 'data.gas_degc'].map((id) => field(id));
    expect(choiceFor(null, 'depth', flows, noSynonyms)?.y).toEqual([
      'data.flow',
      'data.flow_in',
      'data.gas_degc',
    ]);
  });

  it('are kept from kind to kind, even while a crossplot shows two of them', () => {
    const fields = [...records, field('data.hook_load'), field('measured_depth')];
    const channels = ['data.rop', 'data.wob', 'data.hook_load'];
    const curves = { 'data.rop': { isWrapped: true } };
    const lines: PlotChoice = { ...chosen, y: channels, curves };
    const crossplot = inKind('scatter', lines, 'time', fields);
    expect(crossplot).toMatchObject({ kind: 'scatter', x: 'data.rop', y: ['data.wob'], curves });
    const tracks = inKind('tracks', crossplot, 'time', fields);
    expect(tracks).toEqual({ ...lines, kind: 'tracks', x: 'measured_depth' });
    expect(inKind('lines', tracks, 'time', fields)).toEqual(lines);
    // A channel that was added to the crossplot is shown too.
    const other = { ...crossplot, y: ['data.wob', 'data.gamma'] };
    expect(inKind('lines', other, 'time', [...fields, field('data.gamma')]).y).toEqual([
      ...channels,
      'data.gamma',
    ]);
  });

  it('are the section of a wellpath and its plan, where a result has them', () => {
    const path = ['md', 'tvd', 'north', 'east', 'dogleg_per_30'].map((id) => field(id));
    expect(choiceFor(null, null, path, noSynonyms)).toMatchObject({ kind: 'tracks', x: 'md' });
    expect(choiceFor(null, null, [...path, field('vertical_section')], noSynonyms)).toEqual({
      kind: 'scatter',
      x: 'vertical_section',
      y: ['tvd'],
      align: 'recorded',
      plan: { x: 'east', y: 'north' },
    });
  });

  it('have the plan only as a section, and again once they are one', () => {
    const path = ['md', 'tvd', 'north', 'east', 'vertical_section'].map((id) => field(id));
    const section = choiceFor(null, null, path, noSynonyms);
    if (!section) throw new Error('nothing to plot');
    const lines = inKind('lines', section, null, path);
    expect(lines).toMatchObject({ x: 'md', y: ['vertical_section', 'tvd'] });
    expect([lines, inKind('tracks', section, null, path)].map(({ plan }) => plan)).toEqual([
      undefined,
      undefined,
    ]);
    expect(inKind('scatter', lines, null, path)).toMatchObject({ ...section });
    const other = { ...lines, y: ['tvd', 'vertical_section'] };
    expect(inKind('scatter', other, null, path).plan).toBeUndefined();
  });

  it('have the depth of a LAS file as their axis, in any case', () => {
    for (const depth of ['DEPT', 'dept', 'MD']) {
      const log = [field('GR'), field(depth), field('ROP')];
      expect(choiceFor(null, null, log, noSynonyms)).toMatchObject({ kind: 'tracks', x: depth });
    }
  });

  it('have the channels of a log print first, also by names that the user has added', () => {
    const log = [
      field('DEPT'),
      field('note_1'),
      field('note_2'),
      field('note_3'),
      field('note_4'),
      field('Z7'),
    ];
    expect(choiceFor(null, 'depth', log, noSynonyms)?.y).not.toContain('Z7');
    expect(choiceFor(null, 'depth', log, synonymsOf({ gamma_ray: ['z 7'] }))?.y[0]).toBe('Z7');
  });

  it('are bars of the means of formations, where a result has those of ranges of depth', () => {
    const numbers = ['depth_from', 'depth_to', 'data_rop_mean', 'data_rop_max'].map((id) => field(id));
    const means = [field('asset_id', 'integer'), field('formation', 'text'), ...numbers];
    const first = choiceFor(null, 'time', means, noSynonyms);
    expect(first).toEqual({ kind: 'bars', x: 'depth_from', y: ['data_rop_mean'], align: 'recorded' });
    expect(choiceFor(null, 'time', numbers, noSynonyms)?.kind).not.toBe('bars');
  });

  it('are depths over days, where a result has those of each well', () => {
    const days = [field('asset_id', 'integer'), field('days'), field('hole_depth')];
    const first = choiceFor(null, 'time', days, noSynonyms);
    expect(first).toEqual({ kind: 'lines', x: 'days', y: ['hole_depth'], align: 'recorded' });
    expect(first && runsDown(first)).toBe(true);
    expect(choiceFor(null, 'time', days.slice(1, 2), noSynonyms)?.kind).not.toBe('lines');
  });

  it('are no wellpath without measured depths, which have the order of its stations', () => {
    const stations = ['tvd', 'north', 'east', 'vertical_section'].map((id) => field(id));
    expect(pathViews(stations)).toBeNull();
    expect(stationDepth(stations)).toBeNull();
    for (const id of ['md', 'data.measured_depth', 'data_md'])
      expect(stationDepth([...stations, field(id)])).toBe(id);
  });

  it('have a line for each survey and plan of each well, if they are a wellpath', () => {
    const stations = [
      field('metadata_asset_id', 'integer'),
      field('survey_name', 'text'),
      field('run_number', 'integer'),
      field('md'),
    ];
    expect(groupFields(null, stations, true)).toEqual(['metadata_asset_id', 'survey_name', 'run_number']);
    expect(groupFields(null, stations)).toEqual(['metadata_asset_id']);
    const named = [field('asset_id', 'integer'), field('well', 'text'), field('run')];
    expect(groupFields('time', named, true)).toEqual(['asset_id']);
  });

  it.each(['asset_id', 'well', 'well_name', 'metadata_asset_id', 'Well', 'API'])(
    'have a line for each %s',
    (well) => {
      const days = [field('days'), field(well, 'text'), field('hole_depth')];
      expect(groupFields(null, days)).toEqual([well]);
      expect(groupFields('time', [field('asset_id', 'integer'), ...days])).toEqual(['asset_id']);
      expect(groupFields('depth', [...days, field('log_identifier', 'text')])).toEqual([
        well,
        'log_identifier',
      ]);
      expect(groupFields(null, [field('wellbore', 'text'), ...days])).toEqual([well]);
      // The gravity of an oil.
      expect(groupFields(null, [field('API'), field('days')])).toEqual([]);
      const whole = { ...field('data.api', 'integer'), characters: 2 };
      expect(groupFields(null, [whole, field('days')])).toEqual([]);
      expect(groupFields(null, [{ ...whole, characters: 10 }, field('days')])).toEqual([whole.id]);
      expect(groupFields(null, [field('days'), field('wellhead_pressure'), field('hole_depth')])).toEqual([]);
    },
  );

  it('are the default for a result with entirely different fields', () => {
    const groups = [field('_id', 'text'), field('n', 'integer'), field('rop')];
    expect(choiceFor(chosen, 'time', groups, noSynonyms)).toMatchObject({
      kind: 'bars',
      y: ['n'],
    });
    const numbers = [field('n', 'integer'), field('rop')];
    expect(choiceFor(chosen, 'time', numbers, noSynonyms)).toMatchObject({
      kind: 'scatter',
      x: 'n',
      y: ['rop'],
    });
    expect(choiceFor(chosen, 'time', [field('_id', 'text')], noSynonyms)).toBeNull();
  });
});
