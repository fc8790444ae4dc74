import { columnUnit } from '../../../shared/channels/header.ts';
import type { NumberColumn } from '../../../shared/upload/field-units.ts';
import type { Mapping } from '../../../shared/upload/upload.ts';
import type { Rules } from '../tables/model/rules.ts';
import type { Layout } from '../tables/reading/layout.ts';

/** The columns whose cells become numbers, with their paths and the units that the mapping or else the file says. */
export const numberColumns = (
  { columns }: Rules,
  mapping: Mapping,
  layout: Pick<Layout, 'columns'>,
): NumberColumn[] =>
  columns.flatMap(({ index, column, path, conversion }) => {
    const own = layout.columns[index];
    if (!own || conversion.kind !== 'number') return [];
    const wanted = Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
    return [{ column, to: path.join('.'), unit: wanted?.unit ?? columnUnit(own) }];
  });
