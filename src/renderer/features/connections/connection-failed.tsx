import { Stethoscope } from 'lucide-react';
import type { Connection } from '../../../shared/connections/connections.ts';
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
export function ConnectionFailed(props: FailedProps) {
  const current = useAppState('connections', (state) => state.current);
  const { start } = useApp().diagnostics.actions;
  const diagnose = ({ id, name }: Connection) => void start({ id, name, subject: { connection: id } });
  return (
    <Failed
      {...props}
      extraAction={
        current &&
        connectivityErrors.has(props.error.code) && (
          <Button variant="quiet" icon={Stethoscope} onPress={() => diagnose(current)}>
            {words.connection.why}
          </Button>
        )
      }
    />
  );
}
