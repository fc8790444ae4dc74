import { useEffect } from 'react';
import { keychainInWords } from '../../../shared/errors/sentences.ts';
import { Alert } from '../../ui/alert.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

interface KeychainChoiceProps {
  readonly remember: boolean;
  readonly onChange: (remember: boolean) => void;
}

const w = words.connection;

/** Where the secret is to be kept; and, where the keychain lets nobody in, that it can't be, and what to do. */
export function KeychainChoice({ remember, onChange }: KeychainChoiceProps) {
  const trouble = useAppState('connections', (state) => state.keychain);
  const { lookAtKeychain } = useApp().connections.actions;
  useEffect(() => void lookAtKeychain(), [lookAtKeychain]);
  return (
    <>
      <CheckBox
        label={w.remember}
        checked={remember && trouble === null}
        onChange={onChange}
        isDisabled={trouble !== null}
        {...(trouble === null ? { note: w.rememberNote } : {})}
      />
      {trouble !== null && (
        <Alert tone="warning">
          {w.noKeychain} {keychainInWords(trouble)}
        </Alert>
      )}
    </>
  );
}
