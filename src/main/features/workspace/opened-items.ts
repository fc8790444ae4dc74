import type { events, Opened } from '../../../shared/contract/events.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import { createBroadcast } from '../../core/broadcast.ts';

/** Delivers items opened from outside to a window. */
export interface OpenedItems {
  /** Delivers an item to a window, now or once its page is loaded. */
  deliver(item: Opened, window: number): void;
  /** Drops the items of a closed window. */
  removeWindow(window: number): void;
  readonly listen: ModuleHandlers<typeof events>['opened'];
}

/** Stands for any window, in hosts that can't distinguish theirs. */
export const anyWindow = -1;

/** Each item is delivered to one window, the focused one. */
export function createOpenedItems(): OpenedItems {
  const pending = new Map<number, Opened[]>();
  const news = createBroadcast<number>(String);

  async function* toWindow(window: number, signal: AbortSignal | undefined): AsyncGenerator<Opened> {
    for await (const _news of news.listen(signal, async () => [window])) {
      const items = pending.get(window) ?? [];
      for (let item = items.shift(); item; item = items.shift()) yield item;
    }
  }
  return {
    deliver(item, window) {
      pending.set(window, [...(pending.get(window) ?? []), item]);
      news.send(window);
    },
    removeWindow: (window) => void pending.delete(window),
    listen: async (_input, { signal, window = anyWindow }) => toWindow(window, signal),
  };
}
