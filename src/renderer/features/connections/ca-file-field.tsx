import { FileKey2, X } from 'lucide-react';
import { useId } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { Connection } from '../../../shared/connections/connections.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import { handOverFile } from '../../api/dropped.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { CaChoice } from './draft.ts';

interface CaFileFieldProps {
  readonly choice: CaChoice;
  /** Those that the connection has already. */
  readonly authorities: Connection['authorities'];
  readonly onChange: (choice: CaChoice) => void;
  /** What is wrong with the file; undefined: nothing. */
  readonly problem: string | undefined;
}

const w = words.connection;
const types = ['.pem', '.crt', '.cer', '.der', '.ca-bundle', 'application/x-x509-ca-cert'];

/** The company's own certificates: a file that the page picks and main reads. */
export function CaFileField({ choice, authorities = [], onChange, problem }: CaFileFieldProps) {
  const id = useId();
  const handing = useTask(async (file: File, signal) =>
    onChange({ kind: 'file', file: await handOverFile(file, signal) }),
  );
  const kept = choice.kind === 'kept' ? authorities : [];
  const has = choice.kind === 'file' || kept.length > 0;
  const wrong = handing.error?.message ?? problem;
  return (
    <fieldset className="field" aria-describedby={id}>
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
            if (file) void handing.start(file);
          }}
        >
          <Button icon={FileKey2} isPending={handing.isRunning}>
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
      {wrong !== undefined && (
        <span className="field-problem" role="alert">
          {wrong}
        </span>
      )}
    </fieldset>
  );
}
