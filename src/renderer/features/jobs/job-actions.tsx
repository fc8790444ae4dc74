import { ListChecks, Pause, Play, Square, Trash2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { Button } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { Popup, type PopupProps } from '../../ui/popup.tsx';
import { useApp } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { isCheck } from './job-list.ts';
import { canResume, kindText } from './job-words.ts';

interface JobAction {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly text: string;
  readonly name: string;
  readonly run: () => void;
}

export interface JobActionsProps {
  readonly job: Job;
  /** Opens the results of an upload, or the report of a check. */
  readonly onOpen: (job: Job) => void;
  /** The position of the context menu, in pixels; null: it is closed. */
  readonly menuAt: { readonly x: number; readonly y: number } | null;
  readonly onMenuClose: () => void;
}

export function JobActions({ job, onOpen, menuAt, onMenuClose }: JobActionsProps) {
  const [isDiscarding, setDiscarding] = useState(false);
  const actions = useJobActions(job, onOpen);
  const canDiscard = !isActive(job.state);
  const discard = {
    id: 'discard',
    icon: Trash2,
    text: `${words.jobs.discard}…`,
    run: () => setDiscarding(true),
  };
  const all = canDiscard ? [...actions, discard] : actions;
  return (
    <span className="to-end row gap-0">
      {actions.map(({ id, icon, text, name, run }) => (
        <Button key={id} variant="quiet" icon={icon} aria-label={name} onPress={run}>
          {text}
        </Button>
      ))}
      {canDiscard && <DiscardJob job={job} isOpen={isDiscarding} onOpenChange={setDiscarding} />}
      {menuAt && all.length > 0 && (
        <ContextMenu
          label={`${kindText(job)} ${job.file}`}
          at={menuAt}
          parts={[{ id: 'job', heading: job.file, items: all }]}
          onClose={onMenuClose}
        />
      )}
    </span>
  );
}

function useJobActions(job: Job, onOpen: JobActionsProps['onOpen']): readonly JobAction[] {
  const { cancel, pause, resume } = useApp().jobs.actions;
  const { id, file, state } = job;
  const { jobs } = words;
  const hasReport = job.kind === 'quality' && state === 'done';
  const hasLedger = job.kind === 'upload' && state !== 'unreadable' && !isCheck(job);
  const possible: readonly (JobAction | false)[] = [
    (hasReport || hasLedger) && {
      id: 'open',
      icon: ListChecks,
      text: hasReport ? jobs.openReport : jobs.open,
      name: hasReport ? jobs.openReportNamed(file) : jobs.openNamed(file),
      run: () => onOpen(job),
    },
    state === 'running' && {
      id: 'pause',
      icon: Pause,
      text: jobs.pause,
      name: jobs.pauseNamed(file),
      run: () => void pause(id),
    },
    isActive(state) && {
      id: 'cancel',
      icon: Square,
      text: words.cancel,
      name: jobs.cancel(file),
      run: () => void cancel(id),
    },
    canResume(job) && {
      id: 'resume',
      icon: Play,
      text: jobs.resume,
      name: jobs.resumeNamed(file),
      run: () => void resume(id),
    },
  ];
  return possible.filter((action) => action !== false);
}

interface DiscardProps {
  readonly job: Job;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Confirms the removal: files that were not downloaded are removed too. */
function DiscardJob({ job, isOpen, onOpenChange }: DiscardProps) {
  const { discard } = useApp().jobs.actions;
  const label = words.jobs.discardNamed(job.file);
  return (
    <ConfirmPopup
      heading={label}
      placement="top end"
      trigger={{ icon: Trash2 }}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      text={words.jobs.discardText}
      action={words.jobs.discard}
      onConfirm={() => void discard(job.id)}
    />
  );
}

interface ConfirmPopupProps extends Omit<PopupProps, 'children'> {
  readonly text: string;
  readonly action: string;
  readonly onConfirm: () => void;
}

export function ConfirmPopup({ text, action, onConfirm, ...popup }: ConfirmPopupProps) {
  return (
    <Popup {...popup}>
      {(close) => (
        <div className="stack gap-3">
          <p>{text}</p>
          <div className="row wrap">
            <Button
              onPress={() => {
                close();
                onConfirm();
              }}
            >
              {action}
            </Button>
            <Button variant="quiet" onPress={close}>
              {words.cancel}
            </Button>
          </div>
        </div>
      )}
    </Popup>
  );
}
