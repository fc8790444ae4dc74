// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { createSheet, type SheetValue } from '../../../src/renderer/format/sheet-html.ts';
import { formatZoned } from '../../../src/renderer/format/zoned.ts';

function pageOf(rows: readonly (readonly SheetValue[])[]): Document {
  const sheet = createSheet();
  for (const row of rows) sheet.add(row);
  return new DOMParser().parseFromString(sheet.html() ?? '', 'text/html');
}

/** The type that a spreadsheet gives a cell: by the format of its class, or by what LibreOffice reads. */
function typeOf(page: Document, cell: Element): string {
  const style = page.querySelector('style')?.textContent ?? '';
  const format = style.split(`.${cell.className || 'none'}{`)[1] ?? '';
  if (cell.className !== '' && format.startsWith(String.raw`mso-number-format:"\@"`)) return 'text';
  if (cell.className !== '' && format.includes('yyyy')) return 'time';
  if (cell.hasAttribute('x:bool')) return 'boolean';
  return cell.textContent === '' ? 'empty' : 'number';
}

function cellOf(value: SheetValue) {
  const page = pageOf([[value]]);
  const cells = [...page.querySelectorAll('td')];
  expect(cells).toHaveLength(1);
  const [cell] = cells;
  if (!cell) throw new Error('no cell');
  for (const lineBreak of cell.querySelectorAll('br')) lineBreak.replaceWith('\n');
  return { type: typeOf(page, cell), text: cell.textContent.replaceAll('\u00A0', ' '), cell };
}

describe('a cell for a spreadsheet', () => {
  it.each([
    '0012',
    '=1+1',
    '+1',
    '-1',
    '@x',
    '1-2',
    '1E5',
    '1/2',
    '12345678901234567890',
    'TRUE',
    '2026-01-02 03:04:05', // oxfmt-ignore
    '12.50',
    '1,5',
    '50%',
    '$5',
    '42-123-45678',
    '{"a":[1,2]}',
    ' x',
    'x ',
    ' ',
    'a  b',
    'a\nb',
    'a\n\n b', // oxfmt-ignore
    '</td><td>1</td>',
    '<script>x</script>',
    '<!-- -->',
    '&amp;',
    '&lt;b',
    '"\'',
    '<style>td{}</style>',
    'café Ω 😀', // oxfmt-ignore
  ])('is text with these characters: %j', (text) => {
    const { type, text: shown, cell } = cellOf(text);
    expect([type, shown]).toEqual(['text', text]);
    // Its only markup keeps line breaks and blanks.
    expect([...cell.querySelectorAll('*')].every(({ tagName }) => ['BR', 'SPAN'].includes(tagName))).toBe(
      true,
    );
  });

  it.each([0, -0, 1.5, -999.25, 0.1, 1 / 3, 1e-7, 1e21, 123_456_789_012_345, -5n])(
    'is a number with all its digits: %d',
    (number) => {
      const { type, text } = cellOf(number);
      expect(type).toBe('number');
      expect(Number(text)).toBe(Number(number) + 0);
    },
  );

  it.each([1_234_567_890_123_456, -9_007_199_254_740_991, 9_007_199_254_740_993n])(
    'is text if a spreadsheet would lose digits of the number: %d',
    (number) => expect(cellOf(number)).toMatchObject({ type: 'text', text: String(number) }),
  );

  it.each([true, false])('is a boolean: %s', (value) =>
    expect(cellOf(value)).toMatchObject({ type: 'boolean', text: String(value).toUpperCase() }),
  );

  it.each([null, undefined, ''])('is empty: %j', (value) =>
    expect(cellOf(value)).toMatchObject({ type: 'empty', text: '' }),
  );

  it.each([
    [Date.UTC(2026, 0, 2, 3, 4, 5), 'UTC', '2026-01-02 03:04:05'],
    [Date.UTC(2026, 0, 2, 3, 4, 5, 7), 'America/Chicago', '2026-01-01 21:04:05.007'],
    [Date.UTC(1900, 0, 1), 'UTC', '1900-01-01 00:00:00'],
    [Date.UTC(9999, 11, 31), 'UTC', '9999-12-31 00:00:00'],
  ])('is a time as ISO 8601: %d in %s', (ms, zone, text) => {
    const { cell, ...other } = cellOf({ time: formatZoned(ms, zone) });
    expect(other).toEqual({ type: 'time', text });
    // What LibreOffice reads: days since 1899-12-30.
    const days = Number(cell.getAttribute('sdval'));
    expect(Math.round((days - 25_569) * 86_400_000)).toBe(Date.parse(`${text.replace(' ', 'T')}Z`));
  });

  it('is text if a spreadsheet has no such time, or the time has an offset because clocks were set back', () => {
    for (const [ms, zone] of [
      [Date.UTC(1899, 11, 31), 'UTC'],
      [Date.UTC(10_000, 0, 1), 'UTC'],
      [Date.UTC(2026, 10, 1, 6, 30), 'America/Chicago'],
    ] as const) {
      const text = formatZoned(ms, zone);
      expect(cellOf({ time: text })).toMatchObject({ type: 'text', text });
    }
  });
});

describe('a sheet', () => {
  it('has its rows and columns, whatever the cells contain', () => {
    const rows = [
      ['name', 'a</td></tr><tr><td>b'],
      [null, '</table><table>'],
      [1, undefined],
    ];
    const page = pageOf(rows);
    expect(page.querySelectorAll('table')).toHaveLength(1);
    expect(
      [...page.querySelectorAll('tr')].map(({ cells }) => [...cells].map((cell) => cell.textContent)),
    ).toEqual(
      [['name', 'a</td></tr><tr><td>b'], ['', '</table><table>'], ['1', '']], // oxfmt-ignore
    );
  });

  it('has no HTML above ten million characters', () => {
    const withRows = (rows: number) => {
      const sheet = createSheet();
      for (let row = 0; row < rows; row += 1) sheet.add(['x'.repeat(100_000)]);
      return sheet.html();
    };
    expect(withRows(99)).not.toBeNull();
    expect(withRows(101)).toBeNull();
  });
});
