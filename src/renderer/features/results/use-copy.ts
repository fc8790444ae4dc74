import { toAppError } from '../../../shared/errors.ts';
import { namedFor, suggestedName } from '../export/file-name.ts';
import { usePlotNeeds } from '../plot/context.ts';
import { words } from '../../words/words.ts';
import { useResults, useResultsState } from './context.ts';
import { shownColumns } from './grid-view.ts';
import type { CopyFormat, SavedFormat } from './records/copied.ts';
import type { Answered } from './results.ts';
import { useTimeZone } from './times/context.ts';
import { useShape } from './use-shape.ts';

export interface Copy {
  /** Copies rows (null: all that are loaded) with the columns that are shown. */
  readonly rows: (rows: readonly number[] | null, format: CopyFormat) => Promise<void>;
  /** Copies the cells of one column, of the rows that are loaded. */
  readonly column: (path: readonly string[]) => Promise<void>;
  readonly text: (text: string) => Promise<void>;
  /** Saves rows (null: all that are loaded) as a file, with the columns that are shown. */
  readonly save: (rows: readonly number[] | null, format: SavedFormat) => Promise<void>;
}

const mimes: Record<SavedFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** Copies of an answer, to the clipboard; what was copied is said. */
export function useCopy({ held }: Answered): Copy {
  const { actions, dataset } = useResults();
  const { save } = usePlotNeeds();
  const view = useResultsState((state) => state.grid);
  const { columns } = useShape(held);
  const zone = useTimeZone();
  const copy = async (make: () => Promise<string>, said: string) => {
    try {
      await navigator.clipboard.writeText(await make());
      actions.say(said);
    } catch (error) {
      actions.say(words.results.notCopied(toAppError(error).message));
    }
  };
  const paths = () => shownColumns(columns, view).map(({ path }) => path);
  return {
    rows: (rows, format) =>
      copy(
        () => held.text(rows, paths(), { format, zone }),
        words.results.copied(rows?.length ?? held.shape().held),
      ),
    column: (path) =>
      copy(() => held.text(null, [path], { format: 'tsv', zone }), words.results.copied(held.shape().held)),
    async save(rows, format) {
      try {
        const text = await held.text(rows, paths(), { format, zone });
        const name = namedFor(suggestedName(dataset.dataset, new Date()), format);
        const content = new Blob([text], { type: `${mimes[format]};charset=utf-8` });
        if (await save(name, content))
          actions.say(words.results.saved(rows?.length ?? held.shape().held, name));
      } catch (error) {
        actions.say(words.results.notSaved(toAppError(error).message));
      }
    },
    text: (text) => copy(async () => text, words.results.copiedText),
  };
}
