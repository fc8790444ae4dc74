import * as z from 'zod';
import { keptSettings, settingsChange } from '../settings/settings.ts';
import { call, nothing } from './call.ts';

/** The settings that differ from the defaults. */
export const settingsCalls = {
  /** The changed settings, and a problem with reading them, reported once. */
  get: call.input(nothing).output(keptSettings.extend({ problem: z.string().nullable() })),
  /** Returns the stored settings. */
  change: call.input(settingsChange).output(keptSettings),
};
