import { isAppError } from '../../../shared/errors/errors.ts';
import type { Layout } from './layout.ts';
import type { ScanRequest } from './scan.ts';
import { OtherEncoding, scanPart } from './scan-part.ts';
import type { Part, PartPlace } from './scan-part.ts';
import { openSource } from './source.ts';

export interface PartRequest {
  readonly request: ScanRequest;
  readonly layout: Layout;
  readonly place: PartPlace;
}

/**
 * Reads one of several parts of a file. For worker threads: it blocks.
 * @returns null when what stands in it, or its line, only shows when the file is read as a whole: a part that ends within
 * quotes has damaged ones
 * @throws AppError file_unreadable
 */
export function scanOnePart({ request, layout, place }: PartRequest): Part | null {
  const source = openSource(request.path, request.fileName);
  try {
    const part = scanPart(source, request, layout, place);
    return part.damaged ? null : part;
  } catch (error) {
    if (error instanceof OtherEncoding || isAppError(error, 'file_unsuitable')) return null;
    throw error;
  } finally {
    source.close();
  }
}
