import { useState } from 'react';
import type { Well } from '../../../../shared/wells/wells.ts';
import { hasAssetId, type ScopedWell } from '../../wells/scope.ts';
import { useLookedUp, useWellsBy } from '../../wells/use-looked-up.ts';
import { ComboBox, type ComboOption } from '../../../ui/combo-box.tsx';
import { useSession, useSessionState } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';

const shown = 60;

export interface WellBoxProps {
  readonly label: string;
  /** As typed or chosen. */
  readonly assetId: string;
  readonly problem?: string | undefined;
  readonly onChoose: (assetId: string) => void;
}

const optionOf = ({ assetId, name }: ScopedWell): ComboOption => ({
  id: String(assetId),
  text: String(assetId),
  note: name,
});

/** Chooses an asset by its well: the chosen wells first, the others by name, API number or asset id. */
export function WellBox({ label, assetId, problem, onChoose }: WellBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = useSessionState('wells', (state) => state.chosen);
  const { searchAll } = useSession().wells.actions;
  const { value: found, hasFailed } = useLookedUp(typed, () => searchAll(typed ?? '', shown));
  const [well] = useWellsBy('assetId', /^\d{1,15}$/.test(assetId) ? [Number(assetId)] : []) ?? [];
  return (
    <ComboBox
      label={label}
      labelHidden
      value={assetId}
      text={assetId}
      find={(text) => optionsOf(chosenFor(text, chosen), found ?? [])}
      onLook={setTyped}
      nothing={
        hasFailed
          ? words.wells.searchFailed
          : found
            ? words.upload.columns.noWellFits
            : words.upload.columns.looking
      }
      custom
      onChoose={onChoose}
      placeholder={words.upload.columns.wellHint}
      note={well?.name}
      problem={problem}
      className="upload-field-value"
    />
  );
}

/** The chosen wells that a text fits. */
const chosenFor = (text: string, chosen: readonly ScopedWell[]): readonly ScopedWell[] =>
  chosen.filter(({ name, assetId }) =>
    `${name} ${assetId}`.toLowerCase().includes(text.trim().toLowerCase()),
  );

function optionsOf(chosen: readonly ScopedWell[], found: readonly Well[]): ComboOption[] {
  const assets = new Map([...chosen, ...found.filter(hasAssetId)].map((well) => [well.assetId, well]));
  return [...assets.values()].slice(0, shown).map(optionOf);
}
