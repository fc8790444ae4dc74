import { OptionGroup } from '../../ui/option-group.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import type { SecretInputs } from './secret.ts';

export type SecretField = 'apiKey' | 'email' | 'password';

interface SecretFieldsProps {
  readonly inputs: SecretInputs;
  readonly onChange: (change: Partial<SecretInputs>) => void;
  /** The problem of a field; undefined: none. */
  readonly problem: (field: SecretField) => string | undefined;
  /** Whether credentials of this method are stored; empty inputs keep them. */
  readonly hasStoredSecret: boolean;
}

const w = words.connection;

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
          {w.how}
        </span>
        <OptionGroup
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
          note={hasStoredSecret ? w.apiKeyKept : w.apiKeyNote}
        />
      ) : (
        <>
          <TextField {...field('email')} label={w.email} inputMode="email" />
          <TextField
            {...field('password')}
            label={w.password}
            type="password"
            note={hasStoredSecret ? w.passwordKept : w.passwordNote}
          />
        </>
      )}
    </>
  );
}
