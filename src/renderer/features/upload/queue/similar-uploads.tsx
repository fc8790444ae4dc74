import { ListStart } from 'lucide-react';
import { useCallback, useEffect, useState, useRef, useSyncExternalStore } from 'react';
import { matchesHeader } from '../../../../shared/upload/templates.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckBox } from '../../../ui/check-box.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { Section } from '../../../ui/section.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { headerOf, tableOfFiles } from '../columns/templates.ts';
import { readingOfTable } from '../../../../shared/upload/formats.ts';
import type { FormatOptions } from '../file/format-options.ts';
import { watchTabs } from '../../tabs/tab-storage.ts';
import { sendInSequence, similarTo } from '../open-upload.ts';
import { fileName, isSent, type UploadTabState } from '../upload-state.ts';
import { useWellName } from '../wells/well-views.tsx';
import { columnDifferences, comparedParts, lacksWell, queuedWell, type FileState } from './queued-file.ts';
import { useUploadParts } from '../upload-parts.tsx';
import type { UploadTab } from '../upload-tab.ts';
import { useAppState, useSession, useTab, useTabState } from '../../../contexts.ts';

const w = uploadWords.alike;

interface SimilarFile {
  readonly other: UploadTab;
  readonly state: UploadTabState;
}

/** The similar uploads as they are. */
function useSimilarUploads(tab: UploadTab): readonly SimilarFile[] {
  const session = useSession();
  const watch = useCallback((onChange: () => void) => watchTabs(session.tabs, onChange), [session]);
  const list = useRef<readonly SimilarFile[]>([]);
  return useSyncExternalStore(watch, () => {
    const next = similarTo(session, tab).map((other) => ({ other, state: other.store.getState() }));
    const isSame =
      next.length === list.current.length && next.every(({ state }, at) => state === list.current[at]?.state);
    if (!isSame) list.current = next;
    return list.current;
  });
}

/** @param props.canSend whether this upload can be sent, which comes first */
export function SimilarUploads({ canSend }: { canSend: boolean }) {
  const tab = useTab('upload');
  const session = useSession();
  const waiting = useAppState('queue', (state) => state.waiting.find((queued) => queued.tab === tab));
  const [excluded, setExcluded] = useState<ReadonlySet<UploadTab>>(new Set());
  const first = useUploadParts(...comparedParts);
  const areRowsSent = useTabState('upload', isSent);
  // Tables that are being read, and sequences of files that are being prepared.
  const [tasks, setTasks] = useState(0);
  const similar = useSimilarUploads(tab);
  const run = async (task: Promise<void>) => {
    setTasks((count) => count + 1);
    await task;
    setTasks((count) => count - 1);
  };
  if (waiting)
    return (
      <Alert tone="info" actions={<Button onPress={() => tab.actions.setQueued(false)}>{w.dequeue}</Button>}>
        {w.waits(waiting.previousFile)}
      </Alert>
    );
  const otherUploads = areRowsSent ? [] : similar;
  if (otherUploads.length === 0) return null;
  const included = otherUploads
    .filter(({ other, state }) => !excluded.has(other) && !lacksWell(first, state))
    .map(({ other }) => other);
  const include = (other: UploadTab, isIncluded: boolean) => {
    const next = new Set(excluded);
    if (isIncluded) next.delete(other);
    else next.add(other);
    setExcluded(next);
  };
  return (
    <Section heading={w.heading(otherUploads.length)}>
      <p className="quiet">{w.text}</p>
      <ul aria-label={w.heading(otherUploads.length)} className="stack gap-1">
        {otherUploads.map(({ other, state }, at) => (
          <SimilarUpload
            key={at}
            other={other}
            state={state}
            first={first}
            isIncluded={!excluded.has(other)}
            onInclude={(isIncluded) => include(other, isIncluded)}
            onRead={(reading) => void run(other.actions.read(reading))}
          />
        ))}
      </ul>
      <div className="row wrap">
        <Button
          icon={ListStart}
          isDisabled={included.length === 0 || tasks > 0 || !canSend}
          onPress={() => void run(sendInSequence(session, tab, included))}
        >
          {w.send(included.length + 1)}
        </Button>
      </div>
    </Section>
  );
}

interface SimilarUploadProps extends SimilarFile {
  /** The file whose mapping is used. */
  readonly first: FileState;
  readonly isIncluded: boolean;
  readonly onInclude: (isIncluded: boolean) => void;
  readonly onRead: (reading: FormatOptions) => void;
}

function QueuedWellText({ first, state }: { first: FileState; state: UploadTabState }) {
  const well = queuedWell(first, state);
  const name = useWellName('assetId' in well ? well.assetId : null);
  if (state.fileWell.status === 'loading') return <span className="quiet">{uploadWords.wells.looking}</span>;
  if (well.from === 'missing' && state.fileWell.status === 'failed')
    return <span className="tone-error">{state.fileWell.error.message}</span>;
  if (well.from === 'nowhere') return null;
  if (well.from === 'missing') return <span className="tone-error">{w.wells.missing}</span>;
  return <span>{well.from === 'rows' ? w.wells.rows : w.wells[well.from](name)}</span>;
}

function ColumnDifferencesText({ first, state }: { first: FileState; state: UploadTabState }) {
  const { missing, further } = columnDifferences(first, state);
  return (
    <>
      {missing.length > 0 && <span className="tone-warning">{w.missingColumns(missing)}</span>}
      {further.length > 0 && <span className="tone-warning">{w.furtherColumns(further)}</span>}
    </>
  );
}

function SimilarUpload({ other, state, first, isIncluded, onInclude, onRead }: SimilarUploadProps) {
  const tab = useTab('upload');
  const name = fileName(state) ?? '';
  const wanted = tableOfFiles(first);
  const isUnknown = state.fileWell.status === 'idle';
  useEffect(() => {
    if (isUnknown) for (const { actions } of [tab, other]) void actions.findOwnWell();
  }, [tab, other, isUnknown]);
  const isMissing = lacksWell(first, state);
  const { tables, tableNumber } =
    state.preview.status === 'loaded' ? state.preview.value : { tables: [], tableNumber: 1 };
  const options = tables.flatMap((table, at) =>
    table.columns === wanted.header.length
      ? [{ id: String(at + 1), text: uploadWords.source.tableText(table) }]
      : [],
  );
  // Without the header, the table with the name of the first file's is sent.
  const number = matchesHeader(headerOf(state), wanted)
    ? tableNumber
    : tables.findIndex((table) => table.name === wanted.table) + 1;
  return (
    <li className="row wrap">
      <CheckBox label={name} checked={isIncluded && !isMissing} isDisabled={isMissing} onChange={onInclude} />
      <span className="quiet numbers">
        {state.inspection.status === 'loaded' && w.rows(state.inspection.value.rows)}
      </span>
      <QueuedWellText first={first} state={state} />
      <ColumnDifferencesText first={first} state={state} />
      {tables.length > 1 && (
        <SelectBox
          label={w.tableOfFile(name)}
          value={String(number)}
          options={options}
          onChange={(id) => onRead(readingOfTable(tables, Number(id), state.reading))}
        />
      )}
    </li>
  );
}
