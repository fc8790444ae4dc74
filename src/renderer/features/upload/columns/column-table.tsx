import { CircleAlert } from 'lucide-react';
import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { visibleLine } from '../../../../shared/errors/visible-text.ts';
import { words } from '../../../words/words.ts';
import { ColumnPopup } from './column-popup.tsx';
import { columnProblemText, recordValueText } from './column-times.tsx';
import { nameWithUnit } from '../file/preview-columns.ts';
import { useTabState } from '../../../state/contexts.ts';

const w = words.upload.columns;
const samples = 3;

/** Each column of the file: its type, its target, and a preview of its values. */
export function ColumnTable() {
  const columns = useTabState('upload', ({ match }) => match.value?.columns);
  const inspection = useTabState('upload', (state) => state.inspection);
  const inspected = inspection.status === 'loaded' ? inspection.value.columns : [];
  return (
    <table className="table upload-table upload-columns-table">
      <thead>
        <tr>
          <th scope="col">{w.column}</th>
          <th scope="col">{w.holds}</th>
          <th scope="col" className="upload-samples ellipsis">
            {w.firstValues}
          </th>
          <th scope="col">{w.goesTo}</th>
          <th scope="col">{w.becomes}</th>
        </tr>
      </thead>
      <tbody>
        {columns?.map((column, at) => (
          <ColumnRow key={column.column} column={column} inspected={inspected[at]} />
        ))}
      </tbody>
    </table>
  );
}

interface ColumnRowProps {
  readonly column: MatchedColumn;
  readonly inspected: Inspection['columns'][number] | undefined;
}

function ColumnRow({ column, inspected }: ColumnRowProps) {
  const { examples, to } = column;
  const [first] = examples;
  const bad = examples.find((example) => example.problem !== null)?.problem ?? null;
  const format = useTabState('upload', ({ choices }) => {
    const choice = choices.columns[column.column];
    return choice === undefined || choice.skip ? undefined : choice.format;
  });
  const wrong = columnProblemText(column, format) ?? (to === null ? null : bad);
  return (
    <tr data-left-out={to === null && column.joinedTo === null ? '' : undefined}>
      <th scope="row">{visibleLine(nameWithUnit(column.column, inspected?.unit ?? null))}</th>
      <td className="quiet">
        {inspected && w.types[inspected.type]}
        {inspected && inspected.nulls > 0 && <span className="numbers">, {w.blanks(inspected.nulls)}</span>}
      </td>
      <td className="upload-samples ellipsis numbers">
        {examples
          .slice(0, samples)
          .map(({ cell }) => cell.trim())
          .join(' · ')}
      </td>
      <td>
        <ColumnPopup column={column} />
      </td>
      <td className="numbers">
        {wrong !== null ? (
          <span className="line tone-error">
            <CircleAlert size={14} aria-hidden />
            {wrong}
          </span>
        ) : (
          first && to !== null && recordValueText(first.value, column, w.noValue)
        )}
      </td>
    </tr>
  );
}
