import { describe, expect, it } from 'vitest';
import {
  createOverlays,
  maxMarks,
  marksOf,
} from '../../../../../src/renderer/features/plot/overlays/overlays.ts';
import { inComputerZone } from '../../../../support/computer-zone.ts';
import { createFieldCatalogue } from '../../../../../src/renderer/features/datasets/field-catalogue.ts';
import { datasetField, type DatasetField } from '../../../../../src/shared/datasets/fields.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import type { PlotOverlay } from '../../../../../src/shared/tabs/plot.ts';

const tops: PlotOverlay = {
  provider: 'p',
  dataset: 'tops',
  along: 'depth',
  name: 'data.name',
  from: 'data.md',
  to: null,
};
const stages: PlotOverlay = {
  ...tops,
  along: 'time',
  name: 'stage_number',
  from: 'data.start',
  to: 'data.end',
};

describe('the marks of records', () => {
  it('have a name and a position, in order; others are left out', () => {
    const text = JSON.stringify([
      { asset_id: 1, data: { name: 'Wolfcamp', md: 9240.5 } },
      { asset_id: 2, data: { name: 'Salado', md: '1460' } },
      { asset_id: 1, data: { name: '', md: 5 } },
      { asset_id: 1, data: { name: 'Null', md: -999.25 } },
      { asset_id: 1, data: { name: 'None' } },
      { data: { name: 'Of no well', md: 10 } },
      { asset_id: 1, data: null },
    ]);
    expect(marksOf(text, tops, 'asset_id')).toEqual([
      { well: '', name: 'Of no well', from: 10, to: null },
      { well: '2', name: 'Salado', from: 1460, to: null },
      { well: '1', name: 'Wolfcamp', from: 9240.5, to: null },
    ]);
  });

  it('are ranges of times in every notation of the services', () => {
    const text = JSON.stringify([
      { asset_id: 1, stage_number: 3, data: { start: '2026-01-01T02:00:00Z', end: '2026-01-01T01:00:00Z' } },
      { asset_id: 1, stage_number: 1, data: { start: 1_700_000_000, end: null } },
      { asset_id: 1, stage_number: 2, data: { start: { $date: 1_700_000_000_500 }, end: 1_700_000_001_000 } },
    ]);
    expect(marksOf(text, stages, 'asset_id')).toEqual([
      { well: '1', name: '1', from: 1_700_000_000_000, to: null },
      { well: '1', name: '2', from: 1_700_000_000_500, to: 1_700_000_001_000 },
      { well: '1', name: '3', from: Date.UTC(2026, 0, 1, 1), to: Date.UTC(2026, 0, 1, 2) },
    ]);
    expect(() => marksOf('[1]', tops, 'asset_id')).toThrow(AppError);
  });
});

it('times without a zone are UTC in marks, as in records', () => {
  const text = JSON.stringify([
    { asset_id: 1, stage_number: 1, data: { start: '2026-03-08T02:30:00', end: '2026-03-08 04:00' } },
  ]);
  expect(inComputerZone('America/Chicago', () => marksOf(text, stages, 'asset_id'))).toMatchObject([
    { from: Date.UTC(2026, 2, 8, 2, 30), to: Date.UTC(2026, 2, 8, 4) },
  ]);
});

describe('the marks of lists in records', () => {
  const survey: PlotOverlay = {
    ...tops,
    name: 'data.stations.inclination',
    from: 'data.stations.measured_depth',
  };

  it('are one for each station of a survey', () => {
    const stations = (from: number) =>
      [0, 12.345, 90].map((inclination, at) => ({ measured_depth: from + at * 95, inclination }));
    const text = JSON.stringify([
      { asset_id: 1, data: { name: 'MWD', stations: stations(100) } },
      { asset_id: 2, data: { name: 'MWD', stations: stations(200) } },
      { asset_id: 3, data: { name: 'None', stations: [] } },
      { asset_id: 3, data: { name: 'No list', stations: null } },
    ]);
    expect(marksOf(text, survey, 'asset_id')).toEqual([
      { well: '1', name: '0', from: 100, to: null },
      { well: '1', name: '12.345', from: 195, to: null },
      { well: '2', name: '0', from: 200, to: null },
      { well: '1', name: '90', from: 290, to: null },
      { well: '2', name: '12.345', from: 295, to: null },
      { well: '2', name: '90', from: 390, to: null },
    ]);
  });

  it('are bands of casings and times of stages, of lists in lists, too, and can have the name of their record', () => {
    const casings = {
      ...tops,
      name: 'data.casings.size',
      from: 'data.casings.top',
      to: 'data.casings.bottom',
    };
    const text = JSON.stringify([
      {
        asset_id: 1,
        data: {
          casings: [
            { size: 13.375, top: 0, bottom: 2000 },
            { size: 9.625, top: 0, bottom: null },
          ],
        },
      },
    ]);
    expect(marksOf(text, casings, 'asset_id')).toEqual([
      { well: '1', name: '13.375', from: 0, to: 2000 },
      { well: '1', name: '9.625', from: 0, to: null },
    ]);
    const runs = { ...stages, name: 'name', from: 'pads.runs.start', to: 'pads.runs.end' };
    const times = JSON.stringify([
      {
        asset_id: 1,
        name: 'Pad',
        pads: [
          { runs: [{ start: '2026-01-01T00:00:00Z', end: '2026-01-01T01:00:00Z' }] },
          { runs: [{ start: '2026-01-02T00:00:00Z' }] },
        ],
      },
    ]);
    expect(marksOf(times, runs, 'asset_id')).toEqual([
      { well: '1', name: 'Pad', from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 1, 1) },
      { well: '1', name: 'Pad', from: Date.UTC(2026, 0, 2), to: null },
    ]);
  });
});

describe('the overlays of a connection', () => {
  const catalogueOf = (fields: readonly DatasetField[]) =>
    createFieldCatalogue({
      datasets: {
        fields: async () => ({ fields: [...fields], sampled: 1, of: 'any', scope: null, more: false }),
      },
    });
  function readerOf(failures: number, fields: readonly DatasetField[] = []) {
    const requests: {
      connection: string;
      query: string | undefined;
      fields: readonly string[] | undefined;
    }[] = [];
    const reader = createOverlays(
      {
        query: {
          async find(request) {
            requests.push({ connection: request.connection, query: request.query, fields: request.fields });
            if (requests.length <= failures) throw new AppError('internal', { problem: 'no link' });
            const records = new TextEncoder().encode(
              '[{"metadata":{"asset_id":7},"data":{"name":"A","md":3}}]',
            );
            return { records, count: 1, total: null, ms: 1 };
          },
        },
      },
      'c1',
      catalogueOf(fields),
    );
    return { requests, reader };
  }

  it('are read for the wells of the plot, once', async () => {
    const { requests, reader } = readerOf(0);
    const marks = await reader.value({ overlay: tops, type: 'timeseries', wells: ['7', '8'] });
    expect(marks).toEqual({ marks: [{ well: '7', name: 'A', from: 3, to: null }], isCut: false });
    await reader.value({ overlay: tops, type: 'timeseries', wells: ['7', '8'] });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      connection: 'c1',
      query: '{"metadata.asset_id":{"$in":[7,8]}}',
      fields: ['metadata.asset_id', 'data.name', 'data.md'],
    });
    await reader.value({ overlay: tops, type: null, wells: ['8'] });
    expect(requests[1]?.query).toBe('{"asset_id":{"$in":[8]}}');
    // The list of datasets may arrive later, with the type.
    await reader.value({ overlay: tops, type: 'timeseries', wells: ['8'] });
    expect(requests[2]?.query).toBe('{"metadata.asset_id":{"$in":[8]}}');
  });

  it('of wells aren’t read for a plot whose wells are unknown; those of no well are', async () => {
    const field = (path: string, absent = 0) =>
      datasetField.parse({ path, absent, from: 'type', types: ['integer'] });
    const ofWells = readerOf(0, [field('data.md'), field('metadata.asset_id')]);
    const unknown = { overlay: tops, type: null, wells: [] };
    expect(await ofWells.reader.value(unknown)).toEqual({ marks: [], isCut: false, needsWells: true });
    expect(ofWells.requests).toEqual([]);
    const ofNone = readerOf(0, [field('data.md'), field('metadata.asset_id', 1)]);
    expect((await ofNone.reader.value(unknown)).marks).toHaveLength(1);
    expect(ofNone.requests[0]?.query).toBe('{}');
  });

  it('are read again after a failure', async () => {
    const { requests, reader } = readerOf(1);
    await expect(reader.value({ overlay: tops, type: 'timeseries', wells: ['7'] })).rejects.toThrow(AppError);
    expect((await reader.value({ overlay: tops, type: 'timeseries', wells: ['7'] })).marks).toHaveLength(1);
    expect(requests).toHaveLength(2);
  });

  it('have at most 2,000 marks, and it is known if there are more', async () => {
    const pageOf = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, at) => ({
          metadata: { asset_id: 7 },
          data: { name: `T${at}`, md: at },
        })),
      );
    const read = (count: number) =>
      createOverlays(
        {
          query: {
            find: async ({ limit }) => {
              const sent = Math.min(count, limit);
              return { records: new TextEncoder().encode(pageOf(sent)), count: sent, total: null, ms: 1 };
            },
          },
        },
        'c1',
        catalogueOf([]),
      ).value({ overlay: tops, type: 'timeseries', wells: ['7', '8'] });
    const [all, some] = await Promise.all([read(maxMarks), read(maxMarks + 1)]);
    expect([all.marks.length, all.isCut]).toEqual([maxMarks, false]);
    expect([some.marks.length, some.isCut]).toEqual([maxMarks, true]);
  });
});
