import { useWells } from '../wells/context.ts';
import { searchWells } from '../wells/search.ts';
import { hasAssetId, type ScopedWell } from '../wells/scope.ts';
import { valueOr } from '../../state/loadable.ts';
import { ComboBox, type ComboOption } from '../../ui/combo-box.tsx';
import { words } from '../../words/words.ts';

const shown = 60;
const none: never[] = [];

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
  const wells = useWells((state) => state.list);
  const chosen = useWells((state) => state.chosen);
  const all = valueOr(wells, none);
  const name = all.find((well) => String(well.assetId) === assetId)?.name;
  const find = (typed: string): ComboOption[] => {
    const found = searchWells(all, typed).filter(hasAssetId);
    const first = found.filter((well) => chosen.some(({ assetId: id }) => id === well.assetId));
    const assets = new Map([...first, ...found].map((well) => [well.assetId, well]));
    return [...assets.values()].slice(0, shown).map(optionOf);
  };
  return (
    <ComboBox
      label={label}
      labelHidden
      value={assetId}
      text={assetId}
      find={find}
      custom
      onChoose={onChoose}
      placeholder={words.upload.columns.wellHint}
      note={name}
      problem={problem}
      className="upload-field-value"
    />
  );
}
