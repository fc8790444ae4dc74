import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantNotations, instantOf, isSameText, utcText } from '../../src/shared/instants.ts';

describe('a time in text', () => {
  it.each([
    ['2026-01-31T00:00:00-06:00', '2026-01-31T06:00:00Z'],
    ['2026-01-31 00:00:00-0600', '2026-01-31T06:00:00Z'],
    ['2026-01-31t06:00:00z', '2026-01-31T06:00:00Z'],
    ['2026-01-31 06:00:00+00', '2026-01-31T06:00:00Z'],
    ['2026-01-31T06:00Z', '2026-01-31T06:00:00Z'],
    ['2026-01-31T11:30:00,500 +05:30', '2026-01-31T06:00:00.5Z'],
    ['2026-01-31T06:00:00.1234560Z', '2026-01-31T06:00:00.123456Z'],
    ['2025-12-31T24:00:00Z', '2026-01-01T00:00:00Z'],
  ])('%s is the instant %s', (text, utc) => {
    expect(utcText(text)).toBe(utc);
    expect(isSameText(text, utc)).toBe(true);
    expect(instantOf(text)).toBe(Date.parse(utc));
    expect(instantNotations(text)).toEqual(expect.arrayContaining([text, utc]));
  });

  it.each([
    '2026-01-31T06:00:00',
    '2026-01-31',
    '2026-02-30T00:00:00Z',
    'at 2026-01-31T06:00:00Z',
    '5003-01-01',
    '',
  ])('“%s” is no instant', (text) => {
    expect(utcText(text)).toBeNull();
    expect(instantNotations(text)).toEqual([text]);
  });

  it('differs from another one by any digit', () => {
    expect(isSameText('2026-01-31T06:00:00.123456Z', '2026-01-31T06:00:00.123457Z')).toBe(false);
    expect(isSameText('Z', 'z')).toBe(false);
  });

  it('is one of the notations in which services return it', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
        const iso = date.toISOString();
        const python = iso.replace(/\.(\d+)Z$/, (_, part) =>
          part === '000' ? '+00:00' : `.${part}000+00:00`,
        );
        const go = iso.replace(/\.?0*Z$/, 'Z').replace(/(T\d\d:\d\d:\d)Z$/, '$10Z');
        const forms = instantNotations(iso);
        expect(forms).toEqual(expect.arrayContaining([iso, python]));
        if (date.getMilliseconds() > 0) expect(forms).toContain(go);
        expect(new Set(forms.map((form) => utcText(form))).size).toBe(1);
      }),
    );
  });
});
