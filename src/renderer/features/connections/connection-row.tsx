import { Copy, Pencil, Stethoscope, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Connection } from '../../../shared/connections/connections.ts';
import { describeKeychain } from '../../../shared/errors/sentences.ts';
import { Button } from '../../ui/button.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { isEditable } from './connections.ts';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { tabTitle } from '../tabs/tab-title.ts';
import { useTask } from '../../state/latest-task.ts';
import { Alert } from '../../ui/alert.tsx';

const w = words.start;

export function ConnectionRow({ connection }: { connection: Connection }) {
  const { open } = useApp().connections.actions;
  const editing = useAppState('connections', (state) => state.editing === connection.id);
  const [asking, setAsking] = useState<'secret' | 'removal' | null>(null);
  const { keychain, extraKeychain, id } = connection;
  const trouble = keychain ?? extraKeychain;
  const done = () => setAsking(null);
  return (
    <li className="start-place pad-y-1" aria-current={editing || undefined}>
      <div className="row gap-0">
        <Button
          variant="quiet"
          className="start-item wide"
          aria-label={w.open(connection.name)}
          onPress={() => (connection.secret === 'missing' ? setAsking('secret') : open(connection))}
        >
          <span className="dot" data-color={connection.color} aria-hidden />
          <span className="stack gap-0 grow">
            <strong className="ellipsis">{connection.name}</strong>
            <span className="quiet ellipsis small">
              {[new URL(connection.dataUrl).host, ...notesOn(connection)].join(' · ')}
            </span>
          </span>
        </Button>
        <RowActions connection={connection} onRemove={() => setAsking('removal')} />
      </div>
      {trouble !== undefined && (
        <p className="start-keychain small tone-warning">
          {keychain === undefined && w.extraForSession} {describeKeychain(trouble)}
        </p>
      )}
      {asking === 'secret' && (
        <KeepFocus>
          {/* Loaded when first shown, to keep the first screen fast. */}
          <LazyPart fetch={fetchAuthenticateForm}>
            {({ AuthenticateForm }) => (
              <AuthenticateForm connection={connection} onDone={open} onCancel={done} />
            )}
          </LazyPart>
        </KeepFocus>
      )}
      {asking === 'removal' && <RemoveConnection connection={connection} onCancel={done} />}
      {/* The form shows it too. */}
      {!editing && <DiagnosticsPanel of={id} />}
    </li>
  );
}

function RowActions({ connection, onRemove }: { connection: Connection; onRemove: () => void }) {
  const { edit, duplicate } = useApp().connections.actions;
  const { start } = useApp().diagnostics.actions;
  const { id, name } = connection;
  return (
    <span className="row gap-0">
      <Button
        variant="quiet"
        icon={Stethoscope}
        aria-label={w.diagnose(name)}
        onPress={() => void start({ id, name, subject: { connection: id } })}
      />
      {isEditable(connection) && (
        <>
          <Button variant="quiet" icon={Pencil} aria-label={w.edit(name)} onPress={() => edit(id)} />
          <Button
            variant="quiet"
            icon={Copy}
            aria-label={w.duplicate(name)}
            onPress={() => void duplicate(id)}
          />
          <Button variant="quiet" icon={Trash2} aria-label={w.remove(name)} onPress={onRemove} />
        </>
      )}
    </span>
  );
}

/** Confirms the removal of a connection: its tabs in this window and its credentials are removed too. */
function RemoveConnection({ connection, onCancel }: { connection: Connection; onCancel: () => void }) {
  const { sessions, connections } = useApp();
  const { remove } = connections.actions;
  const [unsaved] = useState(() => sessions.getState().open.get(connection.id)?.tabs.actions.unsaved() ?? []);
  const removing = useTask((leaveSecret: boolean) => remove(connection.id, leaveSecret));
  const keepsSecret = removing.error?.is('keychain_unavailable') ?? false;
  return (
    <KeepFocus className="pad-2 stack">
      <p>{w.removeText(connection.name)}</p>
      {unsaved.length > 0 && (
        <Alert tone="warning">
          {words.tabs.closing.unfinished(unsaved.length)} {unsaved.map(tabTitle).join(', ')}
        </Alert>
      )}
      {removing.error && (
        <Alert tone="error">
          {removing.error.message} {keepsSecret && w.leaveSecretText}
        </Alert>
      )}
      <div className="row wrap">
        <Button
          variant={keepsSecret ? 'plain' : 'primary'}
          isPending={removing.isRunning}
          onPress={() => void removing.start(keepsSecret)}
        >
          {keepsSecret ? w.leaveSecret : w.removeNow}
        </Button>
        <Button variant="quiet" onPress={onCancel}>
          {words.cancel}
        </Button>
      </div>
    </KeepFocus>
  );
}

/** The notes beside a connection's name: sign-in method, storage of credentials, read-only. */
export function notesOn({ method, sample, secret, readOnly }: Connection): string[] {
  const w = words.connection;
  return [
    ...(sample ? [w.methods[method], w.sample] : [w.secrets[method][secret]]),
    ...(readOnly ? [w.readOnly] : []),
  ];
}

const fetchAuthenticateForm = () => import('./authenticate-form.tsx');
