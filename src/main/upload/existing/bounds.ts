import { datasetShapes } from '../../../shared/datasets/datasets.ts';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import { parseJson } from '../../../shared/json.ts';
import type { Bounds } from '../model/bounds.ts';
import type { Conversion, Rules } from '../model/rules.ts';
import type { ColumnFacts } from '../reading/column-facts.ts';
import { comparisonOf } from './comparison.ts';
import { mostAssets } from './survey.ts';
import { numericNulls } from '../../../shared/upload/null-tokens.ts';

interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Whether a number in a cell is the value that is sent. */
const keepsNumbers = (conversion: Conversion): boolean =>
  conversion.kind === 'number' ||
  conversion.kind === 'integer' ||
  (conversion.kind === 'time' && conversion.format === 'unix_ms' && conversion.as === 'ms');

/** From where to where the numbers of a column go; null: some of its cells hold none. @param blanks whether those may be blank */
function extentOf({ counts, min, max }: ColumnFacts, blanks: boolean): Extent | null {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const others = all - counts.integer - counts.number - (blanks ? counts.empty + counts.null_word : 0);
  return others === 0 && min && max ? { min: min.value, max: max.value } : null;
}

/** From where to where the values go that a place in the records gets; null: that is not known, or some get none. */
function extentAt(rules: Rules, columns: readonly ColumnFacts[], at: readonly string[]): Extent | null {
  const isThere = ({ path }: { readonly path: readonly string[] }): boolean =>
    path.join('.') === at.join('.');
  const constant = rules.constants.find(isThere);
  const given = constant && parseJson(constant.json);
  const found = rules.columns.filter(isThere).map(({ conversion, index, join }) => {
    const facts = columns[index];
    return facts && !join && keepsNumbers(conversion) ? extentOf(facts, constant !== undefined) : null;
  });
  if (constant) found.push(typeof given === 'number' ? { min: given, max: given } : null);
  const known = found.filter((extent) => extent !== null);
  if (known.length === 0 || known.length < found.length) return null;
  return {
    min: Math.min(...known.map(({ min }) => min)),
    max: Math.max(...known.map(({ max }) => max)),
  };
}

/**
 * Where the rows of a file belong, by what its first reading told of its columns, so that it need not be read for that
 * again. Null: it takes a survey.
 */
export function boundsOf(
  rules: Rules,
  columns: readonly ColumnFacts[],
  type: DatasetType | null,
): Bounds | null {
  // Numbers that stand for no value are among the smallest and largest.
  if (numericNulls(rules.nulls).size > 0) return null;
  const scope = (type === null ? 'asset_id' : datasetShapes[type].scopeField).split('.');
  const { index } = comparisonOf(rules, type);
  const wells = extentAt(rules, columns, scope);
  const range = index && extentAt(rules, columns, index);
  if (!wells || (index && !range)) return null;
  const count = wells.max - wells.min + 1;
  if (!Number.isSafeInteger(wells.min) || !Number.isSafeInteger(wells.max) || count > mostAssets) return null;
  return { assets: Array.from({ length: count }, (_, n) => wells.min + n), range };
}
