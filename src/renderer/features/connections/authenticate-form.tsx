import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { credential, type Connection } from '../../../shared/connections/connections.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useApp } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { secretFrom, secretInputsOf, type SecretInputs } from './secret.ts';
import { SecretFields, type SecretField } from './secret-fields.tsx';

export interface AuthenticateFormProps {
  readonly connection: Connection;
  /** Told when it was accepted. */
  readonly onDone: (connection: Connection) => void;
  readonly onCancel: () => void;
}

const w = words.authenticating;
const fields: readonly SecretField[] = ['apiKey', 'email', 'password'];
const fieldOf = (path: string): SecretField | undefined => fields.find((field) => path.endsWith(field));

/** Asks for another key or login of a connection; it is tried out before the old one goes. */
export function AuthenticateForm({ connection, onDone, onCancel }: AuthenticateFormProps) {
  const { authenticate } = useApp().connections.actions;
  const { closeFor } = useApp().doctor.actions;
  const [inputs, setInputs] = useState<SecretInputs>(() => secretInputsOf(connection));
  const [problems, setProblems] = useState<Problems<SecretField>>({});
  const giving = useTask(async (given: Parameters<typeof authenticate>[0], signal) => {
    const accepted = await authenticate(given, signal);
    closeFor(connection.id);
    onDone(accepted);
  });
  const send = () => {
    const parsed = credential.safeParse(secretFrom(inputs));
    const issues = (parsed.error?.issues ?? []).map(({ message, path }) => ({
      message,
      place: { field: path.map(String).join('.') },
    }));
    setProblems(problemsByField(issues, fieldOf).problems);
    giving.reset();
    if (parsed.success) void giving.start({ connection: connection.id, credential: parsed.data });
  };
  const told = problemsByField(giving.error ? issuesOf(giving.error) : [], fieldOf);
  const isOfField = giving.error?.is('invalid_input') && told.otherIssues.length === 0;
  return (
    <Form
      className="connection-form stack connection-authenticate"
      aria-label={w.form(connection.name)}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <SecretFields
        inputs={inputs}
        onChange={(typed) => {
          setInputs({ ...inputs, ...typed });
          setProblems({});
          giving.reset();
        }}
        problem={(field) => (problems[field] ?? told.problems[field])?.message}
        kept={false}
      />
      <p className="field-note">{w.keeps}</p>
      {giving.error && !isOfField && <Alert tone="error">{giving.error.message}</Alert>}
      <div className="row wrap">
        <Button type="submit" variant="primary" isPending={giving.isRunning}>
          {giving.isRunning ? w.trying : inputs.method === 'api_key' ? w.use : w.logIn}
        </Button>
        <Button variant="quiet" onPress={onCancel}>
          {words.cancel}
        </Button>
      </div>
    </Form>
  );
}
