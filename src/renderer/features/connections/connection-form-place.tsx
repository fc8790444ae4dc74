import { LazyPart } from '../../ui/lazy-part.tsx';
import type { ConnectionFormProps } from './connection-form.tsx';
import type { AuthenticateFormProps } from './authenticate-form.tsx';

const fetchForm = () => import('./connection-form.tsx');

/** The form of a connection, fetched when it is first shown: the first screen stands before its longest part does. */
export function ConnectionFormPlace(props: ConnectionFormProps) {
  return (
    <LazyPart fetch={fetchForm} waiting={<div className="connection-form-place" />}>
      {({ ConnectionForm }) => <ConnectionForm {...props} />}
    </LazyPart>
  );
}

const fetchAuthenticateForm = () => import('./authenticate-form.tsx');

/** The form that asks for a secret, fetched when it is first shown: the first screen stands without it. */
export function AuthenticateFormPlace(props: AuthenticateFormProps) {
  return (
    <LazyPart fetch={fetchAuthenticateForm}>
      {({ AuthenticateForm }) => <AuthenticateForm {...props} />}
    </LazyPart>
  );
}
