import type { JobState } from '../../../shared/jobs.ts';
import { headerOf, isFor } from './templates.ts';
import { jobOf } from './upload-state.ts';
import type { UploadTab } from './upload-tab.ts';

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

/**
 * Sends uploads one after another, each with its own ledger: the first as it is, the others with its mapping and into
 * its dataset. One that can't be sent with that is left to the person. When one is refused or cancelled, the others are
 * not tried: they stay as they are, ready to be sent.
 * @param atRest resolves with the state of a job once it is at rest
 */
export async function sendInTurn(
  first: UploadTab,
  others: readonly UploadTab[],
  atRest: (job: string) => Promise<JobState>,
): Promise<void> {
  const model = first.store.getState();
  const ready: UploadTab[] = [];
  for (const other of others) if (await other.actions.adopt(model)) ready.push(other);
  for (const other of ready) other.actions.queue(true);
  const end = () => ready.forEach((other) => other.actions.queue(false));
  for (const tab of [first, ...ready]) {
    if (tab !== first && !tab.store.getState().queued) continue;
    tab.actions.queue(false);
    await tab.actions.send();
    const job = jobOf(tab.store.getState().send);
    if (job === null || (await atRest(job)) !== 'done') return end();
  }
}
