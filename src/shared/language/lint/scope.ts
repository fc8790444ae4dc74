import type { DatasetType } from '../../datasets/datasets.ts';
import { datasetShapes } from '../../datasets/shapes.ts';
import { isAssetField, nameOf } from '../scope.ts';
import { scalarOf } from '../tree/scalars.ts';
import type { Span } from '../reader.ts';
import type { ListNode, TreeNode } from '../tree/tree.ts';
import { names } from './conditions.ts';
import { replaceBy, type Case, type QuickFix, type Rule } from './notes.ts';

const topFields = ['asset_id', 'company_id'];
const metadataFields = ['metadata.asset_id', 'metadata.company_id'];

/** Where a condition can be put in: a query, or a list of stages without one. */
interface Place {
  readonly list?: ListNode;
  readonly first: TreeNode | null;
}

/** Whether the queries name a well or company, or the records are of a type that needs neither. */
export function isScoped(queries: readonly TreeNode[], type: DatasetType | null): boolean {
  if (type === 'reference') return true;
  const hasMetadata = type === 'timeseries' || type === null;
  const fields = new Set(hasMetadata ? [...metadataFields, ...topFields] : topFields);
  return queries.some((query) => names(query, fields));
}

/**
 * Warns of reads without a well or company: services of this kind refuse them, or return everything the key
 * can read. Reference data need neither.
 * @param queries the queries that all apply to the records
 */
export function scope(queries: readonly TreeNode[], place: Place, of: Case): void {
  const { list, first } = place;
  const { type } = of.knowledge;
  if (isScoped(queries, type)) return;
  const path = type === null ? 'asset_id' : datasetShapes[type].scopeField;
  const other = type === 'timeseries' ? 'metadata.company_id' : 'company_id';
  const span: Span = first ?? list ?? { start: 0, end: of.text.length };
  of.note(span.end - span.start > 2 ? { start: span.start, end: span.start + 1 } : span, {
    severity: 'warning',
    code: 'no_scope',
    message: `Neither ${path} nor ${other} limits this query, so it may be slow or refused. Add ${path} with the wells.`,
    fix: scopeFix(`${nameOf(path)}: {{wells}}`, place),
  });
}

function scopeFix(condition: string, { list, first }: Place): QuickFix | undefined {
  const title = 'Use the selected wells';
  if (first?.kind === 'object') {
    const at = first.start + 1;
    const text = first.members.length > 0 ? ` ${condition},` : ` ${condition} `;
    return { title, edits: [{ start: at, end: at, text }] };
  }
  if (first) return undefined;
  if (!list) return { title, edits: [{ start: 0, end: 0, text: `{ ${condition} }` }] };
  const at = list.start + 1;
  const text = `{ $match: { ${condition} } }${list.items.length > 0 ? ', ' : ''}`;
  return { title, edits: [{ start: at, end: at, text }] };
}

/**
 * Warns of platform ids of wells used as asset ids (specification, section 1.4), and of text as an asset id.
 */
export const assetIds: Rule = (node, role, of) => {
  if ((role.is !== 'condition' && role.is !== 'value') || !isAssetField(role.field)) return;
  const value = scalarOf(of.text, node);
  if (value?.kind === 'number') platformId(node, Number(value.value), of);
  if (value?.kind === 'text') textId(node, value.value, role.field, of);
};

function platformId(node: TreeNode, id: number, of: Case): void {
  const { wells } = of.knowledge;
  if (wells.some(({ assetId }) => assetId !== null && Number(assetId) === id)) return;
  const well = wells.find(({ platformId }) => Number(platformId) === id);
  if (!well) return;
  const advice =
    well.assetId === null
      ? 'Its asset ID is unknown, so its records can’t be queried.'
      : `Use its asset ID, ${well.assetId}.`;
  of.note(node, {
    severity: 'warning',
    code: 'platform_well_id',
    message: `${id} is the platform ID of the well ${well.name}, not its asset ID, so no record matches. ${advice}`,
    fix: well.assetId === null ? undefined : replaceBy(node, String(well.assetId)),
  });
}

function textId(node: TreeNode, text: string, field: string, of: Case): void {
  const trimmed = text.trim();
  const well = of.knowledge.wells.find(({ name }) => name.toLowerCase() === trimmed.toLowerCase());
  const id = /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : (well?.assetId ?? undefined);
  of.note(node, {
    severity: 'warning',
    code: 'asset_text',
    message: `${field} is a number, so text never matches. ${id === undefined ? 'Use the asset ID of the well.' : `Write ${id} without quotes.`}`,
    fix: id === undefined ? undefined : replaceBy(node, String(id)),
  });
}
