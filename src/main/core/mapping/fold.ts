import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import type { Issue } from '../../../shared/errors/errors.ts';
import { foldColumn, type Fold, type Mapping } from '../../../shared/upload/upload.ts';
import { isInList, type FoldRule, type Rules } from './plan.ts';
import { mapsToItself, parseTarget } from '../records/targets.ts';
import { columnType, notationOf, type Layout, type PreviewRow, type Scan } from '../tables/tables.ts';
import type { GroupScan } from './groups.ts';
import { columnsInWords, columnsList, type Match } from './match.ts';
import { rowOfPreview } from './record-row.ts';
import { createRecordWriter } from './record-writer.ts';

/** How rows of a file are combined: the mapping's choice, and the groups that it makes. */
export interface Folding {
  readonly fold: Fold;
  /** Null: the file has no such column. */
  readonly groups: GroupScan | null;
}

/** Index of the column whose values make the groups; null: all rows are one group; -1: the file has no such column. */
export function groupColumn(fold: Fold, { columns }: Pick<Layout, 'columns'>): number | null {
  const by = foldColumn(fold);
  return by === null ? null : columns.findIndex(({ key }) => key === by);
}

const ofWholeRecord: ReadonlySet<string> = new Set(['asset_id', 'company_id', 'version']);

/**
 * For each column without a target in the mapping, whether its values go to the items of the list: numbers, and texts
 * that differ within a record. Numbers that are equal in one file, such as the azimuth of a vertical hole, differ in
 * the next; the records of both files must have the same fields.
 */
export function itemColumns(
  { layout, columns }: Pick<Scan, 'layout' | 'columns'>,
  { groups }: Folding,
  type: DatasetType | null,
  { exceptionShare }: Mapping,
): boolean[] {
  const required = type === null ? [] : datasetShapes[type].required;
  const notation = notationOf(columns, layout.delimiter);
  return layout.columns.map(({ name }, index) => {
    const facts = columns[index];
    if (!groups || !facts || index === groups.by) return false;
    const varies = groups.varies[index] === true;
    if (mapsToItself(name) && !name.startsWith('data.')) {
      if (ofWholeRecord.has(name) || name.startsWith('metadata.') || required.includes(name)) return false;
      return varies || name === 'measured_depth';
    }
    const detectedType = columnType(facts, notation, exceptionShare).type;
    return varies || detectedType === 'number' || detectedType === 'integer';
  });
}

/** The rule by which rows are combined; issues if they can't be. */
export function foldRule(
  { fold, groups }: Folding,
  { columns }: Pick<Layout, 'columns'>,
  matches: readonly Match[],
): FoldRule | Issue[] {
  const place = { field: 'mapping.fold' };
  const target = parseTarget(fold.into);
  if (typeof target === 'string') return [{ message: `${target}.`, place }];
  if (target.path[0] !== 'data')
    return [{ message: `The list of a record must be under data., not ${fold.into}.`, place }];
  if (!groups) {
    const message = `Rows can't be combined by “${foldColumn(fold) ?? ''}”: the file has ${columnsInWords(columns)}.`;
    return [{ message, place, lists: columnsList(columns) }];
  }
  if (groups.problem !== null) return [{ message: groups.problem, place }];
  const rule = { into: [...target.path] };
  if (!matches.some(({ path }) => isInList(path, rule))) {
    const message = `No column has values for ${fold.into}. Map columns to ${fold.into}.<name>, or make one record of each row.`;
    return [{ message, place }];
  }
  const { by, rows, end } = groups;
  return { ...rule, by: by === null ? null : { index: by, column: columns[by]?.key ?? '' }, rows, end };
}

/** Maximum number of items in the example of a record. */
export const itemsShown = 3;

/**
 * The first record as JSON text; null: it has errors.
 * @param sample its first rows
 */
export function foldExample(sample: readonly PreviewRow[], rules: Rules, columns: number): string | null {
  const rows = sample.map(rowOfPreview);
  // Wells by name are looked up when the upload starts.
  const columnsWithoutWells = rules.columns.filter(({ conversion }) => conversion.kind !== 'asset');
  const write = createRecordWriter({ ...rules, columns: columnsWithoutWells, required: [] }, columns, {
    blankRows: true,
  });
  const written = write(rows);
  return 'record' in written ? written.record : null;
}
