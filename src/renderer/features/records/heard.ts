import type { LiveEvent, LiveRequest } from '../../../shared/tabs/live.ts';
import type { Askable } from './asked.ts';
import type { PackedChunk } from './chunk.ts';
import { recordsIn } from './page-text.ts';
import { spreadPacked } from './spread.ts';

type WithRecords = Extract<LiveEvent, { kind: 'records' }>;

/** What is heard of a dataset that is followed, its records as columns. */
export type HeardEvent =
  | Exclude<LiveEvent, WithRecords>
  | (Omit<WithRecords, 'records'> & { readonly chunks: readonly PackedChunk[] });

/** Follows a dataset; what comes is read here, off the window's thread. @throws AppError */
export async function follow(
  { query }: Pick<Askable, 'query'>,
  request: LiveRequest,
  signal: AbortSignal,
  tell: (event: HeardEvent) => void,
): Promise<void> {
  for await (const event of await query.live(request, { signal })) {
    if (signal.aborted) return;
    if (event.kind !== 'records') {
      tell(event);
      continue;
    }
    const { records, ...said } = event;
    tell({ ...said, chunks: spreadPacked(recordsIn(records)) });
  }
}
