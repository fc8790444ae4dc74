import type { WellCandidate, WellColumn } from '../../../../shared/upload/wells.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading } from '../../../state/loadable.ts';
import { missingFields } from '../columns/fields.ts';
import { isAssetPath } from '../columns/mapping-choices.ts';
import type { UploadDependencies, UploadStore, UploadTabState } from '../upload-state.ts';

/** The well that a file names, whatever is selected: in its rows, before its header, or in its own name. */
export type OwnWell =
  | { readonly from: 'rows'; readonly column: string; readonly count: number }
  | { readonly from: 'header' | 'fileName'; readonly assetId: number; readonly name: string };

/** The well that a file names, by its rows, else its header, else its name; null: none, or several may be meant. */
export function ownWellOf(columns: readonly WellColumn[], inName: readonly WellCandidate[]): OwnWell | null {
  for (const { column, names } of columns) {
    const count = new Set(names.flatMap(({ assetId }) => assetId ?? [])).size;
    if (column !== null && count > 0) return { from: 'rows', column, count };
  }
  const header = columns
    .flatMap(({ column, names }) => (column === null ? names : []))
    .flatMap(({ assetId, value }) => (assetId === null ? [] : [{ assetId, name: value }]));
  const [named, ...otherWells] = new Map(header.map((well) => [well.assetId, well])).values();
  if (named) return otherWells.length === 0 ? { from: 'header', ...named } : null;
  const [only, ...more] = inName;
  return only && more.length === 0 ? { from: 'fileName', assetId: only.assetId, name: only.name } : null;
}

/** The well that a file names; null: none, several, or not found yet. */
export const fileWellOf = ({ ownWell }: Pick<UploadTabState, 'ownWell'>): OwnWell | null =>
  ownWell.status === 'loaded' ? ownWell.value.well : null;

/** Finds the well that a file names, once for each file and format. */
export function createOwnWell(
  store: UploadStore,
  { api, connection }: Pick<UploadDependencies, 'api' | 'connection'>,
) {
  const task = createLatestTask();
  let lookup: Promise<unknown> | null = null;
  const reset = () => {
    lookup = null;
    task.drop();
    store.setState({ ownWell: idle });
  };
  store.subscribe((now, before) => {
    const isOther = now.file !== before.file || now.reading !== before.reading;
    if (isOther && lookup) reset();
  });

  /** Resolves when the state has the well. */
  async function find(): Promise<void> {
    const { file, reading, ownWell } = store.getState();
    if (file.status !== 'ready') return;
    if (!lookup || ownWell.status === 'failed') {
      const { token: source } = file.file;
      const mapping = { columns: {}, constants: {}, rest: 'skip' } as const;
      store.setState({ ownWell: loading });
      lookup = load(
        task,
        async (signal) => {
          const columns = await api.upload.wells({ connection, source, reading, mapping }, { signal });
          const isNamed = ownWellOf(columns, []) !== null;
          const inName = isNamed ? [] : await api.upload.wellsInName({ connection, source }, { signal });
          return { well: ownWellOf(columns, inName) };
        },
        (part) => store.setState({ ownWell: part }),
      );
    }
    await lookup;
  }

  return {
    find,
    /** Finds the well if one is missing. */
    offer() {
      const { match } = store.getState();
      if (match.value && missingFields(match.value).some(({ path }) => isAssetPath(path))) void find();
    },
    reset,
  };
}
