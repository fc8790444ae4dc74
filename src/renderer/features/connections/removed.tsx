import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

const w = words.start;

/** What was removed, and the way back; the focus goes there from the row that is gone. */
export function Removed() {
  const removed = useAppState('connections', (state) => state.removed);
  return removed && <Said key={removed.id} name={removed.name} />;
}

function Said({ name }: { name: string }) {
  const { undoRemoval, dismissRemoval } = useApp().connections.actions;
  const undo = useRef<HTMLButtonElement>(null);
  const undoing = useTask<void, void>(undoRemoval);
  useEffect(() => undo.current?.focus(), []);
  const close = <Button variant="quiet" icon={X} aria-label={w.dismissRemoval} onPress={dismissRemoval} />;
  if (undoing.error)
    return (
      <Alert tone="error" actions={close}>
        {undoing.error.message}
      </Alert>
    );
  return (
    <Alert
      tone="info"
      actions={
        <>
          <Button ref={undo} isPending={undoing.running} onPress={() => void undoing.start()}>
            {w.undoRemoval}
          </Button>
          {close}
        </>
      }
    >
      {w.removed(name)}
    </Alert>
  );
}
