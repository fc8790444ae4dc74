import * as z from 'zod';
import { errorCodes } from '../errors/errors.ts';

/** The steps of the diagnostics, in order; the middle four for each host. */
export const diagnosisSteps = [
  'keychain',
  'name',
  'proxy',
  'tcp',
  'tls',
  'auth',
  'data',
  'platform',
] as const;

export const shownCertificate = z.object({
  subject: z.string(),
  /** Who signed it. */
  issuer: z.string(),
  /** ISO 8601, UTC. */
  from: z.string(),
  until: z.string(),
  /** SHA-256. */
  fingerprint: z.string(),
  /** The root of the chain. */
  authority: z.string(),
});

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

/** The last event. */
export const diagnosisEnd = z.object({
  kind: z.literal('end'),
  ok: z.boolean(),
  /** All steps as text for the IT department, without keys, tokens, passwords, and users of proxies. */
  report: z.string(),
});

export const diagnosisEvent = z.discriminatedUnion('kind', [diagnosisStep, diagnosisEnd]);
export type DiagnosisEvent = z.infer<typeof diagnosisEvent>;
