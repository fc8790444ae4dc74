import type { ColumnHead } from './table.ts';

// What a record is about stands first, what is the same in every record last (specification, section 2.1).
const first = ['timestamp', 'datetime', 'measured_depth', 'log_identifier', 'stage_number', 'asset_id'];
const last = ['company_id', 'version', 'provider', 'collection', '_id'];

function rank({ path: [name] }: Pick<ColumnHead, 'path'>): number {
  if (name === undefined) return 0;
  const early = first.indexOf(name);
  if (early !== -1) return early - first.length;
  return last.indexOf(name) + 1;
}

/** Columns in the order for reading; those of one object stay together, where it is first met. */
export function columnOrder<C extends Pick<ColumnHead, 'path'>>(columns: readonly C[]): C[] {
  const met = new Map<string, number>();
  for (const { path } of columns) {
    const [name = ''] = path;
    if (!met.has(name)) met.set(name, met.size);
  }
  const place = ({ path: [name = ''] }: C) => met.get(name) ?? 0;
  return columns.toSorted((a, b) => rank(a) - rank(b) || place(a) - place(b) || 0);
}
