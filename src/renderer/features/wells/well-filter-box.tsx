import { ComboBox } from '../../ui/combo-box.tsx';
import { useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import type { FilterValue } from './entity-filters.ts';
import { listedWells } from './wells-state.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

const maxOptions = 60;
const anyOption = '\u0000any';

export interface WellFilterBoxProps {
  readonly label: string;
  /** Whether the service accepts a list of wells. */
  readonly list: boolean;
  readonly value: FilterValue | null;
  readonly onSet: (value: FilterValue | null) => void;
}

/**
 * Selects a well by name, API number, or asset id; selected wells are listed while the box is empty. These
 * filters take the platform id of a well (specification, section 4.2), not its asset id.
 */
export function WellFilterBox({ label, list, value, onSet }: WellFilterBoxProps) {
  const selected = useSelectedWells();
  const listed = useSessionState('wells', listedWells);
  const optionsFor = (inputText: string) => {
    const wells = [...(inputText === '' ? selected : []), ...listed.search(inputText, maxOptions)];
    const unique = new Map(wells.map((well) => [well.platformId, well]));
    return [...unique.values()].slice(0, maxOptions).map(({ platformId, name, apiNumber }) => ({
      id: String(platformId),
      text: name,
      ...(apiNumber === null ? {} : { note: apiNumber }),
    }));
  };
  return (
    <ComboBox
      label={label}
      value={value === null ? null : value.text}
      text={value?.text ?? ''}
      find={(text) =>
        value === null || text !== ''
          ? optionsFor(text)
          : [{ id: anyOption, text: words.wells.any }, ...optionsFor(text)]
      }
      emptyText={words.wells.noWellFits}
      placeholder={words.wells.any}
      onSelect={(id) => {
        const well =
          selected.find(({ platformId }) => String(platformId) === id) ??
          listed.well('platformId', Number(id));
        if (!well) return onSet(null);
        onSet({ text: well.name, value: list ? [well.platformId] : well.platformId });
      }}
    />
  );
}
