import { nullTest } from '../null-test.ts';
import type {
  HeaderEntry,
  SourceAdapter,
  SourceColumn,
  SourceFile,
  SourceIndex,
  SourceRow,
  SourceTable,
  SourceWarning,
} from '../source.ts';
import { openSource } from '../../reading/source.ts';
import { splitLine } from '../text/split-line.ts';
import { startText } from '../../reading/encoding.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { XmlFile } from '../xml/xml-file.ts';
import { LogHandler, orderedCurves, placesIn, type Curve, type Log, type RowSink } from './log-reader.ts';

/** XML that comes from systems of WITSML, and isn't a log of the versions that are read. */
const otherKinds: readonly { readonly sign: RegExp; readonly reason: string }[] = [
  {
    sign: /<(?:[\w.-]+:)?Envelope\b[^>]*soap/i,
    reason:
      'it is the answer of a web service (SOAP). Of a WITSML server, save the XML in its XMLout as a file',
  },
  {
    sign: /energistics\.org\/energyml\//i,
    reason:
      'it is WITSML 2, and Wellbench reads logs of WITSML 1.3.1.1 and 1.4.1.1. Export it in one of these versions, or as LAS',
  },
];

const startOf = (start: Uint8Array): string => startText(start.subarray(0, 16 << 10));

/** @throws AppError file_unsuitable for XML of {@link otherKinds} */
function refuseOtherKinds(path: string, fileName: string): string {
  const source = openSource(path, fileName);
  try {
    const text = startOf(source.sample());
    const kind = otherKinds.find(({ sign }) => sign.test(text));
    if (kind) throw unsuitable(fileName, kind.reason);
    return /<([A-Za-z][\w:.-]*)/.exec(text)?.[1] ?? '';
  } finally {
    source.close();
  }
}

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
  async open(path, options) {
    const { fileName, signal } = options;
    const root = refuseOtherKinds(path, fileName);
    const file = new XmlFile(path, options);
    try {
      const handler = new LogHandler({ startRows: () => undefined, row: () => undefined });
      for (const _ of file.read(handler, signal));
      if (handler.logs.length === 0)
        throw unsuitable(
          fileName,
          `it has ${root.slice(0, 40)} and no log. Of WITSML, only logs are supported`,
        );
      return new WitsmlFile(file, handler.logs);
    } catch (error) {
      file.close();
      throw error;
    }
  },
};

class WitsmlFile implements SourceFile {
  readonly format = 'witsml';
  readonly placeKind = 'element';
  readonly tables: readonly SourceTable[];
  readonly header: readonly HeaderEntry[];
  readonly warnings: SourceWarning[] = [];
  readonly #file: XmlFile;
  readonly #logs: readonly Log[];

  constructor(file: XmlFile, logs: readonly Log[]) {
    this.#file = file;
    this.#logs = logs;
    this.tables = logs.map(tableOf);
    this.header = logs.flatMap((log) =>
      log.fields.map(({ name, value, unit }) => ({
        group: logs.length > 1 ? log.name : 'Log',
        name,
        value,
        unit,
        description: null,
      })),
    );
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const log = this.#logs[index];
    if (!log) return;
    const sink = new LogRows(log, index);
    for (const _ of this.#file.read(new LogHandler(sink), signal)) {
      const rows = sink.take();
      if (rows.length > 0) yield rows;
      if (sink.isPast) return;
    }
  }

  async close(): Promise<void> {
    this.#file.close();
  }
}

/** The rows of one log, split into values in the order of its columns. */
class LogRows implements RowSink {
  readonly #delimiter: string;
  readonly #index: number;
  readonly #mnemonics: readonly string[];
  readonly #nullTests: readonly ((cell: string) => boolean)[];
  /** The column of each value; null: values are in the order of the columns. */
  #order: readonly number[] | null = null;
  #rows: SourceRow[] = [];
  /** Whether reading has reached rows of a later log. */
  isPast = false;

  constructor(log: Log, index: number) {
    const curves = orderedCurves(log);
    this.#delimiter = log.delimiter;
    this.#index = index;
    this.#mnemonics = curves.map(({ mnemonic }) => mnemonic);
    this.#nullTests = curves.map(({ nullValue }) => nullTest(nullValue ?? log.nullValue));
  }

  startRows(log: number, mnemonics: readonly string[] | null): void {
    this.isPast = log > this.#index;
    if (log !== this.#index) return;
    this.#order = mnemonics && placesIn(this.#mnemonics, mnemonics);
  }

  row(log: number, text: string, place: number): void {
    if (log !== this.#index) return;
    const values = splitLine(text.trim(), this.#delimiter);
    const order = this.#order;
    if (!order) {
      this.#rows.push({ cells: values.map((value, at) => this.#cell(value, at)), place });
      return;
    }
    const cells: (string | null)[] = this.#mnemonics.map(() => null);
    if (values.length !== order.length) {
      // The row can't be paired with the columns; of another width than the table, it is rejected.
      const width = values.length === cells.length ? values.length + 1 : values.length;
      this.#rows.push({ cells: Array.from({ length: width }, (_, at) => values[at] ?? null), place });
      return;
    }
    values.forEach((value, at) => (cells[order[at] ?? at] = this.#cell(value, order[at] ?? at)));
    this.#rows.push({ cells, place });
  }

  #cell(value: string, column: number): string | null {
    return (this.#nullTests[column]?.(value) ?? value === '') ? null : value;
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
    isHidden: false,
    index: indexOf(log, columns),
    // Each curve has its own null values, which apply when its rows are read.
    nulls: [],
  };
}

function columnOf(curve: Curve, log: Log, at: number): SourceColumn {
  const unit = log.listedUnits[at] ?? curve.unit;
  const isTime = /date|time/i.test(curve.type) || (isTimeIndex(log) && curve.mnemonic === log.indexCurve);
  return {
    name: curve.mnemonic,
    unit: unit === '' ? null : unit,
    description: curve.description === '' ? null : curve.description,
    type: isTime ? 'time' : /string|char|text/i.test(curve.type) ? 'text' : null,
  };
}

const isTimeIndex = ({ indexType }: Log): boolean => /date time|datetime/i.test(indexType);

function indexOf({ indexCurve, indexType }: Log, columns: readonly SourceColumn[]): SourceIndex | null {
  const column = columns.find(({ name }) => name === indexCurve) ?? columns[0];
  if (!column) return null;
  const kind = /time/i.test(indexType) ? 'time' : /depth/i.test(indexType) ? 'depth' : 'other';
  return { name: column.name, unit: column.unit, kind };
}
