import { Database, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { valueOr } from '../../state/loadable.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { PaletteButton } from '../commands/palette-button.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { SettingsButton } from '../settings/settings-button.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { LazyConnectionForm } from './lazy-forms.tsx';
import { ConnectionRow } from './connection-row.tsx';
import { ShareProfiles } from './share-profiles.tsx';
import './connections.css';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';

/** The first screen: the sample workspace, the connections, and a form for a new one. */
export function StartScreen() {
  const removed = useAppState('connections', (state) => state.removed?.id);
  return (
    <main className="start-screen">
      <div className="start-column stack gap-6">
        <KeepFocus className="start-head" focusKey={removed}>
          <h1>{words.app}</h1>
          <p className="quiet">{words.start.heading}</p>
          <span className="start-help">
            <PaletteButton />
            <HelpButton />
            <SettingsButton />
          </span>
        </KeepFocus>
        <RemovedNotice />
        <ListedConnections />
        <SampleWorkspace />
        <NewConnection />
      </div>
    </main>
  );
}

function SampleWorkspace() {
  const sample = useAppState('connections', (state) => state.sample);
  const { openSample } = useApp().connections.actions;
  const loading = sample.status === 'loading';
  return (
    <section className="start-part stack" aria-labelledby="start-sample">
      <h2 id="start-sample">{words.start.sampleHeading}</h2>
      <p className="quiet">{words.start.sampleText}</p>
      {sample.status === 'failed' && <Failed error={sample.error} />}
      <Button variant="primary" icon={Database} isPending={loading} onPress={() => void openSample()}>
        {loading ? words.start.openingSample : words.start.openSample}
      </Button>
    </section>
  );
}

/** The user's connections, and those from the environment. */
const useConnections = () => {
  const list = useAppState('connections', (state) => state.list);
  return valueOr(list, []).filter(({ sample }) => !sample);
};

function ListedConnections() {
  const list = useAppState('connections', (state) => state.list);
  const connections = useConnections();
  const { load } = useApp().connections.actions;
  if (list.status === 'failed') return <Failed error={list.error} onRetry={() => void load()} />;
  if (connections.length === 0) return null;
  return (
    <section className="start-part stack" aria-labelledby="start-listed">
      <h2 id="start-listed">{words.start.listHeading}</h2>
      <ul className="stack gap-0">
        {connections.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} />
        ))}
      </ul>
      <ShareProfiles hasAny={connections.some(({ saved }) => saved)} />
    </section>
  );
}

/** The form is open if there are no connections. */
function NewConnection() {
  const hasAny = useConnections().length > 0;
  const [asked, setAsked] = useState(false);
  const open = asked || !hasAny;
  return (
    <section className="start-part stack" aria-labelledby="start-connect">
      <h2 id="start-connect">{words.start.connectHeading}</h2>
      <p className="quiet">{words.start.connectText}</p>
      {open ? (
        <KeepFocus>
          <LazyConnectionForm {...(hasAny ? { onCancel: () => setAsked(false) } : {})} />
        </KeepFocus>
      ) : (
        <Button icon={Plus} onPress={() => setAsked(true)}>
          {words.start.add}
        </Button>
      )}
      {!hasAny && <ShareProfiles hasAny={false} />}
    </section>
  );
}

const w = words.start;

/** Offers to undo a removal. It takes the focus of the removed row. */
export function RemovedNotice() {
  const removed = useAppState('connections', (state) => state.removed);
  return removed && <UndoRemoval key={removed.id} name={removed.name} />;
}

function UndoRemoval({ name }: { name: string }) {
  const { undoRemoval, dismissRemoval } = useApp().connections.actions;
  const undo = useRef<HTMLButtonElement>(null);
  const undoing = useTask<void, void>(undoRemoval);
  useEffect(() => undo.current?.focus(), []);
  const close = <Button variant="quiet" icon={X} aria-label={w.dismissRemoval} onPress={dismissRemoval} />;
  if (undoing.error)
    return (
      <Alert tone="error" actions={close}>
        {undoing.error.message}
      </Alert>
    );
  return (
    <Alert
      tone="info"
      actions={
        <>
          <Button ref={undo} isPending={undoing.isRunning} onPress={() => void undoing.start()}>
            {w.undoRemoval}
          </Button>
          {close}
        </>
      }
    >
      {w.removed(name)}
    </Alert>
  );
}
