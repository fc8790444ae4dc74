import type { UploadProblem } from '../../../../shared/upload/result.ts';
import { visibleLine, visibleText } from '../../../../shared/errors/visible-text.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { placeKind } from '../upload-state.ts';
import { CorrectButton } from './correct-button.tsx';
import { groupByColumn } from './corrections.ts';

const w = uploadWords.ledger;

export interface ProblemTableProps {
  readonly problems: readonly UploadProblem[];
  /** Whether nothing was sent, so that problems can still be corrected. */
  readonly isCheck?: boolean;
}

/** Problems of rows, by column. Each line number shows its row in the table below. */
export function ProblemTable({ problems, isCheck = false }: ProblemTableProps) {
  const kind = useTabState('upload', placeKind);
  if (problems.length === 0) return null;
  return (
    <table className="table upload-table">
      <caption>{isCheck ? w.wouldBeProblems : w.problems}</caption>
      <thead>
        <tr>
          <th scope="col">{w.column}</th>
          <th scope="col">{w.what}</th>
          <th scope="col" className="end">
            {w.count}
          </th>
          <th scope="col">{uploadWords.source.firstPlaces(kind)}</th>
          {isCheck && <th scope="col">{w.correct}</th>}
        </tr>
      </thead>
      {groupByColumn(problems).map(({ column, problems: columnProblems }) => (
        <tbody key={column ?? ''}>
          {columnProblems.map((problem, at) => (
            <tr key={problem.code}>
              {at === 0 && (
                <th scope="rowgroup" rowSpan={columnProblems.length}>
                  {column === null ? <span className="quiet">{w.wholeRow}</span> : visibleLine(column)}
                </th>
              )}
              <td>{visibleText(problem.message)}</td>
              <td className="end numbers">{formatCount(problem.count)}</td>
              <td className="numbers">
                <LineLinks problem={problem} />
              </td>
              {isCheck && (
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

/** The first lines of a problem, as buttons that show them in the table. */
function LineLinks({ problem: { column, lines } }: { problem: UploadProblem }) {
  const { actions } = useTab('upload');
  const kind = useTabState('upload', placeKind);
  const shows = useTabState('upload', ({ preview }) => preview.status === 'loaded');
  const shown = useTabState('upload', ({ viewedLine }) =>
    viewedLine?.column === column ? viewedLine.line : null,
  );
  if (!shows) return <span className="quiet">{lines.map((line) => formatCount(line)).join(', ')}</span>;
  return (
    <span className="upload-lines row wrap gap-0">
      {lines.map((line) => (
        <Button
          key={line}
          variant="quiet"
          className="upload-line"
          aria-label={w.showLine(line, kind)}
          {...(line === shown ? { 'aria-current': 'true' } : {})}
          onPress={() => void actions.showLine(line, column)}
        >
          {formatCount(line)}
        </Button>
      ))}
    </span>
  );
}
