import type { UploadProblem } from '../../../../shared/upload/upload.ts';
import { visibleLine, visibleText } from '../../../../shared/errors/visible-text.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { useTab, useTabState } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';
import { CorrectButton } from './correct-button.tsx';
import { byColumn } from './corrections.ts';

const w = words.upload.ledger;

export interface ProblemTableProps {
  readonly problems: readonly UploadProblem[];
  /** Nothing was sent: the rows would be rejected, and can still be corrected. */
  readonly trial?: boolean;
}

/** What is wrong with rows, by column; each line shows in the table below, and what can be corrected is. */
export function ProblemTable({ problems, trial = false }: ProblemTableProps) {
  if (problems.length === 0) return null;
  return (
    <table className="table upload-table">
      <caption>{trial ? w.wouldBeProblems : w.problems}</caption>
      <thead>
        <tr>
          <th scope="col">{w.column}</th>
          <th scope="col">{w.what}</th>
          <th scope="col" className="end">
            {w.count}
          </th>
          <th scope="col">{w.lines}</th>
          {trial && <th scope="col">{w.correct}</th>}
        </tr>
      </thead>
      {byColumn(problems).map(({ column, problems: own }) => (
        <tbody key={column ?? ''}>
          {own.map((problem, at) => (
            <tr key={problem.code}>
              {at === 0 && (
                <th scope="rowgroup" rowSpan={own.length}>
                  {column === null ? <span className="quiet">{w.wholeRow}</span> : visibleLine(column)}
                </th>
              )}
              <td>{visibleText(problem.message)}</td>
              <td className="end numbers">{formatCount(problem.count)}</td>
              <td className="numbers">
                <Lines problem={problem} />
              </td>
              {trial && (
                <td>
                  <CorrectButton problem={problem} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** The first lines of a problem; each of them brings the table there. */
function Lines({ problem: { column, lines } }: { problem: UploadProblem }) {
  const { actions } = useTab('upload');
  const shows = useTabState('upload', ({ preview }) => preview.status === 'loaded');
  const shown = useTabState('upload', ({ lookedAt }) => (lookedAt?.column === column ? lookedAt.line : null));
  if (!shows) return <span className="quiet">{lines.map((line) => formatCount(line)).join(', ')}</span>;
  return (
    <span className="upload-lines row wrap gap-0">
      {lines.map((line) => (
        <Button
          key={line}
          variant="quiet"
          className="upload-line"
          aria-label={w.showLine(line)}
          {...(line === shown ? { 'aria-current': 'true' } : {})}
          onPress={() => void actions.showLine(line, column)}
        >
          {formatCount(line)}
        </Button>
      ))}
    </span>
  );
}
