import { type Well, hasAssetId, type ScopedWell } from '../../../shared/wells/wells.ts';
import { listedWells } from './wells-state.ts';
import { ComboBox, type ComboOption } from '../../ui/combo-box.tsx';
import { useSessionState } from '../../contexts.ts';
import { uploadWords } from '../../words/upload.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import { maxOptions } from './filters.tsx';

export interface WellBoxProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly placeholder?: string;
  /** As typed or selected. */
  readonly assetId: string;
  readonly problem?: string | undefined;
  readonly onChoose: (assetId: string) => void;
}

const optionOf = ({ assetId, name }: ScopedWell): ComboOption => ({
  id: String(assetId),
  text: uploadWords.wells.named(name, assetId),
});

/** Selects an asset by its well: selected wells first, then others by name, API number, or asset id. */
export function WellBox({
  label,
  isLabelHidden = true,
  placeholder = uploadWords.columns.wellHint,
  assetId,
  problem,
  onChoose,
}: WellBoxProps) {
  const selection = useSelectedWells();
  const listed = useSessionState('wells', listedWells);
  const well = /^\d{1,15}$/.test(assetId) ? listed.well('assetId', Number(assetId)) : undefined;
  return (
    <ComboBox
      label={label}
      isLabelHidden={isLabelHidden}
      value={assetId}
      text={well ? uploadWords.wells.named(well.name, Number(assetId)) : assetId}
      find={(text) => optionsOf(matchingSelection(text, selection), listed.search(text, maxOptions))}
      emptyText={uploadWords.columns.noWellFits}
      allowsCustom
      onSelect={onChoose}
      placeholder={placeholder}
      problem={problem}
      className="max-field"
    />
  );
}

const matchingSelection = (text: string, chosen: readonly ScopedWell[]): readonly ScopedWell[] =>
  chosen.filter(({ name, assetId }) =>
    `${name} ${assetId}`.toLowerCase().includes(text.trim().toLowerCase()),
  );

function optionsOf(chosen: readonly ScopedWell[], foundWells: readonly Well[]): ComboOption[] {
  const assets = new Map([...chosen, ...foundWells.filter(hasAssetId)].map((well) => [well.assetId, well]));
  return [...assets.values()].slice(0, maxOptions).map(optionOf);
}
