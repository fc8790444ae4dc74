import { FileKey2, X } from 'lucide-react';
import { useId } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { Connection } from '../../../shared/connections/connections.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import { handOverFile } from '../../api/dropped.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { CaSelection } from './draft.ts';

interface CaFileFieldProps {
  readonly choice: CaSelection;
  /** The connection's current certificates. */
  readonly authorities: Connection['authorities'];
  readonly onChange: (choice: CaSelection) => void;
  /** The problem with the file; undefined: none. */
  readonly problem: string | undefined;
}

const w = words.connection;
const types = ['.pem', '.crt', '.cer', '.der', '.ca-bundle', 'application/x-x509-ca-cert'];

/** The company's certificates, from a file that main reads. */
export function CaFileField({ choice, authorities = [], onChange, problem }: CaFileFieldProps) {
  const id = useId();
  const transferTask = useTask(async (file: File, signal) =>
    onChange({ kind: 'file', file: await handOverFile(file, signal) }),
  );
  const kept = choice.kind === 'kept' ? authorities : [];
  const has = choice.kind === 'file' || kept.length > 0;
  const problemText = transferTask.error?.message ?? problem;
  return (
    <fieldset className="connection-ca field" aria-describedby={id}>
      <legend className="field-label">{w.caFile}</legend>
      {choice.kind === 'file' && <span className="line">{visibleLine(choice.file.name)}</span>}
      {kept.map(({ name, ends }) => (
        <span key={`${name} ${ends}`} className="line">
          {w.caEnds(name, ends.slice(0, 10))}
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
          <Button icon={FileKey2} isPending={transferTask.isRunning}>
            {has ? w.caChooseAnother : w.caChoose}
          </Button>
        </FileTrigger>
        {has && (
          <Button variant="quiet" icon={X} onPress={() => onChange({ kind: 'none' })}>
            {w.caRemove}
          </Button>
        )}
      </div>
      <span className="field-note" id={id}>
        {w.caNote}
      </span>
      {problemText !== undefined && (
        <span className="field-problem" role="alert">
          {problemText}
        </span>
      )}
    </fieldset>
  );
}
