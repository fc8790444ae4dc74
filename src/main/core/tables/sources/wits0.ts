import { append } from '../../../../shared/lists.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import { startText } from '../reading/encoding.ts';
import type {
  HeaderEntry,
  SourceAdapter,
  SourceColumn,
  SourceFile,
  SourceRow,
  SourceTable,
  SourceWarning,
} from './source.ts';
import { type TextFile, openText } from './text.ts';

/** Names of items in the predefined records of the Wellsite Information Transfer Specification: mnemonic and description. */
type ItemNames = Readonly<Record<string, readonly [mnemonic: string, description: string]>>;

/** The first items, which are the same in every record. */
const common: ItemNames = {
  '01': ['WELLID', 'Well identifier'],
  '02': ['SKNO', 'Sidetrack or hole section'],
  '03': ['RID', 'Record identifier'],
  '04': ['SQID', 'Sequence identifier'],
  '05': ['DATE', 'Date (YYMMDD)'],
  '06': ['TIME', 'Time (HHMMSS)'],
};

/** Record 1: general, time-based. */
const general: ItemNames = {
  '07': ['ACTC', 'Activity code'],
  '08': ['DBTM', 'Bit depth (measured)'],
  '09': ['DBTV', 'Bit depth (vertical)'],
  '10': ['DMEA', 'Hole depth (measured)'],
  '11': ['DVER', 'Hole depth (vertical)'],
  '12': ['BPOS', 'Block position'],
  '13': ['ROPA', 'Rate of penetration (average)'],
  '14': ['HKLA', 'Hook load (average)'],
  '15': ['HKLX', 'Hook load (maximum)'],
  '16': ['WOBA', 'Weight on bit, surface (average)'],
  '17': ['WOBX', 'Weight on bit, surface (maximum)'],
  '18': ['TQA', 'Rotary torque, surface (average)'],
  '19': ['TQX', 'Rotary torque, surface (maximum)'],
  '20': ['RPMA', 'Rotary speed, surface (average)'],
  '21': ['SPPA', 'Standpipe pressure (average)'],
  '22': ['CHKP', 'Casing (choke) pressure'],
  '23': ['SPM1', 'Pump stroke rate 1'],
  '24': ['SPM2', 'Pump stroke rate 2'],
  '25': ['SPM3', 'Pump stroke rate 3'],
  '26': ['TVA', 'Tank volume (active)'],
  '27': ['TVCA', 'Tank volume change (active)'],
  '28': ['MFOP', 'Mud flow out, percent'],
  '29': ['MFOA', 'Mud flow out (average)'],
  '30': ['MFIA', 'Mud flow in (average)'],
  '31': ['MDOA', 'Mud density out (average)'],
  '32': ['MDIA', 'Mud density in (average)'],
  '33': ['MTOA', 'Mud temperature out (average)'],
  '34': ['MTIA', 'Mud temperature in (average)'],
  '35': ['MCOA', 'Mud conductivity out (average)'],
  '36': ['MCIA', 'Mud conductivity in (average)'],
  '37': ['STKC', 'Pump stroke count (cumulative)'],
  '38': ['LSTK', 'Lag strokes'],
  '39': ['DRTM', 'Depth of returns (measured)'],
  '40': ['GASA', 'Gas (average)'],
};

/** Record 7: survey and directional. */
const survey: ItemNames = {
  '07': ['ACTC', 'Activity code'],
  '08': ['DSVM', 'Depth of survey (measured)'],
  '09': ['DSVV', 'Depth of survey (vertical)'],
  '10': ['PASS', 'Pass number'],
  '11': ['DMEA', 'Hole depth (measured)'],
  '12': ['STYP', 'Survey type'],
  '13': ['SINC', 'Inclination'],
  '14': ['SAZU', 'Azimuth (uncorrected)'],
  '15': ['SAZC', 'Azimuth (corrected)'],
  '16': ['SMTF', 'Magnetic toolface'],
  '17': ['SGTF', 'Gravity toolface'],
  '18': ['SNS', 'North-south position'],
  '19': ['SEW', 'East-west position'],
  '20': ['SDLS', 'Dogleg severity'],
  '21': ['SWLK', 'Rate of walk'],
};

const records: Readonly<Record<string, ItemNames>> = { '01': general, '07': survey };

/**
 * The mnemonic and description of an item. Items without a public name are named by record and item number.
 * @param code four digits: record and item
 */
export function itemName(code: string): { readonly name: string; readonly description: string | null } {
  const record = code.slice(0, 2);
  const item = code.slice(2);
  const entry = common[item] ?? records[record]?.[item];
  if (entry) return { name: entry[0], description: `${entry[1]}, item ${code}` };
  return { name: `record_${Number(record)}_item_${item}`, description: `Item ${code}` };
}

/** The items of one record in one frame. */
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
interface FrameFaults {
  otherLines: number;
  firstOtherLine: number | null;
  /** A line of a frame without its end. */
  openFrame: number | null;
}

/** Counters before the first frame. */
const noFaults = (): FrameFaults => ({ otherLines: 0, firstOtherLine: null, openFrame: null });

/** Maximum number of items in a frame: those of the 99 records. */
const maxItems = 10_000;
const itemPattern = /^\s*(\d\d)(\d\d)(.*)$/;

/**
 * Reads the frames of a stream, from `&&` to `!!`; text between frames isn't data.
 * @throws AppError file_unreadable, cancelled
 */
function* readFrames(text: TextFile, signal: AbortSignal, faults: FrameFaults): Generator<Frame[]> {
  let start: number | null = null;
  let records = new Map<string, Map<string, string>>();
  let count = 0;
  const damagedRecords = new Set<string>();
  const end = (): Frame[] => {
    const frames = [...records].map(([record, items]) => ({
      record,
      items,
      line: start ?? 1,
      isDamaged: damagedRecords.has(record),
    }));
    records = new Map();
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
        if (trimmed === '&&' && start !== null) faults.openFrame ??= start;
        append(frames, end());
        if (trimmed === '&&') start = first + at;
        continue;
      }
      if (start === null || trimmed === '') continue;
      const [, record = '', item = '', value = ''] = itemPattern.exec(line) ?? [];
      if (record === '' || ++count > maxItems) {
        faults.otherLines++;
        faults.firstOtherLine ??= first + at;
        continue;
      }
      if (damaged.has(first + at)) damagedRecords.add(record);
      const items = records.get(record) ?? new Map<string, string>();
      records.set(record, items.set(record + item, value.trim()));
    }
    if (frames.length > 0) yield frames;
  }
  if (start !== null) {
    faults.openFrame ??= start;
    const rest = end();
    if (rest.length > 0) yield rest;
  }
}

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
