import { expect, it, vi } from 'vitest';
import { followSettings } from '../../../../src/main/hosts/electron/desktop.ts';
import { createSettings } from '../../../../src/main/features/settings/settings.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();

it('the menu has the user’s shortcut for the settings, and a disabled confirmation isn’t shown', async () => {
  const settings = createSettings(await folders(), () => undefined);
  const ending = new AbortController();
  const changed = vi.fn();
  const log = vi.fn();
  const subscription = followSettings(settings, changed, log, ending.signal);
  expect([subscription.keys(), subscription.shouldAsk(), subscription.shouldNotify()]).toEqual([
    'CommandOrControl+,',
    true,
    false,
  ]);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  const change = {
    set: { askBeforeLeaving: false, notifyWhenDone: true },
    reset: [],
    shortcuts: { settings: ['Mod+Shift+Y'] },
  };
  await settings.handlers.change(change, {});
  await vi.waitFor(() => expect(subscription.keys()).toBe('CommandOrControl+Shift+Y'));
  expect([subscription.shouldAsk(), subscription.shouldNotify()]).toEqual([false, true]);
  await settings.handlers.change({ set: {}, reset: [], shortcuts: { settings: [] } }, {});
  await vi.waitFor(() => expect(subscription.keys()).toBeNull());
  ending.abort();
  expect(log).not.toHaveBeenCalled();
});
