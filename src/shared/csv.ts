/** A cell of comma-separated text, quoted where it has to be. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? quotedCell(text) : text);

/** A cell of delimited text in quotes. */
export const quotedCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** What spreadsheets run as a formula. Behind apostrophes it is one too, so that each escape can be undone. */
const formula = /^'*[=+\-@\t\r]/;

/** A text with an apostrophe before it if a spreadsheet would run it as a formula. */
export const escapedFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** The text of {@link escapedFormula}. */
export const unescapedFormula = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
