/** The value of a cell in a spreadsheet. A time is local, as `formatZoned` writes it. */
export type SheetValue = undefined | null | boolean | number | bigint | string | { readonly time: string };

/** The maximum size in characters. A page stops for a second when it copies as much. */
const maxCharacters = 10_000_000;

/** Spreadsheets have numbers of 15 digits, and replace further ones of integers by 0. */
const isTooLong = (number: string): boolean => /^-?\d{16,}$/.test(number);

/** Times that spreadsheets have, at least in a text: Excel begins with 1900. */
const sheetTime = /^((?:19|[2-9]\d)\d\d-\d\d-\d\d) (\d\d:\d\d:\d\d(\.\d{3})?)$/;

/** The day of 1970-01-01 in LibreOffice. */
const epochDay = 25_569;
const dayMs = 86_400_000;

// As Excel and LibreOffice write their own copies. Excel reads numbers with the separators and formats with the class;
// `[ENG]` means the letters of an English format. LibreOffice reads `sdval` and `sdnum` (1033: English), and of the classes
// that of text.
const timeFormat = String.raw`\[ENG\]\[$-409\]yyyy\\-mm\\-dd\\ hh\:mm\:ss`;
const style = [
  String.raw`table{mso-displayed-decimal-separator:"\.";mso-displayed-thousand-separator:"\,"}`,
  'td{white-space:nowrap}',
  'br{mso-data-placement:same-cell}',
  String.raw`.text{mso-number-format:"\@"}`,
  `.time{mso-number-format:"${timeFormat}"}`,
  String.raw`.time-ms{mso-number-format:"${timeFormat}\.000"}`,
].join('');
const pageStart = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8"><style>${style}</style></head><body><table>`;
const pageEnd = '</table></body></html>';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** HTML joins blanks; Excel keeps those of such a span. */
const blanks = (text: string): string =>
  `<span style="mso-spacerun:yes">${'&nbsp;'.repeat(text.length - 1)} </span>`;

const textCell = (text: string): string =>
  `<td class="text">${text
    .split(/\r\n|\r|\n/)
    .map((line) =>
      line
        .replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? '')
        .replaceAll(/^[ \t]+|[ \t]+$|[ \t]{2,}|\t/g, blanks),
    )
    .join('<br>')}</td>`;

/** As text of ISO 8601, which Excel reads in each language; a number of days would depend on the date system of the workbook. */
function timeCell(text: string): string {
  const [, date = '', time = '', milliseconds] = sheetTime.exec(text) ?? [];
  if (date === '') return textCell(text);
  const days = Date.parse(`${date}T${time}Z`) / dayMs + epochDay;
  const [name, fraction] = milliseconds === undefined ? ['time', ''] : ['time-ms', '.000'];
  return `<td class="${name}" sdval="${days}" sdnum="1033;1033;YYYY-MM-DD HH:MM:SS${fraction}">${text}</td>`;
}

function cellHtml(value: SheetValue): string {
  if (value === undefined || value === null || value === '') return '<td></td>';
  if (typeof value === 'string') return textCell(value);
  if (typeof value === 'object') return timeCell(value.time);
  if (typeof value === 'boolean') {
    const text = value ? 'TRUE' : 'FALSE';
    return `<td x:bool="${text}" sdval="${Number(value)}" sdnum="1033;1033;BOOLEAN">${text}</td>`;
  }
  const text = String(value);
  return isTooLong(text) ? textCell(text) : `<td sdnum="1033;">${text}</td>`;
}

/**
 * Writes rows as a table that spreadsheets paste with the types of its cells: a text such as `0012` or `=1+1` stays the text.
 * Integers of more than 15 digits are texts, and so are times that spreadsheets don't have.
 */
export function createSheet() {
  const rows: string[] = [];
  let characters = 0;
  return {
    add(values: readonly SheetValue[]): void {
      if (characters > maxCharacters) return;
      const row = `<tr>${values.map(cellHtml).join('')}</tr>`;
      characters += row.length;
      rows.push(row);
      if (characters > maxCharacters) rows.length = 0;
    },
    /** Null: it is too large, above 10 million characters. */
    html: (): string | null =>
      characters > maxCharacters ? null : `${pageStart}${rows.join('\n')}${pageEnd}`,
  };
}
