import type { Mapping } from '../../../../shared/upload/upload.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { load } from '../../../state/loadable.ts';
import { scopeOf } from '../../wells/scope.ts';
import { kindIn, noMatch, noRun, type UploadNeeds, type UploadStore } from '../upload-state.ts';
import { withZone } from '../wells/well-zone.ts';
import { mappingFrom } from './mapping-choices.ts';
import { withChosenWell } from './fields.ts';

/** Keeps what the engine makes of the choices beside them. */
export function createMatching(store: UploadStore, { api, wells }: Pick<UploadNeeds, 'api' | 'wells'>) {
  const matching = createLatestTask();
  // A selected well fills the scope once; what a person clears stays clear.
  let isFilledIn = false;

  /** What the choices alone come to: for files of other wells too. */
  const chosenMapping = (): Mapping => {
    const { choices, match } = store.getState();
    return mappingFrom(choices, kindIn(match));
  };
  /** What the choices come to as a mapping, with the zone of the wells where none was selected. */
  const mapping = (): Mapping => withZone(chosenMapping(), store.getState());

  /** Fills in the well that is selected when the columns are first matched; whether that changed the choices. */
  function fillIn(): boolean {
    const selected = wells();
    const [well = null] = scopeOf(selected).length === 1 ? selected : [];
    const { choices, match, dataset } = store.getState();
    const filled = match.value && withChosenWell(choices, match.value, dataset?.type ?? null, selected);
    store.setState({ selectedWell: well, ...(filled ? { choices: filled, check: noRun } : {}) });
    isFilledIn = true;
    return filled !== null;
  }

  return {
    mapping,
    chosenMapping,
    /** Works out what the choices come to, once file and dataset are known; whether it is known now. */
    async match(): Promise<boolean> {
      for (;;) {
        const { file, inspection, dataset, reading } = store.getState();
        if (file.status !== 'granted' || inspection.status !== 'loaded' || !dataset) return false;
        const asked = mapping();
        const { provider, dataset: name, type } = dataset;
        const request = { source: file.file.token, reading, mapping: asked, provider, dataset: name, type };
        const value = await load(
          matching,
          (signal) => api.upload.match(request, { signal }),
          (part) => {
            if (part.status === 'loaded') store.setState({ match: { value: part.value, error: null } });
            if (part.status === 'failed') store.setState({ match: { value: null, error: part.error } });
          },
        );
        if (!value) return false;
        // Which values are numbers shows in the answer: a first one may have taken them for texts.
        const isSettled = JSON.stringify(mapping()) === JSON.stringify(asked);
        if (isSettled && (isFilledIn || !fillIn())) return true;
      }
    },
    /** A selected well fills in nothing: what is chosen was matched before. */
    keepCleared: () => void (isFilledIn = true),
    /** The fields are others: a selected well fills them in. */
    fillInAgain: () => void (isFilledIn = false),
    /** Another file, or the same read otherwise: what was matched holds no longer. */
    forget() {
      matching.drop();
      isFilledIn = false;
      store.setState({ match: noMatch, check: noRun });
    },
  };
}
