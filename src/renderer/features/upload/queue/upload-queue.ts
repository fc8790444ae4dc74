import { createStore } from 'zustand/vanilla';
import type { JobState, UploadJob } from '../../../../shared/jobs/jobs.ts';
import { headerOf, isFor } from '../columns/templates.ts';
import { fileName, jobOf } from '../upload-state.ts';
import type { UploadTab } from '../upload-tab.ts';

/** Resolves with the state of a job once it is at rest. */
type AtRest = (job: string) => Promise<JobState>;

/** An upload that is sent when the one before it is done. */
export interface WaitingUpload {
  readonly tab: UploadTab;
  readonly file: string;
  /** The file that goes before it. */
  readonly behind: string;
}

export interface UploadQueueState {
  /** In the order in which they go. */
  readonly waiting: readonly WaitingUpload[];
}

/** Whether an upload has a file of this header and has not been begun. */
function isLike(header: readonly string[], tab: UploadTab): boolean {
  const { send, inspection, queued, preview } = tab.store.getState();
  const open = send.status === 'none' && inspection.status === 'loaded' && !queued;
  return open && isFor(header, { header: headerOf({ preview }) });
}

/** Of the open uploads those that could go along with one: the same header, and not begun. */
export function alikeOf(tab: UploadTab, open: readonly UploadTab[]): UploadTab[] {
  const header = headerOf(tab.store.getState());
  return open.filter((other) => other !== tab && isLike(header, other));
}

const nameOf = ({ store }: UploadTab): string => fileName(store.getState()) ?? '';

/** Uploads that go one after another, and the file that is being sent before them. */
interface Line {
  readonly sent: string;
  readonly others: readonly UploadTab[];
}

/** An upload that is being sent. */
interface Sent {
  readonly file: string;
  /** Resolves with its job; null: it was refused. */
  readonly begin: () => Promise<string | null>;
}

function sentFrom(tab: UploadTab): Sent {
  const begin = async () => {
    await tab.actions.send();
    return jobOf(tab.store.getState().send);
  };
  return { file: nameOf(tab), begin };
}

const isWaiting = ({ store }: UploadTab): boolean => store.getState().queued;

/** What of a line waits, and behind what: those that were taken out of it stand in nobody's way. */
function waitingIn({ sent, others }: Line): WaitingUpload[] {
  const waiting = others.filter(isWaiting);
  return waiting.map((tab, at) => {
    const before = waiting[at - 1];
    return { tab, file: nameOf(tab), behind: before ? nameOf(before) : sent };
  });
}

/** Keeps the lines of uploads that are sent one after another, of all connections. */
export function createUploadQueue() {
  const store = createStore<UploadQueueState>()(() => ({ waiting: [] }));
  const lines = new Set<Line>();
  const show = () => store.setState({ waiting: [...lines].flatMap(waitingIn) });

  /** Waits for what is being sent, then sends what still waits of the others, until one does not come to its end. */
  async function sendLine(first: Sent, tabs: readonly UploadTab[], atRest: AtRest): Promise<void> {
    const stops = tabs.map((tab) =>
      tab.store.subscribe((now, before) => {
        if (now.queued !== before.queued) show();
      }),
    );
    let sent = first;
    let line: Line = { sent: sent.file, others: tabs };
    try {
      for (;;) {
        lines.add(line);
        show();
        const job = await sent.begin();
        if (job === null) return;
        for (const tab of line.others.filter(isWaiting)) tab.actions.queue(true, job);
        if ((await atRest(job)) !== 'done') return;
        const [next, ...others] = line.others.filter(isWaiting);
        if (!next) return;
        next.actions.queue(false);
        lines.delete(line);
        sent = sentFrom(next);
        line = { sent: sent.file, others };
      }
    } finally {
      for (const stop of stops) stop();
      lines.delete(line);
      for (const tab of line.others) tab.actions.queue(false);
      show();
    }
  }

  return {
    store,
    actions: {
      /**
       * Sends uploads one after another, each with its own ledger: the first as it is, the others with its mapping and into
       * its dataset. One that can't be sent with that is left to the person. When one is refused or cancelled, the others
       * are not tried: they stay as they are, ready to be sent.
       */
      async sendInTurn(first: UploadTab, others: readonly UploadTab[], atRest: AtRest) {
        const model = first.store.getState();
        const ready: UploadTab[] = [];
        for (const other of others) if (await other.actions.adopt(model)) ready.push(other);
        for (const other of ready) other.actions.queue(true);
        await sendLine(sentFrom(first), ready, atRest);
      },
      /**
       * Has uploads wait again that did so before the page was loaded again.
       * @param after the job that goes before them
       */
      async resume({ id, file }: Pick<UploadJob, 'id' | 'file'>, tabs: readonly UploadTab[], atRest: AtRest) {
        for (const tab of tabs) tab.actions.queue(true, id);
        const readAll = tabs.map(async (tab) => {
          if (!(await tab.actions.whenRestored())) tab.actions.queue(false);
        });
        const begin = () => Promise.all(readAll).then(() => id);
        await sendLine({ file, begin }, tabs, atRest);
      },
    },
  };
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

declare module '../../../state/contexts.ts' {
  interface App {
    readonly queue: UploadQueue;
  }
}
