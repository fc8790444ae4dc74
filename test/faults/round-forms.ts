import * as z from 'zod';
import { sheetRow, workbook } from '../main/features/upload/support/workbooks.ts';

/** The content of a round: rows by their text, such as a time and a value. */
export interface RoundForm {
  /** The name of the file. */
  readonly name: string;
  readonly dataset: string;
  readonly mapping: object;
  /** The sort of the records. */
  readonly sort: object;
  readonly makeRows: (random: () => number) => string[];
  readonly write: (rows: readonly string[]) => string | Uint8Array;
  /** The record of a row. */
  readonly recordOf: (row: string) => object;
  readonly textOf: (record: unknown) => string;
  /** The row of a line of the rejects file; null: the line belongs to the row of another line. */
  readonly rejectedText: (cells: readonly string[]) => string | null;
}

export const well = 5001;
const from = Date.UTC(2020, 0, 1);
const rowsOfRound = 6000;

const textOf = (key: unknown, value: unknown): string => `${String(key)} ${String(value)}`;

const columns = ['version', 'asset_id', 'timestamp', 'data.n'] as const;
const cellsOf = (text: string): string[] => {
  const [time = '', value = ''] = text.split(' ');
  return ['1', String(well), time, value];
};
const timeRecord = z.object({ timestamp: z.number(), data: z.object({ n: z.number() }) });

const timeForm: Omit<RoundForm, 'name' | 'write'> = {
  dataset: 'uploads.time',
  mapping: { rest: 'data' },
  sort: { timestamp: 1, _id: 1 },
  /** Some rows are identical: their second, and a value. */
  makeRows: (random) =>
    Array.from({ length: rowsOfRound }, (_, n) =>
      textOf(from + Math.floor(random() < 0.1 ? random() * rowsOfRound : n) * 1000, Math.floor(random() * 3)),
    ),
  recordOf(row) {
    const [timestamp, n] = row.split(' ').map(Number);
    return { version: 1, asset_id: well, timestamp, data: { n } };
  },
  textOf(record) {
    const { timestamp, data } = timeRecord.parse(record);
    return textOf(timestamp, data.n);
  },
  rejectedText: ([, , time, value]) => textOf(time, value),
};

export const csvForm: RoundForm = {
  ...timeForm,
  name: 'f.csv',
  write: (rows) => [columns, ...rows.map(cellsOf)].map((cells) => `${cells.join(',')}\n`).join(''),
};

// A dot ends a mnemonic; an unmapped column goes below data.
const lasName = (name: string): string => name.replace(/^data\./, '');

export const lasForm: RoundForm = {
  ...timeForm,
  name: 'f.las',
  write: (rows) =>
    [
      '~Version',
      ' VERS. 2.0 :',
      '~Curve',
      ...columns.map((name) => ` ${lasName(name)}. :`),
      '~A',
      ...rows.map((row) => cellsOf(row).join(' ')),
      '',
    ].join('\n'),
};

export const xlsxForm: RoundForm = {
  ...timeForm,
  name: 'f.xlsx',
  write: (rows) =>
    workbook({
      sheets: {
        Rows: [
          sheetRow(1, columns),
          ...rows.map((row, at) => sheetRow(at + 2, cellsOf(row).map(Number))),
        ].join(''),
      },
    }),
};

const stationsOf = (value: number): { md: number; n: number }[] =>
  [0, 1, 2].map((md) => ({ md, n: value + md }));
const survey = z.object({
  data: z.object({ name: z.string(), stations: z.array(z.object({ md: z.number(), n: z.number() })) }),
});

/** Three rows make a record, a row of the round. */
export const foldedForm: RoundForm = {
  name: 'f.csv',
  dataset: 'uploads.reference',
  mapping: { rest: 'data', constants: { asset_id: well, version: 1 }, fold: { by: 'name' } },
  sort: { _id: 1 },
  makeRows: (random) =>
    Array.from({ length: rowsOfRound }, (_, n) => textOf(`survey-${n}`, Math.floor(random() * 3))),
  write: (rows) =>
    [
      'name,md,n\n',
      ...rows.map((row) => {
        const [name, value] = row.split(' ');
        return stationsOf(Number(value))
          .map(({ md, n }) => `${name},${md},${n}\n`)
          .join('');
      }),
    ].join(''),
  recordOf(row) {
    const [name, value] = row.split(' ');
    return { version: 1, asset_id: well, data: { name, stations: stationsOf(Number(value)) } };
  },
  textOf(record) {
    const { name, stations } = survey.parse(record).data;
    const value = stations[0]?.n ?? NaN;
    const isWhole = JSON.stringify(stations) === JSON.stringify(stationsOf(value));
    return isWhole ? textOf(name, value) : `incomplete ${JSON.stringify(stations)}`;
  },
  rejectedText: ([name, md, value]) => (md === '0' ? textOf(name, value) : null),
};
