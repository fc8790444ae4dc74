import { Copy, Filter, X } from 'lucide-react';
import { useState } from 'react';
import { stringifyJson, type JsonValue } from '../../../shared/json.ts';
import type { Loadable } from '../../state/loadable.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { words } from '../../words/words.ts';
import type { RecordPart } from './record-parts.ts';
import { RecordTree } from './record-tree.tsx';

export interface RecordDetailProps {
  readonly record: Loadable<JsonValue>;
  /** Which one it is. */
  readonly name: string;
  /** Filters by the value of a part; absent: there is no question to put it into. */
  readonly onFilter?: ((part: RecordPart) => void) | undefined;
  readonly onRetry?: () => void;
  readonly onClose: () => void;
  /** Told what was done that can't be seen. */
  readonly say: (said: string) => void;
}

/** One record, whole, as a tree that folds. */
export function RecordDetail(props: RecordDetailProps) {
  const { name, onClose } = props;
  return (
    <section className="results-record" aria-label={words.record.region}>
      <header className="record-head">
        <h3>
          {words.record.heading} <span className="quiet numbers">{name}</span>
        </h3>
        <Button variant="quiet" icon={X} aria-label={words.record.close} onPress={onClose} />
      </header>
      <Body {...props} />
    </section>
  );
}

function Body(props: RecordDetailProps) {
  const { record, onRetry } = props;
  if (record.status === 'failed') return <Failed error={record.error} {...(onRetry ? { onRetry } : {})} />;
  if (record.status !== 'loaded') return <Loading what={words.record.loading} />;
  return <Whole {...props} record={record.value} />;
}

type WholeProps = Omit<RecordDetailProps, 'record'> & { readonly record: JsonValue };

function Whole(props: WholeProps) {
  const { record } = props;
  const [chosen, setChosen] = useState<RecordPart | null>(null);
  return (
    <>
      <div className="record-body">
        <RecordTree record={record} onChoose={setChosen} />
      </div>
      <Acts {...props} part={chosen} />
    </>
  );
}

/** What can be done with the chosen part; with none, with the whole record. */
function Acts({ record, part, onFilter, say }: WholeProps & { part: RecordPart | null }) {
  const copy = async (text: string) => {
    if (await copyText(text)) say(words.results.copiedText);
  };
  const filterable = part !== null && part.parts === null && !part.inArray;
  return (
    <div className="record-acts">
      <Button
        variant="quiet"
        icon={Copy}
        isDisabled={part === null}
        onPress={() => void copy(part?.path.join('.') ?? '')}
      >
        {words.record.copyPath}
      </Button>
      <Button
        variant="quiet"
        icon={Copy}
        onPress={() => void copy(stringifyJson(part ? part.value : record, 2))}
      >
        {part ? words.record.copyValue : words.record.copyRecord}
      </Button>
      {onFilter && (
        <Button
          variant="quiet"
          icon={Filter}
          isDisabled={!filterable}
          onPress={() => {
            if (part) onFilter(part);
          }}
        >
          {words.record.filter}
        </Button>
      )}
    </div>
  );
}
