import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, fromBody, visibleLine, visibleText } from '../../../src/shared/errors/errors.ts';

const hiding = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** Texts with more invisible characters than chance would produce. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b[2J',
        '\u009b',
        '\u007f',
        '\u202e',
        '\u2066',
        '\u061c',
        '\u2028',
        '\r',
        '\n',
        '\t',
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe('visible text from external sources', () => {
  it('contains nothing that changes how the rest is shown, and can be decoded', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const shown = visibleText(raw);
        expect(shown.replaceAll(/\n|\t|\r\n/g, '')).not.toMatch(hiding);
        expect(visibleLine(raw)).not.toMatch(hiding);
        expect(visibleText(shown)).toBe(shown);
        // Without a backslash of its own, nothing is lost.
        const plain = raw.replaceAll('\\', '');
        const back = visibleText(plain).replaceAll(/\\u([0-9a-f]{4})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        expect(back).toBe(plain);
      }),
    );
  });

  it('keeps the value of JSON, and every other text unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), text, (value, more) => {
        const json = JSON.stringify({ value, [more]: more });
        expect(JSON.parse(visibleText(json))).toEqual(JSON.parse(json));
      }),
    );
    const kept = 'Brønn «7» Ölfeld 井\r\nrow\t2\n 👷';
    expect(visibleText(kept)).toBe(kept);
    expect(visibleText('a\rb')).toBe('a\\u000db');
    expect(visibleLine('North\nRidge\t1')).toBe('North\\u000aRidge\\u00091');
  });

  it('is used in error messages, even in those from other sources', () => {
    const details = { service: 'data' as const, status: 400, said: 'no \u202e\u009b2J' };
    for (const error of [
      new AppError('refused', details),
      fromBody({ code: 'refused', message: '', details }),
    ]) {
      expect(error.message).toContain('no \\u202e\\u009b2J');
      expect(error.details).toEqual(details);
    }
  });

  it.each([
    new AppError('not_found', { service: 'data', what: 'the dataset demo/wi\nts\u001b[2J' }),
    new AppError('file_exists', { file: 'a\r\nb.csv' }),
    new AppError('refused', { service: 'data', status: 400, said: 'no\nJob 7 is done.' }),
    new AppError('invalid_input', { issues: [{ message: 'Wrong\nname.', place: { field: 'a\tb' } }] }),
  ])('has one line in an error message: $message', (error) => {
    expect(error.message).not.toMatch(hiding);
    expect(JSON.stringify(error.details)).toMatch(/\\[nrt]/);
  });
});
