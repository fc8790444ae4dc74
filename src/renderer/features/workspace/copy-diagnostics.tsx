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
  | { readonly status: 'copied' }
  | { readonly status: 'shown'; readonly text: string }
  | { readonly status: 'failed'; readonly error: AppError };

/** Copies diagnostics. Without access to the clipboard, it shows the text to copy. */
export function CopyDiagnostics() {
  const { diagnostics } = useApp().workspace.actions;
  const [result, setResult] = useState<CopyResult | null>(null);
  const copy = async (): Promise<CopyResult> => {
    try {
      const text = await diagnostics();
      return (await copyText(text)) ? { status: 'copied' } : { status: 'shown', text };
    } catch (error) {
      return { status: 'failed', error: toAppError(error) };
    }
  };
  return (
    <footer className="side-panel-foot row">
      <Button
        variant="quiet"
        icon={result?.status === 'copied' ? Check : ClipboardList}
        onPress={() => void copy().then(setResult)}
      >
        {w.diagnostics}
      </Button>
      <Status className="quiet">{result?.status === 'copied' ? w.diagnosticsCopied : ''}</Status>
      {result?.status === 'shown' && (
        <textarea className="report" aria-label={w.diagnosticsText} readOnly rows={8} value={result.text} />
      )}
      {result?.status === 'failed' && <Failed error={result.error} />}
    </footer>
  );
}
