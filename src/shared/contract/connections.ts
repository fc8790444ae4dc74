import * as z from 'zod';
import { eventIterator } from '@orpc/contract';
import { call, nothing } from './call.ts';
import {
  connection,
  connectionChange,
  connectionCheck,
  connectionDraft,
  connectionId,
  connectionOrDraft,
  credential,
  exportedProfiles,
  importedProfiles,
} from '../connections/connections.ts';
import { diagnosisEvent } from '../connections/diagnosis.ts';
import { keychainTrouble } from '../errors/errors.ts';

/** Connections and their operations. */
export const connectionsCalls = {
  list: call.input(nothing).output(z.array(connection)),
  add: call.input(connectionDraft).output(connection),
  openSample: call.input(nothing).output(connection),
  test: call.input(connectionOrDraft).output(connectionCheck),
  /** `leaveSecret`: remove the connection although its secret can't be removed from the keychain. */
  remove: call
    .input(z.object({ connection: connectionId, leaveSecret: z.boolean().optional() }))
    .output(nothing),
  /** Adds a copy with the same key; a sign-in isn't copied, because its tokens belong to one connection. */
  duplicate: call.input(z.object({ connection: connectionId })).output(connection),
  change: call.input(connectionChange).output(connection),
  /**
   * Replaces the credentials of a connection. The new ones are verified first; if they are refused, the old
   * ones remain.
   */
  authenticate: call.input(z.object({ connection: connectionId, credential })).output(connection),
  /** Runs the diagnostics step by step; the report comes last. */
  diagnose: call.input(connectionOrDraft).output(eventIterator(diagnosisEvent)),
  exportProfiles: call
    .input(z.object({ connections: z.array(connectionId).optional() }).default({}))
    .output(exportedProfiles),
  importProfiles: call.input(z.object({ text: z.string().max(1_000_000) })).output(importedProfiles),
  /** Whether secrets can be stored. Null: the keychain is unlocked. */
  keychain: call.input(nothing).output(z.object({ trouble: keychainTrouble.nullable() })),
};
