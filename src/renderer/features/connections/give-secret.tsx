import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Connection } from '../../../shared/connections.ts';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { useConnectionsActions } from './context.ts';

/** Asks for the secret of a saved connection that has none any more. */
export function GiveSecret({ connection }: { connection: Connection }) {
  const { giveSecret } = useConnectionsActions();
  const [secret, setSecret] = useState('');
  const giving = useTask(giveSecret);
  return (
    <Form
      className="connection-form"
      aria-label={words.start.open(connection.name)}
      onSubmit={(event) => {
        event.preventDefault();
        if (secret.trim() !== '') void giving.start({ connection, secret: secret.trim() });
      }}
    >
      <TextField
        name="secret"
        label={connection.method === 'api_key' ? words.connection.apiKey : words.connection.password}
        type="password"
        value={secret}
        onChange={setSecret}
        note={words.connection.giveAgain(connection.name)}
        problem={undefined}
      />
      {giving.error && <Alert tone="error">{giving.error.message}</Alert>}
      <div className="form-buttons">
        <Button type="submit" isPending={giving.running}>
          {giving.running ? words.connection.connecting : words.start.open(connection.name)}
        </Button>
      </div>
    </Form>
  );
}
