import { useState } from 'react';
import type { Connection } from '../../../shared/connections/connections.ts';
import { describeKeychain } from '../../../shared/errors/sentences.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { AuthenticateForm } from './authenticate-form.tsx';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { signInReason } from './connections.ts';

const w = words.authenticating;

/** Notices about the open connection, below the top bar. */
export function ConnectionNotices({ connection }: { connection: Connection }) {
  const isDiagnosed = useAppState('diagnostics', (state) => state.target?.id === connection.id);
  const isAsked = signInReason(connection) !== null || isLocked(connection);
  if (!isAsked && !isDiagnosed) return null;
  return (
    <aside
      className="connection-notices flex-none scroll stack gap-0"
      aria-label={words.connection.menu(connection.name)}
    >
      {isAsked && <SignInNotice key={connection.id} connection={connection} />}
      <DiagnosticsPanel of={connection.id} />
    </aside>
  );
}

/** Whether the credentials are in a keychain that doesn't release them. */
const isLocked = ({ secret, keychain }: Connection): boolean =>
  secret === 'keychain' && keychain !== undefined;

/** Asks to sign in again, with a form in place. */
function SignInNotice({ connection }: { connection: Connection }) {
  const [isFormOpen, setFormOpen] = useState(false);
  const reason = signInReason(connection);
  const { name, method, keychain, secret } = connection;
  const isFixed = secret === 'environment';
  const message = reason ? w.refused[reason](name) : keychain ? `${name}: ${describeKeychain(keychain)}` : '';
  return (
    <>
      <Alert
        isStrip
        tone="warning"
        actions={
          !isFormOpen &&
          !isFixed && (
            <Button variant="primary" onPress={() => setFormOpen(true)}>
              {method === 'api_key' ? w.giveKey : w.giveLogin}
            </Button>
          )
        }
      >
        {message} {isFixed ? w.fixed : w.goesOn}
      </Alert>
      {isFormOpen && (
        <KeepFocus>
          <AuthenticateForm
            connection={connection}
            onDone={() => setFormOpen(false)}
            onCancel={() => setFormOpen(false)}
          />
        </KeepFocus>
      )}
    </>
  );
}
