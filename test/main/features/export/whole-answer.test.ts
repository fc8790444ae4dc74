import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServices } from '../../../support/services.ts';
import { manifestOf, planFor, runExport, runUntil } from './support/jobs.ts';

const folder = useFolders();
const open = useServices();
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 5000, wells: 3 });
});
afterAll(() => demo.close());

const services = () => open(demo.dataUrl, { credential: { method: 'api_key', apiKey: demo.apiKeys.write } });
const stages = '[{ $match: { asset_id: 5001 } }, { $project: { d: "$data" } }, { $limit: 30 } /* some */]';

describe('the response to a pipeline', () => {
  it('is written in full, in its own order, and described in the manifest', async () => {
    const [place, job] = [await folder(), await folder()];
    const plan = planFor(place, {
      format: 'ndjson',
      aggregation: { kind: 'pipeline', stages },
      windows: null,
    });
    const { result } = await runExport(services(), job, plan);
    expect(result).toMatchObject({ rows: 30, expected: null, warnings: [] });
    expect(readFileSync(join(place, 'out.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(30);
    const manifest = manifestOf(join(place, 'out.ndjson'));
    expect(manifest).toMatchObject({ pipeline: [{ $match: { asset_id: 5001 } }, {}, { $limit: 30 }] });
    expect(manifest).not.toHaveProperty('query');
  });

  it('keeps every record when an id occurs several times', async () => {
    const [place, job] = [await folder(), await folder()];
    const twice =
      '[{ $match: { asset_id: 5001 } }, { $limit: 4 }, { $set: { n: [1, 2, 3] } }, { $unwind: "$n" }]';
    const plan = planFor(place, { aggregation: { kind: 'pipeline', stages: twice }, windows: null });
    const { result } = await runExport(services(), job, plan);
    expect(result.rows).toBe(12);
    expect(readFileSync(join(place, 'out.csv'), 'utf8').trimEnd().split('\r\n')).toHaveLength(13);
  });

  it('is requested again after a stop', async () => {
    const [place, job] = [await folder(), await folder()];
    const plan = planFor(place, { aggregation: { kind: 'pipeline', stages }, windows: null });
    await runUntil(services(), job, plan, 0);
    expect((await runExport(services(), job, plan)).result.rows).toBe(30);
  });
});

describe('the response to a simple aggregate', () => {
  it('says if it is computed from a part of the records, in the job and in the manifest', async () => {
    const [place, job] = [await folder(), await folder()];
    const counted = '[{ $limit: 30 }, { $group: { _id: "$asset_id", n: { $sum: 1 } } }]';
    const plan = planFor(place, { aggregation: { kind: 'pipeline', stages: counted }, windows: null });
    const { result } = await runExport(services(), job, plan);
    const warnings = ['The results are computed from at most 30 records.'];
    expect(result).toMatchObject({ warnings });
    expect(manifestOf(join(place, 'out.csv'))).toMatchObject({ warnings });
  });

  it('is written too', async () => {
    const [place, job] = [await folder(), await folder()];
    const aggregation = {
      kind: 'aggregate',
      match: '{asset_id: 5001}',
      sort: '{timestamp: 1}',
      limit: 7,
      skip: 0,
    } as const;
    const { result } = await runExport(services(), job, planFor(place, { aggregation, windows: null }));
    expect(result.rows).toBe(7);
    expect(manifestOf(join(place, 'out.csv'))).toMatchObject({ aggregate: { limit: 7 } });
  });
});
