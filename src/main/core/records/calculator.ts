import type { Calculation } from '../../../shared/calculated/calculated.ts';
import { needsRowsBefore, readyColumns, type ReadyColumn } from '../../../shared/calculated/compile.ts';
import type { Series } from '../../../shared/calculated/series.ts';
import type { Compiled } from '../../../shared/calculated/values.ts';
import { valueOrNaN } from '../../../shared/upload/null-tokens.ts';
import { pathId, pathNames } from '../../../shared/column-paths.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { instantOf } from '../../../shared/instants.ts';
import { jsonNumber } from '../../../shared/json.ts';
import { isNumberStart } from './json-text.ts';
import { type PathTree, endOf, leafFrom, leafTo, type ScannedPage, startOf, textIn } from './scan.ts';
import { TextBuffer } from './text-buffer.ts';

const noNumbers = new Float64Array();
const [comma, quote, close] = [44, 34, 125];

type Calculated = ReadyColumn & { readonly compiled: Compiled };

/** The columns of a calculation. @throws AppError `invalid_input` for one that doesn't fit the records */
function calculatedOf(calculation: Calculation): readonly Calculated[] {
  return readyColumns(calculation).map((column) => {
    const { name, compiled, problem } = column;
    if (!compiled) throw invalidInput(`The column ${name} can’t be calculated. ${problem ?? ''}`.trim());
    return { ...column, compiled };
  });
}

/**
 * What an export needs to know of a calculation: the fields that its columns need, whether they need the records of each series
 * in their order, and their known units by path.
 * @throws AppError `invalid_input` for a column that doesn't fit the records
 */
export function calculationFacts(calculation: Calculation, columns = calculatedOf(calculation)) {
  const paths = new Set<string>();
  const numbers = (id: string) => {
    paths.add(id);
    return noNumbers;
  };
  for (const { compiled } of columns) compiled.of({ length: 0, numbers, index: noNumbers });
  const isOrdered = columns.some(needsRowsBefore);
  if (isOrdered) for (const id of [...calculation.series, calculation.index ?? []].flat()) paths.add(id);
  const units = Object.fromEntries(
    columns.flatMap(({ name, unit }) => (unit === null ? [] : [[pathId([name]), unit]])),
  );
  return { paths: [...paths], isOrdered, units };
}

/** Rows of a series, as columns by path id. */
interface Rows {
  readonly index: Float64Array;
  readonly numbers: ReadonlyMap<string, Float64Array>;
}

interface Read {
  readonly numbers: ReadonlyMap<string, Float64Array>;
  /** What tells the series of each record apart. */
  readonly series: readonly string[];
}

/**
 * Creates a function that adds calculated columns to records, which come in the order of their index where values need
 * rows before. Values are those of `shared/calculated`, as in the window; without one there is no member. A record's own
 * field of that name is kept.
 * @param tree of the pages
 * @throws AppError `invalid_input` for a column that doesn't fit the records
 */
export function createCalculator(calculation: Calculation, tree: PathTree) {
  const columns = calculatedOf(calculation);
  const { paths } = calculationFacts(calculation, columns);
  const times = new Set(calculation.fields.flatMap(({ id, values }) => (values === 'time' ? [id] : [])));
  const names = new Set(columns.map(({ name }) => name));
  const members = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  /** What each node of the tree is for, as nodes appear. */
  const uses: {
    readonly id: string | null;
    /** Its place in the key of a series; -1: it has none. */
    readonly seriesAt: number;
    readonly takenName: string | null;
  }[] = [];
  const wanted = new Set(paths);
  /** The last rows of each series that later ones may need. */
  const tails = new Map<string, Rows>();
  const lines = new TextBuffer();

  const useOf = (node: number) => {
    for (let at = uses.length; at <= node; at += 1) {
      const path = tree.nodes[at]?.path ?? '';
      const [top = ''] = pathNames(path);
      uses.push({
        id: wanted.has(path) ? path : null,
        seriesAt: calculation.series.indexOf(path),
        takenName: names.has(top) ? top : null,
      });
    }
    return uses[node];
  };

  /** @param onTaken called for a record that has a field with the name of a column */
  function read(
    page: ScannedPage,
    records: readonly number[],
    onTaken: (at: number, name: string) => void,
  ): Read {
    const numbers = new Map(paths.map((id) => [id, new Float64Array(records.length).fill(Number.NaN)]));
    const series: string[] = [];
    for (const [at, record] of records.entries()) {
      const to = leafTo(page, record);
      // Services keep the order of each record's members.
      const key = calculation.series.map(() => '');
      for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
        const use = useOf(page.leaves[leaf] ?? 0);
        if (!use || (use.id === null && use.seriesAt < 0 && use.takenName === null)) continue;
        const text = textIn(page, page.leaves[leaf + 1] ?? 0, page.leaves[leaf + 2] ?? 0);
        if (use.seriesAt >= 0) key[use.seriesAt] = text;
        if (use.takenName !== null) onTaken(at, use.takenName);
        const values = use.id === null ? undefined : numbers.get(use.id);
        if (values) values[at] = numberOf(text, times.has(use.id ?? ''));
      }
      series.push(key.join('\n'));
    }
    return { numbers, series };
  }

  /** The values of a column that needs rows before its own. */
  function valuesBySeries(read: Read, length: number): ReadonlyMap<Calculated, Float64Array> {
    const ofRows = columns.filter(needsRowsBefore);
    const values = new Map(ofRows.map((column) => [column, new Float64Array(length).fill(Number.NaN)]));
    const indexId = calculation.index;
    if (ofRows.length === 0 || indexId === null) return values;
    const stored = read.numbers.get(indexId) ?? noNumbers;
    const index = times.has(indexId) ? stored.map((at) => at / 1000) : stored.map(valueOrNaN);
    const rowsOf = Map.groupBy(read.series.keys(), (at) => read.series[at]);
    for (const [key = '', unordered] of rowsOf) {
      const rows = unordered
        .filter((at) => !Number.isNaN(index[at] ?? Number.NaN))
        .toSorted((row, other) => (index[row] ?? 0) - (index[other] ?? 0));
      if (rows.length === 0) continue;
      const tail = tails.get(key);
      const before = tail?.index.length ?? 0;
      const all: Rows = {
        index: joined(tail?.index, index, rows),
        numbers: new Map(paths.map((id) => [id, joined(tail?.numbers.get(id), read.numbers.get(id), rows)])),
      };
      if (before > 0 && (all.index[before] ?? 0) < (all.index[before - 1] ?? 0))
        throw invalidInput(
          `The service sends records out of the order of ${indexId}, so ${ofRows.map(({ name }) => name).join(', ')} can’t be calculated. Remove the column from the export.`,
        );
      const of = seriesOf(all);
      for (const [column, columnValues] of values) {
        const calculated = column.compiled.of(of);
        for (const [at, row] of rows.entries()) columnValues[row] = calculated[before + at] ?? Number.NaN;
      }
      tails.set(key, cutTail(all, ofRows));
    }
    return values;
  }

  /** @returns the JSON of an array of the given records, valid until the next call */
  return (page: ScannedPage, records: readonly number[]): Uint8Array => {
    const takenByRecord = new Map<number, Set<string>>();
    const stored = read(page, records, (at, name) => {
      const taken = takenByRecord.get(at) ?? new Set();
      takenByRecord.set(at, taken.add(name));
    });
    const { length } = records;
    const numbers = (id: string) => stored.numbers.get(id) ?? new Float64Array(length).fill(Number.NaN);
    const series: Series = { length, numbers, index: noNumbers };
    const bySeries = valuesBySeries(stored, length);
    const values = columns.map((column) => bySeries.get(column) ?? column.compiled.of(series));
    lines.text('[');
    for (const [at, record] of records.entries()) {
      if (at > 0) lines.byte(comma);
      const end = endOf(page, record) - 1;
      lines.range(page.bytes, startOf(page, record), end);
      let isEmpty =
        leafFrom(page, record) === leafTo(page, record) &&
        textIn(page, startOf(page, record), end).trim() === '{';
      for (const [which, member] of members.entries()) {
        const value = values[which]?.[at] ?? Number.NaN;
        if (Number.isNaN(value) || takenByRecord.get(at)?.has(columns[which]?.name ?? '')) continue;
        if (!isEmpty) lines.byte(comma);
        lines.text(`${member}${jsonNumber(value)}`);
        isEmpty = false;
      }
      lines.byte(close);
    }
    lines.text(']');
    return lines.take();
  };
}

function numberOf(text: string, isTime: boolean): number {
  const first = text.charCodeAt(0);
  if (isNumberStart(first)) return Number(text);
  return isTime && first === quote ? instantOf(String(JSON.parse(text))) : Number.NaN;
}

function joined(before: Float64Array | undefined, values: Float64Array | undefined, rows: readonly number[]) {
  const start = before?.length ?? 0;
  const all = new Float64Array(start + rows.length);
  if (before) all.set(before);
  for (const [at, row] of rows.entries()) all[start + at] = values?.[row] ?? Number.NaN;
  return all;
}

const seriesOf = ({ index, numbers }: Rows): Series => ({
  length: index.length,
  numbers: (id) => numbers.get(id) ?? new Float64Array(index.length).fill(Number.NaN),
  index,
});

/** The last rows that any row after them can need. */
function cutTail({ index, numbers }: Rows, columns: readonly Calculated[]): Rows {
  // The next row can be at the same time or depth.
  const next = new Float64Array(index.length + 1);
  next.set(index);
  next[index.length] = index.at(-1) ?? 0;
  const isEnough = (from: number): boolean =>
    columns.every(({ compiled }) => (compiled.firstInReach?.(next, from) ?? from) <= index.length);
  let [from, tooFar] = [0, index.length];
  if (!isEnough(0)) return { index, numbers };
  while (tooFar - from > 1) {
    const middle = (from + tooFar) >> 1;
    if (isEnough(middle)) from = middle;
    else tooFar = middle;
  }
  return {
    index: index.slice(from),
    numbers: new Map([...numbers].map(([id, values]) => [id, values.slice(from)])),
  };
}
