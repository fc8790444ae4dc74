import type { events, Opened } from '../../../shared/contract/events.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import { createBroadcast } from '../../core/broadcast.ts';

/** Delivers items opened from outside to a window. */
export type OpenedItems = ReturnType<typeof createOpenedItems>;

/** Stands for any window, in hosts that can't distinguish theirs. */
export const anyWindow = -1;

/** Each item is delivered to one window, the focused one. */
export function createOpenedItems() {
  const pending = new Map<number, Opened[]>();
  const news = createBroadcast<number>(String);

  async function* toWindow(window: number, signal: AbortSignal | undefined): AsyncGenerator<Opened> {
    for await (const _news of news.listen(signal, async () => [window])) {
      const items = pending.get(window) ?? [];
      for (let item = items.shift(); item; item = items.shift()) yield item;
    }
  }
  const listen: ModuleHandlers<typeof events>['opened'] = async (_input, { signal, window = anyWindow }) =>
    toWindow(window, signal);
  return {
    listen,
    /** Delivers an item to a window, now or once its page is loaded. */
    deliver(item: Opened, window: number): void {
      pending.set(window, [...(pending.get(window) ?? []), item]);
      news.send(window);
    },
    /** Drops the items of a closed window. */
    removeWindow: (window: number): void => void pending.delete(window),
  };
}
