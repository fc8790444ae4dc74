import type { UploadProblem } from '../../../shared/upload.ts';
import { formatCount } from '../../format/numbers.ts';
import { words } from '../../words/words.ts';

const w = words.upload.ledger;

export interface ProblemTableProps {
  readonly problems: readonly UploadProblem[];
  /** Nothing was sent: the rows would be rejected. */
  readonly trial?: boolean;
}

/** What is wrong with rows, by column, the most frequent first. */
export function ProblemTable({ problems, trial = false }: ProblemTableProps) {
  if (problems.length === 0) return null;
  return (
    <table className="upload-table upload-problems">
      <caption>{trial ? w.wouldBeProblems : w.problems}</caption>
      <thead>
        <tr>
          <th scope="col">{w.column}</th>
          <th scope="col">{w.what}</th>
          <th scope="col" className="end">
            {w.count}
          </th>
          <th scope="col">{w.lines}</th>
        </tr>
      </thead>
      <tbody>
        {problems.map(({ column, code, message, count, lines }) => (
          <tr key={`${column ?? ''} ${code}`}>
            <th scope="row">{column ?? <span className="quiet">{w.wholeRow}</span>}</th>
            <td>{message}</td>
            <td className="end numbers">{formatCount(count)}</td>
            <td className="numbers quiet">{lines.map((line) => formatCount(line)).join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
