import { useEffect, useState } from 'react';
import { useWells, useWellsActions } from '../wells/context.ts';
import { hasAssetId, type ScopedWell } from '../wells/scope.ts';
import { useWellsBy } from '../wells/use-wells-by.ts';
import { ComboBox, type ComboOption } from '../../ui/combo-box.tsx';
import { words } from '../../words/words.ts';

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
  const options = useOptions(typed);
  const [well] = useWellsBy('assetId', /^\d{1,15}$/.test(assetId) ? [Number(assetId)] : []) ?? [];
  return (
    <ComboBox
      label={label}
      labelHidden
      value={assetId}
      text={assetId}
      find={() => options ?? none}
      onLook={setTyped}
      nothing={options ? words.upload.columns.noWellFits : words.upload.columns.looking}
      custom
      onChoose={onChoose}
      placeholder={words.upload.columns.wellHint}
      note={well?.name}
      problem={problem}
      className="upload-field-value"
    />
  );
}

const none: readonly ComboOption[] = [];

/** The wells for what is typed, or was a moment ago; null while nothing is known. */
function useOptions(typed: string | null): readonly ComboOption[] | null {
  const chosen = useWells((state) => state.chosen);
  const list = useWells((state) => state.list);
  const { searchAll } = useWellsActions();
  const [options, setOptions] = useState<readonly ComboOption[] | null>(null);
  useEffect(() => {
    let gone = false;
    const tell = (now: readonly ComboOption[] | null) => gone || setOptions(now);
    const offer = async () => {
      const fits = (text: string) => chosen.filter(({ name, assetId }) => `${name} ${assetId}`.includes(text));
      const found = (await searchAll(typed ?? '', shown)).filter(hasAssetId);
      const first = typed === '' ? chosen : fits(typed ?? '');
      const assets = new Map([...first, ...found].map((well) => [well.assetId, well]));
      return [...assets.values()].slice(0, shown).map(optionOf);
    };
    if (typed === null) tell(null);
    else void offer().then(tell, () => tell(none));
    return () => {
      gone = true;
    };
  }, [typed, chosen, list, searchAll]);
  return options;
}
