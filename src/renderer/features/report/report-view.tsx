import { FileDown, Printer, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useApp, useAppState, useSession, useSessionState } from '../../contexts.ts';
import { suitable } from '../../format/file-name.ts';
import { useTask } from '../../state/latest-task.ts';
import { Button } from '../../ui/button.tsx';
import { PrintedPage } from '../../ui/printed-page.tsx';
import { Status } from '../../ui/status.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { plotWords } from '../../words/plot.ts';
import { reportWords as w } from '../../words/report.ts';
import { noteLines, useNoteList } from '../notes/notes.tsx';
import { listedWells, wellLabel } from '../wells/wells-state.ts';
import { ReportPage, reportHtml, type Report } from './report-page.tsx';
import type { ReportState, ReportTab } from './report-tab.ts';

const outputs = [
  { what: 'html', icon: FileDown, text: w.saveHtml },
  { what: 'print', icon: Printer, text: w.print },
] as const;

function useReportOutput({ store, actions, folder }: ReportTab) {
  const session = useSession();
  const { connection } = session;
  const { save } = useApp();
  const connectionName = useAppState('connections', ({ open }) => open.get(connection)?.name) ?? connection;
  // The page has the notes of its wells, which another view may change.
  useNoteList();
  const listed = useSessionState('wells', listedWells);
  const times = useAppState('settings', ({ values }) => values.times);
  const reportOf = ({ parts, wells, note, askedAt }: ReportState): Report => ({
    folder,
    wells: wells.map((well) => wellLabel(listed, well)),
    note,
    parts: parts.status === 'loaded' ? parts.value : [],
    wellNotes: noteLines(session, wells, listed, times),
    connection: connectionName,
    at: askedAt,
  });
  const [printed, setPrinted] = useState<Report | null>(null);
  const output = useTask(async (what: 'html' | 'print', signal) => {
    await actions.refreshOld();
    signal.throwIfAborted();
    const report = reportOf(store.getState());
    if (what === 'print') {
      setPrinted(report);
      return null;
    }
    const name = `${nameOf(report)}.html`;
    const isSaved = await save(name, new Blob([reportHtml(report)], { type: 'text/html;charset=utf-8' }));
    return isSaved ? { name, at: report.at } : null;
  });
  return { reportOf, output, printed, setPrinted };
}

export default function ReportView({ tab }: { tab: ReportTab }) {
  const { store, actions, folder } = tab;
  const state = useStore(store);
  const { reportOf, output, printed, setPrinted } = useReportOutput(tab);
  const { parts } = state;
  const isReady = parts.status === 'loaded' && parts.value.length > 0;
  return (
    <section className="stack gap-0 full" aria-label={w.region(folder)}>
      <div className="toolbar wrap">
        <Button variant="quiet" icon={RefreshCw} onPress={() => void actions.read()}>
          {w.refresh}
        </Button>
        {outputs.map(({ what, icon, text }) => (
          <Button
            key={what}
            icon={icon}
            isDisabled={!isReady || output.isRunning}
            onPress={() => void output.start(what)}
          >
            {text}
          </Button>
        ))}
        <Status className="quiet push">
          {output.value?.at === state.askedAt ? w.saved(output.value.name) : progressOf(state)}
        </Status>
      </div>
      {output.error && <Failed error={output.error} />}
      <section
        className="fill scroll-y pad-3 stack gap-3 surface-quiet"
        aria-label={w.page}
        // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
        tabIndex={0}
      >
        {parts.status === 'loaded' && parts.value.length === 0 ? (
          <Empty>{w.empty(folder)}</Empty>
        ) : (
          <TextField
            label={w.note}
            name="note"
            value={state.note}
            rows={3}
            onChange={actions.type}
            note={w.noteHint}
          />
        )}
        {parts.status === 'failed' && <Failed error={parts.error} onRetry={() => void actions.read()} />}
        {(parts.status === 'idle' || parts.status === 'loading') && <Loading what={w.loading} />}
        {isReady && <ReportPage report={reportOf(state)} onRetry={(query) => void actions.retry(query)} />}
      </section>
      {printed && (
        <PrintedPage name={nameOf(printed)} onPrinted={() => setPrinted(null)}>
          <ReportPage report={printed} />
        </PrintedPage>
      )}
    </section>
  );
}

/** Report, wells, and day, as the name of a file without its ending, which has up to 200 characters. */
const nameOf = ({ folder, wells, at }: Report): string =>
  [folder, plotWords.wells(wells, false), new Date(at).toISOString().slice(0, 10)]
    .filter(Boolean)
    .map((text) => suitable(text).slice(0, 80))
    .join(' ');

function progressOf({ parts }: ReportState): string {
  if (parts.status !== 'loaded' || parts.value.length === 0) return '';
  const done = parts.value.filter(
    ({ content }) => content.status === 'loaded' || content.status === 'failed',
  );
  return w.progress(done.length, parts.value.length);
}
