import type { LongCatalogueEvent } from '../../../../shared/catalogue/catalogue.ts';
import { asked, heard, type Coming, type Freshness } from '../../../state/kept.ts';
import { createPace } from '../../../state/pace.ts';
import type { WellThread } from './client.ts';
import type { ListName, Seen } from './protocol.ts';

export interface BringingIn {
  readonly thread: WellThread;
  readonly list: ListName;
  readonly events: AsyncIterable<LongCatalogueEvent>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** How far the list is now, and whether a source has said all of it. */
  readonly tell: (seen: Seen, freshness: Freshness, whole: boolean) => void;
}

/** Hands a list that comes in over to its thread, where it stays; tells now and then how far it is. */
export async function bringIn({ thread, list, events, now, signal, tell }: BringingIn): Promise<void> {
  // Of the wells themselves nothing is kept here.
  let coming: Coming<never> = asked;
  const isShown = createPace(now);
  for await (const event of events) {
    if (signal.aborted) return;
    thread.hear(list, event);
    coming = heard(coming, event.kind === 'items' ? { ...event, items: [] } : event);
    if (!isShown(event)) continue;
    const { freshness } = coming;
    const seen = await thread.look(list);
    if (signal.aborted) return;
    tell(seen, freshness, event.kind === 'whole' || event.kind === 'same');
  }
}
