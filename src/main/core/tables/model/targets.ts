import { isRejectColumn } from '../../../../shared/upload/rejects-header.ts';
import type { TargetKind } from '../../../../shared/upload/preview.ts';

/** The envelope of a record (specification, section 2.1), in the order of writing. */
const envelope: Readonly<Record<string, TargetKind>> = {
  asset_id: 'asset',
  company_id: 'integer',
  version: 'integer',
  timestamp: 'timestamp',
  measured_depth: 'number',
  log_identifier: 'identifier',
  stage_number: 'integer',
  datetime: 'datetime',
};

/** Fields that the service sets: dropped, so that an exported file can be uploaded again. */
const serversOwn: ReadonlySet<string> = new Set(['_id', 'provider', 'collection']);

/** The key in a rejects file of JSON lines for a line that isn't an object. */
export const rejectedText = 'rejected_text';

/** Whether a column of an export or a rejects file is never uploaded. */
export const isDropped = (name: string): boolean =>
  serversOwn.has(name) || name === rejectedText || isRejectColumn(name);

/** The path of the well in a record. */
export const assetPaths: readonly string[] = ['asset_id', 'metadata.asset_id'];

/** The names of all envelope fields, in order. */
export const envelopeFields: readonly string[] = Object.keys(envelope);

/** A path in a record, and the type of its values. */
export interface Target {
  readonly path: readonly string[];
  readonly kind: TargetKind;
}

const badSegment = (segment: string): boolean =>
  segment.trim() === '' || segment.startsWith('$') || segment.includes('\0');

/** The path for a target; a string explains why it is invalid. */
export function parseTarget(to: string): Target | string {
  const kind = Object.hasOwn(envelope, to) ? envelope[to] : undefined;
  if (kind) return { path: [to], kind };
  if (serversOwn.has(to)) return `${to} is set by the service and can't be uploaded`;
  const path = to.split('.');
  const [root] = path;
  if ((root !== 'data' && root !== 'metadata') || path.length < 2)
    return `“${to}” isn't a record field; use ${envelopeFields.join(', ')}, metadata.<name> or data.<name>`;
  if (path.some(badSegment)) return `“${to}” isn't a valid path: a part is empty or begins with $`;
  if (to === 'metadata.asset_id') return { path, kind: 'asset' };
  if (to === 'metadata.company_id') return { path, kind: 'integer' };
  return { path, kind: 'auto' };
}

/** Whether a column with this name is mapped to the path of the same name by default. */
export const mapsToItself = (name: string): boolean =>
  Object.hasOwn(envelope, name) ||
  ((name.startsWith('data.') || name.startsWith('metadata.')) && typeof parseTarget(name) !== 'string');

/**
 * The path under `data` for names of a file. Dots in a name, which stand for nested fields in queries, and a leading $,
 * which is that of operators, become underscores.
 */
export function restPath(names: readonly string[]): string[] {
  const path = names.map((name) => name.replaceAll('.', '_').replace(/^\$/, '_').replaceAll('\0', ''));
  const [root = '', ...inner] = path;
  return inner.length > 0 && (root === 'data' || root === 'metadata') ? path : ['data', ...path];
}
