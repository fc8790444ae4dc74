import { ClipboardPaste } from 'lucide-react';
import { useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { TextArea } from 'react-aria-components/TextArea';
import { FieldError } from 'react-aria-components/FieldError';
import { TextField } from 'react-aria-components/TextField';
import type { ResolvedName, Well } from '../../../shared/wells/wells.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { Popup } from '../../ui/popup.tsx';
import { useTask } from '../../state/use-task.ts';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { linesOf, mostLines, type Settled, settle } from './pasted.ts';
import { ResolvedList } from './resolved-list.tsx';

/** Chooses wells by a list that a person has from elsewhere. */
export function PasteButton() {
  return (
    <Popup
      heading={words.wells.paste.open}
      placement="bottom start"
      wide
      trigger={<Button variant="quiet" icon={ClipboardPaste} aria-label={words.wells.paste.open} />}
    >
      {(close) => <PasteList onDone={close} />}
    </Popup>
  );
}

function PasteList({ onDone }: { onDone: () => void }) {
  const { resolve, chooseWells } = useSession().wells.actions;
  const chosen = useSessionState('wells', (state) => state.chosen);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const lines = linesOf(text);
  const task = useTask((names: readonly string[], signal) => resolve(names, signal));
  const w = words.wells.paste;
  const start = () => {
    const wrong = lines.length === 0 ? w.none : lines.length > mostLines ? w.many(mostLines) : null;
    setProblem(wrong);
    if (wrong === null) void task.start(lines);
  };
  if (task.isRunning) return <Loading what={w.working(lines.length)} onCancel={task.reset} />;
  if (task.error) return <Failed error={task.error} onRetry={start} />;
  if (task.value)
    return (
      <Resolved
        resolved={task.value}
        onAgain={task.reset}
        onTake={(wells, add) => {
          chooseWells(add ? [...chosen, ...wells] : wells);
          onDone();
        }}
      />
    );
  return (
    <div className="paste">
      <TextField
        className="field"
        value={text}
        onChange={setText}
        isInvalid={problem !== null}
        validationBehavior="aria"
        // oxlint-disable-next-line no-autofocus -- it is the one thing this window is opened for
        autoFocus
      >
        <Label className="field-label">{w.label}</Label>
        <TextArea className="input paste-text" rows={8} spellCheck={false} />
        <FieldError className="field-problem">{problem}</FieldError>
      </TextField>
      <div className="popup-actions">
        <Button variant="primary" onPress={start}>
          {w.resolve}
        </Button>
      </div>
    </div>
  );
}

interface ResolvedProps {
  readonly resolved: readonly ResolvedName[];
  readonly onAgain: () => void;
  readonly onTake: (wells: readonly Well[], add: boolean) => void;
}

function Resolved({ resolved, onAgain, onTake }: ResolvedProps) {
  const [picks, setPicks] = useState<Settled['picks']>(new Map());
  const anyChosen = useSessionState('wells', (state) => state.chosen.length > 0);
  const settled = settle(resolved, picks);
  const w = words.wells.paste;
  const none = settled.wells.length === 0;
  return (
    <div className="paste">
      <ResolvedList
        settled={settled}
        onPick={(name, platformId) => setPicks(new Map(picks).set(name, platformId))}
      />
      <div className="popup-actions">
        <Button onPress={onAgain}>{w.again}</Button>
        {anyChosen && (
          <Button isDisabled={none} onPress={() => onTake(settled.wells, true)}>
            {w.add}
          </Button>
        )}
        <Button variant="primary" isDisabled={none} onPress={() => onTake(settled.wells, false)}>
          {w.take(settled.wells.length)}
        </Button>
      </div>
    </div>
  );
}
