import { Database } from 'lucide-react';
import type { Connection } from '../../../shared/connections/connections.ts';
import { valueOr } from '../../state/loadable.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { PaletteButton } from '../commands/command-button.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { SettingsButton } from '../settings/settings-button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { ConnectionRow } from './connection-row.tsx';
import { useTask } from '../../state/latest-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { ImportExport } from '../../ui/import-export.tsx';
import { Status } from '../../ui/status.tsx';
import { Section } from '../../ui/section.tsx';
import './connections.css';

const w = words.start;

export function StartScreen() {
  return (
    <main className="start-screen full scroll">
      <div className="start-page stack gap-6">
        <KeepFocus className="items-start row">
          <span className="grow">
            <h1 className="large">{words.app}</h1>
            <p className="quiet">{words.start.heading}</p>
          </span>
          <span className="row gap-0">
            <PaletteButton />
            <HelpButton />
            <SettingsButton />
          </span>
        </KeepFocus>
        <div className="start-columns items-start">
          <div className="stack gap-6">
            <SampleWorkspace />
            <ListedConnections />
          </div>
          <ConnectionPlace />
        </div>
      </div>
    </main>
  );
}

function SampleWorkspace() {
  const sample = useAppState('connections', (state) => state.sample);
  const hasAny = useConnections().length > 0;
  const { openSample } = useApp().connections.actions;
  const loading = sample.status === 'loading';
  return (
    <Section className="stack" heading={w.sampleHeading}>
      <p className="quiet">{w.sampleText}</p>
      {sample.status === 'failed' && <Failed error={sample.error} />}
      <Button
        variant={hasAny ? 'plain' : 'primary'}
        icon={Database}
        className="self-start"
        isPending={loading}
        onPress={() => void openSample()}
      >
        {loading ? w.openingSample : w.openSample}
      </Button>
    </Section>
  );
}

/** The user's connections, and those from the environment; the last opened ones first. */
function useConnections(): Connection[] {
  const { byLastUse } = useApp().connections;
  const list = useAppState('connections', (state) => state.list);
  return byLastUse(valueOr(list, []).filter(({ sample }) => !sample));
}

function ListedConnections() {
  const list = useAppState('connections', (state) => state.list);
  const notDuplicated = useAppState('connections', (state) => state.notDuplicated);
  const connections = useConnections();
  const { load } = useApp().connections.actions;
  if (list.status === 'failed') return <Failed error={list.error} onRetry={() => void load()} />;
  return (
    <Section className="stack" heading={w.listHeading}>
      {notDuplicated && <Alert tone="error">{notDuplicated.message}</Alert>}
      <KeepFocus focusKey={connections.length}>
        {connections.length === 0 ? (
          <p className="quiet">{w.none}</p>
        ) : (
          <ul className="stack gap-0 parted">
            {connections.map((connection) => (
              <ConnectionRow key={connection.id} connection={connection} />
            ))}
          </ul>
        )}
      </KeepFocus>
      <ShareProfiles hasAny={connections.some(({ saved }) => saved)} />
    </Section>
  );
}

/** The form: of the connection that is edited, or of a new one. */
function ConnectionPlace() {
  const { edit } = useApp().connections.actions;
  const edited = useAppState('connections', ({ list, editing }) =>
    valueOr(list, []).find(({ id }) => id === editing),
  );
  return (
    <Section
      className="start-form surface stack"
      heading={edited ? words.connection.editing(edited.name) : w.connectHeading}
    >
      {!edited && <p className="quiet">{w.connectText}</p>}
      <KeepFocus focusKey={edited?.id}>
        {/* Loaded when first shown, to keep the first screen fast. */}
        <LazyPart
          key={edited?.id ?? 'new'}
          fetch={fetchForm}
          waiting={<div className="connection-form-place" />}
        >
          {({ ConnectionForm }) =>
            edited ? <ConnectionForm connection={edited} onCancel={() => edit(null)} /> : <ConnectionForm />
          }
        </LazyPart>
      </KeepFocus>
    </Section>
  );
}

/** Exports and imports connection profiles, never with credentials. */
function ShareProfiles({ hasAny }: { hasAny: boolean }) {
  const shares = useApp().shares;
  const exporting = useTask((_: void, signal) => shares.exportAll(signal));
  const importing = useTask(shares.importFile);
  const error = exporting.error ?? importing.error;
  const importedCount = importing.value;
  return (
    <div className="stack gap-1">
      <div className="connection-share-actions row wrap">
        <ImportExport
          importing={importing}
          exporting={exporting}
          canExport={hasAny}
          importLabel={w.importFile}
          exportLabel={w.exportAll}
        />
      </div>
      <Status className="quiet">
        {importedCount
          ? w.imported(importedCount.added.length)
          : exporting.value
            ? w.exported(exporting.value)
            : ''}
      </Status>
      {importedCount && importedCount.problems.length > 0 && (
        <Alert tone="warning">
          <ul>
            {importedCount.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Alert>
      )}
      {error && <Alert tone="error">{error.message}</Alert>}
    </div>
  );
}

const fetchForm = () => import('./connection-form.tsx');
