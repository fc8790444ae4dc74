import type { Well } from '../../../shared/wells/wells.ts';
import type { ListColumn } from '../../ui/grid/list-grid.tsx';
import { words } from '../../words/words.ts';
import type { DirectoryState } from './directory.ts';
import { factText, type FactField } from './facts.ts';
import { sortFields, type SortField } from './sort.ts';

const widths: Partial<Record<FactField, number>> = {
  apiNumber: 160,
  companyId: 150,
  programId: 190,
  padId: 150,
  rigId: 150,
  timeZone: 160,
  position: 160,
};
const ids: readonly FactField[] = ['assetId', 'platformId'];
export const isSortField = (field: string): field is SortField => sortFields.some((each) => each === field);

/** The columns with texts of wells. */
export function wellColumns(
  fields: readonly FactField[],
  directory: DirectoryState,
  now: number,
): ListColumn<Well>[] {
  const name: ListColumn<Well> = {
    id: 'name',
    header: words.wells.fields.name,
    width: 220,
    align: 'start',
    pinned: true,
    sortable: true,
    text: (well) => well.name,
  };
  const others = fields.map((field): ListColumn<Well> => ({
    id: field,
    header: words.wells.fields[field],
    width: widths[field] ?? 120,
    align: ids.includes(field) ? 'end' : 'start',
    sortable: isSortField(field),
    text: (well) => factText(well, field, directory, now),
  }));
  return [name, ...others];
}
