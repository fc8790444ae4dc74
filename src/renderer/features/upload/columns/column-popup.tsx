import { SlidersHorizontal } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { PopupAt } from '../../../ui/popup.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { words } from '../../../words/words.ts';
import { ColumnFormat } from './column-format.tsx';
import { MatchList } from './match-hint.tsx';
import { skipTarget, useTargets } from './targets.ts';
import { TimeExamples, recordValueText } from './column-times.tsx';

const w = uploadWords.columns;

/** The button at the end of a row that opens the details of its column: all its settings, with examples. */
export function ColumnDetails({ column }: { column: MatchedColumn }) {
  const name = column.column;
  const { actions } = useTab('upload');
  const isFocused = useTabState('upload', (state) => state.focusedColumn === name);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // The column has to be in view before the popup is positioned.
  useLayoutEffect(() => {
    if (isFocused) button.current?.scrollIntoView({ block: 'center' });
  }, [isFocused]);
  const close = () => {
    setOpen(false);
    actions.clearFocus();
  };
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        icon={SlidersHorizontal}
        className="upload-details-button"
        aria-label={w.change(name)}
        aria-haspopup="dialog"
        onPress={() => setOpen(true)}
      />
      {(isOpen || isFocused) && (
        <PopupAt at={button} heading={w.change(name)} placement="left top" isWide onClose={close}>
          <ColumnForm column={column} onDone={close} />
        </PopupAt>
      )}
    </>
  );
}

function ColumnForm({ column, onDone }: { column: MatchedColumn; onDone: () => void }) {
  const { actions } = useTab('upload');
  const name = column.column;
  const chosen = useTabState('upload', ({ choices }) => Object.hasOwn(choices.columns, name));
  return (
    <div className="stack gap-3">
      <Target column={column} />
      <MatchList column={column} />
      {column.to !== null && <ColumnFormat column={column} />}
      {column.problem !== null && column.problemOf === null && <Alert tone="error">{column.problem}</Alert>}
      {column.unitWarning !== undefined && <Alert tone="warning">{column.unitWarning}</Alert>}
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
  const targets = useTargets();
  return (
    <ComboBox
      label={w.target}
      value={to ?? skipTarget}
      text={targets.textOf(to)}
      find={targets.find}
      allowsCustom
      onSelect={(target) => targets.select(column, target)}
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
                recordValueText(value, column)
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
