import type { FileToken } from '../../../shared/files/files.ts';
import type { CheckOptions } from '../../../shared/quality/field-track.ts';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import type { Api } from '../../api/api.ts';

/** Checks of files before they are uploaded. */
export function createFileQuality(api: Pick<Api, 'quality'>) {
  return {
    /**
     * Checks a whole file.
     * @throws AppError
     */
    check: (
      source: FileToken,
      options: CheckOptions & { readonly reading: ReadingOptions },
      signal: AbortSignal,
    ) => api.quality.file({ source, ...options }, { signal }),
  };
}

export type FileQuality = ReturnType<typeof createFileQuality>;
