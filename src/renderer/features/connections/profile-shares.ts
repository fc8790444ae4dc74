import type { Api } from '../../api/api.ts';
import type { SaveFile } from '../../api/save.ts';

/** Exports and imports connection profiles. */
export function createProfileShares(
  api: { readonly connections: Pick<Api['connections'], 'exportProfiles' | 'importProfiles' | 'list'> },
  save: SaveFile,
) {
  return {
    /**
     * Exports all connections without credentials.
     * @returns their number; 0: canceled
     * @throws AppError
     */
    async exportAll(signal: AbortSignal) {
      const all = (await api.connections.list({}, { signal })).filter(({ saved }) => saved);
      const selected = { connections: all.map(({ id }) => id) };
      const { suggestedName, text } = await api.connections.exportProfiles(selected, { signal });
      const isSaved = await save(suggestedName, new Blob([text], { type: 'application/json' }));
      return isSaved ? all.length : 0;
    },
    /**
     * Imports the connections of a file, without credentials.
     * @throws AppError
     */
    importFile: async (file: Blob, signal: AbortSignal) =>
      api.connections.importProfiles({ text: await file.text() }, { signal }),
  };
}

export type ProfileShares = ReturnType<typeof createProfileShares>;
