import { createStore } from 'zustand/vanilla';
import type { JobState } from '../../../shared/jobs.ts';
import type { Feature } from '../../state/context.tsx';
import { headerOf, isFor } from './templates.ts';
import { fileName, jobOf } from './upload-state.ts';
import type { UploadTab } from './upload-tab.ts';

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

export interface UploadQueueActions {
  /**
   * Sends uploads one after another, each with its own ledger: the first as it is, the others with its mapping and into
   * its dataset. One that can't be sent with that is left to the person. When one is refused or cancelled, the others
   * are not tried: they stay as they are, ready to be sent.
   * @param atRest resolves with the state of a job once it is at rest
   */
  readonly sendInTurn: (
    first: UploadTab,
    others: readonly UploadTab[],
    atRest: (job: string) => Promise<JobState>,
  ) => Promise<void>;
}

/** The uploads of this window that wait their turn; known to the page alone, as the files are. */
export type UploadQueue = Feature<UploadQueueState, UploadQueueActions>;

/** Whether an upload has a file of this header and has not been begun. */
function isLike(header: readonly string[], tab: UploadTab): boolean {
  const { send, inspection, queued, preview } = tab.store.getState();
  const open = send.face === 'none' && inspection.face === 'full' && !queued;
  return open && isFor(header, { header: headerOf({ preview }) });
}

/** Of the open uploads those that could go along with one: the same header, and not begun. */
export function alikeOf(tab: UploadTab, open: readonly UploadTab[]): UploadTab[] {
  const header = headerOf(tab.store.getState());
  return open.filter((other) => other !== tab && isLike(header, other));
}

const nameOf = ({ store }: UploadTab): string => fileName(store.getState()) ?? '';

/** What of a line waits, and behind what: those that were taken out of it stand in nobody's way. */
function waitingIn([sent, ...others]: readonly UploadTab[]): WaitingUpload[] {
  const waiting = others.filter(({ store }) => store.getState().queued);
  return waiting.map((tab, at) => ({
    tab,
    file: nameOf(tab),
    behind: nameOf(waiting[at - 1] ?? sent ?? tab),
  }));
}

/** Keeps the lines of uploads that are sent one after another, of all connections. */
export function createUploadQueue(): UploadQueue {
  const store = createStore<UploadQueueState>()(() => ({ waiting: [] }));
  /** Each with the upload that is being sent first. */
  const lines = new Set<readonly UploadTab[]>();
  const show = () => store.setState({ waiting: [...lines].flatMap(waitingIn) });

  /** Sends what waits of a line, until one does not come to its end. */
  async function sendLine(
    tabs: readonly UploadTab[],
    atRest: (job: string) => Promise<JobState>,
  ): Promise<void> {
    let line: readonly UploadTab[] = [];
    try {
      for (const [at, tab] of tabs.entries()) {
        if (at > 0 && !tab.store.getState().queued) continue;
        lines.delete(line);
        line = tabs.slice(at);
        lines.add(line);
        tab.actions.queue(false);
        show();
        await tab.actions.send();
        const job = jobOf(tab.store.getState().send);
        if (job === null || (await atRest(job)) !== 'done') return;
      }
    } finally {
      lines.delete(line);
      for (const tab of tabs) tab.actions.queue(false);
      show();
    }
  }

  return {
    store,
    actions: {
      async sendInTurn(first, others, atRest) {
        const model = first.store.getState();
        const ready: UploadTab[] = [];
        for (const other of others) if (await other.actions.adopt(model)) ready.push(other);
        for (const other of ready) other.actions.queue(true);
        const stops = ready.map((tab) =>
          tab.store.subscribe((now, before) => {
            if (now.queued !== before.queued) show();
          }),
        );
        try {
          await sendLine([first, ...ready], atRest);
        } finally {
          for (const stop of stops) stop();
        }
      },
    },
  };
}
