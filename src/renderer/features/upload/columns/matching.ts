import type { StoreApi } from 'zustand/vanilla';
import type { Dataset } from '../../../../shared/datasets/datasets.ts';
import type { Mapping } from '../../../../shared/upload/upload.ts';
import type { Api } from '../../../api/api.ts';
import { latest } from '../../../state/latest.ts';
import { scopeOf, type ScopedWell } from '../../wells/scope.ts';
import { mappingFrom, type MappingChoices } from './mapping-choices.ts';
import { withChosenWell } from './prefill.ts';
import { kindIn, noMatch, noRun, type UploadTabState } from '../upload-state.ts';
import { withZone } from '../wells/well-zone.ts';

/** Keeps what the engine makes of the choices beside them. */
export interface Matcher {
  /** What the choices come to as a mapping, with the zone of the wells where none was selected. */
  readonly mapping: () => Mapping;
  /** What the choices alone come to: for files of other wells too. */
  readonly chosenMapping: () => Mapping;
  /** Works out anew what they come to, once file and dataset are known. */
  readonly match: () => Promise<void>;
  readonly change: (choices: MappingChoices) => void;
  readonly into: (dataset: Dataset) => void;
  /** What is chosen was matched before the page was loaded again: a selected well fills in nothing. */
  readonly restore: () => void;
  /** Another file, or the same read otherwise: what was matched holds no longer. */
  readonly forget: () => void;
}

export interface MatcherNeeds {
  readonly store: StoreApi<UploadTabState>;
  readonly api: Pick<Api['upload'], 'match'>;
  /** The chosen wells, asked for when they are needed. */
  readonly wells: () => readonly ScopedWell[];
  readonly onMatch: () => void;
}

/** The well that is selected; null: none is, or several are. */
const oneOf = (wells: readonly ScopedWell[]): ScopedWell | null =>
  scopeOf(wells).length === 1 ? (wells[0] ?? null) : null;

export function createMatcher({ store, api, wells, onMatch }: MatcherNeeds): Matcher {
  const matching = latest();
  // A chosen well fills the scope once; what a person clears stays clear.
  let scopeFilled = false;

  const chosenMapping = (): Mapping => {
    const { choices, match } = store.getState();
    return mappingFrom(choices, kindIn(match));
  };
  const mapping = (): Mapping => withZone(chosenMapping(), store.getState());

  async function match(): Promise<void> {
    const { file, inspection, dataset, reading } = store.getState();
    if (file.face !== 'granted' || inspection.face !== 'full' || !dataset) return;
    const { provider, dataset: name, type } = dataset;
    const source = file.file.token;
    const asked = mapping();
    let again = false;
    await matching.run(
      (signal) => api.match({ source, reading, mapping: asked, provider, dataset: name, type }, { signal }),
      {
        done(value) {
          store.setState({ match: { value, error: null } });
          // Which values are numbers shows in the answer: a first one may have taken them for texts.
          again = JSON.stringify(mapping()) !== JSON.stringify(asked);
          if (again) return;
          const isFirst = !scopeFilled;
          scopeFilled = true;
          if (isFirst) store.setState({ selectedWell: oneOf(wells()) });
          onMatch();
          if (!isFirst) return;
          const filled = withChosenWell(store.getState().choices, value, type, wells());
          if (filled) change(filled);
        },
        failed: (error) => store.setState({ match: { value: null, error } }),
        cancelled: () => undefined,
      },
    );
    if (again) await match();
  }

  function change(choices: MappingChoices): void {
    // What a trial has shown held for the choices before.
    store.setState({ choices, check: noRun });
    void match();
  }

  return {
    mapping,
    chosenMapping,
    match,
    change,
    into(dataset) {
      const { choices, dataset: before } = store.getState();
      // Another type has other fields: a value for all rows would go along unseen.
      const other = before !== null && before.type !== dataset.type;
      if (other) scopeFilled = false;
      store.setState({
        dataset,
        match: noMatch,
        check: noRun,
        choices: other ? { ...choices, constants: {} } : choices,
      });
      void match();
    },
    restore: () => void (scopeFilled = true),
    forget() {
      matching.drop();
      scopeFilled = false;
      store.setState({ match: noMatch, check: noRun });
    },
  };
}
