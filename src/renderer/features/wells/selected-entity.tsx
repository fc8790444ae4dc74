import { useStore } from 'zustand';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import { Button } from '../../ui/button.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import type { Browse } from './browse.ts';
import { assetIdOf, assetTypeOf, entityName, fieldOf, parentOf } from './entity.ts';
import type { EntityKind } from './entity-filters.ts';
import { hasAssetId } from './scope.ts';
import { listedWells } from './wells-state.ts';

/** Where the selected entity leads: to its wells; an asset to its parent, its children and the scope. */
export function SelectedEntity({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const selected = useStore(browse.store, ({ selected: id, coming }) =>
    id === null ? null : (coming.items.find((item) => item.id === id) ?? null),
  );
  const w = words.wells.browse;
  if (!selected) return <p className="browse-selected quiet">{w.selectHint}</p>;
  return (
    <div className="browse-selected">
      <strong className="browse-name">{entityName(selected)}</strong>
      {kind === 'assets' ? (
        <AssetSteps asset={selected} browse={browse} />
      ) : (
        <ItsWells field={fieldOf[kind]} id={selected.id} />
      )}
    </div>
  );
}

function ItsWells({ field, id }: { field: (typeof fieldOf)[keyof typeof fieldOf]; id: number }) {
  const actions = useSession().wells.actions;
  const show = () => {
    actions.search('');
    actions.show('all');
    actions.filter({ [field]: id });
  };
  return <Button onPress={show}>{words.wells.browse.itsWells}</Button>;
}

function AssetSteps({ asset, browse }: { asset: PlatformEntity; browse: Browse }) {
  const w = words.wells.browse;
  const parent = parentOf(asset);
  const go = (name: 'ids' | 'parent_asset_id', id: number, text: string) =>
    browse.actions.list('assets', { [name]: { text, value: name === 'ids' ? [id] : id } });
  return (
    <>
      {parent !== null && (
        <Button onPress={() => go('ids', parent, browse.nameOfAsset(parent) ?? words.wells.numbered(parent))}>
          {w.parent}
        </Button>
      )}
      {assetTypeOf(asset) === 'well' ? (
        <ChooseAsset asset={asset} />
      ) : (
        <Button onPress={() => go('parent_asset_id', asset.id, entityName(asset))}>{w.children}</Button>
      )}
    </>
  );
}

/** An asset that is a well is chosen as that well: by the asset id, which both lists say. */
function ChooseAsset({ asset }: { asset: PlatformEntity }) {
  const id = assetIdOf('assets', asset);
  const listed = useSessionState('wells', listedWells);
  const chosen = useSessionState('wells', (state) => state.chosen);
  const { chooseWells, drop } = useSession().wells.actions;
  const w = words.wells.browse;
  const well = id === null ? undefined : listed.well('assetId', id);
  if (!well || !hasAssetId(well)) return <span className="quiet">{w.unknownWell}</span>;
  if (chosen.some(({ platformId }) => platformId === well.platformId))
    return <Button onPress={() => drop(well.platformId)}>{w.unchoose}</Button>;
  return <Button onPress={() => chooseWells([...chosen, well])}>{w.choose}</Button>;
}
