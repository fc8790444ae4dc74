import { createStore } from 'zustand/vanilla';
import type { JobState, UploadJob } from '../../../../shared/jobs/jobs.ts';
import { matchesHeader } from '../../../../shared/upload/headers.ts';
import { words } from '../../../words/words.ts';
import { hasMostColumns, headerOf, readingFor, tableOfFiles } from '../columns/templates.ts';
import { fileName, jobOf, type UploadTabState } from '../upload-state.ts';
import type { UploadTab } from '../upload-tab.ts';
import { fillField, isAssetPath, wellConstant, type MappingChoices } from '../columns/mapping-choices.ts';
import { proposalFor } from '../columns/fields.ts';
import { fileWellOf } from '../wells/file-wells.ts';

/** Resolves with the state of a job when it stops. */
type WaitForJob = (job: string) => Promise<JobState>;

/** An upload that starts when the previous one is done. */
export interface WaitingUpload {
  readonly tab: UploadTab;
  readonly file: string;
  /** The file before it in the queue. */
  readonly previousFile: string;
}

export interface UploadQueueState {
  /** In the order of sending. */
  readonly waiting: readonly WaitingUpload[];
}

/** Whether an upload has a file with the table of the first, or most of its columns, and hasn't started. */
function canJoin(first: UploadTab, tab: UploadTab): boolean {
  const table = tableOfFiles(first.store.getState());
  const state = tab.store.getState();
  const { send, inspection, isQueued } = state;
  if (send.status !== 'none' || inspection.status !== 'loaded' || isQueued) return false;
  return (
    matchesHeader(headerOf(state), table) ||
    readingFor(state, table) !== null ||
    hasMostColumns(first.store.getState(), state)
  );
}

/** The open uploads with the same table, or most of its columns, that haven't started. */
export function similarUploads(tab: UploadTab, open: readonly UploadTab[]): UploadTab[] {
  return open.filter((other) => other !== tab && canJoin(tab, other));
}

/** The name of an upload's file, with the table of a file that has several. */
const nameOf = ({ store }: UploadTab): string => {
  const { table } = tableOfFiles(store.getState());
  const name = fileName(store.getState()) ?? '';
  return table === undefined ? name : words.tableOf(name, table);
};

/** Uploads in sequence, and the file that is being sent before them. */
interface UploadLine {
  readonly sendingFile: string;
  readonly others: readonly UploadTab[];
}

interface SendingUpload {
  readonly file: string;
  /** Resolves with the job; null: it was refused. */
  readonly begin: () => Promise<string | null>;
}

function toSendingUpload(tab: UploadTab, send: () => Promise<void>): SendingUpload {
  const begin = async () => {
    await send();
    return jobOf(tab.store.getState().send);
  };
  return { file: nameOf(tab), begin };
}

const isWaiting = ({ store }: UploadTab): boolean => store.getState().isQueued;

/** The waiting uploads of a line. Those that were removed from it block nothing. */
function waitingIn({ sendingFile, others }: UploadLine): WaitingUpload[] {
  const waiting = others.filter(isWaiting);
  return waiting.map((tab, at) => {
    const before = waiting[at - 1];
    return { tab, file: nameOf(tab), previousFile: before ? nameOf(before) : sendingFile };
  });
}

/** Sends sequences of uploads, for all connections. */
export function createUploadQueue() {
  const store = createStore<UploadQueueState>()(() => ({ waiting: [] }));
  const lines = new Set<UploadLine>();
  const show = () => store.setState({ waiting: [...lines].flatMap(waitingIn) });

  /** Waits for the current upload, then sends the remaining ones until one doesn't finish. */
  async function sendLine(
    first: SendingUpload,
    tabs: readonly UploadTab[],
    waitForJob: WaitForJob,
  ): Promise<void> {
    const stops = tabs.map((tab) =>
      tab.store.subscribe((now, before) => {
        if (now.isQueued !== before.isQueued) show();
      }),
    );
    let sent = first;
    let line: UploadLine = { sendingFile: sent.file, others: tabs };
    try {
      for (;;) {
        lines.add(line);
        show();
        const job = await sent.begin();
        if (job === null) return;
        for (const tab of line.others.filter(isWaiting)) tab.actions.setQueued(true, job);
        if ((await waitForJob(job)) !== 'done') return;
        const [next, ...laterTabs] = line.others.filter(isWaiting);
        if (!next) return;
        next.actions.setQueued(false);
        lines.delete(line);
        sent = toSendingUpload(next, next.actions.sendQueued);
        line = { sendingFile: sent.file, others: laterTabs };
      }
    } finally {
      for (const stop of stops) stop();
      lines.delete(line);
      for (const tab of line.others) tab.actions.setQueued(false);
      show();
    }
  }

  return {
    store,
    actions: {
      /**
       * Sends uploads in sequence, each with its own ledger: the first one as it is, the others with its mapping of the
       * same columns, its dataset, and their own wells. An upload that doesn't match is left to the user. If one is
       * refused or canceled, the remaining ones are not sent.
       */
      async sendInSequence(first: UploadTab, otherTabs: readonly UploadTab[], waitForJob: WaitForJob) {
        await first.actions.findOwnWell();
        const firstState = first.store.getState();
        const ready: UploadTab[] = [];
        for (const other of otherTabs) if (await other.actions.copySettings(firstState)) ready.push(other);
        for (const other of ready) other.actions.setQueued(true);
        await sendLine(toSendingUpload(first, first.actions.send), ready, waitForJob);
      },
      /**
       * Queues restored uploads again.
       * @param after the job before them
       */
      async resume(
        { id, file }: Pick<UploadJob, 'id' | 'file'>,
        tabs: readonly UploadTab[],
        waitForJob: WaitForJob,
      ) {
        for (const tab of tabs) tab.actions.setQueued(true, id);
        const readAll = tabs.map(async (tab) => {
          if (!(await tab.actions.whenRestored())) tab.actions.setQueued(false);
        });
        const begin = () => Promise.all(readAll).then(() => id);
        await sendLine({ file, begin }, tabs, waitForJob);
      },
    },
  };
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

type FileState = Pick<
  UploadTabState,
  'preview' | 'choices' | 'proposedNulls' | 'match' | 'ownWell' | 'selectedWell' | 'proposals'
>;

/** Where the wells of a queued file come from. */
export type QueuedWell =
  /** Its rows name them, or its dataset has records without wells. */
  | { readonly from: 'rows' | 'nowhere' }
  /** Selected for it, named in it or in its name, or that of the first file, where no file names one. */
  | { readonly from: 'selection' | 'header' | 'fileName' | 'first'; readonly assetId: number }
  /** It isn't sent until one is selected. */
  | { readonly from: 'missing' };

/**
 * The well of a file that is sent with the mapping of another one: its own, never that of the first file where files
 * name their wells.
 */
export function queuedWell(first: FileState, file: FileState): QueuedWell {
  const columns = headerOf(file);
  const wellColumn = first.match.value?.columns.find(({ kind }) => kind === 'asset');
  const firstWell = wellConstant(first.choices);
  if (!wellColumn && !firstWell) return { from: 'nowhere' };
  if (wellColumn && columns.includes(wellColumn.column)) return { from: 'rows' };
  const selected = wellConstant(file.choices);
  if (selected && selected.assetId !== file.selectedWell?.assetId)
    return { from: 'selection', assetId: selected.assetId };
  const fileWell = fileWellOf(file);
  if (fileWell)
    return fileWell.from === 'rows' ? { from: 'rows' } : { from: fileWell.from, assetId: fileWell.assetId };
  const isKnown = first.ownWell.status === 'loaded' && file.ownWell.status === 'loaded';
  if (firstWell && isKnown && !fileWellOf(first)) return { from: 'first', assetId: firstWell.assetId };
  return { from: 'missing' };
}

/** Whether a file has no well, as far as the wells that both files name are known. */
export const lacksWell = (first: FileState, file: FileState): boolean =>
  [first, file].every(({ ownWell }) => ownWell.status === 'loaded') &&
  queuedWell(first, file).from === 'missing';

/** The null values of the first file, and of the numbers that may mean null those that do in this one. */
function queuedNulls(first: FileState, file: FileState): string[] {
  const selected = first.choices.nulls;
  // The user treats them as numbers.
  const kept = first.proposedNulls.filter((token) => !selected.includes(token));
  const tokens = file.proposedNulls.filter((token) => !kept.includes(token));
  return [...new Set([...selected.filter((token) => !first.proposedNulls.includes(token)), ...tokens])];
}

/** The choices of the first file for another one: for the columns that it has too, and with its own well. */
export function queuedChoices(first: FileState, file: FileState): MappingChoices {
  const columns = new Set(headerOf(file));
  // A column without values in the first file can have values in this one.
  const isEmptyInFirst = (column: string) => proposalFor(first, column)?.isEmpty === true;
  const fileWell = fileWellOf(file);
  const well = queuedWell(first, file);
  // The first file may skip its column of wells because one well applies to all of its rows.
  const namesWells = (column: string) =>
    well.from === 'rows' && fileWell?.from === 'rows' && fileWell.column === column;
  const shared = Object.entries(first.choices.columns).filter(
    ([column, { skip = false }]) =>
      columns.has(column) && !(skip && (isEmptyInFirst(column) || namesWells(column))),
  );
  const constants = Object.entries(first.choices.constants).filter(([path]) => !isAssetPath(path));
  const { confirmedWells: _, ...otherChoices } = first.choices;
  const choices = {
    ...otherChoices,
    nulls: queuedNulls(first, file),
    columns: Object.fromEntries(shared),
    constants: Object.fromEntries(constants),
  };
  const path =
    wellConstant(first.choices)?.path ??
    first.match.value?.fields.find((field) => isAssetPath(field.path))?.path;
  if (!('assetId' in well) || path === undefined) return choices;
  return fillField(choices, path, [], { from: 'constant', text: String(well.assetId) });
}

/** How the columns of a file differ from those of the first one. */
export interface ColumnDifferences {
  /** Those that only the first file has, of those that are uploaded. */
  readonly missing: readonly string[];
  /** Those that only this file has; they are matched by name. */
  readonly further: readonly string[];
}

export function columnDifferences(first: FileState, file: FileState): ColumnDifferences {
  const [header, wanted] = [headerOf(file), headerOf(first)];
  const uploaded = new Set(
    first.match.value?.columns.flatMap(({ column, to, joinedTo }) =>
      to !== null || joinedTo !== null ? [column] : [],
    ),
  );
  return {
    missing: wanted.filter((column) => uploaded.has(column) && !header.includes(column)),
    further: header.filter((column) => !wanted.includes(column)),
  };
}
