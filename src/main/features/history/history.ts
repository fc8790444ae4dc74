import { join } from 'node:path';
import type { calls } from '../../../shared/contract/contract.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { maxStoredLength, type RunNote } from '../../../shared/history/history.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { connectionName } from '../../core/files/plain-name.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import { openHistory, type HistoryFile, type StoredRun } from './history-file.ts';
import { wallMs } from '../../world/time.ts';
import { randomUUID } from '../../world/random.ts';

export interface HistoryOptions {
  readonly dataFolder: string;
  readonly warn: (sentence: string) => void;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** Maximum length of a query in a list. */
const maxShownLetters = 300;

function textOf({ mode, find, aggregate, pipeline, sql }: QuestionText): string {
  if (mode === 'sql') return sql.statement;
  if (mode === 'find') return [find.query, find.sort === '' ? '' : `sort ${find.sort}`].join(' ');
  if (mode === 'pipeline') return pipeline.stages;
  return [aggregate.match, aggregate.group === '' ? '' : `group ${aggregate.group}`].join(' ');
}

const inOneLine = (text: string): string =>
  text
    .slice(0, maxShownLetters * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxShownLetters);

/** What a search looks through. */
const searchTextOf = (run: StoredRun): string =>
  [
    `${run.provider}/${run.dataset}`,
    run.mode,
    run.outcome,
    ...run.wells.map(({ name, assetId }) => `${name} ${assetId}`),
    run.question ? textOf(run.question) : run.text,
  ]
    .join('\n')
    .toLocaleLowerCase();

/**
 * The runs of each connection: `<data>/history/<connection>.ndjson`, append-only until it is shortened to the
 * newest runs. Only windows record runs; scheduled commands would displace them.
 */
export function createHistory({
  dataFolder,
  warn,
  now = wallMs,
}: HistoryOptions): ModuleHandlers<(typeof calls)['history']> {
  const files = new Map<string, HistoryFile>();
  function fileOf(connection: string): HistoryFile {
    const name = connectionName(connection);
    const file = files.get(name) ?? openHistory(join(dataFolder, 'history', `${name}.ndjson`), warn);
    files.set(name, file);
    return file;
  }

  return {
    async note({ connection, question, ...note }: RunNote) {
      const isStoredWhole = JSON.stringify(question).length <= maxStoredLength;
      const text = inOneLine(textOf(question));
      await fileOf(connection).append({
        run: {
          ...note,
          id: randomUUID(),
          at: now(),
          text,
          whole: isStoredWhole,
          question: isStoredWhole ? question : null,
        },
      });
      return {};
    },
    async list({ connection, search, limit }) {
      const all = await fileOf(connection).read();
      const words = search
        .toLocaleLowerCase()
        .split(/\s+/)
        .filter((word) => word !== '');
      const matchingRuns = all.filter((run) => {
        if (words.length === 0) return true;
        const text = searchTextOf(run);
        return words.every((word) => text.includes(word));
      });
      const runs = matchingRuns
        .slice(-limit)
        .toReversed()
        .map(({ question, ...run }) => ({ ...run, text: question ? inOneLine(textOf(question)) : run.text }));
      return { runs, matching: matchingRuns.length, all: all.length };
    },
    async get({ connection, id }) {
      const run = (await fileOf(connection).read()).find((storedRun) => storedRun.id === id);
      if (!run?.question)
        throw invalidInput('This run is no longer in the history, or its query was too long to store.');
      return { question: run.question };
    },
    async remove({ connection, ids }) {
      const file = fileOf(connection);
      const currentIds = (await file.read()).map(({ id }) => id);
      const removed = ids ? currentIds.filter((id) => ids.includes(id)) : currentIds;
      if (removed.length > 0) await file.append({ remove: removed });
      return { ids: removed };
    },
    async restore({ connection, ids }) {
      await fileOf(connection).append({ restore: ids });
      return {};
    },
  };
}
