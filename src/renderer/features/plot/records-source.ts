import { pathId } from '../results/column-groups.ts';
import type { Records, Shape } from '../results/records/records.ts';
import type { PlotSource } from './source.ts';

/** The records of an answer, as plots see them: those that are held. */
export function recordsSource(records: Records, { rows, columns }: Shape): PlotSource {
  const paths = new Map(columns.map(({ path }) => [pathId(path), path]));
  const pathsOf = (ids: readonly string[]) => ids.flatMap((id) => [paths.get(id) ?? []]);
  return {
    rows,
    fields: columns.map(({ path, kind }) => ({ id: pathId(path), kind })),
    numbers: (ids) => records.numbers(pathsOf(ids)),
    groups: (ids) => records.groups(pathsOf(ids)),
  };
}
