import { describe, expect, it } from 'vitest';
import {
  readCompanyListing,
  readDefinition,
  readDefinitions,
} from '../../../../../src/main/core/wire/services/open.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();

describe('a dataset definition', () => {
  it('is read with all its fields', () => {
    const read = readDefinition({
      id: '17',
      company_id: 3,
      provider: 'demo',
      name: 'demo#drilling.wits',
      friendly_name: 'WITS',
      description: 'one a second',
      schema: { default_units: { rop: 'ft/h' } },
      data_type: 'time',
      plottable: true,
      temporary: false,
      permission_workflow: { read: 'request' },
      indexes: [
        { name: '_id_', fields: [{ _id: 1 }] },
        { name: 'asset_time', fields: [{ asset_id: 1 }, { timestamp: -1 }], unique: true, status: 'ready' },
        { name: 'text', fields: [{ note: 'text' }] },
        'asset_id_1',
      ],
      statistics: { size: 9, count: '200000', storage_size: null, index_size: 1 },
      new_field: {},
    });
    expect(read).toEqual({
      provider: 'demo',
      dataset: 'drilling.wits',
      id: 17,
      companyId: 3,
      friendlyName: 'WITS',
      description: 'one a second',
      type: 'time',
      typeSaid: 'time',
      plottable: true,
      temporary: false,
      permissions: { read: 'request' },
      indexes: [
        { name: '_id_', fields: [{ path: '_id', direction: 1 }], unique: false },
        {
          name: 'asset_time',
          fields: [
            { path: 'asset_id', direction: 1 },
            { path: 'timestamp', direction: -1 },
          ],
          unique: true,
        },
      ],
      statistics: { size: 9, count: 200_000, storageSize: null, indexSize: 1 },
      schema: { default_units: { rop: 'ft/h' } },
    });
  });

  it('is read with nothing but a name', () => {
    expect(readDefinition({ name: 'p#d' })).toMatchObject({
      provider: 'p',
      dataset: 'd',
      id: null,
      friendlyName: 'd',
      type: null,
      typeSaid: '',
      indexes: [],
      schema: {},
    });
  });

  it.each([
    [{ provider: 'p', name: 'd' }, 'p', 'd'],
    [{ provider: 'p', name: 'p#d#e' }, 'p', 'd#e'],
    [{ provider: 'p', name: 'p/d' }, 'p', 'd'],
    [{ provider: 'p', name: 'other#d' }, 'p', 'd'],
    [{ provider: 'p', name: '#d' }, 'p', '#d'],
  ])('finds the address in %j', (value, provider, dataset) => {
    expect(readDefinition(value)).toMatchObject({ provider, dataset });
  });

  it('keeps an unknown type unchanged', () => {
    expect(readDefinition({ name: 'p#d', data_type: 'spatial' })).toMatchObject({
      type: null,
      typeSaid: 'spatial',
    });
  });

  it.each([null, [], 'text', {}, { name: '' }])('is missing for %j', (value) => {
    expect(() => readDefinition(value)).toThrow('it is not the definition of a dataset');
  });

  it('that can’t be read does not hide the others', () => {
    expect(readDefinitions([{ name: 'p#d' }, null, { nameless: 1 }])).toMatchObject({
      items: [{}],
      skipped: 2,
    });
    expect(readDefinitions({ data: [{ name: 'p#d' }] })).toMatchObject({ items: [{}], skipped: 0 });
    expect(() => readDefinitions({ message: 'no' })).toThrow('it is not a list of datasets');
  });

  it('of a company is listed with the company’s name', () => {
    const listing = {
      'North Ridge': [{ id: 1, provider: 'p', name: 'p#d', type: 'time' }, null],
      Empty: [],
    };
    expect(readCompanyListing(listing)).toEqual({
      items: [{ company: 'North Ridge', id: 1, provider: 'p', name: 'd', type: 'time' }],
      skipped: 1,
    });
  });
});

describe('the endpoints of definitions', () => {
  it('get their parameters, and a trailing slash', async () => {
    const server = await servers.http(({ url }) => {
      if (url.pathname.includes('company')) return {};
      return url.pathname === '/api/v1/dataset/' ? [] : { name: 'p#d' };
    });
    const { data } = open(server.url);
    await data.datasets({});
    await data.datasets({ search: 'wits & more', plottable: true, temporary: false });
    await data.companyDatasets();
    await data.dataset({ provider: 'p', dataset: 'd e' });
    expect(server.seen.map(({ url }) => url.pathname + url.search)).toEqual([
      '/api/v1/dataset/',
      '/api/v1/dataset/?search=wits%20%26%20more&plottable=true&temporary=false',
      '/api/v1/dataset/company/',
      '/api/v1/dataset/p/d%20e/',
    ]);
  });
});
