import { X } from 'lucide-react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';

const w = words.saved;
const messages = { saved: w.savedAs, exported: w.exported, linked: w.linkCopied };

export function SavedNotice() {
  const afterwards = useAppState('saved', (state) => state.notice);
  const { undo, settle, dismiss } = useApp().saved.actions;
  if (!afterwards) return null;
  const close = <Button variant="quiet" icon={X} aria-label={words.dismiss} onPress={dismiss} />;
  switch (afterwards.what) {
    case 'problem':
      return (
        <Alert isStrip tone="error" actions={close}>
          {afterwards.message}
        </Alert>
      );
    case 'removed':
      return (
        <Alert
          isStrip
          tone={afterwards.problem === null ? 'info' : 'error'}
          actions={
            <Button variant="quiet" onPress={() => void undo()}>
              {words.undo}
            </Button>
          }
        >
          {afterwards.problem ?? w.removed(afterwards.count)}
        </Alert>
      );
    case 'conflicts': {
      const { conflicts } = afterwards.compared;
      return (
        <Alert
          isStrip
          tone="warning"
          actions={
            <>
              <Button onPress={() => void settle('both')}>{w.keepBoth}</Button>
              <Button onPress={() => void settle('replace')}>{w.replace}</Button>
              {close}
            </>
          }
        >
          {w.conflicts(conflicts.length, conflicts[0]?.theirs.name ?? '')}
        </Alert>
      );
    }
    case 'imported':
      return (
        <Alert isStrip tone="info" actions={close}>
          {afterwards.count === 0 ? w.nothingNew : w.imported(afterwards.count)}
        </Alert>
      );
    case 'saved':
    case 'exported':
    case 'linked':
      return (
        <Alert isStrip tone="info" actions={close}>
          {messages[afterwards.what](afterwards.name)}
        </Alert>
      );
  }
}
