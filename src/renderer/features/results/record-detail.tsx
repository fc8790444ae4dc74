import { X } from 'lucide-react';
import { useState } from 'react';
import { isObject, stringifyJson, type JsonValue } from '../../../shared/json.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/faces.tsx';
import { words } from '../../words/words.ts';
import { useResults, useResultsState } from './context.ts';

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
      <div className="record-body">
        <Body row={row} />
      </div>
    </section>
  );
}

function Body({ row }: { row: number }) {
  const { actions } = useResults();
  const record = useResultsState((state) => state.record);
  if (record.face === 'failed')
    return <Failed error={record.error} onRetry={() => void actions.select(row)} />;
  if (record.face !== 'full') return <Loading what={words.record.loading} />;
  return <Parts value={record.value} />;
}

const isNested = (value: JsonValue): boolean => typeof value === 'object' && value !== null;

function Parts({ value }: { value: JsonValue }) {
  if (!isNested(value)) return <Leaf value={value} />;
  const parts = Array.isArray(value)
    ? value.map((part, at) => [String(at), part] as const)
    : Object.entries(value ?? {});
  return (
    <ul className="tree">
      {parts.map(([name, part]) => (
        <li key={name}>
          {isNested(part) ? <Branch name={name} value={part} /> : <Line name={name} value={part} />}
        </li>
      ))}
    </ul>
  );
}

// More would be a long list to draw for one look; what is folded is drawn when it is opened.
const openUpTo = 60;

function Branch({ name, value }: { name: string; value: JsonValue }) {
  const count = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
  const [open, setOpen] = useState(!Array.isArray(value) && count <= openUpTo);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="tree-name">{name}</span>{' '}
        <span className="quiet">{Array.isArray(value) ? words.results.items(count) : `{${count}}`}</span>
      </summary>
      {open && <Parts value={value} />}
    </details>
  );
}

function Line({ name, value }: { name: string; value: JsonValue }) {
  return (
    <span className="tree-line">
      <span className="tree-name">{name}</span> <Leaf value={value} />
    </span>
  );
}

function Leaf({ value }: { value: JsonValue }) {
  return (
    <span className={`tree-value tree-${value === null ? 'null' : typeof value}`}>
      {stringifyJson(value)}
    </span>
  );
}
