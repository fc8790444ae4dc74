import { X } from 'lucide-react';
import { Alert, type AlertProps } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';

const w = words.saved;
const messages = { saved: w.savedAs, exported: w.exported, linked: w.linkCopied };

export function SavedNotice() {
  const notice = useAppState('saved', (state) => state.notice);
  const { undo, settle, dismiss } = useApp().saved.actions;
  if (!notice) return null;
  const close = <Button variant="quiet" icon={X} aria-label={words.dismiss} onPress={dismiss} />;
  const strip = (tone: AlertProps['tone'], text: string, actions = close) => (
    <Alert isStrip tone={tone} actions={actions}>
      {text}
    </Alert>
  );
  switch (notice.what) {
    case 'problem':
      return strip('error', notice.message);
    case 'removed':
      return strip(
        notice.problem === null ? 'info' : 'error',
        notice.problem ?? w.removed(notice.count),
        <Button variant="quiet" onPress={() => void undo()}>
          {words.undo}
        </Button>,
      );
    case 'conflicts': {
      const { conflicts } = notice.compared;
      return strip(
        'warning',
        w.conflicts(conflicts.length, conflicts[0]?.theirs.name ?? ''),
        <>
          <Button onPress={() => void settle('both')}>{w.keepBoth}</Button>
          <Button onPress={() => void settle('replace')}>{w.replace}</Button>
          {close}
        </>,
      );
    }
    case 'imported':
      return strip('info', notice.count === 0 ? w.nothingNew : w.imported(notice.count));
    case 'saved':
    case 'exported':
    case 'linked':
      return strip('info', messages[notice.what](notice.name));
  }
}
