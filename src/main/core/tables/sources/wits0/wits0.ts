import type {
  HeaderEntry,
  SourceAdapter,
  SourceColumn,
  SourceFile,
  SourceRow,
  SourceTable,
  SourceWarning,
} from '../source.ts';
import { startText } from '../../reading/encoding.ts';
import { openText, type TextFile } from '../text/text-lines.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { noFaults, readFrames, type Frame, type FrameFaults } from './frames.ts';
import { itemName } from './items.ts';

/** Streams of WITS level 0, recorded to a file: one table for each type of record. */
export const wits0: SourceAdapter = {
  format: 'wits0',
  recognize: (start) => /^[^\S\n\r\u2028\u2029]*&&[^\S\n\r]*[\n\r]\s*\d{4}/m.test(startText(start)),
  async open(path, options) {
    const text = openText(path, options);
    try {
      return new Wits0File(text, options.signal);
    } catch (error) {
      text.close();
      throw error;
    }
  },
};

/** The null values of WITS. */
const nulls = ['-9999', '-8888'];
const textItems = new Set(['01', '02', '05', '06']);

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

class Wits0File implements SourceFile {
  readonly format = 'wits0';
  readonly placeKind = 'line';
  readonly tables: readonly RecordTable[];
  readonly header: readonly HeaderEntry[];
  readonly warnings: SourceWarning[];
  readonly #text: TextFile;

  constructor(text: TextFile, signal: AbortSignal) {
    this.#text = text;
    const faults = noFaults();
    const codes = new Map<string, Set<string>>();
    const rows = new Map<string, number>();
    const wells = new Set<string>();
    for (const frames of readFrames(text, signal, faults))
      for (const { record, items } of frames) {
        rows.set(record, (rows.get(record) ?? 0) + 1);
        const seen = codes.get(record) ?? new Set<string>();
        for (const code of items.keys()) seen.add(code);
        codes.set(record, seen);
        const well = items.get(`${record}01`);
        if (well !== undefined && well !== '') wells.add(well);
      }
    if (rows.size === 0) throw unsuitable(text.fileName, 'it has no frame with items');
    this.tables = [...codes]
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([record, seen]) => tableOf(record, [...seen].toSorted(), rows.get(record) ?? 0));
    this.header = [...wells]
      .slice(0, 10)
      .map((value) => ({ group: 'Well', name: 'WELL', value, unit: null, description: 'Well identifier' }));
    this.warnings = [...text.warnings, ...warningsOf(faults)];
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const table = this.tables[index];
    if (!table) return;
    for (const frames of readFrames(this.#text, signal, noFaults())) {
      const rows = frames
        .filter(({ record }) => record === table.record)
        .map((frame) => ({
          cells: cellsOf(frame, table),
          place: frame.line,
          problem: frame.isDamaged ? ('bad_bytes' as const) : null,
        }));
      if (rows.length > 0) yield rows;
    }
  }

  async close(): Promise<void> {
    this.#text.close();
  }
}

function cellsOf(frame: Frame, { codes, hasTime }: RecordTable): (string | null)[] {
  const cells = codes.map((code) => {
    const value = frame.items.get(code) ?? '';
    return value === '' ? null : value;
  });
  return hasTime ? [timeOf(frame), ...cells] : cells;
}

function tableOf(record: string, codes: readonly string[], rows: number): RecordTable {
  const hasTime = codes.includes(`${record}05`) && codes.includes(`${record}06`);
  const items = codes.map((code): SourceColumn => ({
    ...itemName(code),
    unit: null,
    type: textItems.has(code.slice(2)) ? 'text' : null,
  }));
  const time: SourceColumn = {
    name: 'DATETIME',
    unit: null,
    description: 'Date and time of the frame',
    type: 'time',
  };
  return {
    name: `record ${Number(record)}`,
    columns: hasTime ? [time, ...items] : items,
    rows,
    isHidden: false,
    index: hasTime ? { name: time.name, unit: null, kind: 'time' } : null,
    nulls,
    record,
    codes,
    hasTime,
  };
}

function warningsOf({ otherLines, firstOtherLine, openFrame }: FrameFaults): SourceWarning[] {
  const warnings: SourceWarning[] = [];
  if (otherLines > 0) {
    const message = `Lines without an item code within frames are skipped: ${otherLines}, the first on line ${firstOtherLine}.`;
    warnings.push({ code: 'ragged_rows', message, place: firstOtherLine, table: null, count: otherLines });
  }
  if (openFrame !== null) {
    const message = `The frame on line ${openFrame} has no end. Its items are read; others may be missing.`;
    warnings.push({ code: 'cut_short', message, place: openFrame, table: null, count: 1 });
  }
  return warnings;
}
