import type { ColumnProposal } from '../../../../shared/upload/proposals.ts';
import type { Mapping } from '../../../../shared/upload/upload.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { load } from '../../../state/loadable.ts';
import { scopeOf } from '../../wells/scope.ts';
import { targetKind, noMatch, noRun, type UploadDependencies, type UploadStore } from '../upload-state.ts';
import { withZone } from '../wells/well-zone.ts';
import { mappingFrom, type MappingChoices } from './mapping-choices.ts';
import { withProposals } from './proposals.ts';
import { withCertainSources } from './fields.ts';

/** Keeps the engine's match of the choices in the state. */
export function createMatching(
  store: UploadStore,
  { api, selectedWells }: Pick<UploadDependencies, 'api' | 'selectedWells'>,
  propose: () => Promise<readonly ColumnProposal[] | null>,
) {
  const matching = createLatestTask();
  // Fields are filled in once (`isFilledIn` of the state). If the user clears one, it stays empty.
  let isProposed = false;

  /** The mapping of the choices alone: it applies to files of other wells too. */
  const chosenMapping = (): Mapping => {
    const { choices, match } = store.getState();
    return mappingFrom(choices, targetKind(match));
  };
  /** The mapping of the choices, with the wells' time zone where none was selected. */
  const mapping = (): Mapping => withZone(chosenMapping(), store.getState());

  /**
   * Fills in the selected well and certain columns when columns are first matched, and what is proposed for the others
   * when they are first matched with the dataset.
   * @returns whether the choices changed
   */
  async function fillIn(): Promise<boolean> {
    const proposals = isProposed ? null : await propose();
    const { choices, match, dataset, isFilledIn } = store.getState();
    if (!match.value) return false;
    const type = dataset?.type ?? null;
    let filled: MappingChoices | null = null;
    if (!isFilledIn) {
      const selected = selectedWells();
      const [well = null] = scopeOf(selected).length === 1 ? selected : [];
      store.setState({ selectedWell: well });
      filled = withCertainSources(choices, match.value, type, selected);
    }
    if (proposals) filled = withProposals(filled ?? choices, match.value, proposals, type, choices) ?? filled;
    store.setState({ isFilledIn: true, ...(filled ? { choices: filled, check: noRun } : {}) });
    isProposed = true;
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
        const requestKey = mapping();
        const { provider, dataset: name, type } = dataset;
        const request = {
          source: file.file.token,
          reading,
          mapping: requestKey,
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
        const isSettled = JSON.stringify(mapping()) === JSON.stringify(requestKey);
        if (isSettled && ((store.getState().isFilledIn && isProposed) || !(await fillIn()))) return true;
      }
    },
    /** Disables filling in fields: the restored choices were matched before. */
    skipFillIn() {
      isProposed = true;
      store.setState({ isFilledIn: true });
    },
    /** Allows filling in fields: they are new. */
    resetFillIn: () => store.setState({ isFilledIn: false }),
    /** Allows proposals: the dataset is another. */
    resetProposals: () => void (isProposed = false),
    /** Clears the match, for another file or another format. */
    reset() {
      matching.drop();
      isProposed = false;
      store.setState({ match: noMatch, isFilledIn: false, check: noRun });
    },
  };
}
