import { connectionDraft, type ConnectionDraft } from '../../../shared/connections.ts';
import type { Issue } from '../../../shared/errors.ts';
import { problemsByField, type Problems } from '../../state/problems.ts';

/** What a person types into the connection form. */
export interface DraftInputs {
  readonly name: string;
  readonly dataUrl: string;
  readonly platformUrl: string;
  readonly apiKey: string;
}
export const draftFields = [
  'name',
  'dataUrl',
  'platformUrl',
  'apiKey',
] as const satisfies (keyof DraftInputs)[];
export type DraftField = (typeof draftFields)[number];

export const emptyDraft: DraftInputs = { name: '', dataUrl: '', platformUrl: '', apiKey: '' };

/** The field of the form that a path of the draft stands in: `draft.credential.apiKey` is `apiKey`. */
export function draftField(path: string): DraftField | undefined {
  return draftFields.find((field) => path === field || path.endsWith(`.${field}`));
}

/** The draft that the inputs make, or what is wrong with them, by field. */
export function draftFrom(
  inputs: DraftInputs,
): { ok: true; draft: ConnectionDraft } | { ok: false; problems: Problems<DraftField> } {
  const parsed = connectionDraft.safeParse({
    name: inputs.name,
    dataUrl: inputs.dataUrl.trim(),
    platformUrl: inputs.platformUrl.trim(),
    credential: { method: 'api_key', apiKey: inputs.apiKey.trim() },
  });
  if (parsed.success) return { ok: true, draft: parsed.data };
  const issues = parsed.error.issues.map(({ message, path }): Issue => ({
    message,
    place: { field: path.join('.') },
  }));
  return { ok: false, problems: problemsByField(issues, draftField).problems };
}
