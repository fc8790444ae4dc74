import { Check, ClipboardList } from 'lucide-react';
import { useState } from 'react';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Failed } from '../../ui/view-states.tsx';
import { Status } from '../../ui/status.tsx';
import { useApp } from '../../contexts.ts';
import { words } from '../../words/words.ts';

const w = words.help;

type CopyResult =
  | { readonly as: 'copied' }
  | { readonly as: 'shown'; readonly text: string }
  | { readonly as: 'failed'; readonly error: AppError };

/** Copies diagnostics. Without access to the clipboard, it shows the text to copy. */
export function CopyDiagnostics() {
  const { diagnostics } = useApp().workspace.actions;
  const [done, setDone] = useState<CopyResult | null>(null);
  const copy = async (): Promise<CopyResult> => {
    try {
      const text = await diagnostics();
      return (await copyText(text)) ? { as: 'copied' } : { as: 'shown', text };
    } catch (error) {
      return { as: 'failed', error: toAppError(error) };
    }
  };
  return (
    <footer className="side-panel-foot row">
      <Button
        variant="quiet"
        icon={done?.as === 'copied' ? Check : ClipboardList}
        onPress={() => void copy().then(setDone)}
      >
        {w.diagnostics}
      </Button>
      <Status className="quiet">{done?.as === 'copied' ? w.diagnosticsCopied : ''}</Status>
      {done?.as === 'shown' && (
        <textarea className="report" aria-label={w.diagnosticsText} readOnly rows={8} value={done.text} />
      )}
      {done?.as === 'failed' && <Failed error={done.error} />}
    </footer>
  );
}
