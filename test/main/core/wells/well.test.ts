import { describe, expect, it } from 'vitest';
import { toWell } from '../../../../src/main/core/wells/well.ts';
import { useServers } from '../../../support/servers.ts';
import { useServices } from '../../../support/services.ts';

const servers = useServers();
const open = useServices();
const entity = (attributes: Record<string, unknown>, id = 9001) => ({ id, type: 'well', attributes });

describe('a well', () => {
  it('is read with everything that the platform returned', () => {
    const attributes = {
      name: 'Ridge A-100H',
      asset_id: '1001',
      status: 'active',
      state: 'drilling',
      visibility: 'visible',
      identifier: 'RA-100',
      api_number: '42-123-45678',
      area: 'North',
      company_id: 3,
      last_active_at: '2026-01-01T00:00:00Z',
      settings: { api_number: 'other', basin: 'Permian', timezone: 'America/Chicago' },
      well_start: 1_767_225_600,
      lon_lat: [-102.5, 31.5],
    };
    const to = (id: unknown) => ({ data: { id } });
    const relationships = {
      program: to('8'),
      pad: to(4),
      rig: to(8),
      frac_fleet: { data: null },
      drillout_unit: 3,
    };
    expect(toWell({ ...entity(attributes), relationships })).toEqual({
      platformId: 9001,
      assetId: 1001,
      name: 'Ridge A-100H',
      status: 'active',
      state: 'drilling',
      visibility: 'visible',
      identifier: 'RA-100',
      apiNumber: '42-123-45678',
      area: 'North',
      companyId: 3,
      lastActiveAt: '2026-01-01T00:00:00.000Z',
      programId: 8,
      padId: 4,
      rigId: 8,
      fracFleetId: null,
      drilloutUnitId: null,
      startedAt: '2026-01-01T00:00:00.000Z',
      position: [-102.5, 31.5],
      timeZone: 'America/Chicago',
    });
  });

  it('is scoped by attributes.asset_id alone, never by the platform’s id', () => {
    expect(toWell(entity({ name: 'W' })).assetId).toBeNull();
    expect(toWell(entity({ asset_id: null })).assetId).toBeNull();
    expect(toWell(entity({ asset_id: 'x1' })).assetId).toBeNull();
    expect(toWell(entity({ id: 5, settings: { asset_id: 7 } })).assetId).toBeNull();
  });

  it.each([
    [{ settings: { api_number: 4212345678 } }, '4212345678'],
    [{ identifier: '42-123-45678-00-00' }, '42-123-45678-00-00'],
    [{ identifier: 'RA-100' }, null],
    [{ identifier: '123' }, null],
    [{ settings: null }, null],
  ])('has the API number in %j', (attributes, apiNumber) => {
    expect(toWell(entity(attributes)).apiNumber).toBe(apiNumber);
  });

  it('has the company in its relationships, and the company’s name if included', () => {
    const related = { ...entity({}), relationships: { company: { data: { id: '4', type: 'company' } } } };
    expect(toWell(related)).toMatchObject({ companyId: 4, name: 'Well 9001', status: null });
  });
});

describe('the wells of a connection', () => {
  it('are listed with other resources by the given filters, unchanged', async () => {
    const server = await servers.http(({ url }) => ({
      data: url.searchParams.get('page') === '1' ? [entity({ name: 'W', asset_id: 1 })] : [],
    }));
    const pages = open(server.url).platform.pages('assets', { types: ['rig'], api_number: ['42'] });
    expect((await pages.next()).value).toEqual([entity({ name: 'W', asset_id: 1 })]);
    expect((await pages.next()).done).toBe(true);
    expect(server.seen[0]?.url.search).toContain('types%5B%5D=rig');
  });

  it('reject a filter of another resource, and can be canceled', async () => {
    const server = await servers.http(() => undefined);
    const { platform } = open(server.url);
    const wrong: object = { status: 'active' };
    expect(() => platform.pages('programs', wrong)).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    );
    const cancelled = platform.pages('wells', {}, { signal: AbortSignal.abort() });
    await expect(cancelled.next()).rejects.toMatchObject({ code: 'cancelled' });
  });
});
