import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { credential, type Connection } from '../../../shared/connections/connections.ts';
import { issuesOf, problemsByField, schemaIssues, type Problems } from '../../state/problems.ts';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useApp } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { toCredential, initialSecretInputs, type SecretInputs } from './connections.ts';
import { OptionGroup } from '../../ui/option-group.tsx';
import { TextField } from '../../ui/text-field.tsx';

export interface AuthenticateFormProps {
  readonly connection: Connection;
  /** Called when the service accepted the credentials. */
  readonly onDone: (connection: Connection) => void;
  readonly onCancel: () => void;
}

const w = words.authenticating;
const fields: readonly SecretField[] = ['apiKey', 'email', 'password'];
const fieldOf = (path: string): SecretField | undefined => fields.find((field) => path.endsWith(field));

/** Asks for new credentials of a connection. They are tested before they replace the current ones. */
export function AuthenticateForm({ connection, onDone, onCancel }: AuthenticateFormProps) {
  const { authenticate } = useApp().connections.actions;
  const { closeFor } = useApp().diagnostics.actions;
  const [inputs, setInputs] = useState<SecretInputs>(() => initialSecretInputs(connection));
  const [problems, setProblems] = useState<Problems<SecretField>>({});
  const authentication = useTask(async (secret: Parameters<typeof authenticate>[0], signal) => {
    const accepted = await authenticate(secret, signal);
    closeFor(connection.id);
    onDone(accepted);
  });
  const send = () => {
    const parsed = credential.safeParse(toCredential(inputs));
    setProblems(problemsByField(schemaIssues(parsed.error?.issues ?? []), fieldOf).problems);
    authentication.reset();
    if (parsed.success) void authentication.start({ connection: connection.id, credential: parsed.data });
  };
  const fieldIssues = problemsByField(authentication.error ? issuesOf(authentication.error) : [], fieldOf);
  const isOfField = authentication.error?.is('invalid_input') && fieldIssues.otherIssues.length === 0;
  return (
    <Form
      className="connection-form above-1 stack max-text pad-2"
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
          authentication.reset();
        }}
        problem={(field) => (problems[field] ?? fieldIssues.problems[field])?.message}
        hasStoredSecret={false}
      />
      <p className="field-note">{w.keeps}</p>
      {authentication.error && !isOfField && <Alert tone="error">{authentication.error.message}</Alert>}
      <div className="row wrap">
        <Button type="submit" variant="primary" isPending={authentication.isRunning}>
          {authentication.isRunning ? w.trying : inputs.method === 'api_key' ? w.use : w.logIn}
        </Button>
        <Button variant="quiet" onPress={onCancel}>
          {words.cancel}
        </Button>
      </div>
    </Form>
  );
}

export type SecretField = 'apiKey' | 'email' | 'password';

interface SecretFieldsProps {
  readonly inputs: SecretInputs;
  readonly onChange: (change: Partial<SecretInputs>) => void;
  /** The problem of a field; undefined: none. */
  readonly problem: (field: SecretField) => string | undefined;
  /** Whether credentials of this method are stored; empty inputs keep them. */
  readonly hasStoredSecret: boolean;
}

/** An API key, or email and password. */
export function SecretFields({ inputs, onChange, problem, hasStoredSecret }: SecretFieldsProps) {
  const field = (name: SecretField) => ({
    name,
    value: inputs[name],
    onChange: (text: string) => onChange({ [name]: text }),
    problem: problem(name),
  });
  return (
    <>
      <div className="field">
        <span className="field-label" aria-hidden>
          {words.connection.how}
        </span>
        <OptionGroup
          label={words.connection.how}
          layout="line"
          value={inputs.method}
          options={[
            { id: 'api_key', text: words.connection.hows.api_key },
            { id: 'login', text: words.connection.hows.login },
          ]}
          onChange={(method) => onChange({ method })}
        />
      </div>
      {inputs.method === 'api_key' ? (
        <TextField
          {...field('apiKey')}
          label={words.connection.apiKey}
          type="password"
          note={hasStoredSecret ? words.connection.apiKeyKept : words.connection.apiKeyNote}
        />
      ) : (
        <>
          <TextField {...field('email')} label={words.connection.email} inputMode="email" />
          <TextField
            {...field('password')}
            label={words.connection.password}
            type="password"
            note={hasStoredSecret ? words.connection.passwordKept : words.connection.passwordNote}
          />
        </>
      )}
    </>
  );
}
