import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import type { DraftInputs } from './draft.ts';

type ProxyField = 'proxyAddress' | 'proxyUser' | 'proxyPassword';

interface ProxyFieldsProps {
  readonly inputs: Pick<DraftInputs, ProxyField>;
  readonly onChange: (change: Partial<Pick<DraftInputs, ProxyField>>) => void;
  /** The problem of a field; undefined: none. */
  readonly problem: (field: ProxyField) => string | undefined;
  /** The user whose password is stored; undefined: none. */
  readonly storedUser: string | undefined;
}

const w = words.connection;

/** The proxy of a connection; its user and password only if there is one. */
export function ProxyFields({ inputs, onChange, problem, storedUser }: ProxyFieldsProps) {
  const { proxyAddress, proxyUser } = inputs;
  const field = (name: ProxyField) => ({
    name,
    label: w[name],
    value: inputs[name],
    onChange: (text: string) => onChange({ [name]: text }),
    problem: problem(name),
  });
  const isKept = storedUser !== undefined && storedUser === proxyUser.trim();
  return (
    <>
      <TextField
        {...field('proxyAddress')}
        placeholder={w.proxyAddressPlaceholder}
        inputMode="url"
        note={w.proxyNote}
      />
      {proxyAddress.trim() !== '' && (
        <>
          <TextField {...field('proxyUser')} note={w.proxyUserNote} />
          <TextField
            {...field('proxyPassword')}
            type="password"
            note={isKept ? w.proxyPasswordKept : w.proxyPasswordNote}
          />
        </>
      )}
    </>
  );
}
