import { expect, it, vi } from 'vitest';
import { followSettings } from '../../../../src/main/hosts/electron/host-settings.ts';
import { createSettings } from '../../../../src/main/settings/settings.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();

it('the menu has the user’s shortcut for the settings, and a disabled confirmation isn’t shown', async () => {
  const room = createSettings(await folders(), () => undefined);
  const ending = new AbortController();
  const changed = vi.fn();
  const log = vi.fn();
  const heard = followSettings(room, changed, log, ending.signal);
  expect([heard.keys(), heard.shouldAsk(), heard.shouldNotify()]).toEqual(['CommandOrControl+,', true, true]);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  const change = {
    set: { askBeforeLeaving: false, notifyWhenDone: false },
    reset: [],
    shortcuts: { settings: ['Mod+Shift+Y'] },
  };
  await room.handlers.change(change, {});
  await vi.waitFor(() => expect(heard.keys()).toBe('CommandOrControl+Shift+Y'));
  expect([heard.shouldAsk(), heard.shouldNotify()]).toEqual([false, false]);
  await room.handlers.change({ set: {}, reset: [], shortcuts: { settings: [] } }, {});
  await vi.waitFor(() => expect(heard.keys()).toBeNull());
  ending.abort();
  expect(log).not.toHaveBeenCalled();
});
