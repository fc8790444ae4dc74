import type { ReactNode } from 'react';
import { FileQuestion, FileUp, Link, X } from 'lucide-react';
import type { SharedQuery } from '../../../shared/saved/saved.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { WriteButton } from '../connections/write-button.tsx';
import { SavedNotice } from '../saved/saved-notice.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { textOf, type OpenedItem } from './opened.ts';
import './opened.css';

const w = words.opened;
/** Larger files are easier to read in the list of saved queries. */
const maxQueries = 20;

export default function OpenedPanel({ connected }: { connected: boolean }) {
  const items = useAppState('opened', (state) => state.items);
  return (
    <aside className="opened flex-none scroll line-below surface-quiet" aria-label={w.region}>
      <KeepFocus className="stack gap-0 parted">
        {items.map((item) => (
          <OpenedItemView key={item.key} item={item} connected={connected} />
        ))}
      </KeepFocus>
    </aside>
  );
}

function OpenedItemView({ item, connected }: { item: OpenedItem; connected: boolean }) {
  const { close, keep } = useApp().opened.actions;
  const closing = <Button variant="quiet" icon={X} aria-label={w.close} onPress={() => close(item.key)} />;
  if (item.kind === 'problem') return <Failed error={item.error} extraAction={closing} />;
  if (item.kind === 'rows') return <OpenedRows item={item} connected={connected} closing={closing} />;
  const { file, content, kept } = item;
  const more = content.queries.length - maxQueries;
  const Icon = file === null ? Link : FileQuestion;
  return (
    <section className="pad-y-2 pad-x-3">
      <header className="opened-head row">
        <Icon size={16} aria-hidden />
        <Status className="grow">
          {file === null ? w.fromLink : w.fromFile(file, content.queries.length)} {w.notRun}
          {connected ? '' : ` ${w.connectFirst}`}
        </Status>
        {kept !== true && <Button onPress={() => void keep(item)}>{w.keep}</Button>}
        {closing}
      </header>
      {kept !== null && <SavedNotice />}
      <ul className="opened-queries stack">
        {content.queries.slice(0, maxQueries).map((query, at) => (
          <OpenedQuery key={at} query={query} of={item} connected={connected} />
        ))}
        {more > 0 && <li className="quiet">{w.more(more)}</li>}
      </ul>
    </section>
  );
}

interface OpenedRowsProps {
  readonly item: Extract<OpenedItem, { kind: 'rows' }>;
  readonly connected: boolean;
  readonly closing: ReactNode;
}

function OpenedRows({ item, connected, closing }: OpenedRowsProps) {
  const { openRows } = useApp().opened.actions;
  return (
    <section className="pad-y-2 pad-x-3">
      <header className="opened-head row">
        <FileUp size={16} aria-hidden />
        <Status className="grow">
          {w.notSent(item.file.name)} {connected ? '' : w.connectToUpload}
        </Status>
        {connected && <WriteButton onPress={() => openRows(item)}>{w.upload}</WriteButton>}
        {closing}
      </header>
    </section>
  );
}

function OpenedQuery({ query, of, connected }: { query: SharedQuery; of: OpenedItem; connected: boolean }) {
  const { open } = useApp().opened.actions;
  const { name, provider, dataset, question } = query;
  return (
    <li>
      <div className="opened-query-head row">
        <strong className="ellipsis">{name}</strong>
        <span className="quiet">
          {w.kinds[question.mode]} · {provider}/{dataset}
        </span>
        {connected && (
          <Button aria-label={w.openNamed(name)} onPress={() => void open(query, of)}>
            {w.open}
          </Button>
        )}
      </div>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- long ones scroll, by keyboard too */}
      <pre className="code-text opened-text break" tabIndex={0}>
        {textOf(query)}
      </pre>
    </li>
  );
}
