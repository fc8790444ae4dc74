import { ComboBox } from '../../ui/combo-box.tsx';
import { useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import type { SetFilter } from './entity-filters.ts';
import { listedWells } from './wells-state.ts';

const shown = 60;
const any = '\u0000any';

export interface WellFilterBoxProps {
  readonly label: string;
  /** Whether the service takes a list of wells. */
  readonly list: boolean;
  readonly value: SetFilter | null;
  readonly onSet: (value: SetFilter | null) => void;
}

/**
 * One of all wells by its name, API number or asset id; the chosen ones while nothing is typed. These filters ask for
 * the platform's id of a well (specification, section 4.2), not for its asset id.
 */
export function WellFilterBox({ label, list, value, onSet }: WellFilterBoxProps) {
  const chosen = useSessionState('wells', (state) => state.chosen);
  const listed = useSessionState('wells', listedWells);
  const optionsFor = (typed: string) => {
    const wells = [...(typed === '' ? chosen : []), ...listed.search(typed, shown)];
    const once = new Map(wells.map((well) => [well.platformId, well]));
    return [...once.values()].slice(0, shown).map(({ platformId, name, apiNumber }) => ({
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
          : [{ id: any, text: words.wells.any }, ...optionsFor(text)]
      }
      nothing={words.wells.noWellFits}
      placeholder={words.wells.any}
      onChoose={(id) => {
        const well =
          chosen.find(({ platformId }) => String(platformId) === id) ?? listed.well('platformId', Number(id));
        if (!well) return onSet(null);
        onSet({ text: well.name, value: list ? [well.platformId] : well.platformId });
      }}
    />
  );
}
