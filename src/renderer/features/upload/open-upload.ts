import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { GrantedFile } from '../../../shared/files/files.ts';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { Session } from '../../contexts.ts';
import { uploadWords } from '../../words/upload.ts';
import { showSession } from '../connections/connections.ts';
import { activeTab, type Tabs } from '../tabs/tabs.ts';
import { similarUploads } from './queue/queued-file.ts';
import { transferringFile, type UploadSubject } from './upload-state.ts';
import { createUpload, uploadKind, waitForJob } from './upload-kind.ts';
import type { UploadTab } from './upload-tab.ts';

const openUploads = ({ store }: Tabs): UploadTab[] =>
  store.getState().tabs.flatMap((tab) => uploadKind.of(tab) ?? []);

/** The dataset of the active tab is the most likely target; the user confirms it before anything is sent. */
function datasetInView({ store }: Tabs): UploadSubject {
  const tab = activeTab(store.getState());
  const dataset = tab?.content?.dataset() ?? null;
  const upload = uploadKind.of(tab)?.store.getState();
  return { dataset, isDatasetAssumed: dataset !== null && upload?.isDatasetAssumed !== false };
}

function openTab(session: Session, subject: UploadSubject): UploadTab {
  const model = createUpload(session, subject);
  session.tabs.actions.open(uploadKind.open(model), { title: uploadWords.tab(null) });
  return model;
}

/** The active upload if it has no file, or its file is missing, and none is being transferred. */
function uploadWithoutFile({ store }: Tabs): UploadTab | null {
  const upload = uploadKind.of(activeTab(store.getState()));
  if (!upload) return null;
  const state = upload.store.getState();
  const { file } = state;
  // A file that can't be looked up now may be back in a moment, with its choices.
  const isMissing = file.status === 'none' || (file.status === 'missing' && file.error === null);
  return isMissing && transferringFile(state) === null ? upload : null;
}

/** Opens an upload without a file, by default into the dataset of the active tab. */
export function openUpload(session: Session, dataset?: Dataset): void {
  openTab(session, dataset ? { dataset } : datasetInView(session.tabs));
}

/** Opens an upload for each dropped file. The first one goes to an upload without a file, if there is one. */
export function addFiles(session: Session, files: readonly File[]): void {
  const subject = datasetInView(session.tabs);
  const first = uploadWithoutFile(session.tabs);
  files.forEach((file, at) => {
    const model = (at === 0 ? first : null) ?? openTab(session, subject);
    void model.actions.addFile(file);
  });
}

export function openGrantedFiles(
  session: Session,
  files: readonly GrantedFile[],
  dataset: Dataset | null,
): void {
  for (const file of files) void openTab(session, { dataset }).actions.accept(file);
}

export const similarTo = ({ tabs }: Pick<Session, 'tabs'>, tab: UploadTab): readonly UploadTab[] =>
  similarUploads(tab, openUploads(tabs));

export const sendInSequence = (
  session: Session,
  tab: UploadTab,
  otherTabs: readonly UploadTab[],
): Promise<void> => session.app.queue.actions.sendInSequence(tab, otherTabs, waitForJob(session));

export function openJob(session: Session, job: Job): void {
  const shown = showSession(session.app, job, (other) => openJob(other, job));
  if (shown) return void shown;
  const { store, actions } = session.tabs;
  const sendingTab = store.getState().tabs.find((tab) => uploadKind.formOf(tab)?.job === job.id);
  if (sendingTab) actions.show(sendingTab.id);
  else openTab(session, { dataset: null, job });
}

/** Restores queued uploads from before a reload, in order. */
export async function resumeQueue(session: Session): Promise<void> {
  const { tabs, tabStorage, app } = session;
  const waitingTabs = Map.groupBy(tabs.store.getState().tabs, (tab) =>
    tab.stored ? (uploadKind.formOf(tab)?.draft?.queuedAfter ?? null) : null,
  );
  for (const [job, line] of waitingTabs) {
    if (job === null) continue;
    await Promise.all(line.map(({ id }) => tabStorage.actions.restore(id)));
    const ids = new Set(line.map(({ id }) => id));
    const restored = tabs.store.getState().tabs.filter(({ id }) => ids.has(id));
    const uploads = restored.flatMap((tab) => uploadKind.of(tab) ?? []);
    // Not sent until the previous upload's result is known.
    for (const { actions } of uploads) actions.setQueued(true, job);
    const before = await app.api.jobs.show({ job }).catch(() => null);
    if (before?.kind === 'upload') void app.queue.actions.resume(before, uploads, waitForJob(session));
    else for (const { actions } of uploads) actions.setQueued(false);
  }
}
