import { describe, expect, it } from 'vitest';
import { redact, redactValue } from '../../../../../src/main/core/wire/http/redact.ts';

describe('redaction', () => {
  it.each([
    ['Authorization: API abcdef123456', 'Authorization: API •••'],
    ['bearer abc.def.gh1', 'bearer •••'],
    ['API abcdefghijklmnopqrstuv', 'API •••'],
    ['wells by API number, see the API reference.', 'wells by API number, see the API reference.'],
    ['Basic bWU6cGFzcw==', 'Basic •••'],
    ['https://me:secret@host/path', 'https://•••@host/path'],
    ['token eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x', 'token •••'],
    ['{"password":"hunter2","x":1}', '{"password":•••,"x":1}'],
    ['refresh_token=abc&x=1', 'refresh_token=•••&x=1'],
    ['Nothing to hide: API keys are kept.', 'Nothing to hide: API keys are kept.'],
  ])('“%s”', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it('hides known secrets, the longer first', () => {
    expect(redact('a secret-key here', ['secret', 'secret-key'])).toBe('a ••• here');
  });

  it.each([
    // The mask would reveal which word of the message is the password.
    ['The email or password is wrong', ['wrong'], 'The email or password is wrong'],
    ['The email or password is wrong', ['pass', 'mail', 'password'], 'The email or password is wrong'],
    ['“rigs” is no password', ['rigs'], '“•••” is no password'],
    ['me%3Arigs@host and me:rigs, not brigs', ['rigs'], 'me%3A•••@host and me:•••, not brigs'],
    ['xhunter2x and xcorrecthorse', ['hunter2', 'correcthorse'], 'x•••x and x•••'],
  ])('removes secrets only: “%s”', (text, secrets, shown) => {
    expect(redact(text, secrets)).toBe(shown);
  });

  it('keeps a value valid JSON', () => {
    const value = { code: 'x', details: { said: 'the password: hunter2', list: ['abcd', 1, null] } };
    expect(redactValue(value, ['abcd'])).toEqual({
      code: 'x',
      details: { said: 'the password: •••', list: ['•••', 1, null] },
    });
  });
});
