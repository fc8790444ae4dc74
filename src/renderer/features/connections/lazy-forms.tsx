import { LazyPart } from '../../ui/lazy-part.tsx';
import type { ConnectionFormProps } from './connection-form.tsx';
import type { AuthenticateFormProps } from './authenticate-form.tsx';

const fetchForm = () => import('./connection-form.tsx');

/** The connection form, loaded when first shown, to keep the first screen fast. */
export function LazyConnectionForm(props: ConnectionFormProps) {
  return (
    <LazyPart fetch={fetchForm} waiting={<div className="connection-form-place" />}>
      {({ ConnectionForm }) => <ConnectionForm {...props} />}
    </LazyPart>
  );
}

const fetchAuthenticateForm = () => import('./authenticate-form.tsx');

/** The credentials form, loaded when first shown, to keep the first screen fast. */
export function LazyAuthenticateForm(props: AuthenticateFormProps) {
  return (
    <LazyPart fetch={fetchAuthenticateForm}>
      {({ AuthenticateForm }) => <AuthenticateForm {...props} />}
    </LazyPart>
  );
}
