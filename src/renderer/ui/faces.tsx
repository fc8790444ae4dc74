import { type ReactNode, use } from 'react';
import type { AppError, ErrorCode } from '../../shared/errors/errors.ts';
import { words } from '../words/words.ts';
import { Alert } from './alert.tsx';
import { Bar } from './bar.tsx';
import { Button } from './button.tsx';
import { KeepFocus } from './keep-focus.tsx';
import { Status } from './status.tsx';
import { CircleQuestionMark } from 'lucide-react';
import { AppContext } from '../state/contexts.ts';

export interface EmptyProps {
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Nothing to show, and the next step. */
export function Empty({ children, action }: EmptyProps) {
  return (
    <KeepFocus className="face quiet">
      <div className="face-text">{children}</div>
      {action}
    </KeepFocus>
  );
}

export interface LoadingProps {
  /** What is being loaded. */
  readonly what: string;
  readonly onCancel?: () => void;
  readonly children?: ReactNode;
}

/** Something is under way; the bar waits a moment before it shows, so that quick answers don't flicker. */
export function Loading({ what, onCancel, children }: LoadingProps) {
  return (
    <KeepFocus className="face quiet face-loading">
      <Bar label={what} share={null} />
      <div className="face-text">
        <Status>{what}</Status> {children}
      </div>
      {onCancel && <Button onPress={onCancel}>{words.cancel}</Button>}
    </KeepFocus>
  );
}

export interface FailedProps {
  readonly error: AppError;
  readonly onRetry?: () => void;
  /** What else can be done about it: a button. */
  readonly also?: ReactNode;
}

/**
 * What went wrong, in the error's own sentence, and the way to try again; wrong input is to be corrected, not tried
 * again.
 */
export function Failed({ error, onRetry, also }: FailedProps) {
  const retry = error.is('invalid_input') ? undefined : onRetry;
  const actions = (
    <>
      {retry && <Button onPress={retry}>{words.tryAgain}</Button>}
      {also}
      <HelpLink code={error.code} />
    </>
  );
  return (
    <KeepFocus className="face-failed">
      <Alert tone="error" actions={actions}>
        {error.message}
      </Alert>
    </KeepFocus>
  );
}

// Their sentences say all that there is to say.
const plain: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_input', 'cancelled']);

/** Leads from an error to its entry in the guide. */
function HelpLink({ code }: { code: ErrorCode }) {
  const app = use(AppContext);
  if (app === null || plain.has(code)) return null;
  return (
    <Button variant="quiet" icon={CircleQuestionMark} onPress={() => app.explain(code)}>
      {words.help.more}
    </Button>
  );
}
