import { isSameUnit } from '../../../../shared/channels/units.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import { firstInWords } from '../../../../shared/lists.ts';
import { fullYear } from '../../records/time-patterns.ts';
import { startText } from '../reading/source.ts';
import {
  batched,
  batchRows,
  headerEntry,
  indexKind,
  Tally,
  type SourceAdapter,
  type SourceColumn,
  type SourceFile,
  type SourceIndex,
  type SourceRow,
  type SourceTable,
  type SourceWarning,
} from './source.ts';
import { openText, splitLine, type TextFile } from './text.ts';
import { readXml, type XmlHandler } from './xml.ts';

// Records of wellsites: logs of WITSML, and streams of WITS level 0.

interface Curve {
  mnemonic: string;
  unit: string;
  nullValue: string | null;
  type: string;
  /** In WITSML 1.3.1.1: the index of its value in a row, from 1; 0: not given. */
  columnIndex: number;
}

const undescribed: Omit<Curve, 'mnemonic'> = { unit: '', nullValue: null, type: '', columnIndex: 0 };

/** A log, as far as it has been read. */
interface Log {
  name: string;
  /** Its own elements and attributes, such as `nameWell`. */
  readonly fields: { readonly name: string; readonly value: string; readonly unit: string | null }[];
  readonly curves: Curve[];
  /** The mnemonics of its rows, from every `mnemonicList` in order; one that a list repeats is there as often. */
  readonly mnemonics: string[];
  readonly listedUnits: string[];
  /** Those whose values are in several units: each list of units holds for the rows below it. */
  readonly otherUnits: Set<string>;
  indexCurve: string;
  indexType: string;
  nullValue: string | null;
  /** Between the values of a row. */
  delimiter: string;
  rows: number;
}

/** The entries of `mnemonicList` or `unitList`: always between commas, whatever `dataDelimiter` separates values. */
const listOf = (text: string): string[] =>
  text.trim() === '' ? [] : text.split(',').map((part) => part.trim());

/**
 * The place of each mnemonic of a list among those of a log; the second of two equal ones is at the second place.
 * @returns for each of them an index; -1: it isn't there
 */
export function placesIn(mnemonics: readonly string[], list: readonly string[]): number[] {
  // A log can have 200,000 curves.
  const places = Map.groupBy(mnemonics.keys(), (place) => mnemonics[place]);
  const uses = new Map<string, number>();
  return list.map((mnemonic) => {
    const use = uses.get(mnemonic) ?? 0;
    uses.set(mnemonic, use + 1);
    return places.get(mnemonic)?.[use] ?? -1;
  });
}

const isNoUnit = (text: string): boolean => /^(?:unitless|none|-)?$/i.test(text);
const areSameUnits = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() || isSameUnit(one, other);

/** Collects the logs of a document and passes on their rows. */
class LogHandler implements XmlHandler {
  readonly logs: Log[] = [];
  readonly #rows: LogRows | null;
  readonly #path: string[] = [];
  #log: Log | null = null;
  #logDepth = 0;
  #curve: Curve | null = null;
  #unit: string | null = null;
  /** The places of the current `mnemonicList` in the mnemonics of the log. */
  #places: number[] = [];

  /** @param rows takes those of one log; null: none are read */
  constructor(rows: LogRows | null) {
    this.#rows = rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name);
    this.#unit = attributes['uom'] ?? null;
    if (!this.#log) {
      if (name === 'log') this.#startLog(attributes);
      return;
    }
    if (name === 'logCurveInfo') {
      this.#curve = { ...undescribed, mnemonic: attributes['uid'] ?? '' };
      this.#log.curves.push(this.#curve);
    }
    if (name === 'logData') this.#rows?.start(this.logs.length - 1, null);
  }

  #startLog(attributes: Readonly<Record<string, string>>): void {
    this.#logDepth = this.#path.length;
    this.#log = {
      name: '',
      fields: Object.entries(attributes)
        .filter(([key]) => key.startsWith('uid'))
        .map(([name, value]) => ({ name, value, unit: null })),
      curves: [],
      mnemonics: [],
      listedUnits: [],
      otherUnits: new Set(),
      indexCurve: '',
      indexType: '',
      nullValue: null,
      delimiter: ',',
      rows: 0,
    };
    this.logs.push(this.#log);
  }

  close(name: string, text: string): void {
    this.#path.pop();
    const log = this.#log;
    if (!log) return;
    const depth = this.#path.length - this.#logDepth;
    if (depth < 0) this.#log = null;
    else if (name === 'data') this.#row(log, text);
    else if (this.#curve) {
      if (name === 'logCurveInfo') this.#curve = null;
      else takeCurve(this.#curve, name, text.trim());
    } else if (name === 'mnemonicList') {
      const list = listOf(text);
      this.#places = placesIn(log.mnemonics, list).map((place, at) =>
        place >= 0 ? place : log.mnemonics.push(list[at] ?? '') - 1,
      );
      this.#rows?.start(this.logs.length - 1, list);
    } else if (name === 'unitList')
      listOf(text).forEach((unit, at) => {
        const place = this.#places[at];
        if (place === undefined) return;
        const before = log.listedUnits[place] ?? '';
        if (isNoUnit(unit) && !isNoUnit(before)) return;
        if (!isNoUnit(before) && !areSameUnits(before, unit)) log.otherUnits.add(log.mnemonics[place] ?? '');
        log.listedUnits[place] = unit;
      });
    // In version 1.2 they are in a header of their own.
    else if (depth === 0 || (depth === 1 && this.#path.at(-1) === 'logHeader'))
      this.#field(log, name, text.trim());
  }

  #row(log: Log, text: string): void {
    if (text.trim() === '') return;
    log.rows++;
    this.#rows?.add(this.logs.length - 1, text, log.rows);
  }

  #field(log: Log, name: string, value: string): void {
    if (value === '') return;
    if (name === 'name' || name === 'nameLog') log.name = value;
    if (name === 'indexCurve') log.indexCurve = value;
    if (name === 'indexType') log.indexType = value;
    if (name === 'nullValue') log.nullValue = value;
    if (name === 'dataDelimiter') log.delimiter = value;
    log.fields.push({ name, value, unit: this.#unit });
  }
}

function takeCurve(curve: Curve, name: string, text: string): void {
  if (name === 'mnemonic') curve.mnemonic = text;
  if (name === 'unit') curve.unit = text;
  if (name === 'nullValue') curve.nullValue = text;
  if (name === 'typeLogData') curve.type = text;
  if (name === 'columnIndex') curve.columnIndex = Number(text) || 0;
}

/** The curves of a log in the order of the values in its rows. */
function orderedCurves({ mnemonics, curves }: Log): Curve[] {
  if (mnemonics.length > 0) {
    const described = placesIn(
      curves.map(({ mnemonic }) => mnemonic),
      mnemonics,
    );
    return mnemonics.map((mnemonic, at) => curves[described[at] ?? -1] ?? { ...undescribed, mnemonic });
  }
  return curves.every(({ columnIndex }) => columnIndex > 0)
    ? curves.toSorted((a, b) => a.columnIndex - b.columnIndex)
    : curves;
}

/** XML that comes from systems of WITSML, and isn't a log of the versions that are read. */
const otherKinds: readonly { readonly sign: RegExp; readonly reason: string }[] = [
  {
    sign: /<(?:[\w.-]+:)?Envelope\b[^>]*soap/i,
    reason:
      'it is the response of a web service (SOAP). If it is from a WITSML server, save the XML in its XMLout as a file',
  },
  {
    sign: /energistics\.org\/energyml\//i,
    reason:
      'it is WITSML 2, and Wellbench reads logs of WITSML 1.3.1.1 and 1.4.1.1. Export it in one of these versions, or as LAS',
  },
];

const startOf = (start: Uint8Array): string => startText(start.subarray(0, 16 << 10));

/** Logs of WITSML 1.3.1.1 and 1.4.1.1. */
export const witsml: SourceAdapter = {
  format: 'witsml',
  recognize(start) {
    const text = startOf(start);
    if (!/^\s*<(?!html|!doctype html)/i.test(text)) return false;
    return (
      /<(?:\w+:)?logs?[\s>]/.test(text) ||
      /<[^>]*witsml/i.test(text) ||
      otherKinds.some(({ sign }) => sign.test(text))
    );
  },
  open(source) {
    const { fileName } = source;
    const start = startOf(source.sample());
    const kind = otherKinds.find(({ sign }) => sign.test(start));
    if (kind) throw unsuitable(fileName, kind.reason);
    const handler = new LogHandler(null);
    for (const _ of readXml(source, handler));
    const { logs } = handler;
    if (logs.length === 0) {
      const root = /<([A-Za-z][\w:.-]*)/.exec(start)?.[1] ?? '';
      const reason = `it has ${root.slice(0, 40)} and no log. Wellbench reads only logs of WITSML`;
      throw unsuitable(fileName, reason);
    }
    const [mixed] = logs.flatMap(({ otherUnits }) => [...otherUnits]);
    if (mixed !== undefined)
      throw unsuitable(
        fileName,
        `the values of ${mixed} are in several units. Save its parts as separate logs`,
      );
    const tables = logs.map((log) => ({
      ...tableOf(log),
      header: log.fields.map(({ name, value, unit }) =>
        headerEntry(logs.length > 1 ? log.name : 'Log', name, value, unit),
      ),
    }));
    return {
      placeKind: 'element',
      tables,
      header: tables[0]?.header ?? [],
      warnings: logs.flatMap(unitWarnings),
      async *readRows(index) {
        const log = logs[index];
        if (!log) return;
        const logRows = new LogRows(log, index);
        for (const _ of readXml(source, new LogHandler(logRows))) {
          const rows = logRows.take();
          if (rows.length > 0) yield rows;
          if (logRows.isPast) return;
        }
      },
    };
  },
};

/** The rows of one log, split into values in the order of its columns. */
class LogRows {
  readonly #delimiter: string;
  readonly #index: number;
  readonly #mnemonics: readonly string[];
  /** The column of each value; null: values are in the order of the columns. */
  #order: readonly number[] | null = null;
  #rows: SourceRow[] = [];
  /** Whether reading has reached rows of a later log. */
  isPast = false;

  constructor(log: Log, index: number) {
    this.#delimiter = log.delimiter;
    this.#index = index;
    this.#mnemonics = orderedCurves(log).map(({ mnemonic }) => mnemonic);
  }

  /** @param mnemonics of the following rows; null: they are in the order of the curves */
  start(log: number, mnemonics: readonly string[] | null): void {
    this.isPast = log > this.#index;
    if (log !== this.#index) return;
    this.#order = mnemonics && placesIn(this.#mnemonics, mnemonics);
  }

  add(log: number, text: string, place: number): void {
    if (log !== this.#index) return;
    const values = splitLine(text.trim(), this.#delimiter);
    const order = this.#order;
    const width = this.#mnemonics.length;
    let cells: (string | null)[];
    if (!order) cells = values;
    else if (values.length === order.length) {
      cells = Array.from({ length: width }, () => null);
      values.forEach((value, at) => (cells[order[at] ?? at] = value));
    } else {
      // The row can't be paired with the columns; of another width than the table, it is rejected.
      const length = values.length === width ? width + 1 : values.length;
      cells = Array.from({ length }, (_, at) => values[at] ?? null);
    }
    this.#rows.push({ cells, place });
  }

  take(): readonly SourceRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

function tableOf(log: Log): SourceTable {
  const curves = orderedCurves(log);
  const columns = curves.map((curve, at) => columnOf(curve, log, at));
  return {
    name: log.name,
    columns,
    rows: log.rows,
    index: indexOf(log, columns),
    nulls: ['', ...(log.nullValue === null ? [] : [log.nullValue])],
  };
}

function columnOf(curve: Curve, log: Log, at: number): SourceColumn {
  const unit = log.listedUnits[at] || curve.unit;
  const isTime = /date|time/i.test(curve.type) || (isTimeIndex(log) && curve.mnemonic === log.indexCurve);
  return {
    name: curve.mnemonic,
    unit: unit === '' ? null : unit,
    type: isTime ? 'time' : /string|char|text/i.test(curve.type) ? 'text' : null,
    ...(curve.nullValue !== null && { nulls: ['', curve.nullValue] }),
  };
}

const maxNames = 5;

/** A warning about curves whose own unit is another one than that of the list, which is that of the values. */
function unitWarnings(log: Log, table: number): SourceWarning[] {
  const differing = orderedCurves(log).flatMap(({ mnemonic, unit }, at) => {
    const listed = log.listedUnits[at] ?? '';
    return isNoUnit(listed) || isNoUnit(unit) || areSameUnits(listed, unit)
      ? []
      : [`${mnemonic} (${unit}, and ${listed} in the list)`];
  });
  if (differing.length === 0) return [];
  const message = `The list of units, which is used, differs from the units of curves: ${firstInWords(differing, maxNames)}. Check which are right.`;
  return [{ code: 'header_differs', message, place: null, table, count: 0 }];
}

const isTimeIndex = ({ indexType }: Log): boolean => /date time|datetime/i.test(indexType);

function indexOf({ indexCurve, indexType }: Log, columns: readonly SourceColumn[]): SourceIndex | null {
  const column = columns.find(({ name }) => name === indexCurve) ?? columns[0];
  if (!column) return null;
  return { name: column.name, unit: column.unit, kind: indexKind(indexType) };
}

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
  readonly items: Map<string, string>;
  /** The line of its `&&`, from 1. */
  readonly line: number;
  /** Whether a value has bytes that are invalid in the encoding. */
  isDamaged: boolean;
}

/** Maximum number of items in a frame: those of the 99 records. */
const maxItems = 10_000;
const itemPattern = /^\s*(\d\d)(\d\d)(.*)$/;
/** The time that a logger writes between frames, which isn't an item: `2024-05-01 12:00:00`, `20240501 120000`. */
const timeLike = /^\s*(?:19|20)\d\d(?:([-/.:])\d{1,2}\1|\d{4}\s+\d)/;

const frameTallies = () => ({
  otherLines: new Tally(),
  openFrames: new Tally(),
  outerLines: new Tally(),
  repeatedItems: new Tally(),
});

/**
 * Reads the frames of a stream, from `&&` to `!!`; text between frames isn't data.
 * @param tallies count lines in frames that aren't items, frames without an end, items outside of frames, and
 * items that are twice in a record
 * @throws AppError file_unreadable, cancelled
 */
function* readFrames(text: TextFile, tallies = frameTallies()): Generator<Frame> {
  const { otherLines, openFrames, outerLines, repeatedItems } = tallies;
  let start: number | null = null;
  let frames = new Map<string, Frame>();
  let count = 0;
  const end = (): Iterable<Frame> => {
    const ended = frames.values();
    frames = new Map();
    start = null;
    count = 0;
    return ended;
  };
  for (const { text: line, number, isDamaged } of text.lines()) {
    const trimmed = line.trim();
    if (trimmed === '&&' || trimmed === '!!') {
      if (trimmed === '&&' && start !== null) openFrames.add(start);
      yield* end();
      if (trimmed === '&&') start = number;
      continue;
    }
    const [, record = '', item = '', value = ''] = itemPattern.exec(line) ?? [];
    if (start === null && record !== '' && !timeLike.test(line)) outerLines.add(number);
    if (start === null || trimmed === '') continue;
    if (record === '' || ++count > maxItems) {
      otherLines.add(number);
      continue;
    }
    const before = frames.get(record);
    const code = record + item;
    // A logger can write several records of one type between the ends of a frame: each begins with the same item.
    const isNext = before?.items.keys().next().value === code;
    if (before && isNext) yield before;
    const frame: Frame =
      before && !isNext
        ? before
        : { record, items: new Map<string, string>(), line: start, isDamaged: false };
    frame.isDamaged ||= isDamaged;
    if (frame.items.has(code)) repeatedItems.add(number);
    frame.items.set(code, value.trim());
    frames.set(record, frame);
  }
  if (start === null) return;
  openFrames.add(start);
  yield* end();
}

/** Streams of WITS level 0, recorded to a file: one table for each type of record. */
export const wits0: SourceAdapter = {
  format: 'wits0',
  recognize: (start) => /^[^\S\n\r\u2028\u2029]*&&[^\S\n\r]*[\n\r]\s*\d{4}/m.test(startText(start)),
  open: (source, options) => wits0File(openText(source, options)),
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
function frameTime({ record, items }: Frame): string | null {
  // Loggers that write numbers drop zeros at the start.
  const day = items.get(`${record}05`) ?? '';
  const date = /^(\d\d)(\d\d)(\d\d)$/.exec(day && day.padStart(6, '0'));
  const time = /^(\d{1,2})(\d\d)(\d\d)$/.exec(items.get(`${record}06`)?.padStart(6, '0') ?? '');
  if (!date || !time) return null;
  return `${fullYear(date[1] ?? '')}-${date[2]}-${date[3]}T${time[1]}:${time[2]}:${time[3]}`;
}

function wits0File(text: TextFile): SourceFile {
  const tallies = frameTallies();
  const { otherLines, openFrames, outerLines, repeatedItems } = tallies;
  const otherText = (count: number, line: number): string =>
    `Lines without an item code within frames are skipped: ${count}, the first on line ${line}.`;
  const outerText = (count: number, line: number): string =>
    `Items outside frames (from && to !!) are skipped: ${count}, the first on line ${line}.`;
  const repeatedText = (count: number, line: number): string =>
    `Items that occur twice in a record: ${count}, the first on line ${line}. The last value is used; check that the others aren’t needed.`;
  const openFrameText = (_: number, line: number): string =>
    `The frame on line ${line} has no end. Its items are read; others may be missing.`;
  const seen = new Map<string, { rows: number; readonly codes: Set<string> }>();
  const wells = new Set<string>();
  for (const { record, items } of readFrames(text, tallies)) {
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
    .map(([record, { rows, codes }]) => recordTable(record, [...codes].toSorted(), rows));
  return {
    placeKind: 'line',
    tables,
    header: [...wells]
      .slice(0, maxWells)
      .map((value) => headerEntry('Well', 'WELL', value, null, 'Well identifier')),
    warnings: [
      ...text.warnings,
      ...otherLines.warnings('ragged_rows', null, otherText),
      ...outerLines.warnings('ragged_rows', null, outerText),
      ...repeatedItems.warnings('repeated_names', null, repeatedText),
      ...openFrames.warnings('cut_short', null, openFrameText).map((warning) => ({ ...warning, count: 1 })),
    ],
    async *readRows(index) {
      const table = tables[index];
      if (!table) return;
      const frames = readFrames(text).filter(({ record }) => record === table.record);
      yield* batched(
        frames.map((frame) => rowOf(frame, table)),
        batchRows,
      );
    },
  };
}

function rowOf(frame: Frame, { codes, hasTime }: RecordTable): SourceRow {
  const cells = codes.map((code) => frame.items.get(code) || null);
  return {
    cells: hasTime ? [frameTime(frame), ...cells] : cells,
    place: frame.line,
    problem: frame.isDamaged ? 'bad_bytes' : null,
  };
}

function recordTable(record: string, codes: readonly string[], rows: number): RecordTable {
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
