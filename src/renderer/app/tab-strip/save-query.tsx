import { Star } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Popover } from 'react-aria-components/Popover';
import { useCommand } from '../../features/commands/use-command.ts';
import { usesSelectedWells } from '../../features/query/query-request.ts';
import type { SavedPlace } from '../../features/saved/place-form.tsx';
import { findExisting } from '../../features/saved/saved.ts';
import { scopeOf } from '../../features/wells/scope.ts';
import { valueOr } from '../../state/loadable.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { tabTitle } from '../tab-title.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../state/contexts.ts';

const PlaceForm = lazy(() =>
  import('../../features/saved/place-form.tsx').then((found) => ({ default: found.PlaceForm })),
);

// The language module is large, and rarely needed here.
const loadBoundQuery = () => import('../../features/query/bound-query.ts');

const namesShown = 2;

/** Saves the active query, by button or shortcut. */
export function SaveQuery() {
  const tab = useSessionState('tabs', ({ tabs, active }) => tabs.find(({ id }) => id === active));
  const list = useAppState('saved', (state) => state.list);
  const { save, load } = useApp().saved.actions;
  const { rename } = useSession().tabs.actions;
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [keepsWells, setKeepsWells] = useState(false);
  const query = tab?.kind === 'query' ? tab : null;
  const show = () => {
    setProblem(null);
    setKeepsWells(false);
    setOpen(true);
    void load();
  };
  useCommand('save', query && show);
  if (!query) return null;
  const { dataset, store } = query.model;
  const question = store.getState().text;
  const wells = usesSelectedWells(question) ? query.scope : [];
  const address = { provider: dataset.provider, dataset: dataset.dataset };
  async function saveAs(place: SavedPlace): Promise<void> {
    const saved =
      keepsWells && wells.length > 0
        ? (await loadBoundQuery()).withWellIds(question, scopeOf(wells))
        : question;
    const wrong = await save({ ...place, ...address, question: saved });
    setProblem(wrong);
    if (wrong !== null || !query) return;
    rename(query.id, place.name);
    setOpen(false);
  }
  const queries = valueOr(list, null)?.queries ?? [];
  const name = tabTitle(query);
  const before = queries.find((one) => one.name === name && one.dataset === dataset.dataset);
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        icon={Star}
        aria-label={words.saved.saveQuery}
        onPress={show}
        aria-haspopup="dialog"
      />
      <Popover
        className="popover"
        triggerRef={button}
        isOpen={open}
        onOpenChange={setOpen}
        placement="bottom end"
      >
        <Dialog className="popup">
          <Heading slot="title" className="popup-heading">
            {words.saved.saveHeading}
          </Heading>
          {problem !== null && <Alert tone="error">{problem}</Alert>}
          <Suspense fallback={<Loading what={words.tabs.loading} />}>
            {list.status !== 'loading' && (
              <PlaceForm
                start={{ name, folder: before?.folder ?? '' }}
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
        </Dialog>
      </Popover>
    </>
  );
}
