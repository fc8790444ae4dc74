import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { attributes, relatedId } from './client.ts';
import { client, target } from './suite.ts';
import { ask, object, textOf } from './target.ts';

const most = { per_page: 10_000 };
type Parameters = Record<string, JsonValue>;
type Test = (resource: JsonObject, value: JsonValue) => boolean;

const ids = (resources: readonly JsonObject[]): number[] =>
  resources.map((resource) => Number(resource['id'])).toSorted((a, b) => a - b);
const name = (resource: JsonObject): string => textOf(attributes(resource)['name']);
const attribute =
  (path: string) =>
  (resource: JsonObject): JsonValue =>
    attributes(resource)[path] ?? null;
const related =
  (path: string) =>
  (resource: JsonObject): JsonValue =>
    relatedId(resource, path);
const all = new Map<string, JsonObject[]>();
for (const resource of ['wells', 'assets', 'programs', 'pads', 'rigs', 'drillout_units', 'frac_fleets']) {
  all.set(resource, await client.list(resource, most));
}
const of = (resource: string): JsonObject[] => all.get(resource) ?? [];

interface Filter {
  readonly parameter: string;
  /** Filter values from the resources; null values are skipped. */
  readonly value: (resource: JsonObject) => JsonValue;
  /** Whether a resource should match; by default both values are equal. */
  readonly fits?: Test;
}

/** One test for each filter: exactly the matching resources are found, and not all of them. */
function filters(resource: string, list: readonly Filter[]): void {
  test.for(list.map((filter) => [filter.parameter, filter] as const))(
    `${resource}: %s`,
    async ([parameter, { value, fits }], { skip }) => {
      const values = [
        ...new Set(
          of(resource)
            .map(value)
            .filter((v) => v !== null),
        ),
      ].slice(0, 4);
      if (values.length === 0 && !target.own) skip('nothing there to filter by');
      expect(values.length).toBeGreaterThan(0);
      for (const wanted of values) {
        const found = await client.list(resource, { ...most, [parameter]: wanted });
        const expected = of(resource).filter((r) => (fits ? fits(r, wanted) : value(r) === wanted));
        expect(ids(found)).toEqual(ids(expected));
        expect(found.length).toBeGreaterThan(0);
      }
    },
  );
}

function sorts(resource: string, list: Readonly<Record<string, (resource: JsonObject) => JsonValue>>): void {
  describe.each(Object.entries(list))(`${resource}: sort=%s`, (sort, value) => {
    const sorted = async (parameters: Parameters): Promise<JsonValue[]> =>
      (await client.list(resource, { ...most, sort, ...parameters })).map(value).filter((v) => v !== null);

    test('is ascending by default and with order=asc', async () => {
      const values = await sorted({});
      expect(values).toEqual(values.toSorted(compare));
      expect(await sorted({ order: 'asc' })).toEqual(values);
    });

    test('is descending with order=desc', async () => {
      const values = await sorted({ order: 'desc' });
      expect(values).toEqual(values.toSorted((a, b) => compare(b, a)));
    });
  });
}

function compare(a: JsonValue, b: JsonValue): number {
  const [x, y] = [a, b].map((value) => (typeof value === 'string' ? value.toLowerCase() : Number(value)));
  return x! < y! ? -1 : x! > y! ? 1 : 0;
}

const searched: Filter = {
  parameter: 'search',
  value: (resource) => name(resource).slice(0, 5).toUpperCase(),
  fits: (resource, part) => name(resource).toUpperCase().includes(textOf(part)),
};
const company: Filter = { parameter: 'company', value: related('company') };
const nameOf =
  (resource: string, path: string) =>
  (entity: JsonObject): JsonValue => {
    const id = relatedId(entity, path);
    const found = of(resource).find((candidate) => Number(candidate['id']) === Number(id));
    return found ? name(found) : null;
  };

describe('4.2 /v2/wells', () => {
  filters('wells', [
    { parameter: 'asset_id', value: attribute('asset_id') },
    company,
    { parameter: 'program', value: related('program') },
    { parameter: 'pad', value: related('pad') },
    { parameter: 'drillout_unit', value: related('drillout_unit') },
    { parameter: 'frac_fleet', value: related('frac_fleet') },
    { parameter: 'status', value: attribute('status') },
    { parameter: 'state', value: attribute('state') },
    { parameter: 'visibility', value: attribute('visibility') },
    { parameter: 'identifier', value: attribute('identifier') },
    { parameter: 'area', value: attribute('area') },
    searched,
    before('last_active_drilling_before', 'last_drilling_at'),
    after('last_active_drilling_after', 'last_drilling_at'),
    started('well_start_before', (start, bound) => start < bound),
    started('well_start_after', (start, bound) => start > bound),
  ].map(shiftBounds)); // oxfmt-ignore

  test('asset_id[] accepts several', async () => {
    const wanted = of('wells')
      .slice(0, 3)
      .map((well) => attribute('asset_id')(well));
    const found = await client.list('wells', { 'asset_id[]': wanted });
    expect(found.map((well) => attribute('asset_id')(well)).toSorted(compare)).toEqual(
      wanted.toSorted(compare),
    );
  });

  test('ids[] are platform well ids, not asset ids', async () => {
    const [well] = of('wells');
    expect(ids(await client.list('wells', { 'ids[]': [well?.['id'] ?? 0] }))).toEqual(ids([well!]));
    const trap = of('wells').find((candidate) =>
      of('wells').some(
        (other) => Number(candidate['id']) === attribute('asset_id')(other) && other !== candidate,
      ),
    );
    if (!trap) return;
    const [byId] = await client.list('wells', { 'ids[]': [trap['id'] ?? 0] });
    const [byAsset] = await client.list('wells', { asset_id: trap['id'] ?? 0 });
    expect(name(byId!)).not.toBe(name(byAsset!));
  });

  test('filters together find resources that match all of them', async () => {
    const [well] = of('wells');
    const both = { status: attribute('status')(well!), program: relatedId(well!, 'program') };
    const found = await client.list('wells', { ...most, ...both });
    const expected = of('wells').filter(
      (w) => attribute('status')(w) === both.status && relatedId(w, 'program') === both.program,
    );
    expect(ids(found)).toEqual(ids(expected));
  });

  sorts('wells', {
    name,
    status: attribute('status'),
    visibility: attribute('visibility'),
    identifier: attribute('identifier'),
    last_active_at: attribute('last_active_at'),
    program: nameOf('programs', 'program'),
    rig: nameOf('rigs', 'rig'),
    company: related('company'),
  });
});

describe('4.2 /v2/assets', () => {
  filters('assets', [
    { parameter: 'types[]', value: attribute('asset_type') },
    { parameter: 'status', value: (r) => (['active', 'idle', 'paused', 'complete', 'deleting'].includes(textOf(attribute('status')(r))) ? attribute('status')(r) : null) },
    { parameter: 'visibility', value: attribute('visibility') },
    { parameter: 'program', value: related('program') },
    { parameter: 'parent_asset_id', value: attribute('parent_asset_id') },
    { parameter: 'api_number', value: attribute('api_number') },
    { parameter: 'company_id', value: related('company') },
    { parameter: 'ids[]', value: (r) => Number(r['id']), fits: (r, v) => Number(r['id']) === Number(v) },
    { ...searched, fits: (r, part) => `${name(r)} ${textOf(attribute('customer_well_id')(r))}`.toUpperCase().includes(textOf(part)) },
  ]); // oxfmt-ignore

  test('dashes in api_number are ignored', async () => {
    const well = of('assets').find((asset) => attribute('api_number')(asset) !== null);
    const number = textOf(attribute('api_number')(well!));
    for (const written of [
      number.replaceAll('-', ''),
      number.replaceAll('-', '').replace(/^(..)(...)/, '$1-$2-'),
    ]) {
      expect(ids(await client.list('assets', { api_number: written }))).toEqual(ids([well!]));
    }
  });

  test('api_number[] accepts several', async () => {
    const wells = of('assets')
      .filter((asset) => attribute('api_number')(asset) !== null)
      .slice(0, 3);
    const numbers = wells.map(attribute('api_number'));
    expect(ids(await client.list('assets', { 'api_number[]': numbers }))).toEqual(ids(wells));
  });

  test.each(['id', 'api_number', 'customer_well_id'])('search finds by %s', async (by) => {
    const well = of('assets').find((asset) => attribute('api_number')(asset) !== null)!;
    const text = by === 'id' ? textOf(well['id']) : textOf(attribute(by)(well));
    expect(ids(await client.list('assets', { ...most, search: text }))).toContain(Number(well['id']));
  });

  test('start and end select assets that were active in the period', async () => {
    const far = 4_000_000_000;
    expect(await client.list('assets', { 'types[]': ['well'], start: far, end: far + 1 })).toEqual([]);
    const whole = await client.list('assets', { ...most, start: 0, end: far });
    expect(whole.length).toBeGreaterThan(0);
  });

  test.each(['status', 'visibility', 'types[]'])('an unknown value of %s is rejected', async (parameter) => {
    expect([400, 422]).toContain((await client.platform('/v2/assets', { [parameter]: 'unheard-of' })).status);
  });

  test('programs, rigs and wells are in a hierarchy of parents', async () => {
    const byId = new Map(of('assets').map((asset) => [Number(asset['id']), asset]));
    const rig = of('assets').find((asset) => attribute('asset_type')(asset) === 'rig');
    const parent = byId.get(Number(attribute('parent_asset_id')(rig!)));
    expect(attribute('asset_type')(parent!)).toBe('program');
  });

  sorts('assets', { name, status: attribute('status'), last_active_at: attribute('last_active_at'), well_end: attribute('well_end'), program: nameOf('programs', 'program'), company: related('company') }); // oxfmt-ignore

  test.each(['rig', 'well'])('assets: sort=%s is accepted', async (sort) => {
    expect((await client.platform('/v2/assets', { sort })).status).toBe(200);
  });
});

describe('4.2 /v2/programs', () => {
  filters('programs', [company, { parameter: 'name', value: name }]);
  sorts('programs', { name, company: related('company') });

  test('is sorted by name by default', async () => {
    const names = of('programs').map(name);
    expect(names).toEqual(names.toSorted(compare));
  });
});

describe('4.2 /v2/pads', () => {
  filters('pads', [
    company,
    searched,
    { parameter: 'program', value: related('program') },
    { parameter: 'current_frac_fleet', value: related('current_frac_fleet') },
    { parameter: 'drillout_unit', value: related('drillout_unit') },
    { parameter: 'active', value: attribute('active') },
    { parameter: 'current', value: (pad) => relatedId(pad, 'current_frac_fleet') !== null },
    {
      parameter: 'well_ids[]',
      value: (pad) => (attribute('well_ids')(pad) as number[])[0] ?? null,
      fits: (pad, id) => (attribute('well_ids')(pad) as JsonValue[]).includes(id),
    },
  ]);

  test('pads: frac_fleet finds the pads related to a fleet', async () => {
    const fleet = related('frac_fleet')(of('wells').find((well) => relatedId(well, 'frac_fleet') !== null)!);
    const pads = new Set(of('wells').filter((well) => relatedId(well, 'frac_fleet') === fleet).map((well) => Number(relatedId(well, 'pad')))); // oxfmt-ignore
    expect(new Set(ids(await client.list('pads', { ...most, frac_fleet: fleet })))).toEqual(pads);
  });

  test('pads: page returns the pages one after the other', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => client.list('pads', { per_page: 2, page })));
    expect(pages.flatMap(ids).length).toBe(new Set(pages.flatMap(ids)).size);
    expect(await client.list('pads', { per_page: 2, page: 10_000 })).toEqual([]);
  });

  sorts('pads', { name, company: related('company'), program: nameOf('programs', 'program'), drillout_unit: nameOf('drillout_units', 'drillout_unit'), last_active_at: attribute('last_active_at') }); // oxfmt-ignore
});

describe('4.2 /v2/rigs', () => {
  filters('rigs', [
    company,
    searched,
    { parameter: 'program', value: related('program') },
    { parameter: 'active_well', value: related('active_well') },
    { parameter: 'has_active_well', value: () => 1, fits: (rig) => relatedId(rig, 'active_well') !== null },
    { parameter: 'active', value: () => 'true', fits: (rig) => relatedId(rig, 'active_well') !== null },
    appKey(),
  ]);
  sorts('rigs', { name, company: related('company'), program: nameOf('programs', 'program'), last_active_at: attribute('last_active_at') }); // oxfmt-ignore
});

describe('4.2 /v2/drillout_units', () => {
  filters('drillout_units', [
    company,
    searched,
    { parameter: 'program', value: related('program') },
    { parameter: 'pad', value: related('pad') },
    { parameter: 'well', value: related('well') },
    { parameter: 'active', value: () => 'true', fits: (unit) => relatedId(unit, 'well') !== null },
    appKey(),
  ]);
  sorts('drillout_units', { name, company: related('company'), program: nameOf('programs', 'program'), pad: nameOf('pads', 'pad'), well: nameOf('wells', 'well'), last_active_at: attribute('last_active_at') }); // oxfmt-ignore
});

describe('4.2 /v2/frac_fleets', () => {
  filters('frac_fleets', [
    company,
    searched,
    { parameter: 'current_pad', value: related('current_pad') },
    { parameter: 'active', value: () => 'true', fits: (fleet) => relatedId(fleet, 'current_pad') !== null },
    appKey(),
  ]);

  test.each(['program', 'pad'])('frac_fleets: %s finds the fleets related to it', async (by) => {
    const well = of('wells').find((candidate) => relatedId(candidate, 'frac_fleet') !== null)!;
    const found = await client.list('frac_fleets', { ...most, [by]: relatedId(well, by) });
    expect(ids(found)).toContain(Number(relatedId(well, 'frac_fleet')));
  });

  sorts('frac_fleets', { name, company: related('company'), last_active_at: attribute('last_active_at') });
});

describe('4.2 Single resource', () => {
  test.each([...all.keys()])('/v2/%s/{id} returns the resource of the list', async (resource) => {
    const [listed] = of(resource);
    const reply = await client.platform(`/v2/${resource}/${textOf(listed?.['id'])}`);
    expect([reply.status, object(reply.json)['data']]).toEqual([200, listed]);
  });

  test('fields[] excludes other attributes', async () => {
    const [well] = of('wells');
    const reply = await client.platform(`/v2/wells/${textOf(well?.['id'])}`, { 'fields[]': ['well.name'] });
    expect(attributes(object(object(reply.json)['data']))['name']).toBe(name(well!));
  });

  test.each([...all.keys()])('/v2/%s returns 404 for an id that does not exist', async (resource) => {
    expect((await client.platform(`/v2/${resource}/999999999`)).status).toBe(404);
  });
});

describe.each([...all.keys()])('2.4 Shared parameters of /v2/%s', (resource) => {
  const type = textOf(of(resource)[0]?.['type']);

  test('ids[] returns only these', async () => {
    const wanted = ids(of(resource)).slice(0, 2);
    expect(ids(await client.list(resource, { 'ids[]': wanted }))).toEqual(wanted);
  });

  test('fields[] returns the requested attributes', async () => {
    const found = await client.list(resource, {
      'fields[]': [`${type}.name`, `${type}.last_active_at`],
      per_page: 5,
    });
    for (const one of found) {
      expect(attributes(one)['name']).toBeTypeOf('string');
      expect(Object.keys(attributes(one)).length).toBeLessThanOrEqual(
        Object.keys(attributes(of(resource)[0])).length,
      );
    }
  });

  test('fields[] is the same raw and encoded', async () => {
    const address = `${target.platformUrl}/v2/${resource}?per_page=3&`;
    const raw = await ask(target, `${address}fields[]=${type}.name`);
    expect((await ask(target, `${address}fields%5B%5D=${type}.name`)).json).toEqual(raw.json);
  });

  test('per_page is the maximum in a response', async () => {
    expect((await client.list(resource, { per_page: 1 })).length).toBe(1);
  });

  test.each([0, -1, 'many'])('per_page %j is rejected', async (per_page) => {
    expect([400, 422]).toContain((await client.platform(`/v2/${resource}`, { per_page })).status);
  });

  test('a leading - in sort means descending', async () => {
    const names = (await client.list(resource, { ...most, sort: '-name' })).map(name);
    expect(names).toEqual(names.toSorted((a, b) => compare(b, a)));
  });

  test('sort accepts several fields with commas', async () => {
    expect(ids(await client.list(resource, { ...most, sort: 'company,name' }))).toEqual(ids(of(resource)));
  });

  test('an unsupported sort is rejected', async () => {
    expect([400, 422]).toContain((await client.platform(`/v2/${resource}`, { sort: 'unheard_of' })).status);
  });

  test('an order other than asc and desc is rejected', async () => {
    expect([400, 422]).toContain((await client.platform(`/v2/${resource}`, { order: 'upwards' })).status);
  });

  test('active_before and active_after split at last_active_at: before it, at or after it', async () => {
    const times = of(resource).map(attribute('last_active_at')).filter((time) => time !== null).toSorted(compare); // oxfmt-ignore
    const middle = times[Math.floor(times.length / 2)] ?? '';
    const older = await client.list(resource, { ...most, active_before: middle });
    const newer = await client.list(resource, { ...most, active_after: middle });
    expect(older.map(attribute('last_active_at')).every((time) => compare(time, middle) < 0)).toBe(true);
    expect(newer.map(attribute('last_active_at')).every((time) => compare(time, middle) >= 0)).toBe(true);
    expect(older.length + newer.length).toBe(times.length);
  });

  test('a bounding box selects the wells inside', async () => {
    const inside = ([lon = 0, lat = 0]: number[]): boolean =>
      lon >= -104 && lon <= -100 && lat >= 30 && lat <= 34;
    const box = { lat_start: 30, lat_end: 34, long_start: -104, long_end: -100 };
    const expected = of(resource).filter((one) => inside(attribute('lon_lat')(one) as number[]));
    expect(ids(await client.list(resource, { ...most, ...box }))).toEqual(ids(expected));
  });

  test('a bounding box without one of its edges is rejected', async () => {
    const reply = await client.platform(`/v2/${resource}`, { lat_start: 30, lat_end: 34, long_start: -104 });
    expect([400, 422]).toContain(reply.status);
  });
});

function appKey(): Filter {
  return {
    parameter: 'app_key',
    value: (resource) => (attribute('app_keys')(resource) as JsonValue[])[0] ?? null,
    fits: (resource, key) => (attribute('app_keys')(resource) as JsonValue[]).includes(key),
  };
}

function started(parameter: string, fits: (start: number, bound: number) => boolean): Filter {
  const start = attribute('well_start');
  return { parameter, value: start, fits: (well, bound) => fits(Number(start(well)), Number(bound)) };
}

function before(parameter: string, path: string): Filter {
  return {
    parameter,
    value: attribute(path),
    fits: (r, v) => attribute(path)(r) !== null && compare(attribute(path)(r), v) < 0,
  };
}

function after(parameter: string, path: string): Filter {
  return {
    parameter,
    value: attribute(path),
    fits: (r, v) => attribute(path)(r) !== null && compare(attribute(path)(r), v) >= 0,
  };
}

// A bound that is the minimum or maximum of all matches nothing: only those in between are tested.
function shiftBounds(filter: Filter): Filter {
  if (!/_(before|after)$/.test(filter.parameter)) return filter;
  const sorted = [
    ...new Set(
      of('wells')
        .map(filter.value)
        .filter((v) => v !== null),
    ),
  ].toSorted(compare);
  const inner = new Set<JsonValue>(sorted.slice(1, -1));
  return {
    ...filter,
    value: (resource) => (inner.has(filter.value(resource)) ? filter.value(resource) : null),
  };
}
