import { Stethoscope } from 'lucide-react';
import type { ErrorCode } from '../../../shared/errors/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, type FailedProps } from '../../ui/view-states.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';

const connectivityErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unreachable',
  'timed_out',
  'bad_answer',
  'service_failed',
  'not_authenticated',
  'keychain_unavailable',
]);

/** A failed request of the open connection, with a link to diagnostics where connectivity can be the cause. */
export function ConnectionFailed({ error, onRetry, kept }: FailedProps) {
  const current = useAppState('connections', (state) => state.current);
  const { start } = useApp().diagnostics.actions;
  const { id, name } = current ?? {};
  const canDiagnose = id !== undefined && name !== undefined && connectivityErrors.has(error.code);
  return (
    <Failed
      error={error}
      {...(onRetry ? { onRetry } : {})}
      {...(kept === undefined ? {} : { kept })}
      {...(canDiagnose
        ? {
            extraAction: (
              <Button
                variant="quiet"
                icon={Stethoscope}
                onPress={() => void start({ id, name, subject: { connection: id } })}
              >
                {words.connection.why}
              </Button>
            ),
          }
        : {})}
    />
  );
}
