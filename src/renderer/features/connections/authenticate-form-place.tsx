import { FetchedPart } from '../../ui/fetched-part.tsx';
import type { AuthenticateFormProps } from './authenticate-form.tsx';

const fetchForm = () => import('./authenticate-form.tsx');

/** The form that asks for a secret, fetched when it is first shown: the first screen stands without it. */
export function AuthenticateFormPlace(props: AuthenticateFormProps) {
  return (
    <FetchedPart fetch={fetchForm}>{({ AuthenticateForm }) => <AuthenticateForm {...props} />}</FetchedPart>
  );
}
