import type { Mapping } from '../../../../shared/upload/upload.ts';
import type { Well } from '../../../../shared/wells/wells.ts';
import { isZone } from '../../../format/zoned.ts';
import { words } from '../../../words/words.ts';
import { assetPaths } from '../columns/mapping-choices.ts';
import type { UploadNeeds, UploadStore, UploadTabState, WellZone } from '../upload-state.ts';
import { namesToSettle } from './well-names.ts';

/** The asset ids of the wells that the rows belong to; empty: not known. */
function assetsOf({ match, choices, wellNames }: UploadTabState): number[] {
  const whole = (text: string | undefined) =>
    text !== undefined && /^\d{1,15}$/.test(text) ? [Number(text)] : [];
  return assetPaths.flatMap((path) => {
    const constant = whole(choices.constants[path]?.trim());
    const field = match.value?.fields.find((each) => each.path === path);
    if (!field || field.columns.length === 0) return constant;
    const span = match.value?.spans.find((each) => each.path === path);
    if (span && span.from === span.to) return whole(span.from);
    const names = wellNames.status === 'loaded' ? namesToSettle(wellNames.value, choices) : [];
    const ids = names.flatMap(({ assetId }) => assetId ?? []);
    return ids.length === 0 ? [] : [...new Set([...ids, ...constant])];
  });
}

/** The zone that all of some wells are in; null: one is in another, or does not say. */
function commonZone(wells: readonly Well[], asked: number): WellZone | null {
  const [first] = wells;
  const zone = first?.timeZone ?? null;
  if (!first || zone === null || !isZone(zone) || wells.length < asked) return null;
  if (wells.some(({ timeZone }) => timeZone !== zone)) return null;
  return { zone, well: wells.length === 1 ? first.name : words.upload.columns.wells(wells.length) };
}

/**
 * A mapping with a zone for every column of local times for which none was selected.
 * @param match what the engine makes of the columns
 */
export function withZone(
  mapping: Mapping,
  { match, wellZone }: Pick<UploadTabState, 'match' | 'wellZone'>,
): Mapping {
  if (wellZone === null) return mapping;
  const local = (match.value?.columns ?? []).flatMap(({ column, to, reading }) => {
    const isLocal = reading?.as === 'time' && reading.format?.startsWith('unix_') === false;
    const own = mapping.columns[column];
    return isLocal && to !== null && own?.zone === undefined && (own === undefined || own.to === to)
      ? [[column, { to, ...own, zone: wellZone.zone }] as const]
      : [];
  });
  return { ...mapping, columns: { ...mapping.columns, ...Object.fromEntries(local) } };
}

/** Keeps the zone of the wells that the rows belong to beside the choices. */
export function createWellZone(store: UploadStore, { wellsOf }: Pick<UploadNeeds, 'wellsOf'>) {
  let askedFor = '';
  let lookup = Promise.resolve(false);

  async function look(assets: readonly number[], key: string): Promise<boolean> {
    // A zone that can't be looked up is selected by hand.
    const wells = assets.length === 0 ? [] : await wellsOf(assets).catch(() => []);
    if (askedFor !== key) return false;
    const wellZone = commonZone(wells, assets.length);
    if (JSON.stringify(wellZone) === JSON.stringify(store.getState().wellZone)) return false;
    store.setState({ wellZone });
    return true;
  }

  /** Looks for the zone again where the wells are others than before; whether it is another one since. */
  return async function follow(): Promise<boolean> {
    const assets = assetsOf(store.getState());
    const key = assets.join();
    const isAsked = key === askedFor;
    if (!isAsked) {
      askedFor = key;
      lookup = look(assets, key);
    }
    const isOther = await lookup;
    return isOther && !isAsked;
  };
}
