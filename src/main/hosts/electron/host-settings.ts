import { settingsOf, type KeptSettings } from '../../../shared/settings/settings.ts';
import { acceleratorOf, parseChord } from '../../../shared/settings/shortcuts.ts';
import type { SettingsService } from '../../features/settings/settings.ts';

const usualKeys = 'CommandOrControl+,';

/** The shortcuts in the menu: the first assigned one, or the default. */
function menuKeys({ shortcuts }: KeptSettings): string | null {
  const assigned = shortcuts['settings'];
  if (!assigned) return usualKeys;
  const chord = parseChord(assigned[0] ?? '');
  return chord && acceleratorOf(chord);
}

/** The settings that this host uses. */
export type HostSettings = ReturnType<typeof followSettings>;

/**
 * Follows the settings until the signal aborts; defaults apply until then.
 * @param changed called when a value changes
 */
export function followSettings(
  settings: Pick<SettingsService, 'watch'>,
  changed: () => void,
  log: (sentence: string) => void,
  signal: AbortSignal,
) {
  let keys: string | null = usualKeys;
  let shouldAsk = true;
  let shouldNotify = false;
  async function follow(): Promise<void> {
    for await (const current of await settings.watch({}, { signal })) {
      keys = menuKeys(current);
      ({ askBeforeLeaving: shouldAsk, notifyWhenDone: shouldNotify } = settingsOf(current));
      changed();
    }
  }
  follow().catch((error: unknown) => {
    if (!signal.aborted) log(`The menu no longer follows the settings: ${String(error)}`);
  });
  return {
    /** The keys of the settings as menus write them; null: none. */
    keys: () => keys,
    /** Whether to confirm before jobs are stopped. */
    shouldAsk: () => shouldAsk,
    /** Whether to notify of jobs that end. */
    shouldNotify: () => shouldNotify,
  };
}
