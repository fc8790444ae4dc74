import { Form } from '../../ui/form.tsx';
import { credential, type Connection, type Credential } from '../../../shared/connections/connections.ts';
import { schemaIssues } from '../../../shared/errors/errors.ts';
import { issuesOf, problemsByField } from '../../state/problems.ts';
import { useForm, type Checked, type FormFields } from '../../state/use-form.ts';
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

/** New credentials are tested before they replace the current ones. */
export function AuthenticateForm({ connection, onDone, onCancel }: AuthenticateFormProps) {
  const { authenticate } = useApp().connections.actions;
  const { closeFor } = useApp().diagnostics.actions;
  const form = useForm({
    initial: () => initialSecretInputs(connection),
    check(inputs): Checked<Credential, SecretField> {
      const { data, error } = credential.safeParse(toCredential(inputs));
      if (data) return { ok: true, value: data };
      return { ok: false, problems: problemsByField(schemaIssues(error.issues), fieldOf).problems };
    },
    issuesIn: (error) => problemsByField(issuesOf(error), fieldOf),
  });
  const send = () =>
    form.run('authenticate', async (parsed, signal) => {
      const accepted = await authenticate({ connection: connection.id, credential: parsed }, signal);
      closeFor(connection.id);
      onDone(accepted);
    });
  return (
    <Form
      className="connection-form above-1 stack max-text pad-2"
      aria-label={w.form(connection.name)}
      onSubmit={send}
    >
      <SecretFields form={form} hasStoredSecret={false} />
      <p className="field-note">{w.keeps}</p>
      {form.error && <Alert tone="error">{form.error.message}</Alert>}
      <div className="row wrap">
        <Button type="submit" variant="primary" isPending={form.isRunning}>
          {form.isRunning ? w.trying : form.inputs.method === 'api_key' ? w.use : w.logIn}
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
  readonly form: FormFields<SecretInputs, SecretField>;
  /** Whether credentials of this method are stored; empty inputs keep them. */
  readonly hasStoredSecret: boolean;
}

export function SecretFields({ form, hasStoredSecret }: SecretFieldsProps) {
  const { inputs, field } = form;
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
          onChange={(method) => form.set({ method })}
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
