import { CheckBox } from '../../ui/check-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

const w = words.jobs.endNotices;

/** Whether the system tells when a job is done. Where the application does so by itself, nothing is asked. */
export function EndNoticesSwitch() {
  const { turn } = useApp().endNotices.actions;
  const face = useAppState('endNotices', (state) => state.face);
  const byItself = useAppState('workspace', (state) => state.files === 'dialog');
  if (face === 'none' || byItself) return null;
  return (
    <div>
      <CheckBox label={w.label} checked={face === 'on'} onChange={(on) => void turn(on)} />
      <Status className="field-note">{face === 'refused' ? w.refused : ''}</Status>
    </div>
  );
}
