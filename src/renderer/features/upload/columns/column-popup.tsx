import { ChevronDown } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { ComboBox, type ComboOption } from '../../../ui/combo-box.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { useTab, useTabState } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';
import { ColumnFormat } from './column-format.tsx';
import { TimeExamples, recordValueText } from './column-times.tsx';

const w = words.upload.columns;
const skipLabel = '\u0000';

/** The target of a column, as a button that opens a form to change it. */
export function ColumnPopup({ column }: { column: MatchedColumn }) {
  const name = column.column;
  const { actions } = useTab('upload');
  const pointedAt = useTabState('upload', (state) => state.focusedColumn === name);
  const [open, setOpen] = useState(false);
  // The column has to be in view before the popup is positioned.
  const bringIntoView = useCallback(
    (button: HTMLButtonElement | null) => {
      if (pointedAt) button?.scrollIntoView({ block: 'center' });
    },
    [pointedAt],
  );
  return (
    <Popup
      isOpen={open || pointedAt}
      onOpenChange={(opens) => {
        setOpen(opens);
        if (!opens) actions.clearFocus();
      }}
      heading={w.change(name)}
      placement="left top"
      isWide
      trigger={
        <Button
          ref={bringIntoView}
          variant="quiet"
          className="upload-target-button"
          aria-label={w.change(name)}
        >
          <span className="ellipsis small mono">
            {column.to ?? (column.joinedTo === null ? w.skipped : w.joinedTo(column.joinedTo))}
          </span>
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {(close) => <ColumnForm column={column} onDone={close} />}
    </Popup>
  );
}

function ColumnForm({ column, onDone }: { column: MatchedColumn; onDone: () => void }) {
  const { actions } = useTab('upload');
  const name = column.column;
  const chosen = useTabState('upload', ({ choices }) => Object.hasOwn(choices.columns, name));
  return (
    <div className="stack gap-3">
      <Target column={column} />
      {column.to !== null && <ColumnFormat column={column} />}
      {column.problem !== null && column.problemOf === null && <Alert tone="error">{column.problem}</Alert>}
      {column.reading?.as === 'time' ? <TimeExamples column={column} /> : <Examples column={column} />}
      <div className="row wrap">
        <Button onPress={onDone}>{words.close}</Button>
        {chosen && (
          <Button variant="quiet" onPress={() => actions.mapColumn(name, null)}>
            {w.reset}
          </Button>
        )}
      </div>
    </div>
  );
}

function Target({ column: { column, to, problem, problemOf } }: { column: MatchedColumn }) {
  const { actions } = useTab('upload');
  const targets = useTabState('upload', ({ match }) => match.value?.targets);
  const find = (inputText: string): ComboOption[] => {
    const searchText = inputText.trim().toLowerCase();
    const options: ComboOption[] = [
      ...(targets ?? []).map((target) => ({ id: target, text: target })),
      { id: skipLabel, text: w.leaveOut },
    ];
    return options.filter(({ text }) => text.toLowerCase().includes(searchText));
  };
  return (
    <ComboBox
      label={w.target}
      value={to ?? skipLabel}
      text={to ?? w.leaveOut}
      find={find}
      allowsCustom
      onSelect={(target) => actions.mapColumn(column, target === skipLabel ? { skip: true } : { to: target })}
      note={w.targetNote}
      problem={problemOf === 'to' ? (problem ?? undefined) : undefined}
    />
  );
}

function Examples({ column }: { column: MatchedColumn }) {
  if (column.examples.length === 0) return null;
  return (
    <table className="table upload-examples small numbers">
      <thead>
        <tr>
          <th scope="col">{w.inFile}</th>
          <th scope="col">{w.inRecord}</th>
        </tr>
      </thead>
      <tbody>
        {column.examples.map(({ line, cell, value, problem }) => (
          <tr key={line}>
            <td>{cell}</td>
            <td>
              {problem === null ? (
                recordValueText(value, column, w.noValue)
              ) : (
                <span className="tone-error">{problem}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
