import * as z from 'zod';
import { call, nothing } from './call.ts';
import { keptSettings, settingsChange } from '../settings/settings.ts';

/** The settings that differ from the defaults. */
export const settingsCalls = {
  /** The changed settings, and a problem with reading them, reported once. */
  get: call.input(nothing).output(keptSettings.extend({ problem: z.string().nullable() })),
  /** Returns the stored settings. */
  change: call.input(settingsChange).output(keptSettings),
  /** The user's names of channels, as a file to share. */
  exportChannelNames: call.input(nothing).output(z.object({ suggestedName: z.string(), text: z.string() })),
  /** Adds the names of a shared file to the stored ones: all, or none. */
  importChannelNames: call
    .input(z.object({ name: z.string().max(300), text: z.string().max(1_000_000) }))
    .output(z.object({ settings: keptSettings, added: z.int() })),
};
