import type { events } from '../../shared/contract/events.ts';
import type { Opened } from '../../shared/files/opened.ts';
import type { RoomHandlers } from '../handlers.ts';
import { createBroadcast } from '../jobs/broadcast.ts';

/** What was opened from outside, on its way to a window. */
export interface OpenedThings {
  /** Has a window show it; one whose page is not there yet gets it when it is. */
  hand(thing: Opened, window: number): void;
  /** Forgets what was for a window that is gone. */
  forget(window: number): void;
  readonly listen: RoomHandlers<typeof events>['opened'];
}

/** Hands each thing to one window: the one that the person looks at. Windows of other hosts never get any. */
export function createOpenedThings(): OpenedThings {
  const waiting = new Map<number, Opened[]>();
  const news = createBroadcast<number>(String);

  async function* toWindow(window: number, signal: AbortSignal | undefined): AsyncGenerator<Opened> {
    for await (const _news of news.listen(signal, async () => [window])) {
      const things = waiting.get(window) ?? [];
      for (let thing = things.shift(); thing; thing = things.shift()) yield thing;
    }
  }
  return {
    hand(thing, window) {
      waiting.set(window, [...(waiting.get(window) ?? []), thing]);
      news.send(window);
    },
    forget: (window) => void waiting.delete(window),
    // A host that can't tell its windows apart opens nothing from outside.
    listen: async (_input, { signal, window = -1 }) => toWindow(window, signal),
  };
}
