import { Database, SlidersHorizontal } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { datasetTypes } from '../../../shared/datasets/datasets.ts';
import { Button } from '../../ui/button.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { activeFilterCount, type YesNo } from '../datasets/filter.ts';
import type { TypeFilter } from '../datasets/search.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

const typeOptions = (['all', ...datasetTypes] as const).map((id): { id: TypeFilter; text: string } => ({
  id,
  text: words.datasets.types[id],
}));
const yesNoOptions = (['any', 'yes', 'no'] as const).map((id): { id: YesNo; text: string } => ({
  id,
  text: words.datasets.yesNo[id],
}));

/** The search, and filters by type, plottable, temporary, and data of the selected wells. */
export function DatasetSearch() {
  const { text, type } = useSessionState('datasets', (state) => state.filter);
  const { filter } = useSession().datasets.actions;
  return (
    <>
      <div className="list-head list-head-two">
        <SearchBox
          label={words.datasets.search}
          placeholder={words.datasets.searchHint}
          value={text}
          onChange={(typed) => filter({ text: typed })}
        />
        <SelectBox
          label={words.datasets.type}
          value={type}
          options={typeOptions}
          onChange={(chosen) => filter({ type: chosen })}
        />
      </div>
      <div className="list-head dataset-toggles">
        <HoldingFilter />
        <MoreFilters />
      </div>
    </>
  );
}

function HoldingFilter() {
  const only = useSessionState('datasets', (state) => state.isHoldingOnly);
  const wells = useSelectedWells().length;
  const { showOnlyHolding } = useSession().datasets.actions;
  return (
    <ToggleButton
      className="datasets-toggle"
      isSelected={only && wells > 0}
      isDisabled={wells === 0}
      onChange={showOnlyHolding}
    >
      <Database size={14} aria-hidden />
      {words.datasets.onlyHolding(wells)}
    </ToggleButton>
  );
}

function MoreFilters() {
  const filter = useSessionState('datasets', (state) => state.filter);
  const { filter: change } = useSession().datasets.actions;
  const activeCount = activeFilterCount(filter);
  return (
    <Popup
      heading={words.datasets.filters}
      trigger={
        <Button variant="quiet" icon={SlidersHorizontal} aria-label={words.datasets.filtersHeld(activeCount)}>
          {activeCount > 0 ? String(activeCount) : undefined}
        </Button>
      }
    >
      {() => (
        <div className="dataset-filters">
          {(['plottable', 'temporary'] as const).map((name) => (
            <div key={name} className="dataset-filter">
              <span className="field-label">{words.datasets[name]}</span>
              <OptionGroup
                label={words.datasets[name]}
                layout="line"
                value={filter[name]}
                options={yesNoOptions}
                onChange={(chosen) => change({ [name]: chosen })}
              />
            </div>
          ))}
        </div>
      )}
    </Popup>
  );
}
