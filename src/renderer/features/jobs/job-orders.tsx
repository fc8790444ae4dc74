import { ListChecks, Pause, Play, Square, Trash2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { Button } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { Popup } from '../../ui/popup.tsx';
import { useApp } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { isCheck, stoppable } from './job-list.ts';
import { canResume, kindInWords } from './job-words.ts';

interface Order {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly text: string;
  /** For a screen reader, with what it is about. */
  readonly name: string;
  readonly give: () => void;
}

export interface JobOrdersProps {
  readonly job: Job;
  readonly onOpenUpload: (job: Job) => void;
  /** Where a menu of the orders was asked for, in pixels of the window. */
  readonly menuAt: { readonly x: number; readonly y: number } | null;
  readonly onMenuClose: () => void;
}

/** What can be done with a job now: as buttons, and as a menu where one was asked for. */
export function JobOrders({ job, onOpenUpload, menuAt, onMenuClose }: JobOrdersProps) {
  const [isDiscarding, setDiscarding] = useState(false);
  const orders = useOrders(job, onOpenUpload);
  const rest = stoppable(job.state)
    ? []
    : [{ id: 'discard', icon: Trash2, text: `${words.jobs.discard}…`, give: () => setDiscarding(true) }];
  const all = [...orders, ...rest];
  return (
    <span className="job-orders row gap-0">
      {orders.map(({ id, icon, text, name, give }) => (
        <Button key={id} variant="quiet" icon={icon} aria-label={name} onPress={give}>
          {text}
        </Button>
      ))}
      {rest.length > 0 && <Discard job={job} isOpen={isDiscarding} onOpenChange={setDiscarding} />}
      {menuAt && all.length > 0 && (
        <ContextMenu
          label={`${kindInWords(job)} ${job.file}`}
          at={menuAt}
          parts={[{ id: 'job', heading: job.file, items: all }]}
          onChoose={(id) => all.find((order) => order.id === id)?.give()}
          onClose={onMenuClose}
        />
      )}
    </span>
  );
}

function useOrders(job: Job, onOpenUpload: JobOrdersProps['onOpenUpload']): readonly Order[] {
  const { cancel, pause, resume } = useApp().jobs.actions;
  const { id, file, state } = job;
  const { jobs } = words;
  const possible: readonly (Order | false)[] = [
    job.kind === 'upload' &&
      state !== 'unreadable' &&
      !isCheck(job) && {
        id: 'open',
        icon: ListChecks,
        text: jobs.open,
        name: jobs.openNamed(file),
        give: () => onOpenUpload(job),
      },
    state === 'running' && {
      id: 'pause',
      icon: Pause,
      text: jobs.pause,
      name: jobs.pauseNamed(file),
      give: () => void pause(id),
    },
    stoppable(state) && {
      id: 'cancel',
      icon: Square,
      text: words.cancel,
      name: jobs.cancel(file),
      give: () => void cancel(id),
    },
    canResume(job) && {
      id: 'resume',
      icon: Play,
      text: jobs.resume,
      name: jobs.resumeNamed(file),
      give: () => void resume(id),
    },
  ];
  return possible.filter((order) => order !== false);
}

interface DiscardProps {
  readonly job: Job;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Asks before it removes: what was not downloaded goes with the job. */
function Discard({ job, isOpen, onOpenChange }: DiscardProps) {
  const { discard } = useApp().jobs.actions;
  const label = words.jobs.discardNamed(job.file);
  return (
    <Popup
      heading={label}
      placement="top end"
      trigger={<Button variant="quiet" icon={Trash2} aria-label={label} />}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      {(close) => (
        <div className="stack gap-3">
          <p>{words.jobs.discardText}</p>
          <div className="row wrap">
            <Button onPress={() => void discard(job.id)}>{words.jobs.discard}</Button>
            <Button variant="quiet" onPress={close}>
              {words.cancel}
            </Button>
          </div>
        </div>
      )}
    </Popup>
  );
}
