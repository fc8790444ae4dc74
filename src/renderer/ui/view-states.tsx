import { type ReactNode, use } from 'react';
import type { AppError, ErrorCode } from '../../shared/errors/errors.ts';
import { words } from '../words/words.ts';
import { Alert } from './alert.tsx';
import { Bar } from './bar.tsx';
import { Button } from './button.tsx';
import { Notice } from './notices.tsx';
import { KeepFocus } from './keep-focus.tsx';
import { Status } from './status.tsx';
import { CircleQuestionMark } from 'lucide-react';
import { AppContext } from '../contexts.ts';

export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <KeepFocus className="view-state stack gap-3 full items-center quiet">
      <div className="view-text">{children}</div>
      {action}
    </KeepFocus>
  );
}

export interface LoadingProps {
  /** What is loading, for its label. */
  readonly what: string;
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
}

/** CSS delays the bar, so that quick responses don't flicker. */
export function Loading({ what, onCancel, children }: LoadingProps) {
  return (
    <KeepFocus className="view-state stack gap-3 full items-center quiet view-loading">
      <Bar label={what} share={null} />
      <div className="view-text">
        <Status>{what}</Status> {children}
      </div>
      {onCancel && <Button onPress={onCancel}>{words.cancel}</Button>}
    </KeepFocus>
  );
}

export interface FailedProps {
  readonly error: AppError;
  readonly onRetry?: () => void;
  readonly extraAction?: ReactNode;
  /** What stays in view below the message, such as an earlier result; absent: nothing. */
  readonly kept?: string;
  /** Whether its parent has the space at its edges. */
  readonly isInForm?: boolean;
}

/** An error's message with a retry button, except for invalid input, which the user has to correct. */
export function Failed({ error, onRetry, extraAction, kept, isInForm = false }: FailedProps) {
  const retry = error.is('invalid_input') ? undefined : onRetry;
  const actions = (
    <>
      {retry && <Button onPress={retry}>{words.tryAgain}</Button>}
      {extraAction}
      <HelpLink code={error.code} />
    </>
  );
  if (kept !== undefined)
    return (
      <Notice tone="error" actions={actions}>
        {error.message} {kept}
      </Notice>
    );
  return (
    <KeepFocus className={isInForm ? '' : 'view-failed-alone pad-3 scroll'}>
      <Alert tone="error" actions={actions}>
        {error.message}
      </Alert>
    </KeepFocus>
  );
}

// Errors whose messages need no further explanation.
const codesWithoutHelp: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_input', 'cancelled']);

function HelpLink({ code }: { code: ErrorCode }) {
  const app = use(AppContext);
  if (app === null || codesWithoutHelp.has(code)) return null;
  return (
    <Button variant="quiet" icon={CircleQuestionMark} onPress={() => app.help.actions.explain(code)}>
      {words.help.more}
    </Button>
  );
}
