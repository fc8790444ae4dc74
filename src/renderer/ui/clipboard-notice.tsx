import { X } from 'lucide-react';
import { useStore } from 'zustand';
import { words } from '../words/words.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { clipboardFailure } from './clipboard.ts';

/** Says that copying to the clipboard failed. */
export function ClipboardNotice() {
  const isShown = useStore(clipboardFailure, (state) => state.isShown);
  if (!isShown) return null;
  return (
    <Alert
      tone="error"
      actions={
        <Button
          variant="quiet"
          icon={X}
          aria-label={words.tabs.dismiss}
          onPress={() => clipboardFailure.setState({ isShown: false })}
        />
      }
    >
      {words.notCopied}
    </Alert>
  );
}
