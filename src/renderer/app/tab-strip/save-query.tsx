import { Star } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Popover } from 'react-aria-components/Popover';
import { useCommand } from '../../features/commands/use-command.ts';
import { findExisting } from '../../features/saved/saved.ts';
import { valueOr } from '../../state/loadable.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { tabTitle } from '../tab-title.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../state/contexts.ts';

const PlaceForm = lazy(() =>
  import('../../features/saved/place-form.tsx').then((found) => ({ default: found.PlaceForm })),
);

/** Saves the active query, by button or shortcut. */
export function SaveQuery() {
  const tab = useSessionState('tabs', ({ tabs, active }) => tabs.find(({ id }) => id === active));
  const list = useAppState('saved', (state) => state.list);
  const { save, load } = useApp().saved.actions;
  const { rename } = useSession().tabs.actions;
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const query = tab?.kind === 'query' ? tab : null;
  const show = () => {
    setProblem(null);
    setOpen(true);
    void load();
  };
  useCommand('save', query && show);
  if (!query) return null;
  const { dataset, store } = query.model;
  const address = { provider: dataset.provider, dataset: dataset.dataset };
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
                onSave={(place) =>
                  void save({ ...place, ...address, question: store.getState().text }).then((wrong) => {
                    setProblem(wrong);
                    if (wrong !== null) return;
                    rename(query.id, place.name);
                    setOpen(false);
                  })
                }
              />
            )}
          </Suspense>
        </Dialog>
      </Popover>
    </>
  );
}
