/** The time of the first record, in Unix milliseconds, and the interval between two. */
export const firstTime = 1_700_000_000_000;
export const stepMs = 1000;

const channel = (n: number, nth: number): string => (((n * (nth + 7)) % 99_991) / 100).toFixed(2);

/** The nth record as a service sends it: 7 columns in addition to its channels; with 13 of these about 440 bytes. */
export function columnsOfRecords(n: number, channels = 13): string {
  let data = '';
  for (let nth = 0; nth < channels; nth += 1)
    data += `${nth === 0 ? '' : ','}"channel_${nth}":${channel(n, nth)}`;
  const id = n.toString(16).padStart(24, '0');
  const time = firstTime + n * stepMs;
  return `{"_id":"${id}","company_id":1,"asset_id":${5001 + (n % 7)},"version":1,"provider":"bench","collection":"time","timestamp":${time},"data":{${data}}}`;
}

export const csvHeader = `timestamp,asset_id,${Array.from({ length: 18 }, (_, nth) => `channel_${nth}`).join(',')}\n`;

/** The nth row of a CSV file of 20 columns. */
export function csvRow(n: number): string {
  let row = `${firstTime + n * stepMs},${5001 + (n % 7)}`;
  for (let nth = 0; nth < 18; nth += 1) row += `,${channel(n, nth)}`;
  return `${row}\n`;
}

/** A whole file with this many rows, in parts. */
export function* csvTexts(rows: number): Generator<string> {
  yield csvHeader;
  for (let from = 0; from < rows; from += 10_000) {
    let text = '';
    for (let n = from; n < Math.min(rows, from + 10_000); n += 1) text += csvRow(n);
    yield text;
  }
}

/** A CSV file with a time, a well, and so many columns in all that a mapping is long. */
export function wideCsv(columns: number, rows: number): string {
  const channels = Array.from({ length: columns - 2 }, (_, nth) => nth);
  const lines = [`timestamp,asset_id,${channels.map((nth) => `channel_${nth}`).join(',')}`];
  for (let n = 0; n < rows; n += 1)
    lines.push(`${firstTime + n * stepMs},5001,${channels.map((nth) => channel(n, nth)).join(',')}`);
  return `${lines.join('\n')}\n`;
}

/** The nth row of the file of 20 columns as the record that is sent. */
export function rowAsRecord(n: number): string {
  let data = '';
  for (let nth = 0; nth < 18; nth += 1)
    data += `${nth === 0 ? '' : ','}"channel_${nth}":${Number(channel(n, nth))}`;
  return `{"version":1,"asset_id":${5001 + (n % 7)},"timestamp":${firstTime + n * stepMs},"data":{${data}}}`;
}
