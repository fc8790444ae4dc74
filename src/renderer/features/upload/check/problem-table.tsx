import type { UploadProblem } from '../../../../shared/upload/result.ts';
import { visibleLine, visibleText } from '../../../../shared/errors/errors.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { placeKind } from '../upload-state.ts';
import { useUploadParts } from '../upload-parts.tsx';
import { groupByColumn, correctionsFor, type Correction } from './findings.ts';
import { useFixes } from './warning-list.tsx';
import { useState } from 'react';
import { problemCodes } from '../../../../shared/upload/warnings.ts';
import { Popup } from '../../../ui/popup.tsx';
import { TextField } from '../../../ui/text-field.tsx';

const correctButtonW = uploadWords.correct;

/** Each correction starts another check, or opens the step where it is made. */
function CorrectButton({ problem }: { problem: UploadProblem }) {
  const match = useTabState('upload', (state) => state.match.value);
  const offerOf = useFixes();
  const corrections = (match ? correctionsFor(problem, match) : []).filter(
    (correction) => correction.kind === 'constant' || offerOf(correction) !== null,
  );
  if (corrections.length === 0) return <span className="quiet">{reasonFor(problem.code)}</span>;
  return (
    <Popup
      heading={problem.column === null ? correctButtonW.headingRows : correctButtonW.heading(problem.column)}
      isWide
      trigger={{
        size: 'small',
        'aria-label': correctButtonW.label(problem.message),
        children: correctButtonW.button,
      }}
    >
      {(close) => (
        <div className="stack">
          <p className="quiet">{correctButtonW.text}</p>
          <Corrections corrections={corrections} onDone={close} />
        </div>
      )}
    </Popup>
  );
}

function Corrections({ corrections, onDone }: { corrections: readonly Correction[]; onDone: () => void }) {
  const offerOf = useFixes();
  return corrections.map((correction) => {
    if (correction.kind === 'constant')
      return <ConstantForm key="constant" path={correction.path} onDone={onDone} />;
    const [text, act] = offerOf(correction) ?? [];
    const correct = () => {
      onDone();
      void act?.();
    };
    return text === undefined ? null : (
      <Button key={correction.kind} isMultiline onPress={correct}>
        {text}
      </Button>
    );
  });
}

function ConstantForm({ path, onDone }: { path: string; onDone: () => void }) {
  const { actions } = useTab('upload');
  const [text, setText] = useState('');
  return (
    <Form
      onSubmit={() => {
        if (text.trim() === '') return;
        onDone();
        actions.setConstant(path, text);
      }}
    >
      <TextField label={correctButtonW.constant(path)} name="constant" value={text} onChange={setText} />
      <div className="row wrap">
        <Button type="submit" isDisabled={text.trim() === ''}>
          {correctButtonW.take}
        </Button>
      </div>
    </Form>
  );
}

/** What to do in the file; null: the code comes from a newer version. */
function reasonFor(code: string): string | null {
  const knownCode = problemCodes.find((problemCode) => problemCode === code);
  return knownCode ? correctButtonW.inFile[knownCode] : null;
}

const w = uploadWords.ledger;

export interface ProblemTableProps {
  readonly problems: readonly UploadProblem[];
  /** Whether nothing was sent, so that problems can still be corrected. */
  readonly isCheck?: boolean;
}

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

function LineLinks({ problem: { column, lines } }: { problem: UploadProblem }) {
  const { actions } = useTab('upload');
  const state = useUploadParts('preview', 'viewedLine');
  const shown = state.viewedLine?.column === column ? state.viewedLine.line : null;
  if (state.preview.status !== 'loaded')
    return <span className="quiet">{lines.map((line) => formatCount(line)).join(', ')}</span>;
  return (
    <span className="row wrap gap-0">
      {lines.map((line) => (
        <Button
          key={line}
          variant="quiet"
          size="small"
          className="accent"
          aria-label={w.showLine(line, placeKind(state))}
          {...(line === shown ? { 'aria-current': 'true' } : {})}
          onPress={() => void actions.showLine(line, column)}
        >
          {formatCount(line)}
        </Button>
      ))}
    </span>
  );
}
