import { X } from 'lucide-react';
import { useEffect } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { MirrorForm } from './mirror-form.tsx';
import { MirrorRow } from './mirror-row.tsx';
import './mirrors.css';

const w = words.mirrors;

const statesOf = (jobs: readonly Job[]): string =>
  jobs
    .filter(({ kind }) => kind === 'export')
    .map(({ id, state }) => `${id} ${state}`)
    .join();

/** The mirrors of this computer, and a form for a new one. */
export default function MirrorsDialog() {
  const { mirrors, jobs } = useApp();
  const { actions } = mirrors;
  const { dataset, list, problem } = useAppState('mirrors', (state) => state);
  const listed = valueOr(list, []);
  useEffect(() => {
    void actions.load();
    // What a folder has changes when a job ends.
    return jobs.store.subscribe((now, before) => {
      if (statesOf(now.jobs) !== statesOf(before.jobs)) void actions.load();
    });
  }, [actions, jobs]);
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={actions.close} className="palette-back">
      <Modal className="mirrors popover">
        <Dialog className="mirrors-dialog" data-help="mirror.md">
          <div className="mirrors-head row">
            <Heading slot="title">{w.heading}</Heading>
            <Button variant="quiet" icon={X} aria-label={words.close} onPress={actions.close} />
          </div>
          <p className="quiet">{w.text}</p>
          {dataset && <MirrorForm key={`${dataset.provider}/${dataset.dataset}`} dataset={dataset} />}
          {problem && <Alert tone="error">{problem.message}</Alert>}
          {list.status === 'loading' && <Loading what={w.loading} />}
          {list.status === 'failed' && <Failed error={list.error} onRetry={() => void actions.load()} />}
          {list.status === 'loaded' && listed.length === 0 && !dataset && <p className="quiet">{w.none}</p>}
          {listed.length > 0 && (
            <ul className="mirrors-list" aria-label={w.list}>
              {listed.map((mirror) => (
                <MirrorRow key={mirror.id} mirror={mirror} />
              ))}
            </ul>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
