import { FileKey2, X } from 'lucide-react';
import { useId } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { Connection } from '../../../shared/connections/connections.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import { handOverFile } from '../../api/dropped.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { type DraftInputs, type FileSelection, nameOfFile, needsKeyFile } from './draft.ts';

const w = words.connection;

interface FileFieldProps {
  readonly words: Record<'label' | 'note' | 'choose' | 'replace' | 'remove', string>;
  readonly types: readonly string[];
  /** What is selected: the name of a file, or its certificates. */
  readonly lines: readonly string[];
  readonly onChange: (selection: FileSelection) => void;
  /** Undefined: it can't be removed alone. */
  readonly onRemove: (() => void) | undefined;
  /** The problem with the file; undefined: none. */
  readonly problem: string | undefined;
}

/** A file that main reads: the window has its token and its name. */
function FileField({ words: text, types, lines, onChange, onRemove, problem }: FileFieldProps) {
  const id = useId();
  const transferTask = useTask(async (file: File, signal) =>
    onChange({ kind: 'file', file: await handOverFile(file, signal) }),
  );
  const problemText = transferTask.error?.message ?? problem;
  const isInvalid = problemText !== undefined;
  return (
    <fieldset
      className="connection-file field"
      aria-describedby={`${id}-note`}
      data-invalid={isInvalid || undefined}
    >
      <legend className="field-label">{text.label}</legend>
      {lines.map((line) => (
        <span key={line} className="line">
          {line}
        </span>
      ))}
      <div className="row wrap">
        <FileTrigger
          acceptedFileTypes={types}
          onSelect={(picked) => {
            const file = picked?.item(0);
            if (file) void transferTask.start(file);
          }}
        >
          <Button
            icon={FileKey2}
            isPending={transferTask.isRunning}
            {...(isInvalid ? { 'aria-describedby': `${id}-problem` } : {})}
          >
            {lines.length > 0 ? text.replace : text.choose}
          </Button>
        </FileTrigger>
        {lines.length > 0 && onRemove && (
          <Button variant="quiet" icon={X} onPress={onRemove}>
            {text.remove}
          </Button>
        )}
      </div>
      <span className="field-note" id={`${id}-note`}>
        {text.note}
      </span>
      {isInvalid && (
        <span className="field-problem" role="alert" id={`${id}-problem`}>
          {problemText}
        </span>
      )}
    </fieldset>
  );
}

const certificateTypes = ['.pem', '.crt', '.cer'];
const authorityTypes = [...certificateTypes, '.der', '.ca-bundle', 'application/x-x509-ca-cert'];
const clientTypes = ['.p12', '.pfx', ...certificateTypes, 'application/x-pkcs12'];
const keyTypes = ['.key', '.pem'];

interface CaFileFieldProps {
  readonly selection: FileSelection;
  /** The connection's current certificates. */
  readonly authorities: Connection['authorities'];
  readonly onChange: (selection: FileSelection) => void;
  readonly problem: string | undefined;
}

/** The company's certificates. */
export function CaFileField({ selection, authorities = [], onChange, problem }: CaFileFieldProps) {
  const kept = authorities.map(({ name, ends }) => w.caEnds(name, ends.slice(0, 10)));
  return (
    <FileField
      words={w.ca}
      types={authorityTypes}
      lines={
        selection.kind === 'file' ? [visibleLine(selection.file.name)] : selection.kind === 'kept' ? kept : []
      }
      onChange={onChange}
      onRemove={() => onChange({ kind: 'none' })}
      problem={problem}
    />
  );
}

type CertificateInputs = Pick<DraftInputs, 'clientCertificate' | 'clientKey' | 'passphrase'>;

interface ClientCertificateFieldsProps {
  readonly inputs: CertificateInputs;
  /** Absent: a new connection. */
  readonly connection: Connection | undefined;
  readonly onChange: (change: Partial<CertificateInputs>) => void;
  /** The problem of a field; undefined: none. */
  readonly problem: (field: keyof CertificateInputs) => string | undefined;
}

/** The certificate that a gateway requires; its key and its passphrase only if there is one. */
export function ClientCertificateFields({
  inputs,
  connection,
  onChange,
  problem,
}: ClientCertificateFieldsProps) {
  const { clientCertificate, clientKey, passphrase } = inputs;
  const name = nameOfFile(clientCertificate, connection?.clientCertificate);
  const keyName = nameOfFile(clientKey, connection?.clientKey);
  const isKept = clientCertificate.kind === 'kept';
  const linesOf = (file: string | undefined) => (file === undefined ? [] : [visibleLine(file)]);
  const withoutKey = { clientKey: { kind: 'none' }, passphrase: '' } as const;
  return (
    <>
      <FileField
        words={w.clientCertificate}
        types={clientTypes}
        lines={linesOf(name)}
        onChange={(selected) => onChange({ clientCertificate: selected, clientKey: { kind: 'none' } })}
        onRemove={() => onChange({ clientCertificate: { kind: 'none' }, ...withoutKey })}
        problem={problem('clientCertificate')}
      />
      {name !== undefined && (needsKeyFile(name) || problem('clientKey') !== undefined) && (
        <FileField
          words={w.clientKey}
          types={keyTypes}
          lines={linesOf(keyName)}
          onChange={(selected) => onChange({ clientKey: selected })}
          onRemove={
            clientKey.kind === 'file'
              ? () => onChange({ clientKey: { kind: isKept ? 'kept' : 'none' } })
              : undefined
          }
          problem={problem('clientKey')}
        />
      )}
      {name !== undefined && (
        <TextField
          name="passphrase"
          label={w.passphrase}
          type="password"
          value={passphrase}
          onChange={(typed) => onChange({ passphrase: typed })}
          note={isKept ? w.passphraseKept : w.passphraseNote}
          problem={problem('passphrase')}
        />
      )}
    </>
  );
}
