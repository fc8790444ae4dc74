import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { calls } from '../../shared/contract/contract.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import { longestNoted, type RunNote } from '../../shared/history/history.ts';
import type { QuestionText } from '../../shared/query/question.ts';
import type { RoomHandlers } from '../handlers.ts';
import { openHistory, type HistoryFile, type StoredRun } from './history-file.ts';

export interface HistoryOptions {
  readonly dataFolder: string;
  readonly warn: (sentence: string) => void;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** So many letters of a question stand in a list. */
const shown = 300;

/** What a person reads of a question: the text of the mode that was asked. */
function textOf({ mode, find, aggregate, pipeline }: QuestionText): string {
  if (mode === 'find') return [find.query, find.sort === '' ? '' : `sort ${find.sort}`].join(' ');
  if (mode === 'pipeline') return pipeline.stages;
  return [aggregate.match, aggregate.group === '' ? '' : `group ${aggregate.group}`].join(' ');
}

const inOneLine = (text: string): string =>
  text
    .slice(0, shown * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, shown);

/** What a search looks through. */
const hayOf = (one: StoredRun): string =>
  [
    `${one.provider}/${one.dataset}`,
    one.outcome,
    ...one.wells.map(({ name, assetId }) => `${name} ${assetId}`),
    one.question ? textOf(one.question) : one.text,
  ]
    .join('\n')
    .toLocaleLowerCase();

/**
 * What was asked over each connection: `<data>/history/<connection>.ndjson`, to which lines are only ever added until
 * it is shortened to its newest runs. Windows note their runs; those of scheduled jobs on the command line would soon
 * have driven a person's own out of it, and are not noted.
 */
export function createHistory({
  dataFolder,
  warn,
  now = Date.now,
}: HistoryOptions): RoomHandlers<(typeof calls)['history']> {
  const files = new Map<string, HistoryFile>();
  function of(connection: string): HistoryFile {
    const plain = /^[A-Za-z0-9-]{1,64}$/.test(connection);
    const name = plain ? connection : createHash('sha256').update(connection).digest('hex');
    const file = files.get(name) ?? openHistory(join(dataFolder, 'history', `${name}.ndjson`), warn);
    files.set(name, file);
    return file;
  }

  return {
    async note({ connection, question, ...note }: RunNote) {
      const whole = JSON.stringify(question).length <= longestNoted;
      const text = inOneLine(textOf(question));
      await of(connection).append({
        run: { ...note, id: randomUUID(), at: now(), text, whole, question: whole ? question : null },
      });
      return {};
    },
    async list({ connection, search, limit }) {
      const all = await of(connection).read();
      const words = search
        .toLocaleLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      const found = all.filter((one) => {
        if (words.length === 0) return true;
        const hay = hayOf(one);
        return words.every((word) => hay.includes(word));
      });
      const runs = found
        .slice(-limit)
        .toReversed()
        .map(({ question: _question, ...one }) => one);
      return { runs, matching: found.length, all: all.length };
    },
    async get({ connection, id }) {
      const found = (await of(connection).read()).find((one) => one.id === id);
      if (!found?.question)
        throw invalidInput('This run is no longer in the history, or its query was too long to store.');
      return { question: found.question };
    },
    async remove({ connection, ids }) {
      const file = of(connection);
      const there = (await file.read()).map(({ id }) => id);
      const removed = ids ? there.filter((id) => ids.includes(id)) : there;
      if (removed.length > 0) await file.append({ remove: removed });
      return { ids: removed };
    },
    async restore({ connection, ids }) {
      await of(connection).append({ restore: ids });
      return {};
    },
  };
}
