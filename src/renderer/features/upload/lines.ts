import type { StoreApi } from 'zustand/vanilla';
import type { Api } from '../../api/api.ts';
import { latest } from '../../state/latest.ts';
import { failed, full, loading } from '../../state/loadable.ts';
import type { LookedAt, UploadTabState } from './upload-state.ts';

/** So many lines before the one that is gone to are shown too. */
const before = 5;

/** Goes to places of the file that are far from its start. */
export interface Lines {
  /** Shows a line; a column of it is marked where one is meant. */
  readonly show: (line: number, column: string | null) => Promise<void>;
  /** Back to the first rows. */
  readonly leave: () => void;
}

const holds = (at: LookedAt | null, line: number): boolean =>
  at?.rows.face === 'full' && at.rows.value.rows.some((row) => row.line === line);

export function createLines(store: StoreApi<UploadTabState>, api: Pick<Api['upload'], 'preview'>): Lines {
  const reading = latest();
  return {
    async show(line, column) {
      const { file, reading: choices, inspection, preview, lookedAt } = store.getState();
      if (file.face !== 'granted') return;
      const tell = (rows: LookedAt['rows']) => store.setState({ lookedAt: { line, column, rows } });
      reading.drop();
      const near = holds(lookedAt, line) ? lookedAt?.rows : undefined;
      if (near) return tell(near);
      if (preview.face === 'full' && preview.value.rows.some((row) => row.line === line))
        return tell(preview);
      tell(loading);
      // The encoding may be known from the whole file alone.
      const encoding = inspection.face === 'full' ? { encoding: inspection.value.encoding } : {};
      const source = file.file.token;
      const from = Math.max(line - before, 1);
      await reading.run((signal) => api.preview({ source, ...encoding, ...choices, from }, { signal }), {
        done: (value) => tell(full(value)),
        failed: (error) => tell(failed(error)),
        cancelled: () => store.setState({ lookedAt: null }),
      });
    },
    leave() {
      reading.drop();
      store.setState({ lookedAt: null });
    },
  };
}
