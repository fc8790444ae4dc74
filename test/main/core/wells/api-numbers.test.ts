import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapping as mappingSchema } from '../../../../src/shared/upload/upload.ts';
import { apiDigits, areOfOneWellbore, isApiNumber } from '../../../../src/shared/wells/wells.ts';
import { resolveAssets, wellNames } from '../../../../src/main/core/mapping/wells.ts';
import { wellsByApiNumber } from '../../../../src/main/core/wells/api-numbers.ts';
import { resolveNames } from '../../../../src/main/core/wells/wells.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

const servers = useServers();
const open = useServices();

interface Stored {
  readonly asset: number;
  readonly api: string;
}

interface Manners {
  /** Assets have no API numbers; wells do. */
  readonly withoutNumbers?: boolean;
  /** A search compares texts, with their dashes. */
  readonly searchesText?: boolean;
}

/** A platform service with these wells. */
async function platformOf(stored: readonly Stored[], { withoutNumbers, searchesText }: Manners = {}) {
  const server = await servers.http(({ url: { pathname, searchParams: of } }) => {
    if ((of.get('page') ?? '1') !== '1') return { data: [] };
    const attributesOf = ({ asset, api }: Stored) => ({
      name: `Ridge ${asset}`,
      asset_id: asset,
      api_number: api,
    });
    if (pathname.endsWith('/wells')) {
      const ids = of.getAll('asset_id[]');
      const data = stored.filter(({ asset }) => ids.includes(String(asset)));
      return {
        data: data.map((each) => ({ id: each.asset + 7, type: 'well', attributes: attributesOf(each) })),
      };
    }
    const search = of.get('search');
    const numbers = of.getAll('api_number[]');
    const found = stored.filter(({ api }) =>
      search === null
        ? numbers.includes(apiDigits(api))
        : searchesText
          ? api.includes(search)
          : apiDigits(api).includes(apiDigits(search)),
    );
    return {
      data: found.map((each) => ({
        id: each.asset,
        type: 'well',
        attributes: withoutNumbers ? { name: `Ridge ${each.asset}` } : attributesOf(each),
      })),
    };
  });
  return open(server.url).platform;
}

const manners: [string, Manners][] = [
  ['a service like that of the specification', {}],
  ['a service whose assets have no API number', { withoutNumbers: true }],
  ['a service that searches for texts', { searchesText: true }],
];

const wells = [
  { asset: 1, api: '42-123-45678-00-00' },
  { asset: 2, api: '42-123-45679-00' },
  { asset: 3, api: '4212345680' },
  { asset: 4, api: '42-123-45681-00-00' },
  { asset: 5, api: '42-123-45681-01-00' },
  { asset: 6, api: '42-123-45681-01-01' },
  { asset: 7, api: '05-033-01234-00' },
];

describe.each(manners)('API numbers in %s', (_what, how) => {
  it.each([
    ['42-123-45678', [1]],
    ['4212345678', [1]],
    ['42 123 45678', [1]],
    ['421234567800', [1]],
    ['42123456780000', [1]],
    ['4212345679', [2]],
    ['42-123-45679-00-00', [2]],
    ['4212345680', [3]],
    ['42-123-45680-00', [3]],
    ['42123456800000', [3]],
    ['4212345681', [4, 5, 6]],
    ['421234568101', [5, 6]],
    ['42123456810101', [6]],
    ['42123456780100', []],
    ['4212345699', []],
    ['42123', []],
    // Without the zero before it that spreadsheets drop.
    ['503301234', [7]],
    ['50330123400', [7]],
  ])('%s', async (text, assets) => {
    const platform = await platformOf(wells, how);
    const { matching, others } = await wellsByApiNumber(platform, text, {});
    expect(matching.map(({ asset }) => asset.id).toSorted((a, b) => a - b)).toEqual(assets);
    expect(others.map(({ asset }) => asset.id)).toEqual(text === '42123456780100' ? [1] : []);
  });
});

describe('wells by API number', () => {
  it('are the same for an upload and for the wells of a command', async () => {
    const platform = await platformOf(wells);
    for (const text of ['42-123-45678', '42-123-45680-00', '4212345681', '4212345699']) {
      const [resolved] = await resolveNames(platform, [text], {});
      const values = new Map([[text, { line: 2, count: 1 }]]);
      const wanted = { column: 'API', by: 'api_number', settled: {} } as const;
      const [name] = await wellNames(platform, wanted, values, [], {});
      expect(name?.candidates.map(({ assetId }) => assetId)).toEqual(
        resolved?.wells.map(({ assetId }) => assetId),
      );
    }
  });

  it('with several wellbores are a question that names them, and no silent choice', async () => {
    const platform = await platformOf(wells);
    const columns = { API: { to: 'asset_id', by: 'api_number' } };
    const distinct = new Map(
      ['4212345678', '4212345681', '42123456780100'].map((text, n) => [text, { line: n + 2, count: 5 }]),
    );
    const { assets, warnings } = await resolveAssets(platform, mappingSchema.parse({ columns }), {
      API: distinct,
    });
    expect(assets).toEqual({ API: { '4212345678': 1 } });
    expect(warnings.map(({ message }) => message)).toEqual([
      'Column “API”: “4212345681” matches 3 wells: Ridge 4 (42-123-45681-00-00, 4), Ridge 5 (42-123-45681-01-00, 5), Ridge 6 (42-123-45681-01-01, 6). Its rows will be rejected.',
      'Column “API”: “42123456780100” doesn’t match a wellbore; others of this well are Ridge 1 (42-123-45678-00-00, 1). Its rows will be rejected.',
    ]);
  });

  it('of one wellbore agree in both directions, with dashes or without', () => {
    const api = fc.stringMatching(/^\d{14}$/);
    const length = fc.constantFrom(10, 12, 14);
    const dashed = (digits: string): string => digits.replaceAll(/^(\d\d)(\d{3})(\d{5})/g, '$1-$2-$3');
    fc.assert(
      fc.property(api, length, length, (number, one, two) => {
        const [a, b] = [number.slice(0, one), dashed(number.slice(0, two))];
        expect([isApiNumber(a), isApiNumber(b)]).toEqual([true, true]);
        expect([areOfOneWellbore(a, b), areOfOneWellbore(b, a)]).toEqual([true, true]);
        const other = `${number.slice(0, 9)}${(Number(number[9]) + 1) % 10}`;
        expect(areOfOneWellbore(a, other)).toBe(false);
      }),
    );
  });
});
