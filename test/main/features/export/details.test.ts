import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { columnsIn, readLasColumns } from '../../../../src/main/features/export/details.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { JsonObject } from '../../../../src/shared/json.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServices } from '../../../support/services.ts';
import { manifestOf, planFor, runExport, runUntil } from './support/jobs.ts';

const folder = useFolders();
const open = useServices();
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 9000, wells: 3 });
});
afterAll(() => demo.close());

const services = () =>
  open(demo.dataUrl, {
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
  });
const details = { units: 'metric', wells: [5001] } as const;
const plan = { details, query: '{"asset_id":5001}', fields: ['asset_id', 'timestamp', 'data'] };

describe('an export in other units and with well names', () => {
  it('names the stored unit of lists, whose numbers stay as they are stored', () => {
    const fields = (['array', 'number'] as const).map((type) => ({
      path: `data.${type}`,
      types: [type],
      unit: 'psi',
    }));
    const { columns, unitChanges } = columnsIn(fields, 'metric');
    expect(columns['data.array']?.unit).toBe('psi');
    expect(Object.keys(unitChanges)).toEqual(['data.number']);
  });

  it('reads them in its job, and writes the same bytes when it resumes without them', async () => {
    const wholePlace = await folder();
    await runExport(services(), await folder(), planFor(wholePlace, plan));
    const { units, converted } = manifestOf(join(wholePlace, 'out.csv'));
    expect(units).toMatchObject({ 'data.rop': 'm/h' });
    expect(converted).toMatchObject({ 'data.rop': { to: 'm/h' } });
    const whole = readFileSync(join(wholePlace, 'out.csv'), 'utf8');
    expect(whole.split('\r\n')[0]).toContain('asset_id,well_name');

    const [place, job] = [await folder(), await folder()];
    await runUntil(services(), job, planFor(place, plan), 1);
    const later = services();
    const refused = async (): Promise<never> => {
      throw new AppError('forbidden', { service: 'data', status: 403 });
    };
    const without = {
      ...later,
      data: Object.assign(Object.create(later.data), { dataset: refused }),
      platform: { ...later.platform, list: refused },
    };
    await runExport(without, job, planFor(place, plan));
    expect(readFileSync(join(place, 'out.csv'), 'utf8')).toBe(whole);
  });

  it('leaves values that a pipeline computes in their unit, and its header names only units that values have', async () => {
    const place = await folder();
    const layout = {
      units: { 'data.rop': 'ft/h', 'data.bit_depth': 'ft' },
      timeAndWellFirst: false,
      times: 'iso',
    } as const;
    const stages = `[{ $match: { asset_id: 5001 } }, { $limit: 9 },
      { $set: { "data.rop": { $multiply: ["$data.rop", 0.3048] } } }]`;
    const aggregation = { kind: 'pipeline', stages } as const;
    await runExport(
      services(),
      await folder(),
      planFor(place, { ...plan, layout, aggregation, windows: null }),
    );
    const header = readFileSync(join(place, 'out.csv'), 'utf8').split('\r\n')[0]?.split(',');
    expect(header).toEqual(expect.arrayContaining(['data.rop', 'data.bit_depth (m)']));
    const { converted } = manifestOf(join(place, 'out.csv'));
    expect(converted).toHaveProperty(['data.bit_depth']);
    expect(converted).not.toHaveProperty(['data.rop']);
  });

  it('has the fields of the wells of its query: those of other wells can lack some', async () => {
    const { data, platform } = services();
    const queries: JsonObject[] = [];
    const find: typeof data.find = async (address, request, options) => {
      queries.push(request.query);
      return data.find(address, request, options);
    };
    const read = { data: Object.assign(Object.create(data), { find }), platform };
    await runExport({ ...services(), ...read }, await folder(), planFor(await folder(), plan));
    expect(queries.map((query) => query['asset_id'])).toEqual(queries.map(() => 5001));
  });

  it('converts what has a unit without the definition, but not while a failure to read it may pass', async () => {
    const { data, platform } = services();
    const readingWith = (code: 'forbidden' | 'too_many_requests') => {
      const refused = async (): Promise<never> => {
        throw new AppError(code, { service: 'data' });
      };
      return { data: Object.assign(Object.create(data), { dataset: refused }), platform };
    };
    const running = async (without: ReturnType<typeof readingWith>) =>
      runExport({ ...services(), ...without }, await folder(), planFor(await folder(), plan));
    await expect(running(readingWith('forbidden'))).resolves.toBeDefined();
    const without = readingWith('too_many_requests');
    await expect(running(without)).rejects.toMatchObject({ code: 'too_many_requests' });
    const request = { query: '{"asset_id":5001}', units: 'metric', depthUnit: 'm' } as const;
    const dataset = { provider: 'demo', dataset: 'drilling.wits.depth' };
    await expect(readLasColumns(without.data, dataset, request, undefined)).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    const asStored = { ...request, units: 'stored' } as const;
    await expect(readLasColumns(without.data, dataset, asStored, undefined)).resolves.toBeDefined();
  });

  it('can be stopped while it reads them', async () => {
    const stop = new AbortController();
    const running = runExport(services(), await folder(), planFor(await folder(), plan), stop);
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  });
});
