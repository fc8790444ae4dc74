import type { Connection } from '../../../shared/connections/connections.ts';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { useApp } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

const w = words.start;

/** Asks in place before a connection goes: its tabs in this window go with it, and its secret. */
export function RemoveConnection({ connection, onCancel }: { connection: Connection; onCancel: () => void }) {
  const { remove } = useApp().connections.actions;
  const removing = useTask((leaveSecret: boolean) => remove(connection.id, leaveSecret));
  const keepsSecret = removing.error?.is('keychain_unavailable') ?? false;
  return (
    <KeepFocus className="connection-removal stack">
      <p>{w.removeText(connection.name)}</p>
      {removing.error && (
        <Alert tone="error">
          {removing.error.message} {keepsSecret && w.leaveSecretText}
        </Alert>
      )}
      <div className="row wrap">
        <Button
          variant={keepsSecret ? 'plain' : 'primary'}
          isPending={removing.running}
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
