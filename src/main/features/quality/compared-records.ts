import type { ComparedValue } from '../../../shared/quality/comparison.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { seriesName } from '../../../shared/quality/quality-report.ts';
import { isNullName, isNullNumber, nullNumbers } from '../../../shared/upload/null-tokens.ts';
import { type PathTree, leafFrom, leafTo, textIn, type ScannedPage } from '../../core/records/scan.ts';
import { canonicalText } from '../../core/records/values.ts';
import { parseJson } from '../../../shared/json.ts';
import { decimalAt } from '../../core/records/decimal.ts';
import type { ComparedRecord } from './compare.ts';
import type { ComparisonSpec } from './quality-plan.ts';
import { createRoleOf, indexAt, nameAt, roles } from './record-roles.ts';

/**
 * Creates a reader of records whose paths are in a tree.
 * @param columnOf the column of a field, by its path; the same for both sides
 */
export function createComparedReader(
  spec: ComparisonSpec,
  tree: PathTree,
  columnOf: (path: string) => number,
) {
  const roleOf = createRoleOf(spec, tree, columnOf);
  /** The log of all records of a side whose logs have any names; empty: not known yet. */
  let onlyLog = '';

  function checkLog(log: string): void {
    onlyLog ||= log;
    if (log !== '' && log !== onlyLog)
      throw invalidInput(
        `A well has several logs, such as “${onlyLog}” and “${log}”, and only one can be compared with that of another well. Add ${spec.logField} to each query.`,
        { field: 'query' },
      );
  }

  /**
   * @param values is filled with the values of the record; null: they aren't read
   * @throws AppError `invalid_input` for several logs where those of two wells are paired
   */
  function readPlace(page: ScannedPage, record: number, values: ComparedValue[] | null) {
    const { leaves } = page;
    const to = leafTo(page, record);
    let at = Number.NaN;
    let well = '';
    let log = '';
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const start = leaves[leaf + 1] ?? 0;
      const end = leaves[leaf + 2] ?? 0;
      const role = roleOf(leaves[leaf] ?? 0);
      if (role >= 0) {
        const value = values && valueAt(page, start, end);
        if (values && value !== null) values[role] = value;
      } else if (role === roles.index) at = indexAt(spec.index, page, start, end);
      else if (role === roles.well && !spec.ignoresWell) well = nameAt(page, start, end);
      else if (role === roles.log) log = nameAt(page, start, end);
    }
    if (spec.ignoresLog) {
      checkLog(log);
      log = '';
    }
    return { at, series: well === '' ? log : seriesName(well, log) };
  }

  return {
    read: (page: ScannedPage, records: readonly number[]): ComparedRecord[] =>
      records.map((record) => {
        const values: ComparedValue[] = [];
        return { ...readPlace(page, record, values), line: null, values };
      }),
    /** The index and the series of a record. */
    placeOf: (page: ScannedPage, record: number) => readPlace(page, record, null),
  };
}

/** As it is also shown. */
const likeness = { nulls: nullNumbers, nullText: 'null' };

/** A value to compare; null: none, or one that means none. */
function valueAt(page: ScannedPage, start: number, end: number): ComparedValue | null {
  const code = page.bytes[start];
  if (code === 110) return null;
  if (code === 116 || code === 102) return code === 116;
  if (code === 34) {
    const text = String(JSON.parse(textIn(page, start, end)));
    return isNullName(text) ? null : text;
  }
  if (code === 123 || code === 91) return canonicalText(parseJson(textIn(page, start, end)), likeness);
  const number = decimalAt(page, start, end);
  // A double may lack digits of a long integer.
  if (end - start > 15 && Number.isInteger(number)) {
    const text = textIn(page, start, end);
    if (/^-?\d+$/.test(text) && BigInt(text) !== BigInt(number)) return text;
  }
  if (isNullNumber(number)) return null;
  return Number.isFinite(number) ? number : textIn(page, start, end);
}
