import { Hash, Play, Square } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { formatDuration, formatElapsed } from '../../format/times.ts';
import { steadyClock, useNow } from '../../state/use-now.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { ExportButton } from '../export/export-button.tsx';
import { useIsCurrent, useTab, useTabState } from './context.ts';
import { exportedFields, exportOfAnswer, exportQuestion } from './export-question.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { RequestButton } from './request-popup.tsx';
import { RunOptions } from './run-options.tsx';

/** Runs, counts, cancels and exports the query of the tab. */
export function RunBar() {
  const { actions, target, results } = useTab();
  const answer = useStore(results.store, (state) => state.answer);
  const counted = useTabState((state) => state.counted);
  const mode = useTabState((state) => state.text.mode);
  const runButton = useRef<HTMLButtonElement>(null);
  const running = answer.face === 'running' || counted.face === 'running';
  return (
    <div className="run-bar">
      <ModeSwitch />
      <span className="run-subject">
        {target.provider}/{target.dataset}
      </span>
      <Counted />
      {running && (
        <Button
          icon={Square}
          onPress={() => {
            actions.cancel();
            // This button goes; the keyboard goes on from the one beside it.
            runButton.current?.focus();
          }}
        >
          {words.cancel}
        </Button>
      )}
      <Button
        ref={runButton}
        variant="primary"
        icon={Play}
        isPending={answer.face === 'running'}
        onPress={() => void actions.run()}
      >
        {words.query.run}
      </Button>
      {mode !== 'pipeline' && (
        <Button icon={Hash} isPending={counted.face === 'running'} onPress={() => void actions.count()}>
          {words.query.count}
        </Button>
      )}
      <RunOptions />
      <RequestButton />
      <ExportOfMode />
    </div>
  );
}

function ExportOfMode() {
  const { target, actions } = useTab();
  const mode = useTabState((state) => state.text.mode);
  const exported = useTabState((state) => state.exported);
  const exporting = useTabState((state) => state.exporting);
  return (
    <ExportButton
      target={target}
      of={exported ? 'answer' : mode === 'find' ? 'find' : 'whole'}
      question={async () =>
        exported ? exportOfAnswer(exported) : exportQuestion(target, await actions.bound())
      }
      only={exported && exportedFields(exported)}
      isOpen={exporting}
      onOpenChange={actions.showExport}
    />
  );
}

/** The last count, while the question is the one that was counted. */
function Counted() {
  const counted = useTabState((state) => state.counted);
  const isCurrent = useIsCurrent('counted');
  const now = useNow(steadyClock, 100, counted.face === 'running');
  if (counted.face === 'idle') return <span className="run-counted" />;
  if (counted.face === 'running')
    return (
      <span className="run-counted quiet numbers">
        <Status>{words.query.counting}</Status> {formatElapsed(now - counted.since)}
      </span>
    );
  if (counted.face === 'failed' || !isCurrent) return <span className="run-counted" />;
  return (
    <Status className="run-counted numbers">
      {words.query.counted(counted.value.count)}
      <span className="quiet"> · {formatDuration(counted.value.ms)}</span>
    </Status>
  );
}

/** Why the last count failed, while the question is the one that was counted. */
export function CountProblem() {
  const counted = useTabState((state) => state.counted);
  const isCurrent = useIsCurrent('counted');
  return counted.face === 'failed' && isCurrent ? <Alert tone="error">{counted.error.message}</Alert> : null;
}
