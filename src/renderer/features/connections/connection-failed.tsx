import { Stethoscope } from 'lucide-react';
import type { ErrorCode } from '../../../shared/errors/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, type FailedProps } from '../../ui/view-states.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

/** What the way to a service can be the cause of. */
const ofTheWay: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unreachable',
  'timed_out',
  'bad_answer',
  'service_failed',
  'not_authenticated',
  'keychain_unavailable',
]);

/** A request over the open connection that failed; where the way to the service may be the cause, it can be looked at. */
export function ConnectionFailed({ error, onRetry }: FailedProps) {
  const current = useAppState('connections', (state) => state.current);
  const { look } = useApp().doctor.actions;
  const { id, name } = current ?? {};
  const canLook = id !== undefined && name !== undefined && ofTheWay.has(error.code);
  return (
    <Failed
      error={error}
      {...(onRetry ? { onRetry } : {})}
      {...(canLook
        ? {
            extraAction: (
              <Button
                variant="quiet"
                icon={Stethoscope}
                onPress={() => void look({ of: id, name, subject: { connection: id } })}
              >
                {words.connection.why}
              </Button>
            ),
          }
        : {})}
    />
  );
}
