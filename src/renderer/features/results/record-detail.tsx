import { Copy, Filter, X } from 'lucide-react';
import { useState } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/faces.tsx';
import { words } from '../../words/words.ts';
import { useResults, useResultsState } from './context.ts';
import { useLinks } from './links.ts';
import { stringifyJson } from '../../../shared/json.ts';
import type { RecordPart } from './record-parts.ts';
import { RecordTree } from './record-tree.tsx';

/** One record, whole, as a tree that folds. */
export function RecordDetail({ row }: { row: number }) {
  const { actions } = useResults();
  return (
    <section className="record" aria-label={words.record.region}>
      <header className="record-head">
        <h3>
          {words.record.heading} <span className="quiet numbers">{words.record.number(row + 1)}</span>
        </h3>
        <Button
          variant="quiet"
          icon={X}
          aria-label={words.record.close}
          onPress={() => void actions.select(null)}
        />
      </header>
      <Body row={row} />
    </section>
  );
}

function Body({ row }: { row: number }) {
  const { actions } = useResults();
  const record = useResultsState((state) => state.record);
  if (record.face === 'failed')
    return <Failed error={record.error} onRetry={() => void actions.select(row)} />;
  if (record.face !== 'full') return <Loading what={words.record.loading} />;
  return <Whole key={row} record={record.value} />;
}

function Whole({ record }: { record: JsonValue }) {
  const [chosen, setChosen] = useState<RecordPart | null>(null);
  return (
    <>
      <div className="record-body">
        <RecordTree record={record} onChoose={setChosen} />
      </div>
      <Acts record={record} part={chosen} />
    </>
  );
}

/** What can be done with the chosen part; with none, with the whole record. */
function Acts({ record, part }: { record: JsonValue; part: RecordPart | null }) {
  const { actions } = useResults();
  const { onFilter } = useLinks();
  const found = useResultsState(({ answer }) => answer.face === 'full' && answer.value.asked.kind === 'find');
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => actions.say(words.results.copiedText),
      (error: unknown) => actions.say(words.results.notCopied(String(error))),
    );
  const filter = async () => {
    if (part && onFilter && !(await onFilter(part.path.join('.'), part.value)))
      actions.say(words.results.notFiltered);
  };
  const filterable = found && part !== null && part.parts === null && !part.inArray;
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
        <Button variant="quiet" icon={Filter} isDisabled={!filterable} onPress={() => void filter()}>
          {words.record.filter}
        </Button>
      )}
    </div>
  );
}
