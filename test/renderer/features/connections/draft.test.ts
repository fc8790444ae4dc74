import { describe, expect, it } from 'vitest';
import { draftFrom, emptyDraft } from '../../../../src/renderer/features/connections/draft.ts';

const whole = {
  name: 'North Ridge',
  dataUrl: ' https://data.example.com/ ',
  platformUrl: 'https://api.example.com',
  apiKey: 'k',
};
const problems = (change: Partial<typeof whole>) => {
  const made = draftFrom({ ...whole, ...change });
  return made.ok
    ? {}
    : Object.fromEntries(Object.entries(made.problems).map(([field, { message }]) => [field, message]));
};

describe('draftFrom', () => {
  it('makes a connection of what was typed', () => {
    expect(draftFrom(whole)).toMatchObject({
      ok: true,
      draft: {
        name: 'North Ridge',
        dataUrl: 'https://data.example.com',
        platformUrl: 'https://api.example.com',
        credential: { method: 'api_key', apiKey: 'k' },
      },
    });
  });

  it('says of each empty field what belongs there', () => {
    const made = draftFrom(emptyDraft);
    expect(made.ok ? [] : Object.keys(made.problems).sort()).toEqual([
      'apiKey',
      'dataUrl',
      'name',
      'platformUrl',
    ]);
  });

  it.each([
    ['dataUrl', 'data.example.com', /https/],
    ['dataUrl', 'http://data.example.com', /https/],
    ['platformUrl', 'https://me:secret@api.example.com', /must not hold/],
    ['platformUrl', 'https://api.example.com?key=1', /must not hold/],
    ['name', '   ', /name/],
  ] as const)('binds what is wrong with %s to it: %s', (field, text, message) => {
    expect(problems({ [field]: text })).toEqual({ [field]: expect.stringMatching(message) });
  });

  it('lets an address on this machine be without https', () => {
    expect(problems({ dataUrl: 'http://127.0.0.1:4000' })).toEqual({});
  });
});
