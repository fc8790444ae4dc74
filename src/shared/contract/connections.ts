import * as z from 'zod';
import { eventIterator } from '@orpc/contract';
import { call, nothing } from './call.ts';
import {
  connection,
  connectionChange,
  connectionDraft,
  connectionId,
  credential,
} from '../connections/connections.ts';
import { keychainTrouble, errorCodes } from '../errors/errors.ts';

const checkedService = z.object({
  ok: z.boolean(),
  ms: z.number(),
  message: z.string(),
  /** Null without an error. */
  code: z.enum(errorCodes).nullable(),
});

const connectionCheck = z.object({ data: checkedService, platform: checkedService });
export type ConnectionCheck = z.infer<typeof connectionCheck>;

/** Profiles as text, without secrets, to share or to use on another computer. */
export const exportedProfiles = z.object({ suggestedName: z.string(), text: z.string() });

const importedProfiles = z.object({
  added: z.array(connection),
  /** Skipped profiles, with reasons. */
  problems: z.array(z.string()),
});

/** A connection that is saved, one that is about to be, or a saved one as it would be after a change. */
const connectionOrDraft = z.union([
  z.object({ connection: connectionId }),
  z.object({ draft: connectionDraft }),
  z.object({ change: connectionChange }),
]);
export type ConnectionOrDraft = z.infer<typeof connectionOrDraft>;

/** The steps of the diagnostics, in order; the middle four for each host. */
const diagnosisSteps = ['keychain', 'name', 'proxy', 'tcp', 'tls', 'auth', 'data', 'platform'] as const;

const shownCertificate = z.object({
  subject: z.string(),
  issuer: z.string(),
  /** ISO 8601, UTC. */
  from: z.string(),
  until: z.string(),
  /** SHA-256. */
  fingerprint: z.string(),
  /** The root of the chain. */
  authority: z.string(),
});
export type ShownCertificate = z.infer<typeof shownCertificate>;

export const diagnosisStep = z.object({
  kind: z.literal('step'),
  step: z.enum(diagnosisSteps),
  /** The host and port that the step is about; null: none. */
  host: z.string().nullable(),
  state: z.enum(['ok', 'failed', 'skipped']),
  ms: z.number(),
  /** What was found, in one sentence. */
  found: z.string(),
  /** The next step; null without a problem. */
  advice: z.string().nullable(),
  code: z.enum(errorCodes).nullable(),
  certificate: shownCertificate.optional(),
});
export type DiagnosisStep = z.infer<typeof diagnosisStep>;

const diagnosisEnd = z.object({
  kind: z.literal('end'),
  ok: z.boolean(),
  /** All steps as text for the IT department, without keys, tokens, passwords, and users of proxies. */
  report: z.string(),
});

export const diagnosisEvent = z.discriminatedUnion('kind', [diagnosisStep, diagnosisEnd]);
export type DiagnosisEvent = z.infer<typeof diagnosisEvent>;

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
