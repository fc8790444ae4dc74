import { useFetched } from '../../state/use-fetched.ts';
import { Failed } from '../../ui/faces.tsx';
import type { AuthenticateFormProps } from './authenticate-form.tsx';

const fetchForm = () => import('./authenticate-form.tsx');

/** The form that asks for a secret, fetched when it is first shown: the first screen stands without it. */
export function AuthenticateFormPlace(props: AuthenticateFormProps) {
  const { part, again } = useFetched(fetchForm);
  if (part.face === 'failed') return <Failed error={part.error} onRetry={again} />;
  if (part.face !== 'full') return null;
  const { AuthenticateForm } = part.value;
  return <AuthenticateForm {...props} />;
}
