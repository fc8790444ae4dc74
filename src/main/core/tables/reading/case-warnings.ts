import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { Scan } from './scan.ts';

/** Names that differ only by case: two fields that people and queries confuse. */
export function caseWarnings({ layout, rows }: Pick<Scan, 'layout' | 'rows'>): FileWarning[] {
  const firsts = new Map<string, string>();
  return layout.columns.flatMap(({ key }): FileWarning[] => {
    const lower = key.toLowerCase();
    const first = firsts.get(lower);
    if (first === undefined) firsts.set(lower, key);
    if (first === undefined || first === key) return [];
    const message = `Columns “${first}” and “${key}” have names that differ only by case: they are two fields.`;
    return [
      {
        code: 'names_differ_by_case',
        message,
        line: layout.jsonLines ? null : layout.headerLine,
        count: rows,
        column: key,
      },
    ];
  });
}
