import { isObject, parseJson, valueAt, type JsonValue } from '../../../../shared/json.ts';
import { createRecordWriter } from '../record-writer.ts';
import { rulesAt, type Rules, type Conversion, type Bounds } from '../plan.ts';
import { readGroups } from '../groups.ts';
import type { Source, ColumnFacts } from '../../tables/tables.ts';
import type { Preparation } from '../preparation.ts';
import { datasetShapes } from '../../../../shared/datasets/shapes.ts';
import type { DatasetType } from '../../../../shared/datasets/datasets.ts';
import { comparisonOf } from './existing-records.ts';
import { numericNulls } from '../../../../shared/upload/null-tokens.ts';
import { maxOf, minOf } from '../../../../shared/lists.ts';

export interface SurveyRequest {
  /** The path of the well in a record. */
  readonly scope: readonly string[];
  /** The path of the time or depth in a record; null: none. */
  readonly index: readonly string[] | null;
}

/** The part of a dataset that contains the rows of a file. */
export interface Survey {
  /** The wells; null: some rows have none, or there are too many. */
  readonly assets: readonly number[] | null;
  /** Minimum and maximum of the index; null: some rows have none. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

/** Maximum number of wells in a query. */
const maxAssets = 1000;

class WellsAndRange {
  readonly #assets = new Set<number>();
  #assetMissing = false;
  #indexMissing = false;
  #min = Infinity;
  #max = -Infinity;

  add(asset: JsonValue | undefined, place: JsonValue | undefined): void {
    if (typeof asset !== 'number') this.#assetMissing = true;
    else if (this.#assets.size <= maxAssets) this.#assets.add(asset);
    if (typeof place !== 'number') this.#indexMissing = true;
    else {
      if (place < this.#min) this.#min = place;
      if (place > this.#max) this.#max = place;
    }
  }

  result(): Survey {
    const { size } = this.#assets;
    return {
      assets: this.#assetMissing || size > maxAssets || size === 0 ? null : [...this.#assets],
      range: this.#indexMissing || this.#min > this.#max ? null : { min: this.#min, max: this.#max },
    };
  }
}

/**
 * The records of the whole file, without those that are rejected: JSON of each. Blocks: for worker threads.
 * @param rules absent: those of the file
 * @throws AppError file_unreadable, file_unsuitable, file_changed
 */
export function* recordsOf(
  source: Source,
  { fileName, layout, rows: total, ...preparation }: Preparation,
  rules: Rules = preparation.rules,
): Generator<string> {
  const write = createRecordWriter(rules, layout.columns.length, { blankRows: true });
  const groups = readGroups(fileName, source, layout, preparation.rules.fold, {
    byte: layout.dataStart,
    line: layout.dataLine,
  });
  for (let count = 0; count < total; count++) {
    const rows = groups.next();
    if (!rows) return;
    const written = write(rows);
    if (!('problems' in written)) yield written.record;
  }
}

/**
 * Reads the whole file for its wells and its range. Blocks: for worker threads.
 * @throws AppError file_unreadable, file_unsuitable, file_changed
 */
export function survey(source: Source, preparation: Preparation, { scope, index }: SurveyRequest): Survey {
  const gathering = new WellsAndRange();
  const rules = rulesAt(preparation.rules, [scope, ...(index ? [index] : [])]);
  for (const text of recordsOf(source, preparation, rules)) {
    const record = parseJson(text);
    if (isObject(record)) gathering.add(valueAt(record, scope), index ? valueAt(record, index) : undefined);
  }
  return gathering.result();
}

interface Extent {
  readonly min: number;
  readonly max: number;
}

/** The decimal sign of the numbers in cells that are sent in their unit; null: they are converted, or no numbers. */
function decimalOf(conversion: Conversion): '.' | ',' | null {
  if (conversion.kind === 'number' || conversion.kind === 'integer')
    return conversion.units === undefined ? conversion.style.decimal : null;
  return conversion.kind === 'time' && conversion.format === 'unix_ms' && conversion.as === 'ms' ? '.' : null;
}

/** Minimum and maximum of a column of numbers; null: some cells have none. @param blanks whether cells can be blank */
function extentOf(facts: ColumnFacts, conversion: Conversion, blanks: boolean): Extent | null {
  const { counts, values } = facts;
  const decimal = decimalOf(conversion);
  const blankCount = counts.empty + counts.null_word;
  const otherCount = values - counts.integer - counts.number + (blanks ? 0 : blankCount);
  if (decimal === null || otherCount > 0) return null;
  const { min, max } = facts.ends[decimal];
  return min && max && { min: min.value, max: max.value };
}

/** Minimum and maximum of the values for a path of the records; null: unknown, or some records have none. */
function extentAt(rules: Rules, columns: readonly ColumnFacts[], at: readonly string[]): Extent | null {
  const { columns: columnRules, constants } = rulesAt(rules, [at]);
  const [constant] = constants;
  const constantValue = constant && parseJson(constant.json);
  const extents = columnRules.map(({ conversion, index, join }) => {
    const facts = columns[index];
    return facts && !join ? extentOf(facts, conversion, constant !== undefined) : null;
  });
  if (constant)
    extents.push(typeof constantValue === 'number' ? { min: constantValue, max: constantValue } : null);
  const knownExtents = extents.filter((extent) => extent !== null);
  if (knownExtents.length === 0 || knownExtents.length < extents.length) return null;
  return {
    min: minOf(knownExtents.map(({ min }) => min)),
    max: maxOf(knownExtents.map(({ max }) => max)),
  };
}

/**
 * The part of the dataset for the rows of a file, from the facts of the first pass, which saves reading the file again.
 * @returns null: a survey is needed
 * @throws SyntaxError if a constant isn’t JSON
 */
export function boundsOf(
  rules: Rules,
  columns: readonly ColumnFacts[],
  type: DatasetType | null,
): Bounds | null {
  // Null values among the numbers are included in minimum and maximum.
  if (numericNulls(rules.nulls).size > 0) return null;
  const scope = (type === null ? 'asset_id' : datasetShapes[type].scopeField).split('.');
  const { index } = comparisonOf(rules, type);
  const wells = extentAt(rules, columns, scope);
  const range = index && extentAt(rules, columns, index);
  if (!wells || (index && !range)) return null;
  const count = wells.max - wells.min + 1;
  if (!Number.isSafeInteger(wells.min) || !Number.isSafeInteger(wells.max) || count > maxAssets) return null;
  return { assets: Array.from({ length: count }, (_, n) => wells.min + n), range };
}
