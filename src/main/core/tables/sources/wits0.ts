import { append } from '../../../../shared/lists.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import { startText } from '../reading/source.ts';
import {
  headerEntry,
  orClose,
  Tally,
  type SourceAdapter,
  type SourceColumn,
  type SourceFile,
  type SourceTable,
  type SourceWarning,
} from './source.ts';
import { type TextFile, openText } from './text.ts';

// Mnemonics of items in the predefined records of the Wellsite Information Transfer Specification, in the order of items.

/** The first items, which are the same in every record; after them the items of records begin. */
const common = ['WELLID', 'SKNO', 'RID', 'SQID', 'DATE', 'TIME'];
const records: Readonly<Record<string, string>> = {
  // General, time-based.
  '01':
    'ACTC DBTM DBTV DMEA DVER BPOS ROPA HKLA HKLX WOBA WOBX TQA TQX RPMA SPPA CHKP SPM1 SPM2 SPM3 TVA TVCA MFOP MFOA ' +
    'MFIA MDOA MDIA MTOA MTIA MCOA MCIA STKC LSTK DRTM GASA',
  // Survey and directional.
  '07': 'ACTC DSVM DSVV PASS DMEA STYP SINC SAZU SAZC SMTF SGTF SNS SEW SDLS SWLK',
};

/** The mnemonic of an item; without a public one, its record and number. @param code four digits: record and item */
function itemName(code: string): string {
  const [record, item] = [code.slice(0, 2), code.slice(2)];
  const names = [...common, ...(records[record]?.split(' ') ?? [])];
  return names[Number(item) - 1] ?? `record_${Number(record)}_item_${item}`;
}

interface Frame {
  /** Two digits. */
  readonly record: string;
  /** Values by their four-digit codes. */
  readonly items: ReadonlyMap<string, string>;
  /** The line of its `&&`, from 1. */
  readonly line: number;
  /** Whether a value has bytes that are invalid in the encoding. */
  readonly isDamaged: boolean;
}

/** Lines that don't fit the format, found while frames are read. */
class FrameFaults {
  readonly otherLines = new Tally();
  /** Lines of frames without an end. */
  readonly openFrames = new Tally();

  warnings(): SourceWarning[] {
    return [
      ...this.otherLines.warnings(
        'ragged_rows',
        null,
        (count, line) =>
          `Lines without an item code within frames are skipped: ${count}, the first on line ${line}.`,
      ),
      ...this.openFrames
        .warnings(
          'cut_short',
          null,
          (_, line) => `The frame on line ${line} has no end. Its items are read; others may be missing.`,
        )
        .map((warning) => ({ ...warning, count: 1 })),
    ];
  }
}

/** Maximum number of items in a frame: those of the 99 records. */
const maxItems = 10_000;
const itemPattern = /^\s*(\d\d)(\d\d)(.*)$/;

/**
 * Reads the frames of a stream, from `&&` to `!!`; text between frames isn't data.
 * @throws AppError file_unreadable, cancelled
 */
function* readFrames(
  text: TextFile,
  signal: AbortSignal,
  { otherLines, openFrames }: FrameFaults,
): Generator<Frame[]> {
  let start: number | null = null;
  let items = new Map<string, Map<string, string>>();
  let count = 0;
  const damagedRecords = new Set<string>();
  const end = (): Frame[] => {
    const line = start ?? 1;
    const frames = [...items].map(([record, values]) => ({
      record,
      items: values,
      line,
      isDamaged: damagedRecords.has(record),
    }));
    items = new Map();
    damagedRecords.clear();
    start = null;
    count = 0;
    return frames;
  };
  for (const { first, lines, damaged } of text.batches(signal)) {
    const frames: Frame[] = [];
    for (const [at, line] of lines.entries()) {
      const trimmed = line.trim();
      if (trimmed === '&&' || trimmed === '!!') {
        if (trimmed === '&&' && start !== null) openFrames.add(start);
        append(frames, end());
        if (trimmed === '&&') start = first + at;
        continue;
      }
      if (start === null || trimmed === '') continue;
      const [, record = '', item = '', value = ''] = itemPattern.exec(line) ?? [];
      if (record === '' || ++count > maxItems) {
        otherLines.add(first + at);
        continue;
      }
      if (damaged.has(first + at)) damagedRecords.add(record);
      const values = items.get(record) ?? new Map<string, string>();
      items.set(record, values.set(record + item, value.trim()));
    }
    if (frames.length > 0) yield frames;
  }
  if (start === null) return;
  openFrames.add(start);
  const rest = end();
  if (rest.length > 0) yield rest;
}

/** Streams of WITS level 0, recorded to a file: one table for each type of record. */
export const wits0: SourceAdapter = {
  format: 'wits0',
  recognize: (start) => /^[^\S\n\r\u2028\u2029]*&&[^\S\n\r]*[\n\r]\s*\d{4}/m.test(startText(start)),
  open: (path, options) => orClose(openText(path, options), (text) => wits0File(text, options.signal)),
};

/** The null values of WITS. */
const nulls = ['-9999', '-8888'];
const textItems = new Set(['01', '02', '05', '06']);
const maxWells = 10;

interface RecordTable extends SourceTable {
  readonly record: string;
  readonly codes: readonly string[];
  readonly hasTime: boolean;
}

/** Date and time of a frame combined, in ISO 8601 without a zone; null: one of them is missing or invalid. */
function timeOf({ record, items }: Frame): string | null {
  const date = /^(\d\d)(\d\d)(\d\d)$/.exec(items.get(`${record}05`) ?? '');
  const time = /^(\d{1,2})(\d\d)(\d\d)$/.exec(items.get(`${record}06`)?.padStart(6, '0') ?? '');
  if (!date || !time) return null;
  const century = Number(date[1]) < 70 ? 20 : 19;
  return `${century}${date[1]}-${date[2]}-${date[3]}T${time[1]}:${time[2]}:${time[3]}`;
}

function wits0File(text: TextFile, opening: AbortSignal): SourceFile {
  const faults = new FrameFaults();
  const seen = new Map<string, { rows: number; readonly codes: Set<string> }>();
  const wells = new Set<string>();
  for (const frames of readFrames(text, opening, faults))
    for (const { record, items } of frames) {
      const entry = seen.get(record) ?? { rows: 0, codes: new Set() };
      seen.set(record, entry);
      entry.rows++;
      for (const code of items.keys()) entry.codes.add(code);
      const well = items.get(`${record}01`);
      if (well) wells.add(well);
    }
  if (seen.size === 0) throw unsuitable(text.fileName, 'it has no frame with items');
  const tables = [...seen]
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([record, { rows, codes }]) => tableOf(record, [...codes].toSorted(), rows));
  return {
    format: 'wits0',
    placeKind: 'line',
    tables,
    header: [...wells]
      .slice(0, maxWells)
      .map((value) => headerEntry('Well', 'WELL', value, null, 'Well identifier')),
    warnings: [...text.warnings, ...faults.warnings()],
    async *readRows(index, signal) {
      const table = tables[index];
      if (!table) return;
      for (const frames of readFrames(text, signal, new FrameFaults())) {
        const rows = frames
          .filter(({ record }) => record === table.record)
          .map((frame) => ({
            cells: cellsOf(frame, table),
            place: frame.line,
            problem: frame.isDamaged ? ('bad_bytes' as const) : null,
          }));
        if (rows.length > 0) yield rows;
      }
    },
    close: async () => text.close(),
  };
}

function cellsOf(frame: Frame, { codes, hasTime }: RecordTable): (string | null)[] {
  const cells = codes.map((code) => frame.items.get(code) || null);
  return hasTime ? [timeOf(frame), ...cells] : cells;
}

function tableOf(record: string, codes: readonly string[], rows: number): RecordTable {
  const hasTime = codes.includes(`${record}05`) && codes.includes(`${record}06`);
  const items = codes.map((code): SourceColumn => ({
    name: itemName(code),
    unit: null,
    type: textItems.has(code.slice(2)) ? 'text' : null,
  }));
  const time: SourceColumn = { name: 'DATETIME', unit: null, type: 'time' };
  return {
    name: `record ${Number(record)}`,
    columns: hasTime ? [time, ...items] : items,
    rows,
    index: hasTime ? { name: time.name, unit: null, kind: 'time' } : null,
    nulls,
    record,
    codes,
    hasTime,
  };
}
