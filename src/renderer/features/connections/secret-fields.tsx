import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import type { SecretInputs } from './secret.ts';

export type SecretField = 'apiKey' | 'email' | 'password';

interface SecretFieldsProps {
  readonly inputs: SecretInputs;
  readonly onChange: (change: Partial<SecretInputs>) => void;
  /** What is wrong with a field; undefined: nothing. */
  readonly problem: (field: SecretField) => string | undefined;
  /** Whether there is a secret of this method already, which stays where nothing is typed. */
  readonly kept: boolean;
}

const w = words.connection;

/** Who asks: by an API key, or by e-mail and password. */
export function SecretFields({ inputs, onChange, problem, kept }: SecretFieldsProps) {
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
          {w.how}
        </span>
        <Choice
          label={w.how}
          layout="line"
          value={inputs.method}
          options={[
            { id: 'api_key', text: w.hows.api_key },
            { id: 'login', text: w.hows.login },
          ]}
          onChange={(method) => onChange({ method })}
        />
      </div>
      {inputs.method === 'api_key' ? (
        <TextField
          {...field('apiKey')}
          label={w.apiKey}
          type="password"
          note={kept ? w.apiKeyKept : w.apiKeyNote}
        />
      ) : (
        <>
          <TextField {...field('email')} label={w.email} inputMode="email" />
          <TextField
            {...field('password')}
            label={w.password}
            type="password"
            note={kept ? w.passwordKept : w.passwordNote}
          />
        </>
      )}
    </>
  );
}
