import { CheckBox } from '../../ui/check-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

const w = words.jobs.endNotices;

/**
 * Enables the browser's notifications of finished jobs. Hosts that notify by themselves need no permission.
 */
export function EndNoticesSwitch() {
  const { setEnabled } = useApp().endNotices.actions;
  const status = useAppState('endNotices', (state) => state.status);
  const byItself = useAppState('workspace', (state) => state.files === 'dialog');
  if (status === 'none' || byItself) return null;
  return (
    <div>
      <CheckBox label={w.label} checked={status === 'on'} onChange={(on) => void setEnabled(on)} />
      <Status className="field-note">{status === 'refused' ? w.refused : ''}</Status>
    </div>
  );
}
