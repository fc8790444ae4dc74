import { useState } from 'react';
import type { Connection } from '../../../shared/connections/connections.ts';
import { keychainInWords } from '../../../shared/errors/sentences.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { AuthenticateForm } from './authenticate-form.tsx';
import { DoctorPanel } from './doctor-panel.tsx';
import { whyAsked } from './secret.ts';

const w = words.authenticating;

/** What the person should know of the open connection while they work: below the top bar, never in the way. */
export function ConnectionNotices({ connection }: { connection: Connection }) {
  const isPatient = useAppState('doctor', (state) => state.patient?.of === connection.id);
  const isAsked = whyAsked(connection) !== null || isShut(connection);
  if (!isAsked && !isPatient) return null;
  return (
    <aside className="connection-notices stack gap-0" aria-label={words.connection.menu(connection.name)}>
      {isAsked && <LoginNotice key={connection.id} connection={connection} />}
      <DoctorPanel of={connection.id} />
    </aside>
  );
}

/** Whether the secret stands in a keychain that does not give it. */
const isShut = ({ secret, keychain }: Connection): boolean => secret === 'keychain' && keychain !== undefined;

/** Says that the key or login is needed again, and takes it in place. */
function LoginNotice({ connection }: { connection: Connection }) {
  const [giving, setGiving] = useState(false);
  const why = whyAsked(connection);
  const { name, method, keychain, secret } = connection;
  const isFixed = secret === 'environment';
  const said = why ? w.refused[why](name) : keychain ? `${name}: ${keychainInWords(keychain)}` : '';
  return (
    <>
      <Alert
        tone="warning"
        actions={
          !giving &&
          !isFixed && (
            <Button variant="primary" onPress={() => setGiving(true)}>
              {method === 'api_key' ? w.giveKey : w.giveLogin}
            </Button>
          )
        }
      >
        {said} {isFixed ? w.fixed : w.goesOn}
      </Alert>
      {giving && (
        <KeepFocus>
          <AuthenticateForm
            connection={connection}
            onDone={() => setGiving(false)}
            onCancel={() => setGiving(false)}
          />
        </KeepFocus>
      )}
    </>
  );
}
