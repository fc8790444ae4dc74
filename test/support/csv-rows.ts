/** The rows of CSV with commas and quotes, each with a line end: the tests share nothing with the reader of the application. */
export function rowsOfCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === ',' || letter === '\n') {
      row.push(cell.replace(/\r$/, ''));
      cell = '';
      if (letter === '\n') {
        rows.push(row);
        row = [];
      }
    } else cell += letter;
  }
  return rows;
}
