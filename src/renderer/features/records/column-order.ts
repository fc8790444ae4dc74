import type { ColumnHead } from './table.ts';

// What a record is about stands first, what is the same in every record last (specification, section 2.1).
const first = ['timestamp', 'datetime', 'measured_depth', 'log_identifier', 'stage_number', 'asset_id'];
const last = ['company_id', 'version', 'provider', 'collection', '_id'];

type Head = Pick<ColumnHead, 'path' | 'characters'>;

/** How long the id of a record is. */
const recordId = 24;
const envelope = new Set([...first, ...last]);

/** Whether these are groups, not records: the id of a group says what the group is. */
const areGroups = (columns: readonly Head[]): boolean =>
  columns.every(({ path: [name = ''], characters }) =>
    name === '_id' ? characters < recordId : !envelope.has(name),
  );

function rank({ path: [name] }: Head): number {
  if (name === undefined) return 0;
  const early = first.indexOf(name);
  if (early !== -1) return early - first.length;
  return last.indexOf(name) + 1;
}

/** Columns in the order for reading; those of one object stay together, where it is first met. */
export function columnOrder<C extends Head>(columns: readonly C[]): C[] {
  const met = new Map<string, number>();
  for (const { path } of columns) {
    const [name = ''] = path;
    if (!met.has(name)) met.set(name, met.size);
  }
  const place = ({ path: [name = ''] }: C) => met.get(name) ?? 0;
  const groups = areGroups(columns);
  const early = (head: C) => (groups && head.path[0] === '_id' ? -first.length - 1 : rank(head));
  return columns.toSorted((a, b) => early(a) - early(b) || place(a) - place(b) || 0);
}
