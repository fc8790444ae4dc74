import { useState } from 'react';
import type { Well } from '../../../shared/wells/wells.ts';
import { ComboBox } from '../../ui/combo-box.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import type { SetFilter } from './entity-filters.ts';
import { useLookedUp } from './use-looked-up.ts';

const shown = 60;
const any = '\u0000any';
const none: readonly Well[] = [];

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
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = useSessionState('wells', (state) => state.chosen);
  const { searchAll } = useSession().wells.actions;
  const found = useLookedUp(typed, () => searchAll(typed ?? '', shown));
  const listed = found.value ?? none;
  const wells =
    typed === ''
      ? [...new Map([...chosen, ...listed].map((well) => [well.platformId, well])).values()]
      : listed;
  const options = wells.slice(0, shown).map(({ platformId, name, apiNumber }) => ({
    id: String(platformId),
    text: name,
    ...(apiNumber === null ? {} : { note: apiNumber }),
  }));
  return (
    <ComboBox
      label={label}
      value={value === null ? null : value.text}
      text={value?.text ?? ''}
      find={(text) =>
        value === null || text !== '' ? options : [{ id: any, text: words.wells.any }, ...options]
      }
      onLook={setTyped}
      nothing={
        found.hasFailed
          ? words.wells.searchFailed
          : found.value === null
            ? words.wells.looking
            : words.wells.noWellFits
      }
      placeholder={words.wells.any}
      onChoose={(id) => {
        const well = wells.find(({ platformId }) => String(platformId) === id);
        if (!well) return onSet(null);
        onSet({ text: well.name, value: list ? [well.platformId] : well.platformId });
      }}
    />
  );
}
