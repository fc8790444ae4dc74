import { describe, expect, it } from 'vitest';
import {
  likelyDatasets,
  overlayAt,
  overlayFields,
  proposedOverlay,
} from '../../../../../src/renderer/features/plot/overlays/overlay-picker.tsx';
import type { Dataset } from '../../../../../src/shared/datasets/datasets.ts';
import type { FieldType } from '../../../../../src/shared/datasets/fields.ts';
import { noSynonyms, synonymsOf } from '../../../../../src/shared/channels/channels.ts';

const fieldsOf = (types: Readonly<Record<string, FieldType>>) =>
  Object.entries({
    _id: 'string' as const,
    asset_id: 'integer' as const,
    version: 'integer' as const,
    ...types,
  }).map(([path, type]) => ({ path, types: [type] }));
const address = { provider: 'p', dataset: 'd' };
const proposed = (types: Readonly<Record<string, FieldType>>, along: 'depth' | 'time' = 'depth') => {
  const found = proposedOverlay(address, fieldsOf(types), along, noSynonyms);
  return found && [found.name, found.from, found.to];
};

describe('the overlay that a dataset offers', () => {
  it('is of stages by their number, also by a name that the user has added', () => {
    const intervals = fieldsOf({ 'data.frac_no': 'number', 'data.top_depth': 'number' });
    expect(proposedOverlay(address, intervals, 'depth', noSynonyms)).toBeNull();
    const named = proposedOverlay(address, intervals, 'depth', synonymsOf({ stage_number: ['frac no'] }));
    expect(named).toMatchObject({ name: 'data.frac_no', from: 'data.top_depth' });
  });

  it('is of tops, by their name and measured depth', () => {
    const tops = {
      'data.md': 'number',
      'data.td': 'number',
      'data.lithology': 'string',
      'data.formation_name': 'string',
    } as const;
    expect(proposed(tops)).toEqual(['data.formation_name', 'data.md', null]);
    // Columns of a file of tops of the Volve field, and of a Norwegian list of casings.
    expect(proposed({ 'data.Surface name': 'string', 'data.MD': 'number', 'data.TVD': 'number' })).toEqual([
      'data.Surface name',
      'data.MD',
      null,
    ]);
    expect(
      proposed({ 'data.casing_type': 'string', 'data.casing_depth': 'number', 'data.top_depth': 'number' }),
    ).toEqual(['data.casing_type', 'data.top_depth', null]);
  });

  it('is of intervals where there are two ends', () => {
    expect(
      proposed({
        'data.name': 'string',
        'data.diameter': 'number',
        'data.top_depth': 'number',
        'data.bottom_depth': 'number',
      }),
    ).toEqual(['data.name', 'data.top_depth', 'data.bottom_depth']);
    expect(
      proposed({ 'data.run_name': 'string', 'data.depth_in': 'number', 'data.depth_out': 'number' }),
    ).toEqual(['data.run_name', 'data.depth_in', 'data.depth_out']);
  });

  it('has times along a time axis, and the number of a stage as its name', () => {
    const stages = { stage_number: 'integer', 'data.start': 'date', 'data.end': 'date' } as const;
    expect(proposed(stages, 'time')).toEqual(['stage_number', 'data.start', 'data.end']);
    expect(proposed(stages)).toBeNull();
    expect(proposed({ timestamp: 'integer', 'data.event': 'string' }, 'time')).toEqual([
      'data.event',
      'timestamp',
      null,
    ]);
  });

  it('is of the items of a list: stations by their inclination, casings by their size, stages by their name', () => {
    const survey = {
      'data.name': 'string',
      'data.stations': 'array',
      'data.stations.measured_depth': 'number',
      'data.stations.tvd': 'number',
      'data.stations.azimuth': 'number',
      'data.stations.inclination': 'number',
    } as const;
    expect(proposed(survey)).toEqual(['data.stations.inclination', 'data.stations.measured_depth', null]);
    expect(
      proposed({
        'data.casings': 'array',
        'data.casings.weight': 'number',
        'data.casings.size': 'number',
        'data.casings.top': 'number',
        'data.casings.bottom': 'number',
      }),
    ).toEqual(['data.casings.size', 'data.casings.top', 'data.casings.bottom']);
    expect(
      proposed(
        { stages: 'array', 'stages.name': 'string', 'stages.start': 'date', 'stages.end': 'date' },
        'time',
      ),
    ).toEqual(['stages.name', 'stages.start', 'stages.end']);
    // Two lists: each name is offered beside positions of its own list, or of the record.
    const two = {
      ...survey,
      'data.tools': 'array',
      'data.tools.name': 'string',
      'data.tools.length': 'number',
    } as const;
    expect(proposed(two)?.[0]).toBe('data.stations.inclination');
    expect(overlayFields(fieldsOf(two), 'depth', noSynonyms, 'data.stations.measured_depth').names).toEqual([
      'data.name',
      'data.stations.tvd',
      'data.stations.azimuth',
      'data.stations.inclination',
    ]);
  });

  it('gets a name and an end beside its position when the user selects one of another list', () => {
    const fields = fieldsOf({
      'data.name': 'string',
      'data.stations': 'array',
      'data.stations.measured_depth': 'number',
      'data.stations.inclination': 'number',
      'data.casings': 'array',
      'data.casings.size': 'number',
      'data.casings.top': 'number',
      'data.casings.bottom': 'number',
    });
    const casings = { name: 'data.casings.size', from: 'data.casings.top', to: 'data.casings.bottom' };
    const of = { ...address, along: 'depth' as const };
    expect(overlayAt({ ...of, ...casings }, 'data.stations.measured_depth', fields, noSynonyms)).toEqual({
      ...of,
      name: 'data.stations.inclination',
      from: 'data.stations.measured_depth',
      to: null,
    });
    // What still fits stays: the name of the record, and the other end of the same item.
    const named = { ...of, ...casings, name: 'data.name', to: null };
    expect(overlayAt(named, 'data.casings.bottom', fields, noSynonyms)).toEqual({
      ...named,
      from: 'data.casings.bottom',
    });
    expect(overlayAt({ ...of, ...casings }, 'data.casings.top', fields, noSynonyms)).toEqual({
      ...of,
      ...casings,
    });
    expect(overlayFields(fields, 'depth', noSynonyms, 'data.stations.measured_depth').ends).toEqual([
      'data.stations.inclination',
    ]);
  });

  it('needs a name and a position along the hole', () => {
    expect(proposed({ 'data.md': 'number' })).toBeNull();
    expect(proposed({ 'data.name': 'string' })).toBeNull();
    expect(proposed({ 'data.name': 'string', 'data.top_tvd': 'number' })).toBeNull();
    expect(
      overlayFields(
        fieldsOf({ 'data.name': 'string', 'data.tvd': 'number', 'data.md': 'number' }),
        'depth',
        noSynonyms,
      ),
    ).toEqual({ names: ['data.name'], positions: ['data.md'], ends: ['data.md'] });
  });
});

it('datasets of tops, sections, and stages are offered, reference data first', () => {
  const dataset = (name: string, type: Dataset['type'], friendlyName = ''): Dataset => ({
    provider: 'p',
    dataset: name,
    id: null,
    companyId: null,
    friendlyName,
    description: '',
    type,
    typeSaid: '',
    plottable: false,
    temporary: false,
    permissions: {},
    indexes: [],
    statistics: { size: null, count: null, storageSize: null, indexSize: null },
    schema: {},
  });
  const found = likelyDatasets(
    [
      dataset('wits', 'time'),
      dataset('drilling.events', 'time'),
      dataset('x', 'reference', 'Formation tops'),
      dataset('stage.depth', 'depth'),
      dataset('data.well-sections', 'reference'),
      dataset('stopwatch', 'time'),
      dataset('data.survey', 'reference'),
    ],
    8,
  );
  expect(found.map(({ dataset: name }) => name)).toEqual([
    'x',
    'data.well-sections',
    'data.survey',
    'drilling.events',
  ]);
});
