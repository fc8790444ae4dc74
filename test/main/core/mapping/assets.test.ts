import { beforeEach, describe, expect, it } from 'vitest';
import { mapping as mappingSchema } from '../../../../src/shared/upload/upload.ts';
import { resolveAssets, wellNames, wellsInName } from '../../../../src/main/core/mapping/wells.ts';
import type { Services } from '../../../../src/main/core/wire/services/services.ts';
import { useServers, type TestServer } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

const servers = useServers();
const services = useServices();

// The platform's internal ids of the wells, which must never be exposed.
const wells = [
  { id: 1, type: 'well', attributes: { name: 'Badger 1H', asset_id: 5001, api_number: '33-053-00001' } },
  {
    id: 2,
    type: 'well',
    attributes: { name: 'Badger 1H Extra', asset_id: 5002, api_number: '33-053-00002' },
  },
  { id: 3, type: 'well', attributes: { name: 'Twin', asset_id: 5003 } },
  { id: 4, type: 'well', attributes: { name: 'Twin', asset_id: 5004 } },
  { id: 5, type: 'well', attributes: { name: 'Smith 11-2', asset_id: 5005 } },
  { id: 6, type: 'well', attributes: { name: 'Smith 1-12', asset_id: 5006 } },
];

let server: TestServer;
let platform: Services['platform'];
beforeEach(async () => {
  server = await servers.http(({ url }) => {
    const search = url.searchParams.get('search')?.toLowerCase() ?? '';
    if (url.pathname.includes('/wells'))
      return { data: wells.filter(({ attributes }) => attributes.name.toLowerCase().includes(search)) };
    const wanted = url.searchParams.getAll('api_number[]').concat(url.searchParams.getAll('api_number'));
    const found = wells.filter(({ attributes }) =>
      wanted.includes(attributes.api_number?.replaceAll('-', '') ?? 'none'),
    );
    return {
      data: found.map(({ attributes }) => ({
        id: attributes.asset_id,
        type: 'well',
        attributes: { name: attributes.name },
      })),
    };
  });
  ({ platform } = services(server.url));
});

const resolve = (by: 'name' | 'api_number', ...values: string[]) =>
  resolveAssets(platform, mappingSchema.parse({ columns: { Well: { to: 'asset_id', by } } }), {
    Well: new Map(values.map((value, index) => [value, { line: index + 2, count: 3 }])),
  });

describe('wells of a file', () => {
  it('by name become asset ids: the exact name in any case, never the internal id', async () => {
    expect(await resolve('name', 'Badger 1H', 'BADGER 1H EXTRA')).toEqual({
      assets: { Well: { 'badger 1h': 5001, 'badger 1h extra': 5002 } },
      warnings: [],
    });
  });

  it('by API number become asset ids, ignoring dashes', async () => {
    expect((await resolve('api_number', '33-053-00001', '3305300002')).assets).toEqual({
      Well: { '3305300001': 5001, '3305300002': 5002 },
    });
  });

  it('are listed with their first line when they are unknown or ambiguous', async () => {
    const { assets, warnings } = await resolve('name', 'Badger 1H', 'Nobody', 'Twin');
    expect(assets).toEqual({ Well: { 'badger 1h': 5001 } });
    expect(warnings.map(({ code, line, count, message }) => [code, line, count, message])).toEqual([
      ['well_unresolved', 3, 3, 'Column “Well”: “Nobody” doesn’t match a well. Its rows will be rejected.'],
      [
        'well_unresolved',
        4,
        3,
        'Column “Well”: “Twin” matches 2 wells: Twin (5003), Twin (5004). Its rows will be rejected.',
      ],
    ]);
  });

  it('are all listed for scripts when none is known', async () => {
    const wells = Array.from({ length: 25 }, (_, n) => `Nobody ${n}`);
    await expect(resolve('name', ...wells)).rejects.toMatchObject({
      message: expect.stringMatching(/“Nobody 9”.* 15 more not recognized/) as string,
      details: { issues: expect.arrayContaining([expect.objectContaining({ lists: { wells } })]) as unknown },
    });
  });

  it('aren’t looked up when the user matched them, whatever the platform returns', async () => {
    const settled = { to: 'asset_id', by: 'name', wells: { Twin: 5004, 'badger 1h': 5002 } };
    const { assets, warnings } = await resolveAssets(
      platform,
      mappingSchema.parse({ columns: { Well: settled } }),
      {
        Well: new Map([
          ['TWIN', { line: 2, count: 1 }],
          ['Badger 1H', { line: 3, count: 1 }],
        ]),
      },
    );
    expect(assets).toEqual({ Well: { twin: 5004, 'badger 1h': 5002 } });
    expect(warnings).toEqual([]);
    expect(server.seen).toEqual([]);
  });

  it('don’t include null values', async () => {
    const mapping = mappingSchema.parse({
      columns: { Well: { to: 'asset_id', by: 'name' } },
      nulls: ['N/A'],
    });
    const { warnings } = await resolveAssets(platform, mapping, {
      Well: new Map([
        ['N/A', { line: 2, count: 1 }],
        ['Badger 1H', { line: 3, count: 1 }],
      ]),
    });
    expect(warnings).toEqual([]);
  });

  it('come with candidates when they are ambiguous', async () => {
    const wanted = { column: 'Well', by: 'name', settled: {} } as const;
    const values = new Map([
      ['Badger', { line: 2, count: 1 }],
      ['Twin', { line: 3, count: 1 }],
      ['Badger 1H', { line: 4, count: 1 }],
    ]);
    const names = await wellNames(platform, wanted, values, [], {});
    expect(
      names.map(({ value, line, assetId, found, candidates }) => [
        value,
        line,
        assetId,
        found,
        candidates.map((each) => each.assetId),
      ]),
    ).toEqual([
      ['Badger', 2, null, 'none', [5001, 5002]],
      ['Twin', 3, null, 'several', [5003, 5004]],
      ['Badger 1H', 4, 5001, 'one', [5001]],
    ]);
  });

  it('are looked up once for all spellings, with their first line and the rows of all', async () => {
    const values = new Map([
      ['TWIN', { line: 2, count: 1 }],
      ['Badger 1H', { line: 3, count: 4 }],
      ['Twin ', { line: 4, count: 2 }],
    ]);
    const names = await wellNames(platform, { column: 'Well', by: 'name', settled: {} }, values, [], {});
    expect(names.map(({ value, line, count }) => [value, line, count])).toEqual([
      ['TWIN', 2, 3],
      ['Badger 1H', 3, 4],
    ]);
    expect(new Set(server.seen.map(({ url }) => url.searchParams.get('search'))).size).toBe(2);
  });

  it('stop the upload when none is known', async () => {
    await expect(resolve('name', 'Nobody')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('aren’t looked up by API numbers that a spreadsheet damaged', async () => {
    const { warnings } = await resolve('api_number', '33-053-00001', '3.3053E+13');
    expect(warnings.map(({ message }) => message).join()).toMatch(/lost digits in a spreadsheet/);
    expect(server.seen.every(({ url }) => url.search.includes('3305300001'))).toBe(true);
  });

  it('are each looked up once, and never when the file has asset ids', async () => {
    await resolveAssets(platform, mappingSchema.parse({ columns: { Well: { to: 'asset_id' } } }), {});
    expect(server.seen).toHaveLength(0);
  });
});

describe('wells in the name of a file', () => {
  it.each([
    ['Badger 1H surveys 2026-01-02.csv', [5001]],
    ['surveys_BADGER-1H.csv.gz', [5001]],
    ['badger_1h_extra.las', [5002]],
    ['Twin.csv', [5003, 5004]],
    ['Badger 11H.csv', []],
    ['surveys 1.csv', []],
    ['Badger 1H (2).csv', [5001]],
    ['Smith 1-12 surveys.csv', [5006]],
    ['SMITH 11-2 (1).csv', [5005]],
    ['Smith 112.csv', []],
  ])('are those whose whole name is in it, of several the longest: %s', async (name, assetIds) => {
    const found = await wellsInName(platform, name, {});
    expect(found.map(({ assetId }) => assetId)).toEqual(assetIds);
  });
});
