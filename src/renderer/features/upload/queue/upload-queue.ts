import { createStore } from 'zustand/vanilla';
import type { JobState, UploadJob } from '../../../../shared/jobs/jobs.ts';
import type { UploadTab } from '../upload-tab.ts';

type WaitForJob = (job: string) => Promise<JobState>;

/** An upload that starts when the previous one is done. */
export interface WaitingUpload {
  readonly tab: UploadTab;
  readonly file: string;
  readonly previousFile: string;
}

export interface UploadQueueState {
  /** In the order of sending. */
  readonly waiting: readonly WaitingUpload[];
}

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
    return tab.actions.job();
  };
  return { file: tab.actions.title(), begin };
}

const isWaiting = ({ store }: UploadTab): boolean => store.getState().isQueued;

/** The waiting uploads of a line. Those that were removed from it block nothing. */
function waitingIn({ sendingFile, others }: UploadLine): WaitingUpload[] {
  const waiting = others.filter(isWaiting);
  return waiting.map((tab, at) => {
    const before = waiting[at - 1];
    return { tab, file: tab.actions.title(), previousFile: before ? before.actions.title() : sendingFile };
  });
}

/** Sends sequences of uploads, for all connections. */
export function createUploadQueue() {
  const store = createStore<UploadQueueState>()(() => ({ waiting: [] }));
  const lines = new Set<UploadLine>();
  const show = () => store.setState({ waiting: [...lines].flatMap(waitingIn) });

  /** Waits for the current upload, then sends the remaining ones until one doesn't finish. */
  async function sendLine(first: SendingUpload, tabs: readonly UploadTab[], wait: WaitForJob): Promise<void> {
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
        if ((await wait(job)) !== 'done') return;
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
        await sendLine(toSendingUpload(first, first.actions.send), ready, waitForJob);
      },
      /** Queues restored uploads again, behind the job before them. */
      async resume(
        { id, file }: Pick<UploadJob, 'id' | 'file'>,
        tabs: readonly UploadTab[],
        wait: WaitForJob,
      ) {
        for (const tab of tabs) tab.actions.setQueued(true, id);
        const readAll = tabs.map(async (tab) => {
          if (!(await tab.actions.whenRestored())) tab.actions.setQueued(false);
        });
        const begin = () => Promise.all(readAll).then(() => id);
        await sendLine({ file, begin }, tabs, wait);
      },
    },
  };
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;
