import * as z from 'zod';
import { keptSettings, settingsChange } from '../settings/settings.ts';
import { call, nothing } from './call.ts';

/** What a person has set otherwise than it comes. */
export const settingsCalls = {
  /** What a person has changed, with what is to be said once: that something of it could not be read. */
  get: call.input(nothing).output(keptSettings.extend({ problem: z.string().nullable() })),
  /** Gives what is kept now. */
  change: call.input(settingsChange).output(keptSettings),
};
