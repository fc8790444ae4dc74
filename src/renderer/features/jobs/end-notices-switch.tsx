import { CheckBox } from '../../ui/check-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

const w = words.jobs.endNotices;

/** Whether the system tells when a job is done. Where the application does so by itself, nothing is asked. */
export function EndNoticesSwitch() {
  const { turn } = useApp().endNotices.actions;
  const status = useAppState('endNotices', (state) => state.status);
  const byItself = useAppState('workspace', (state) => state.files === 'dialog');
  if (status === 'none' || byItself) return null;
  return (
    <div>
      <CheckBox label={w.label} checked={status === 'on'} onChange={(on) => void turn(on)} />
      <Status className="field-note">{status === 'refused' ? w.refused : ''}</Status>
    </div>
  );
}
