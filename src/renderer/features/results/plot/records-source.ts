import { pathId } from '../../records/column-groups.ts';
import type { Shape } from '../../records/answer.ts';
import type { Records } from '../../records/records.ts';
import type { PlotSource } from '../../plot/source.ts';

/** The records of an answer, as plots see them: those that are held. @param all whether these are all that match */
export function recordsSource(records: Records, shape: Shape, all: boolean): PlotSource {
  const { rows, columns, held, gaps } = shape;
  const paths = new Map(columns.map(({ path }) => [pathId(path), path]));
  const pathsOf = (ids: readonly string[]) => ids.flatMap((id) => [paths.get(id) ?? []]);
  return {
    rows,
    part: all ? null : { selected: false, count: held, gaps },
    fields: columns.map(({ path, kind }) => ({ id: pathId(path), kind })),
    numbers: (ids) => records.numbers(pathsOf(ids)),
    groups: (ids) => records.groups(pathsOf(ids)),
  };
}
