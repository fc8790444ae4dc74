import type { Mapping } from '../../../../shared/upload/upload.ts';
import type { Well } from '../../../../shared/wells/wells.ts';
import { isZone } from '../../../format/zoned.ts';
import { uploadWords } from '../../../words/upload.ts';
import { assetPaths } from '../columns/mapping-choices.ts';
import {
  noRun,
  type UploadDependencies,
  type UploadStore,
  type UploadTabState,
  type WellZone,
} from '../upload-state.ts';
import { namedAssets } from './well-names.ts';

/** The asset ids of the rows' wells; empty: unknown. */
function assetsOf(state: UploadTabState): number[] {
  const { match, choices } = state;
  const whole = (text: string | undefined) =>
    text !== undefined && /^\d{1,15}$/.test(text) ? [Number(text)] : [];
  return assetPaths.flatMap((path) => {
    const constant = whole(choices.constants[path]?.trim());
    const field = match.value?.fields.find((field) => field.path === path);
    if (!field || field.columns.length === 0) return constant;
    const span = match.value?.spans.find((span) => span.path === path);
    if (span && span.from === span.to) return whole(span.from);
    const ids = namedAssets(state);
    return ids.length === 0 ? [] : [...new Set([...ids, ...constant])];
  });
}

/** The common time zone of wells; null: they differ, one has none, or one isn't listed. */
function commonZone(wells: readonly Well[], assetCount: number): WellZone | null {
  const [first] = wells;
  const zone = first?.timeZone ?? null;
  if (!first || zone === null || !isZone(zone) || wells.length < assetCount) return null;
  if (wells.some(({ timeZone }) => timeZone !== zone)) return null;
  return { zone, well: wells.length === 1 ? first.name : uploadWords.columns.wells(wells.length) };
}

/** A mapping with the zone of the wells for each column of local times without one. */
export function withZone(
  mapping: Mapping,
  { match, wellZone }: Pick<UploadTabState, 'match' | 'wellZone'>,
): Mapping {
  if (wellZone === null) return mapping;
  const local = (match.value?.columns ?? []).flatMap(({ column, to, reading, zoneOfFile }) => {
    const isLocal =
      reading?.as === 'time' && reading.format?.startsWith('unix_') === false && zoneOfFile === undefined;
    const choice = mapping.columns[column];
    return isLocal && to !== null && choice?.zone === undefined && (choice === undefined || choice.to === to)
      ? [[column, { to, ...choice, zone: wellZone.zone }] as const]
      : [];
  });
  return { ...mapping, columns: { ...mapping.columns, ...Object.fromEntries(local) } };
}

/** Keeps the time zone of the rows' wells in the state. */
export function createWellZone(
  store: UploadStore,
  { findWells }: Pick<UploadDependencies, 'findWells'>,
  mapping: () => Mapping,
) {
  let lookup: { readonly key: string; readonly zone: Promise<WellZone | null> } | null = null;

  function look(assets: readonly number[]): Promise<WellZone | null> {
    if (assets.length === 0) return Promise.resolve(null);
    return findWells(assets).then(
      (wells) => commonZone(wells, assets.length),
      () => {
        // The user selects the time zone, or the next match looks again.
        lookup = null;
        return null;
      },
    );
  }

  /**
   * Looks up the time zone if the wells changed, and sets that of the current file's wells. A check of other times no
   * longer applies.
   * @returns whether the mapping changed
   */
  return async function update(): Promise<boolean> {
    const assets = assetsOf(store.getState());
    const key = assets.join();
    if (lookup?.key !== key) lookup = { key, zone: look(assets) };
    const { file } = store.getState();
    const current = lookup;
    const wellZone = await current.zone;
    const state = store.getState();
    if (assetsOf(state).join() !== key || state.file !== file) return false;
    if (JSON.stringify(wellZone) === JSON.stringify(state.wellZone)) return false;
    const before = mapping();
    store.setState({ wellZone });
    // Times that name their zone, or need none, stay as they were checked.
    if (JSON.stringify(mapping()) === JSON.stringify(before)) return false;
    store.setState({ check: noRun });
    return true;
  };
}
