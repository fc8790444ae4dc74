import { CheckBox } from '../../ui/check-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';

const w = words.jobs.endNotices;

/** Enables notifications of this and later jobs. The installed app needs no permission; a browser asks for it. */
export function EndNoticesSwitch() {
  const { setEnabled } = useApp().endNotices.actions;
  const status = useAppState('endNotices', (state) => state.status);
  const isDesktop = useAppState('workspace', (state) => state.files === 'dialog');
  const isWanted = useAppState('settings', (state) => state.values.notifyWhenDone);
  const { set } = useApp().settings.actions;
  if (status === 'none' && !isDesktop) return null;
  const change = (on: boolean) => (isDesktop ? set({ notifyWhenDone: on }) : void setEnabled(on));
  return (
    <div>
      <CheckBox label={w.label} checked={isDesktop ? isWanted : status === 'on'} onChange={change} />
      <Status className="field-note">{status === 'refused' ? w.refused : ''}</Status>
    </div>
  );
}
