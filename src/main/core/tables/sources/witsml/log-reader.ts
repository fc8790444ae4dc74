import type { XmlHandler } from '../xml/xml-reader.ts';

/** A curve in `logCurveInfo`. */
export interface Curve {
  mnemonic: string;
  unit: string;
  description: string;
  nullValue: string | null;
  type: string;
  /** In WITSML 1.3.1.1: the index of its value in a row, from 1; 0: not given. */
  columnIndex: number;
}

const undescribed: Omit<Curve, 'mnemonic'> = {
  unit: '',
  description: '',
  nullValue: null,
  type: '',
  columnIndex: 0,
};

/** A log, as far as it has been read. */
export interface Log {
  name: string;
  /** Its own elements and attributes, such as `nameWell`. */
  readonly fields: { readonly name: string; readonly value: string; readonly unit: string | null }[];
  readonly curves: Curve[];
  /** The mnemonics of its rows, from every `mnemonicList` in order; one that a list repeats is there as often. */
  readonly mnemonics: string[];
  /** The units of these mnemonics. */
  readonly listedUnits: string[];
  indexCurve: string;
  indexType: string;
  nullValue: string | null;
  /** Between the values of a row. */
  delimiter: string;
  rows: number;
}

/** Callbacks for the rows of logs. */
export interface RowSink {
  /** @param mnemonics of the following rows; null: they are in the order of the curves */
  startRows(log: number, mnemonics: readonly string[] | null): void;
  row(log: number, text: string, place: number): void;
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

/** Collects the logs of a document and passes on their rows. */
export class LogHandler implements XmlHandler {
  readonly logs: Log[] = [];
  readonly #sink: RowSink;
  readonly #path: string[] = [];
  #log: Log | null = null;
  #logDepth = 0;
  #curve: Curve | null = null;
  #unit: string | null = null;
  /** The places of the current `mnemonicList` in the mnemonics of the log. */
  #places: number[] = [];

  constructor(sink: RowSink) {
    this.#sink = sink;
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
    if (name === 'logData') this.#sink.startRows(this.logs.length - 1, null);
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
      this.#sink.startRows(this.logs.length - 1, list);
    } else if (name === 'unitList')
      listOf(text).forEach((unit, at) => {
        const place = this.#places[at];
        if (place !== undefined) log.listedUnits[place] = unit;
      });
    else if (depth === 0) this.#field(log, name, text.trim());
  }

  #row(log: Log, text: string): void {
    if (text.trim() === '') return;
    log.rows++;
    this.#sink.row(this.logs.length - 1, text, log.rows);
  }

  #field(log: Log, name: string, value: string): void {
    if (value === '') return;
    if (name === 'name') log.name = value;
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
  if (name === 'curveDescription') curve.description = text;
  if (name === 'nullValue') curve.nullValue = text;
  if (name === 'typeLogData') curve.type = text;
  if (name === 'columnIndex') curve.columnIndex = Number(text) || 0;
}

/** The curves of a log in the order of the values in its rows. */
export function orderedCurves({ mnemonics, curves }: Log): Curve[] {
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
