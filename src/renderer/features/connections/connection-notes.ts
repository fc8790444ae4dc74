import type { Connection } from '../../../shared/connections/connections.ts';
import { words } from '../../words/words.ts';

/** What stands beside the name of a connection: how it logs in, where the secret is, what it does not allow. */
export function notesOn({ method, sample, secret, readOnly }: Connection): string[] {
  const w = words.connection;
  return [
    ...(sample ? [w.methods[method], w.sample] : [w.secrets[method][secret]]),
    ...(readOnly ? [w.readOnly] : []),
  ];
}
