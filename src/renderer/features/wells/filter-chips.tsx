import { Chips } from '../../ui/chips.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import type { DirectoryState } from './directory.ts';
import { isRelated, nameIn } from './facts.ts';
import { noFilter, without, type FilterField, type WellFilter } from './filter.ts';

/** What the listed wells must be, each of which can be taken back. */
export function FilterChips() {
  const filter = useSessionState('wells', (state) => state.filter);
  const directory = useSessionState('directory', (state) => state);
  const actions = useSession().wells.actions;
  const fields = fieldsOf(filter);
  if (fields.length === 0) return null;
  return (
    <div className="filter-chips">
      <Chips
        label={words.wells.filters}
        labelHidden
        chips={fields.map((field) => ({ id: field, text: sayFilter(filter, field, directory) }))}
        onRemove={(ids) =>
          actions.filter(
            without(
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
export const fieldsOf = (filter: WellFilter): FilterField[] =>
  Object.keys({ ...noFilter, ...filter }).filter(isField);

function sayFilter(filter: WellFilter, field: FilterField, directory: DirectoryState): string {
  const w = words.wells;
  if (field === 'box') return filter.box ? `${w.filterNames.box}: ${w.box.said(filter.box)}` : '';
  const value = filter[field] ?? '';
  if (field === 'activeFrom' || field === 'activeTo' || field === 'startedFrom' || field === 'startedTo')
    return `${w.filterNames[field]} ${value}`;
  const said = isRelated(field) ? nameIn(directory, field, Number(value)) : String(value);
  return `${w.fields[field]}: ${said}`;
}
