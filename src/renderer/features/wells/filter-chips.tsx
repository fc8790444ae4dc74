import { Chips } from '../../ui/chips.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import type { DirectoryState } from './directory.ts';
import { isRelated, memberName } from './facts.ts';
import { noFilter, omitFields, type FilterField, type WellFilter } from './filter.ts';

/** The active filters as chips that can be removed. */
export function FilterChips() {
  const filter = useSessionState('wells', (state) => state.filter);
  const directory = useSessionState('directory', (state) => state);
  const actions = useSession().wells.actions;
  const fields = activeFields(filter);
  if (fields.length === 0) return null;
  return (
    <div className="filter-chips">
      <Chips
        label={words.wells.filters}
        isLabelHidden
        overflow="wrap"
        chips={fields.map((field) => ({ id: field, text: filterText(filter, field, directory) }))}
        onRemove={(ids) =>
          actions.filter(
            omitFields(
              filter,
              fields.filter((field) => ids.has(field)),
            ),
          )
        }
      />
    </div>
  );
}

const isField = (name: string): name is FilterField =>
  Object.hasOwn(words.wells.filterNames, name) || Object.hasOwn(words.wells.fields, name);

/** The fields that are set. */
export const activeFields = (filter: WellFilter): FilterField[] =>
  Object.keys({ ...noFilter, ...filter }).filter(isField);

function filterText(filter: WellFilter, field: FilterField, directory: DirectoryState): string {
  const w = words.wells;
  if (field === 'box') return filter.box ? `${w.filterNames.box}: ${w.box.said(filter.box)}` : '';
  const value = filter[field] ?? '';
  if (field === 'activeFrom' || field === 'activeTo' || field === 'startedFrom' || field === 'startedTo')
    return `${w.filterNames[field]} ${value}`;
  const label = isRelated(field) ? memberName(directory, field, Number(value)) : String(value);
  return `${w.fields[field]}: ${label}`;
}
