import { useStore } from 'zustand';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import { Button } from '../../ui/button.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import type { Browse } from './browse.ts';
import { entityName } from './directory.ts';
import { assetIdOf, assetTypeOf, wellFieldByKind, parentIdOf } from './entity.ts';
import type { EntityKind } from './entity-filters.ts';
import type { RelatedField } from './filter.ts';
import { hasAssetId } from '../../../shared/wells/scope.ts';
import { listedWells } from './wells-state.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

/** Links of the selected entity: its wells; for an asset, its parent, its children, and the selection. */
export function SelectedEntity({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const selected = useStore(browse.store, ({ selected: id, entities }) =>
    id === null ? null : (entities.items.find((item) => item.id === id) ?? null),
  );
  const w = words.wells.browse;
  if (!selected) return <p className="browse-selected row wrap quiet">{w.selectHint}</p>;
  return (
    <div className="browse-selected row wrap">
      <strong className="ellipsis">{entityName(selected)}</strong>
      {kind === 'assets' ? (
        <AssetActions asset={selected} browse={browse} />
      ) : (
        <RelatedWells field={wellFieldByKind[kind]} id={selected.id} />
      )}
    </div>
  );
}

function RelatedWells({ field, id }: { field: RelatedField; id: number }) {
  const actions = useSession().wells.actions;
  const show = () => {
    actions.search('');
    actions.show('all');
    actions.filter({ [field]: id });
  };
  return <Button onPress={show}>{words.wells.browse.itsWells}</Button>;
}

function AssetActions({ asset, browse }: { asset: PlatformEntity; browse: Browse }) {
  const w = words.wells.browse;
  const parent = parentIdOf(asset);
  const go = (name: 'ids' | 'parent_asset_id', id: number, text: string) =>
    browse.actions.list('assets', { [name]: { text, value: name === 'ids' ? [id] : id } });
  return (
    <>
      {parent !== null && (
        <Button onPress={() => go('ids', parent, browse.assetName(parent) ?? words.wells.numbered(parent))}>
          {w.parent}
        </Button>
      )}
      {assetTypeOf(asset) === 'well' ? (
        <SelectAsset asset={asset} />
      ) : (
        <Button onPress={() => go('parent_asset_id', asset.id, entityName(asset))}>{w.children}</Button>
      )}
    </>
  );
}

/** Selects an asset as a well: both lists have its asset id. */
function SelectAsset({ asset }: { asset: PlatformEntity }) {
  const id = assetIdOf('assets', asset);
  const listed = useSessionState('wells', listedWells);
  const selected = useSelectedWells();
  const { selectWells, deselect } = useSession().wells.actions;
  const w = words.wells.browse;
  const well = id === null ? undefined : listed.well('assetId', id);
  if (!well || !hasAssetId(well)) return <span className="quiet">{w.unknownWell}</span>;
  if (selected.some(({ platformId }) => platformId === well.platformId))
    return <Button onPress={() => deselect(well.platformId)}>{w.unchoose}</Button>;
  return <Button onPress={() => selectWells([...selected, well])}>{w.choose}</Button>;
}
