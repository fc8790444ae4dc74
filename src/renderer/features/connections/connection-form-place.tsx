import { FetchedPart } from '../../ui/fetched-part.tsx';
import type { ConnectionFormProps } from './connection-form.tsx';

const fetchForm = () => import('./connection-form.tsx');

/** The form of a connection, fetched when it is first shown: the first screen stands before its longest part does. */
export function ConnectionFormPlace(props: ConnectionFormProps) {
  return (
    <FetchedPart fetch={fetchForm} waiting={<div className="connection-form-place" />}>
      {({ ConnectionForm }) => <ConnectionForm {...props} />}
    </FetchedPart>
  );
}
