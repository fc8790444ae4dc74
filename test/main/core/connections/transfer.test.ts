import { describe, expect, it } from 'vitest';
import {
  exportProfiles,
  profilesFromText,
  type ConnectionProfile,
} from '../../../../src/main/core/connections/profiles.ts';
import { makeCertificates } from '../../../support/certificates.ts';
import { parseAuthorities } from '../../../../src/main/core/connections/certificates.ts';

const authorities = parseAuthorities(Buffer.from(makeCertificates([]).ca), 'ca.pem');
const facts = (more: Partial<ConnectionProfile> = {}): ConnectionProfile => ({
  id: 'an-id',
  name: 'North Ridge',
  color: 'amber',
  dataUrl: 'https://data.example',
  platformUrl: 'https://platform.example',
  method: 'login',
  email: 'me@company.example',
  readOnly: true,
  sample: false,
  saved: true,
  authorities,
  acceptedAt: '2026-01-01',
  ...more,
});

describe('profiles as text', () => {
  it('are restored without their users', () => {
    const { text } = exportProfiles([facts(), facts({ name: 'South', authorities: [] })], undefined);
    for (const own of ['an-id', 'me@company.example', '2026-01-01']) expect(text).not.toContain(own);
    const { profiles, problems } = profilesFromText(text, []);
    expect(problems).toEqual([]);
    expect(profiles).toMatchObject([
      { name: 'North Ridge', color: 'amber', method: 'login', readOnly: true, authorities },
      { name: 'South', authorities: [] },
    ]);
  });

  it('that exist or are unusable are skipped and reported', () => {
    const good = JSON.parse(exportProfiles([facts(), facts({ name: 'South' })], undefined).text) as {
      connections: object[];
    };
    const bad = [
      { ...good.connections[0], name: 'Evil', dataUrl: 'http://elsewhere.example' },
      { ...good.connections[0], name: 'User', dataUrl: 'https://me:secret@data.example' },
      {
        ...good.connections[0],
        name: 'Torn',
        authorities: ['-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----'],
      },
      'text',
    ];
    const text = JSON.stringify({ ...good, connections: [...good.connections, ...bad] });
    const { profiles, problems } = profilesFromText(text, [facts()]);
    expect(profiles.map(({ name }) => name)).toEqual(['South', 'Torn']);
    expect(problems).toEqual([
      '“North Ridge” already exists.',
      expect.stringMatching(/^Connection 3 can’t be used: dataUrl: .*https/),
      expect.stringMatching(/^Connection 4 can’t be used: dataUrl: .*password/),
      expect.stringContaining('The certificates of “Torn”'),
      expect.stringContaining('Connection 6'),
    ]);
  });

  it.each(['', 'hello', '[]', '{"kind":"postman"}'])('can’t be read from “%s”', (text) => {
    expect(() => profilesFromText(text, [])).toThrow(expect.objectContaining({ code: 'file_unsuitable' }));
  });

  it('of a newer version are rejected', () => {
    const text = '{"kind":"wellbench-connections","format":2,"connections":[]}';
    expect(() => profilesFromText(text, [])).toThrow(expect.objectContaining({ code: 'file_too_new' }));
  });
});
