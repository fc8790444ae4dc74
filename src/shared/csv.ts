/** A cell of comma-separated text, quoted where it has to be. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? quotedCell(text) : text);

/** A cell of delimited text in quotes. @param quote a mark or an apostrophe */
export const quotedCell = (text: string, quote = '"'): string =>
  quote + text.replaceAll(quote, quote + quote) + quote;

/** What spreadsheets run as a formula. Behind apostrophes it is one too, so that each escape can be undone. */
const formula = /^'*[=+\-@\t\r]/;

/** A text with an apostrophe before it if a spreadsheet would run it as a formula. */
export const escapedFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** A formula that is only a text, which keeps the zeros of codes in spreadsheets: `="00123"`. */
const textFormula = /^="(?:[^"]|"")*"$/;

/** Whether a cell is a formula of a text. */
export const isTextFormula = (text: string): boolean => text.startsWith('="') && textFormula.test(text);

/** The text of {@link escapedFormula}, and that of `="00123"`, as spreadsheets show it. */
export function unescapedFormula(text: string): string {
  if (isTextFormula(text)) return text.slice(2, -1).replaceAll('""', '"');
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
