import type { Api } from '../../api/api.ts';
import type { SaveFile } from '../../api/save.ts';

/** Gives connections to others, and takes theirs. */
export function createProfileShares(
  api: { readonly connections: Pick<Api['connections'], 'exportProfiles' | 'importProfiles' | 'list'> },
  save: SaveFile,
) {
  return {
    /** Saves all connections, without secrets; gives their number, 0 when the person thought better of it. @throws AppError */
    async exportAll(signal: AbortSignal) {
      const all = (await api.connections.list({}, { signal })).filter(({ saved }) => saved);
      const wanted = { connections: all.map(({ id }) => id) };
      const { suggestedName, text } = await api.connections.exportProfiles(wanted, { signal });
      const isSaved = await save(suggestedName, new Blob([text], { type: 'application/json' }));
      return isSaved ? all.length : 0;
    },
    /** Adds the connections in a file, each without a secret yet. @throws AppError */
    importFile: async (file: Blob, signal: AbortSignal) =>
      api.connections.importProfiles({ text: await file.text() }, { signal }),
  };
}

declare module '../../state/contexts.ts' {
  interface App {
    readonly shares: ReturnType<typeof createProfileShares>;
  }
}
