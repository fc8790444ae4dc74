import { datasetAddress } from '../datasets/datasets.ts';
import { call, nothing } from './call.ts';
import { changedView, gridView, keptTab, keptTabs, maxClosed } from '../tabs/tabs.ts';
import * as z from 'zod';
import { fileMode, plainId } from '../files/files.ts';
import { connectionId } from '../connections/connections.ts';
import { keptSettings, settingsChange } from '../settings/settings.ts';

export const about = z.object({
  version: z.string(),
  host: z.enum(['electron', 'browser', 'command-line']),
  files: fileMode,
  /** Whether the application, with its jobs, ends when its last window is closed. */
  endsWithWindow: z.boolean(),
});

/** A notification of the system, of a window that may be behind others. */
const systemNotice = z.object({ title: z.string().max(200), body: z.string().max(2000) });
export type SystemNotice = z.infer<typeof systemNotice>;

const diagnostics = z.object({ text: z.string() });

export const workspaceCalls = {
  about: call.input(nothing).output(about),
  /** Diagnostics for support: versions, system, settings, the end of the log; without secrets and paths. */
  diagnostics: call.input(nothing).output(diagnostics),
  /** Shows a notification where the host, and not the browser, has them. */
  notify: call.input(systemNotice).output(nothing),
  view: call.input(datasetAddress).output(gridView),
  changeView: call.input(changedView).output(nothing),
};

/** `set`: the window's last tabs, which it gets again unless another window has them. */
export const tabsQuery = z.object({ connection: connectionId, set: plainId.nullable() });

export const heldTabs = z.object({
  set: plainId,
  kept: keptTabs,
  /** What of them could not be read, and where it was put, in a sentence. */
  problem: z.string().nullable(),
});
export type HeldTabs = z.infer<typeof heldTabs>;

/** What has changed of the tabs of a window: the order of all, and those that are new or other. */
const tabsChange = z.object({
  connection: connectionId,
  set: plainId,
  open: z.array(plainId).max(2000),
  closed: z.array(plainId).max(maxClosed),
  active: plainId.nullable(),
  neighbor: keptTabs.shape.neighbor,
  preview: keptTabs.shape.preview,
  changed: z.array(keptTab).max(2000),
});
export type TabsChange = z.infer<typeof tabsChange>;

export const tabsCalls = {
  /** Saves the changed tabs of this window (`events.tabs`); resolves when they are on disk. */
  keep: call.input(tabsChange).output(nothing),
};

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
