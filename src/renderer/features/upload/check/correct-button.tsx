import { useState } from 'react';
import { problemCodes } from '../../../../shared/upload/warnings.ts';
import type { UploadProblem } from '../../../../shared/upload/result.ts';
import { Button } from '../../../ui/button.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { correctionsFor, type Correction } from './corrections.ts';

const w = uploadWords.correct;

/** Offers the corrections of a problem. Each correction starts another check. */
export function CorrectButton({ problem }: { problem: UploadProblem }) {
  const match = useTabState('upload', (state) => state.match.value);
  const corrections = match ? correctionsFor(problem, match) : [];
  if (corrections.length === 0) return <span className="quiet">{reasonFor(problem.code)}</span>;
  return (
    <Popup
      heading={problem.column === null ? w.headingRows : w.heading(problem.column)}
      isWide
      trigger={
        <Button variant="quiet" className="upload-line" aria-label={w.label(problem.message)}>
          {w.button}
        </Button>
      }
    >
      {(close) => (
        <div className="stack">
          <p className="quiet">{w.text}</p>
          {corrections.map((correction) => (
            <CorrectionOption key={correction.kind} correction={correction} onDone={close} />
          ))}
        </div>
      )}
    </Popup>
  );
}

function CorrectionOption({ correction, onDone }: { correction: Correction; onDone: () => void }) {
  const { actions } = useTab('upload');
  const take = (text?: string) => {
    onDone();
    actions.correct(correction, text);
  };
  if (correction.kind === 'constant') return <ConstantForm path={correction.path} onTake={take} />;
  return (
    <Button isMultiline onPress={() => take()}>
      {correctionLabel(correction)}
    </Button>
  );
}

function ConstantForm({ path, onTake }: { path: string; onTake: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onTake(text);
      }}
    >
      <TextField label={w.constant(path)} name="constant" value={text} onChange={setText} />
      <div className="row wrap">
        <Button type="submit" isDisabled={text.trim() === ''}>
          {w.take}
        </Button>
      </div>
    </form>
  );
}

/** What to do in the file; null: the code comes from a newer version. */
function reasonFor(code: string): string | null {
  const knownCode = problemCodes.find((problemCode) => problemCode === code);
  return knownCode ? w.inFile[knownCode] : null;
}

function correctionLabel(correction: Exclude<Correction, { kind: 'constant' }>): string {
  switch (correction.kind) {
    case 'null':
      return w.null(correction.token);
    case 'text':
      return w.asText(correction.column);
    case 'reading':
      return w.reading(correction.column);
    case 'column':
      return w.column(correction.column);
    case 'option':
      return w.option[correction.option];
    case 'skip':
      return w.skip(correction.column);
    case 'wells':
    default:
      return w.wells;
  }
}
