import { settingsOf, type KeptSettings } from '../../../shared/settings/settings.ts';
import { acceleratorOf, parseChord } from '../../../shared/settings/shortcuts.ts';
import type { SettingsRoom } from '../../settings/settings.ts';

/** What this host goes by of what the person has set. */
export interface HeardSettings {
  /** The keys of the settings as menus write them; null: none. */
  readonly keys: () => string | null;
  /** Whether to ask before jobs are stopped. */
  readonly asks: () => boolean;
}

const usualKeys = 'CommandOrControl+,';

/** The keys that a menu shows for the settings: the first that the person gave them, or the usual ones. */
function menuKeys({ shortcuts }: KeptSettings): string | null {
  const given = shortcuts['settings'];
  if (!given) return usualKeys;
  const chord = parseChord(given[0] ?? '');
  return chord && acceleratorOf(chord);
}

/**
 * Hears what the person sets, until the signal aborts; until then it is as usual.
 * @param changed told when it is something else
 */
export function hearSettings(
  room: Pick<SettingsRoom, 'watch'>,
  changed: () => void,
  log: (sentence: string) => void,
  signal: AbortSignal,
): HeardSettings {
  let keys: string | null = usualKeys;
  let asks = true;
  async function hear(): Promise<void> {
    for await (const kept of await room.watch({}, { signal })) {
      keys = menuKeys(kept);
      asks = settingsOf(kept).askBeforeLeaving;
      changed();
    }
  }
  hear().catch((error: unknown) => {
    if (!signal.aborted) log(`The menu no longer follows the settings: ${String(error)}`);
  });
  return { keys: () => keys, asks: () => asks };
}
