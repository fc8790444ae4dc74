import { Star } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { addressOf, isSameAddress } from '../../../shared/datasets/datasets.ts';
import { usesSelectedWells } from './query-request.ts';
import type { SavedPlace } from '../saved/place-form.tsx';
import { findExisting } from '../saved/saved.ts';
import { scopeOf } from '../../../shared/wells/wells.ts';
import { valueOr } from '../../state/loadable.ts';
import { Alert } from '../../ui/alert.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Loading } from '../../ui/view-states.tsx';
import { Popup } from '../../ui/popup.tsx';
import { words } from '../../words/words.ts';
import type { Tab } from '../tabs/tabs.ts';
import { tabTitle } from '../tabs/tab-title.ts';
import type { QueryTab } from './query-tab.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../contexts.ts';

const PlaceForm = lazy(() => import('../saved/place-form.tsx'));

const namesShown = 2;

interface SaveQueryProps {
  readonly tab: Tab;
  readonly model: QueryTab;
}

export function SaveQuery({ tab, model }: SaveQueryProps) {
  const openForm = useSessionState('tabs', (state) => state.openForm);
  const { showForm } = useSession().tabs.actions;
  return (
    <Popup
      heading={words.saved.saveHeading}
      isOpen={openForm?.form === 'save' && openForm.tab === tab.id}
      onOpenChange={(isOpen) => showForm(isOpen ? { tab: tab.id, form: 'save' } : null)}
      trigger={{ icon: Star, 'aria-label': words.saved.saveQuery }}
    >
      {(close) => <SaveForm tab={tab} model={model} onSaved={close} />}
    </Popup>
  );
}

interface SaveFormProps extends SaveQueryProps {
  readonly onSaved: () => void;
}

function SaveForm({ tab, model, onSaved }: SaveFormProps) {
  const list = useAppState('saved', (state) => state.list);
  const { save, load } = useApp().saved.actions;
  const { rename } = useSession().tabs.actions;
  const [problem, setProblem] = useState<string | null>(null);
  const [keepsWells, setKeepsWells] = useState(false);
  useEffect(() => void load(), [load]);
  const { dataset, store } = model;
  const question = store.getState().text;
  const wells = usesSelectedWells(question) ? tab.wells : [];
  const address = addressOf(dataset);
  async function saveAs(place: SavedPlace): Promise<void> {
    const saved =
      keepsWells && wells.length > 0
        ? (await import('./bound-query.ts')).withWellIds(question, scopeOf(wells))
        : question;
    const refusal = await save({ ...place, ...address, question: saved, look: model.results.actions.look() });
    setProblem(refusal);
    if (refusal !== null) return;
    rename(tab.id, place.name);
    onSaved();
  }
  const queries = valueOr(list, null)?.queries ?? [];
  const name = tabTitle(tab);
  const earlier = queries.find((query) => query.name === name && isSameAddress(query, address));
  return (
    <>
      {problem !== null && <Alert tone="error">{problem}</Alert>}
      <Suspense fallback={<Loading what={words.tabs.loading} />}>
        {list.status !== 'loading' && list.status !== 'idle' && (
          <PlaceForm
            start={{ name, folder: earlier?.folder ?? '' }}
            replaces={(place) => findExisting(queries, { ...place, ...address }) !== undefined}
            onSave={(place) => void saveAs(place)}
          >
            {wells.length > 0 && (
              <CheckBox
                label={words.saved.keepWells(
                  wells.slice(0, namesShown).map((well) => well.name),
                  Math.max(0, wells.length - namesShown),
                )}
                note={words.saved.keepWellsNote}
                checked={keepsWells}
                onChange={setKeepsWells}
              />
            )}
          </PlaceForm>
        )}
      </Suspense>
    </>
  );
}
