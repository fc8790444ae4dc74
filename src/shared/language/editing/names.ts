import { accumulators, windowOperators } from '../catalogue/accumulators.ts';
import type { CatalogueEntry } from '../catalogue/entry.ts';
import { expressionOperators } from '../catalogue/expressions.ts';
import { conditionOperators, queryOperators } from '../catalogue/query-operators.ts';
import { stages } from '../catalogue/stages.ts';
import type { DatasetField } from '../../datasets/fields.ts';
import type { Knowledge } from '../knowledge.ts';
import { nameOf } from '../scope.ts';
import type { Role } from '../tree/roles.ts';
import { rankOf, typeInWords } from './fields.ts';
import type { Spot } from './spot.ts';
import { withStops, type Suggestion } from './suggestion.ts';

/** What a suggestion is made of, before it is known where it is put. */
export type Offer = Omit<Suggestion, 'replace'>;

/** A field and, where it stands alone, what is usually written behind it. */
function fieldName(field: DatasetField, { hasColon }: Spot, behind: string): Offer {
  const name = nameOf(field.path);
  const detail = typeInWords(field);
  return {
    label: field.path,
    kind: 'field',
    ...(detail ? { detail } : {}),
    says: sayOfField(field),
    ...withStops(hasColon ? name : `${name}: ${behind}`),
    goesOn: !hasColon,
  };
}

/** What is known of a field, in a line or two. */
export function sayOfField({ description, example, values }: DatasetField): string {
  const parts = [
    description,
    example === undefined ? undefined : `For example ${example}.`,
    values && values.length > 0 ? `Seen: ${values.slice(0, 8).join(', ')}.` : undefined,
  ];
  return parts.filter(Boolean).join(' ');
}

function entryName({ name, says, body }: CatalogueEntry, kind: Offer['kind'], { hasColon }: Spot): Offer {
  return { label: name, kind, says, ...withStops(hasColon ? name : `${name}: ${body}`), goesOn: !hasColon };
}

const entries = (known: ReadonlyMap<string, CatalogueEntry>, kind: Offer['kind'], spot: Spot): Offer[] =>
  [...known.values()].map((entry) => entryName(entry, kind, spot));

/** The fields in the order of use. */
export function orderedFields(fields: readonly DatasetField[], { type }: Knowledge): DatasetField[] {
  return fields.toSorted((a, b) => rankOf(a.path, type) - rankOf(b.path, type));
}

/** The names that an object may have where one is typed. */
export function offerNames(spot: Spot, fields: readonly DatasetField[], knowledge: Knowledge): Offer[] {
  const { role } = spot;
  const paths = (behind: string) =>
    orderedFields(fields, knowledge).map((field) => fieldName(field, spot, behind));
  const option = (name: string): Offer => ({
    label: name,
    kind: 'operator',
    insert: spot.hasColon ? name : `${name}: `,
    goesOn: !spot.hasColon,
  });
  const offers: Partial<Record<Role['is'], () => Offer[]>> = {
    query: () => [...paths('|'), ...entries(queryOperators, 'operator', spot)],
    condition: () => entries(conditionOperators, 'operator', spot),
    element: () => [
      ...entries(conditionOperators, 'operator', spot),
      ...entries(queryOperators, 'operator', spot),
    ],
    sort: () => paths('-1|'),
    projection: () => [...paths('1|'), ...entries(expressionOperators, 'operator', spot)],
    group: () => [option('_id')],
    accumulation: () => entries(accumulators, 'operator', spot),
    window: () => [
      ...entries(accumulators, 'operator', spot),
      ...entries(windowOperators, 'operator', spot),
      option('window'),
    ],
    expression: () => entries(expressionOperators, 'operator', spot),
    stage: () => entries(stages, 'stage', spot),
  };
  const found = role.is === 'options' ? Object.keys(role.names).map(option) : (offers[role.is]?.() ?? []);
  return found.filter(({ label }) => !spot.beside.has(label));
}
