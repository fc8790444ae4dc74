/** A cell of comma-separated text, quoted where it has to be. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? quotedCell(text) : text);

/** A cell of delimited text in quotes. */
export const quotedCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
