import type { StoreApi } from 'zustand/vanilla';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import { idle, loading } from '../../state/loadable.ts';
import type { FileReader } from './file/file-reading.ts';
import type { UploadDraft } from './kept-upload.ts';
import type { Matcher } from './columns/matching.ts';
import type { UploadTabState, WellZone } from './upload-state.ts';
import type { UploadTabActions } from './upload-tab-types.ts';
import { wellQuestion } from './wells/well-question.ts';

export interface RestoringNeeds {
  readonly store: StoreApi<UploadTabState>;
  readonly api: Pick<Api['files'], 'find'>;
  readonly reader: Pick<FileReader, 'restore'>;
  readonly matcher: Pick<Matcher, 'match' | 'restore'>;
  /** Resolves once the wells that the file names, and their zone, are known. */
  readonly findWells: () => Promise<void>;
}

const sameZone = (one: WellZone | null, other: WellZone | null): boolean => one?.zone === other?.zone;

/** Takes up an upload that was begun before the page was loaded again, as it was. */
export function createRestoring(needs: RestoringNeeds): Pick<UploadTabActions, 'restore' | 'whenRestored'> {
  const { store, api, reader, matcher, findWells } = needs;
  let restoring: Promise<boolean> = Promise.resolve(false);

  async function restore(draft: UploadDraft): Promise<boolean> {
    const { file, isMatched, queuedAfter: _, ...chosen } = draft;
    store.setState({ ...chosen, file: { face: 'granted', file }, preview: loading });
    try {
      const found = await api.find({ token: file.token });
      if (!found) {
        store.setState({ file: { face: 'gone', file }, preview: idle });
        return false;
      }
      if (isMatched) matcher.restore();
      await reader.restore();
      await matcher.match();
      await findWells();
    } catch (error) {
      store.setState({ file: { face: 'failed', name: file.name, error: toAppError(error) }, preview: idle });
      return false;
    }
    const now = store.getState();
    // Rows in the queue go as they were looked at: their times must not mean others.
    const isSame = sameZone(now.wellZone, draft.wellZone);
    return isSame && now.match.value?.ready === true && !wellQuestion(now);
  }

  return {
    async restore(draft) {
      restoring = restore(draft);
      await restoring;
    },
    whenRestored: () => restoring,
  };
}
