import { useFetched } from '../../state/use-fetched.ts';
import { Failed } from '../../ui/faces.tsx';
import type { ConnectionFormProps } from './connection-form.tsx';

const fetchForm = () => import('./connection-form.tsx');

/** The form of a connection, fetched when it is first shown: the first screen stands before its longest part does. */
export function ConnectionFormPlace(props: ConnectionFormProps) {
  const { part, again } = useFetched(fetchForm);
  if (part.face === 'failed') return <Failed error={part.error} onRetry={again} />;
  if (part.face !== 'full') return <div className="connection-form-place" />;
  const { ConnectionForm } = part.value;
  return <ConnectionForm {...props} />;
}
