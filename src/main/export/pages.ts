import { isAppError } from '../../shared/errors/errors.ts';
import { fetchPage, type GiveUp, type PageRequests } from './fetch-page.ts';
import type { Cursor, PageCursor } from '../paging/cursor.ts';
import { createReadAhead, type PageAnswer, type ReadAhead } from './read-ahead.ts';
import type { PageOutcome, WrittenPage } from './writing/spec.ts';
import type { WriterThread } from './writing/thread.ts';

export interface PageSource extends PageRequests {
  readonly writer: Pick<WriterThread, 'write'>;
}

/**
 * Reads all pages from a cursor on and writes each, in order, with several requests under way at a time. The result is
 * that of reading one page after the other, wherever pages end. After `giveUp` there are no more.
 * @param concurrency requests at a time
 * @throws AppError
 */
export async function* copyPages(
  source: PageSource,
  from: Cursor,
  concurrency: number,
): AsyncGenerator<WrittenPage | GiveUp, void> {
  const ahead = createReadAhead(source, concurrency);
  try {
    let at = from;
    while (at.at !== 'end') {
      const page = await copyPage(source, ahead, at);
      yield page;
      if ('giveUp' in page) return;
      at = page.checkpoint.cursor;
    }
  } finally {
    ahead.drop();
  }
}

async function copyPage(source: PageSource, ahead: ReadAhead, at: PageCursor): Promise<WrittenPage | GiveUp> {
  for (;;) {
    const answer = await ahead.answerFor(at);
    if ('giveUp' in answer) return { giveUp: answer.giveUp };
    const page = await write(source, answer);
    if ('giveUp' in page) return page;
    if (!('isDetached' in page)) {
      ahead.advance(page);
      return page;
    }
    ahead.drop();
  }
}

async function write(source: PageSource, answer: Exclude<PageAnswer, GiveUp>): Promise<PageOutcome> {
  try {
    return await writeAnswer(source, answer);
  } catch (error) {
    // The writer can't read it: now it is validated as it comes, and asked for again where it was cut off.
    if (!isAppError(error, 'bad_answer')) throw error;
    const { at, asked } = answer;
    const fetched = await fetchPage(source, at, { asked, checked: true });
    return 'giveUp' in fetched ? fetched : writeAnswer(source, { ...fetched, overlaps: false });
  }
}

async function writeAnswer(
  { writer, limit }: PageSource,
  { at, bytes, asked, overlaps }: Exclude<PageAnswer, GiveUp>,
): Promise<PageOutcome> {
  // The bytes go over to the writer's thread, and their length with them.
  const { length } = bytes;
  const endsBelow = limit.endsBelow({ asked, bytes: length });
  const page = await writer.write(at, bytes, { overlaps, endsBelow });
  if ('records' in page) limit.record({ asked, records: page.records, bytes: length });
  return page;
}
