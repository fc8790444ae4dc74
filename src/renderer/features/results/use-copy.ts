import { toAppError } from '../../../shared/errors.ts';
import { words } from '../../words/words.ts';
import { useResults, useResultsState } from './context.ts';
import { shownColumns, zoneOf } from './grid-view.ts';
import type { CopyFormat } from './records/copied.ts';
import type { Answered } from './results.ts';
import { useShape } from './use-shape.ts';

export interface Copy {
  /** Copies rows (null: all that are loaded) with the columns that are shown. */
  readonly rows: (rows: readonly number[] | null, format: CopyFormat) => Promise<void>;
  /** Copies the cells of one column, of the rows that are loaded. */
  readonly column: (path: readonly string[]) => Promise<void>;
  readonly text: (text: string) => Promise<void>;
}

/** Copies of an answer, to the clipboard; what was copied is said. */
export function useCopy({ held }: Answered): Copy {
  const { actions } = useResults();
  const view = useResultsState((state) => state.grid);
  const times = useResultsState((state) => state.zone);
  const { columns } = useShape(held);
  const zone = zoneOf(times);
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
    text: (text) => copy(async () => text, words.results.copiedText),
  };
}
