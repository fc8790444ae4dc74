import * as z from 'zod';
import type { calls } from '../../shared/contract/contract.ts';
import type { events } from '../../shared/contract/events.ts';
import {
  nothingKept,
  settingNames,
  withChange,
  type KeptSettings,
  changedSettings,
  chordText,
  rememberedName,
  settingsChange,
} from '../../shared/settings/settings.ts';
import { openSharedFile } from '../files/shared-file.ts';
import type { RoomHandlers } from '../handlers.ts';
import { createBroadcast } from '../jobs/broadcast.ts';

const format = 1;

const any = z.record(z.string(), z.unknown());
const content = z.object({ values: any, shortcuts: any, remembered: any.optional() });

/** What of the file can be read; a setting that is damaged does not take the others with it. */
function keptIn(found: unknown): { value: KeptSettings; partly: boolean } | null {
  const whole = content.safeParse(found).data;
  if (!whole) return null;
  let partly = false;
  let kept = nothingKept;
  for (const name of settingNames) {
    if (whole.values[name] === undefined) continue;
    const one = changedSettings.safeParse({ [name]: whole.values[name] });
    if (one.success) kept = withChange(kept, { set: one.data });
    else partly = true;
  }
  for (const [command, some] of Object.entries(whole.shortcuts)) {
    const keys = z.array(chordText).safeParse(some);
    if (keys.success) kept = withChange(kept, { shortcuts: { [command]: keys.data } });
    else partly = true;
  }
  for (const place of rememberedName.options) {
    const text = whole.remembered?.[place];
    if (text === undefined) continue;
    const one = settingsChange.safeParse({ remember: { [place]: text } });
    if (one.success) kept = withChange(kept, one.data);
    else partly = true;
  }
  return { value: kept, partly };
}

export interface SettingsRoom {
  readonly handlers: RoomHandlers<(typeof calls)['settings']>;
  readonly watch: RoomHandlers<typeof events>['settings'];
  /** What a person has changed. @throws AppError `file_too_new`, `file_unreadable` */
  readonly read: () => Promise<KeptSettings>;
}

/**
 * What a person has set: `<data>/settings.json`. What nobody changed is not kept: it is as the version that runs says.
 * @param warn told of what was damaged, and where it was put
 */
export function createSettings(dataFolder: string, warn: (sentence: string) => void): SettingsRoom {
  const { locked, write, takeProblem } = openSharedFile({
    dataFolder,
    name: 'settings',
    format,
    nothing: nothingKept,
    read: keptIn,
    what: 'settings',
    warn,
  });
  const news = createBroadcast<KeptSettings>(() => 'settings');
  const read = (): Promise<KeptSettings> => locked(async (now) => now);

  return {
    read,
    handlers: {
      get: () => locked(async (now) => ({ ...now, problem: takeProblem() })),
      change: (change) =>
        locked(async (now) => {
          const kept = withChange(now, change);
          await write(kept);
          news.send(kept);
          return kept;
        }),
    },
    // Whoever can't be told at first hears of the next change all the same; why is said by `get`.
    watch: async (_input, { signal }) => news.listen(signal, () => read().then(each, () => [])),
  };
}

const each = <T>(one: T): T[] => [one];
