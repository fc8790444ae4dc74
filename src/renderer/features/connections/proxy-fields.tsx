import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import type { DraftInputs } from './draft.ts';

type ProxyField = 'proxyAddress' | 'proxyUser' | 'proxyPassword';

interface ProxyFieldsProps {
  readonly inputs: Pick<DraftInputs, ProxyField>;
  readonly onChange: (change: Partial<Pick<DraftInputs, ProxyField>>) => void;
  /** What is wrong with a field; undefined: nothing. */
  readonly problem: (field: ProxyField) => string | undefined;
  /** The user whose password is kept; undefined: none is. */
  readonly keptUser: string | undefined;
}

const w = words.connection;

/** The proxy of a connection, folded away until there is one: most need none. */
export function ProxyFields({ inputs, onChange, problem, keptUser }: ProxyFieldsProps) {
  const { proxyAddress, proxyUser } = inputs;
  const isWrong = ['proxyAddress', 'proxyUser', 'proxyPassword'] as const;
  const hasProblem = isWrong.some((name) => problem(name) !== undefined);
  const field = (name: ProxyField) => ({
    name,
    label: w[name],
    value: inputs[name],
    onChange: (text: string) => onChange({ [name]: text }),
    problem: problem(name),
  });
  const isKept = keptUser !== undefined && keptUser === proxyUser.trim();
  return (
    <details className="proxy-fields" {...(proxyAddress !== '' || hasProblem ? { open: true } : {})}>
      <summary className="field-label">{w.proxy}</summary>
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
    </details>
  );
}
