import { csvCell } from '../../../shared/csv.ts';
import { comparedSides, type ComparisonReport } from '../../../shared/quality/comparison.ts';
import { words } from '../../words/words.ts';
import { csvBlob, fileName } from './saving.ts';

const { csv } = words.quality.comparing;

export const comparisonName = (title: string): string => `${fileName(title)}-comparison.csv`;

/** The listed findings of a comparison, one a line. Places are those of the side that is named, or of the source. */
export function comparisonCsv(report: ComparisonReport): Blob {
  const isTime = report.index.kind === 'time';
  const place = (value: number): string => (isTime ? new Date(value).toISOString() : String(value));
  const only = comparedSides.flatMap((side) => {
    const { fields, ranges } = report[side];
    const finding = csv.only[side];
    return [
      ...fields.map((name) => [finding, name]),
      ...ranges.map(({ well, line, from, to, records }) => [
        finding,
        '',
        well,
        line,
        place(from),
        place(to),
        records,
      ]),
    ];
  });
  const differences = report.fields.flatMap(({ name, places }) =>
    places.map(({ well, at, line, source, against }) => {
      const difference =
        typeof source === 'number' && typeof against === 'number' ? Math.abs(source - against) : '';
      return [csv.different, name, well, line, place(at), place(at), 1, source, against, difference];
    }),
  );
  const lines = [csv.head, ...only, ...differences].map((cells) =>
    csv.head.map((_, column) => csvCell(String(cells[column] ?? ''))).join(','),
  );
  return csvBlob(lines);
}
