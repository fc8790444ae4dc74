import { ClipboardPaste } from 'lucide-react';
import { useState } from 'react';
import { readList } from '../../../shared/value-lists.ts';
import type { ResolvedName, Well } from '../../../shared/wells/wells.ts';
import { Button } from '../../ui/button.tsx';
import { ListStatus } from '../../ui/list-field.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { useTask } from '../../state/use-task.ts';
import { useSession } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { type PasteResult, mergePicks } from './paste-result.ts';
import { ResolvedList } from './resolved-list.tsx';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

/** The maximum number of names in one lookup. */
const maxNames = 1000;

/** Selects wells by a pasted list. */
export function PasteButton() {
  return (
    <Popup
      heading={words.wells.paste.open}
      placement="bottom start"
      isWide
      trigger={<Button variant="quiet" icon={ClipboardPaste} aria-label={words.wells.paste.open} />}
    >
      {(close) => <PasteList onDone={close} />}
    </Popup>
  );
}

function PasteList({ onDone }: { onDone: () => void }) {
  const { resolve, selectWells } = useSession().wells.actions;
  const chosen = useSelectedWells();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const names = readList(text);
  const task = useTask((wanted: readonly string[], signal) => resolve(wanted, signal));
  const w = words.wells.paste;
  const start = () => {
    const issues = names.length === 0 ? w.none : names.length > maxNames ? w.many(maxNames) : null;
    setProblem(issues);
    if (issues === null) void task.start(names);
  };
  if (task.isRunning) return <Loading what={w.working(names.length)} onCancel={task.reset} />;
  if (task.error) return <Failed error={task.error} onRetry={start} />;
  if (task.value)
    return (
      <ResolvedStep
        resolved={task.value}
        onBack={task.reset}
        onAdd={(wells, add) => {
          selectWells(add ? [...chosen, ...wells] : wells);
          onDone();
        }}
      />
    );
  return (
    <div className="paste">
      <TextAreaField
        label={w.label}
        value={text}
        rows={8}
        onChange={setText}
        problem={problem ?? undefined}
        mono
        hasInitialFocus
        note={<ListStatus count={names.length} />}
      />
      <div className="popup-actions row wrap">
        <Button variant="primary" onPress={start}>
          {w.resolve}
        </Button>
      </div>
    </div>
  );
}

interface ResolvedStepProps {
  readonly resolved: readonly ResolvedName[];
  readonly onBack: () => void;
  readonly onAdd: (wells: readonly Well[], add: boolean) => void;
}

function ResolvedStep({ resolved, onBack, onAdd }: ResolvedStepProps) {
  const [picks, setPicks] = useState<PasteResult['picks']>(new Map());
  const hasSelection = useSelectedWells().length > 0;
  const result = mergePicks(resolved, picks);
  const w = words.wells.paste;
  const none = result.wells.length === 0;
  return (
    <div className="paste">
      <ResolvedList
        result={result}
        onPick={(name, platformId) => setPicks(new Map(picks).set(name, platformId))}
      />
      <div className="popup-actions row wrap">
        <Button onPress={onBack}>{w.again}</Button>
        {hasSelection && (
          <Button isDisabled={none} onPress={() => onAdd(result.wells, true)}>
            {w.add}
          </Button>
        )}
        <Button variant="primary" isDisabled={none} onPress={() => onAdd(result.wells, false)}>
          {w.take(result.wells.length)}
        </Button>
      </div>
    </div>
  );
}
