import { Copy, Filter, X } from 'lucide-react';
import { useState } from 'react';
import { stringifyJson, type JsonValue } from '../../../shared/json.ts';
import type { Loadable } from '../../state/loadable.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { words } from '../../words/words.ts';
import type { TimeZone } from '../records/cell-text.ts';
import type { FieldNames } from '../../../shared/channels/plain-names.ts';
import type { WellNames } from '../records/well-names.ts';
import type { RecordPart } from './record-parts.ts';
import { RecordTree, type RecordUnits } from './record-tree.tsx';

interface RecordDetailProps {
  readonly record: Loadable<JsonValue>;
  readonly name: string;
  readonly zone: TimeZone;
  readonly names: FieldNames;
  readonly wellNames: WellNames;
  readonly units: RecordUnits;
  /** Filters by a value; absent: there is no query. */
  readonly onFilter?: ((part: RecordPart) => void) | undefined;
  readonly onRetry?: () => void;
  readonly onClose: () => void;
  /** Called with the result of an action, if nothing else shows it. */
  readonly onNotice: (message: string) => void;
}

export function RecordDetail(props: RecordDetailProps) {
  const { name, onClose } = props;
  return (
    <section className="stack gap-0 full" aria-label={words.record.region}>
      <header className="record-head row between faint-below">
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
  return <RecordBody {...props} record={record.value} />;
}

type RecordBodyProps = Omit<RecordDetailProps, 'record'> & { readonly record: JsonValue };

function RecordBody(props: RecordBodyProps) {
  const { record, zone, names, wellNames, units } = props;
  const [selected, setSelected] = useState<RecordPart | null>(null);
  return (
    <>
      <div className="record-body fill scroll pad-x-3 pad-y-2">
        <RecordTree
          record={record}
          zone={zone}
          names={names}
          wellNames={wellNames}
          units={units}
          onSelect={setSelected}
        />
      </div>
      <PartActions {...props} part={selected} />
    </>
  );
}

function PartActions(props: RecordBodyProps & { part: RecordPart | null }) {
  const { record, part, units, onFilter, onNotice } = props;
  const copy = async (text: string, note = '') => {
    if (await copyText(text)) onNotice(words.results.copiedText + note);
  };
  // A copy has stored values: where the panel shows others, it says so.
  const storedNote = Object.keys(units.changes).length === 0 ? '' : ` ${words.results.copiedStored(null)}`;
  const filterable = part !== null && part.parts === null && !part.isInArray;
  return (
    <div className="record-acts row wrap items-start gap-0 faint-above">
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
        onPress={() => void copy(stringifyJson(part ? part.value : record, 2), storedNote)}
      >
        {part ? words.record.copyValue : words.record.copyRecord}
      </Button>
      {onFilter && (
        <Button
          variant="quiet"
          isMultiline
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
