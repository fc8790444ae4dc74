import { accumulators, windowOperators } from '../catalogue/accumulators.ts';
import type { CatalogueEntry } from '../catalogue/entry.ts';
import { expressionOperators } from '../catalogue/expressions.ts';
import { conditionOperators, queryOperators } from '../catalogue/query-operators.ts';
import { stages } from '../catalogue/stages.ts';
import type { DatasetField } from '../../datasets/fields.ts';
import type { Knowledge } from '../knowledge.ts';
import { nameOf } from '../scope.ts';
import type { Role } from '../tree/roles.ts';
import { rankOf, describeType } from './fields.ts';
import type { CaretContext } from './spot.ts';
import { withStops, type Suggestion } from './suggestion.ts';

/** The operators that the names of an object can be, by its role. */
export const operatorsOf: Partial<Record<Role['is'], readonly ReadonlyMap<string, CatalogueEntry>[]>> = {
  query: [queryOperators],
  condition: [conditionOperators],
  element: [conditionOperators, queryOperators],
  projection: [expressionOperators],
  accumulation: [accumulators],
  window: [accumulators, windowOperators],
  expression: [expressionOperators],
  stage: [stages],
};

/** A suggestion before it is placed. */
export type Offer = Omit<Suggestion, 'replace'>;

/** A field and, where it is alone, its usual suffix. */
function fieldName(field: DatasetField, { hasColon }: CaretContext, suffix: string): Offer {
  const name = nameOf(field.path);
  const detail = describeType(field);
  return {
    label: field.path,
    kind: 'field',
    ...(detail ? { detail } : {}),
    says: describeField(field),
    ...withStops(hasColon ? name : `${name}: ${suffix}`),
    continues: !hasColon,
  };
}

/** The description of a field, in one or two lines. */
export function describeField({ description, example, values }: DatasetField): string {
  const parts = [
    description,
    example === undefined ? undefined : `For example ${example}.`,
    values && values.length > 0 ? `Seen: ${values.slice(0, 8).join(', ')}.` : undefined,
  ];
  return parts.filter(Boolean).join(' ');
}

function entryName(
  { name, says, body }: CatalogueEntry,
  kind: Offer['kind'],
  { hasColon }: CaretContext,
): Offer {
  return {
    label: name,
    kind,
    says,
    ...withStops(hasColon ? name : `${name}: ${body}`),
    continues: !hasColon,
  };
}

const entries = (
  catalogue: ReadonlyMap<string, CatalogueEntry>,
  kind: Offer['kind'],
  spot: CaretContext,
): Offer[] => [...catalogue.values()].map((entry) => entryName(entry, kind, spot));

/** The fields in the order of use. */
export function orderedFields(fields: readonly DatasetField[], { type }: Knowledge): DatasetField[] {
  return fields.toSorted((a, b) => rankOf(a.path, type) - rankOf(b.path, type));
}

/** The names that an object may have where one is typed. */
export function offerNames(
  spot: CaretContext,
  fields: readonly DatasetField[],
  knowledge: Knowledge,
): Offer[] {
  const { role } = spot;
  const paths = (suffix: string) =>
    orderedFields(fields, knowledge).map((field) => fieldName(field, spot, suffix));
  const option = (name: string): Offer => ({
    label: name,
    kind: 'operator',
    insert: spot.hasColon ? name : `${name}: `,
    continues: !spot.hasColon,
  });
  const namesOf: Partial<Record<Role['is'], () => Offer[]>> = {
    query: () => paths('|'),
    sort: () => paths('-1|'),
    projection: () => paths('1|'),
    group: () => [option('_id')],
    window: () => [option('window')],
  };
  const names = role.is === 'options' ? Object.keys(role.names).map(option) : (namesOf[role.is]?.() ?? []);
  const operators = (operatorsOf[role.is] ?? []).flatMap((catalogue) =>
    entries(catalogue, role.is === 'stage' ? 'stage' : 'operator', spot),
  );
  return [...names, ...operators].filter(({ label }) => !spot.beside.has(label));
}
