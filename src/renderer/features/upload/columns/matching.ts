import { storedUnitsOf, type StoredUnits } from '../../../../shared/datasets/fields.ts';
import { withFieldUnits, type NumberColumn } from '../../../../shared/upload/field-units.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import type { ColumnProposal } from '../../../../shared/upload/proposals.ts';
import type { Mapping } from '../../../../shared/upload/upload.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { load } from '../../../state/loadable.ts';
import { scopeOf } from '../../../../shared/wells/scope.ts';
import {
  targetKind,
  noMatch,
  noRun,
  type UploadDependencies,
  type UploadStore,
  type UploadTabState,
} from '../upload-state.ts';
import { withZone } from '../wells/well-zone.ts';
import { mappingFrom, type MappingChoices } from './mapping-choices.ts';
import { withProposals } from './proposals.ts';
import { withCertainSources } from './fields.ts';

/** What the dataset says about new records, once its fields are loaded. */
function expected({ proposals }: Pick<UploadTabState, 'proposals'>): {
  readonly requiresWell: boolean;
  readonly storedUnits?: StoredUnits;
} {
  if (proposals.status !== 'loaded') return { requiresWell: false };
  const { requiresWell, fields } = proposals.value;
  return { requiresWell, storedUnits: storedUnitsOf(fields) };
}

const numberColumns = (columns: UploadMatch['columns']): NumberColumn[] =>
  columns.flatMap(({ column, to, unit, reading }) =>
    to !== null && reading?.as === 'number' ? [{ column, to, unit }] : [],
  );

/** Keeps the engine's match of the choices in the state. */
export function createMatching(
  store: UploadStore,
  { api, selectedWells }: Pick<UploadDependencies, 'api' | 'selectedWells'>,
  propose: () => Promise<readonly ColumnProposal[] | null>,
) {
  const matching = createLatestTask();
  // Fields are filled in once (`isFilledIn` of the state). If the user clears one, it stays empty.
  let isProposed = false;
  // Restored choices are kept, but the fields and their units are loaded for them, too.
  let keepsChoices = false;

  /** The mapping of the choices alone: it applies to files of other wells too. */
  const chosenMapping = (): Mapping => {
    const { choices, match } = store.getState();
    return withFieldUnits(
      mappingFrom(choices, targetKind(match)),
      numberColumns(match.value?.columns ?? []),
      expected(store.getState()).storedUnits ?? {},
    );
  };
  /** The mapping of the choices, with the wells' time zone where none was selected. */
  const mapping = (): Mapping => withZone(chosenMapping(), store.getState());

  /** What the match depends on, beside the file and the dataset. */
  const matchKey = (): string => JSON.stringify([mapping(), expected(store.getState())]);

  /**
   * Fills in the selected well and certain columns when columns are first matched, and what is proposed for the others
   * when they are first matched with the dataset.
   * @param key of the current match
   * @returns whether the columns have to be matched again
   */
  async function fillIn(key: string): Promise<boolean> {
    const proposals = isProposed ? null : await propose();
    // The dataset may require a well, or have units.
    if (matchKey() !== key) return true;
    const { choices, match, dataset, isFilledIn, proposals: answer } = store.getState();
    // Without an answer to this question, another file or dataset is matched next.
    const isDropped = !isProposed && proposals === null && answer.status !== 'failed';
    if (!match.value || isDropped) return false;
    const type = dataset?.type ?? null;
    let filled: MappingChoices | null = null;
    if (!isFilledIn) {
      const selected = selectedWells();
      const [well = null] = scopeOf(selected).length === 1 ? selected : [];
      store.setState({ selectedWell: well });
      filled = withCertainSources(choices, match.value, type, selected);
    }
    if (proposals && !keepsChoices)
      filled = withProposals(filled ?? choices, match.value, proposals, type) ?? filled;
    store.setState({ isFilledIn: true, ...(filled ? { choices: filled, check: noRun } : {}) });
    isProposed = true;
    keepsChoices = false;
    return filled !== null;
  }

  return {
    mapping,
    chosenMapping,
    /**
     * Matches the columns once file and dataset are known.
     * @returns whether the match is available
     */
    async match(): Promise<boolean> {
      for (;;) {
        const { file, inspection, dataset, reading } = store.getState();
        if (file.status !== 'ready' || inspection.status !== 'loaded' || !dataset) return false;
        const key = matchKey();
        const { provider, dataset: name, type } = dataset;
        const request = {
          source: file.file.token,
          reading,
          mapping: mapping(),
          ...expected(store.getState()),
          provider,
          dataset: name,
          type,
        };
        const value = await load(
          matching,
          (signal) => api.upload.match(request, { signal }),
          (part) => {
            if (part.status === 'loaded') store.setState({ match: { value: part.value, error: null } });
            if (part.status === 'failed') store.setState({ match: { value: null, error: part.error } });
          },
        );
        if (!value) return false;
        // The response determines which values are numbers; the first one may have read them as text.
        const isSettled = () => matchKey() === key;
        const isFilledIn = store.getState().isFilledIn && isProposed;
        if (isSettled() && (isFilledIn || !(await fillIn(key))) && isSettled()) return true;
      }
    },
    /** Disables filling in fields: the restored choices were matched before. */
    skipFillIn() {
      isProposed = false;
      keepsChoices = true;
      store.setState({ isFilledIn: true });
    },
    /** Allows filling in fields: they are new. */
    resetFillIn: () => store.setState({ isFilledIn: false }),
    /** Allows proposals: the dataset is another. */
    resetProposals: () => void (isProposed = keepsChoices = false),
    /** Clears the match, for another file or another format. */
    reset() {
      matching.drop();
      isProposed = keepsChoices = false;
      store.setState({ match: noMatch, isFilledIn: false, check: noRun });
    },
  };
}
