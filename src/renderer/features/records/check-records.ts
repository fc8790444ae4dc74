import { type Synonyms, channelLimits } from '../../../shared/channels/channels.ts';
import { createBatchBuilder, valueKinds } from '../../../shared/quality/batch.ts';
import type { CheckOptions } from '../../../shared/quality/field-track.ts';
import { instantOf } from '../../../shared/instants.ts';
import { createQualityCheck } from '../../../shared/quality/engine.ts';
import { bookkeepingFields, seriesName, type QualityReport } from '../../../shared/quality/quality-report.ts';
import { isNullName } from '../../../shared/upload/null-tokens.ts';
import type { Pages } from './pages.ts';
import { pathId } from '../../../shared/column-paths.ts';
import type { StoredCell } from './table.ts';

/** Where records have their index and their well. Paths are ids of columns. */
export interface QualityOfRecords {
  readonly index: {
    readonly field: string;
    readonly kind: 'time' | 'depth' | 'number';
    readonly unit: string | null;
  } | null;
  /** The first that is a column names the well. */
  readonly wellFields: readonly string[];
  readonly logField: string | null;
  readonly units: ReadonlyMap<string, string>;
  readonly checks: CheckOptions;
  /** The names of channels that the user has added. */
  readonly synonyms: Synonyms;
}

const maxTokenLength = 9;

/** The quality of loaded records, in the order of their rows. */
export function checkRecords(pages: Pages, of: QualityOfRecords): QualityReport {
  const { units, synonyms } = of;
  const ids = pages.columns().map(({ path }) => pathId(path));
  const unitOf = (field: string): string | null => units.get(field) ?? null;
  const check = createQualityCheck({
    index: of.index,
    step: null,
    range: { from: null, to: null, excludesFrom: false, includesTo: false },
    wells: [],
    limitsOf: (field) => channelLimits(field, unitOf(field), synonyms),
    unitOf,
    checks: of.checks,
  });
  const builder = createBatchBuilder();
  const places = placeColumns(ids, of);
  const columns = ids.map((id, at) =>
    bookkeepingFields.has(id) || places.includes(at) ? -1 : builder.column(id),
  );
  const flush = (): void => {
    check.add(builder.batch(), builder.seriesNames);
    builder.clear();
  };
  pages.walk(ids, null, (_row, cells) => {
    cells.forEach((cell, at) => {
      const column = columns[at] ?? -1;
      if (column >= 0) addCell(builder, column, cell);
    });
    const [place, well, log] = places.map((at) => cells[at]);
    builder.endRow(indexOf(place), builder.series(seriesName(nameOf(well), nameOf(log))));
    if (builder.isFull) flush();
  });
  flush();
  return check.report();
}

/** The columns of the index, the well, and the log; -1: there is none. */
const placeColumns = (ids: readonly string[], { index, wellFields, logField }: QualityOfRecords): number[] =>
  [index?.field, wellFields.find((path) => ids.includes(path)), logField].map((id) => ids.indexOf(id ?? ''));

/** A place of a series, such as a finding's. `well` empty: of any series. */
export interface SeriesPlace {
  readonly well: string;
  /** The index. */
  readonly at: number;
}

/** The row of a series whose index is nearest to a place; null: no row has one. */
export function nearestRowOf(pages: Pages, of: QualityOfRecords, { well, at }: SeriesPlace): number | null {
  if (!of.index) return null;
  const ids = pages.columns().map(({ path }) => pathId(path));
  const places = placeColumns(ids, of);
  let nearest: number | null = null;
  let minDistance = Infinity;
  pages.walk(ids, null, (row, cells) => {
    const [place, wellCell, log] = places.map((column) => cells[column]);
    if (well !== '' && seriesName(nameOf(wellCell), nameOf(log)) !== well) return;
    const distance = Math.abs(indexOf(place) - at);
    if (distance < minDistance) [nearest, minDistance] = [row, distance];
  });
  return nearest;
}

const nameOf = (cell: StoredCell): string =>
  cell === undefined || cell === null || typeof cell === 'object' ? '' : String(cell);

function indexOf(cell: StoredCell): number {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return Number(cell);
  return typeof cell === 'string' ? instantOf(cell) : Number.NaN;
}

function addCell(builder: ReturnType<typeof createBatchBuilder>, column: number, cell: StoredCell): void {
  if (cell === undefined) return;
  if (typeof cell === 'number') builder.number(column, cell);
  else if (typeof cell === 'bigint') builder.number(column, Number(cell));
  else if (cell === null) builder.kind(column, valueKinds.null);
  else if (typeof cell === 'boolean') builder.kind(column, valueKinds.boolean);
  else if (typeof cell === 'string') {
    const isToken = cell.length <= maxTokenLength && isNullName(cell);
    builder.kind(column, isToken ? valueKinds.token : valueKinds.text);
  } else builder.kind(column, valueKinds.nested);
}
