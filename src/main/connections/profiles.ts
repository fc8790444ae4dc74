import * as z from 'zod';
import { connectionColor, proxyAddress, serviceUrl } from '../../shared/connections/connections.ts';
import { listIn, openSharedFile } from '../files/shared-file.ts';

/** A saved connection as it stands on disk. It never holds a secret. */
export const profile = z.object({
  /** Names a file of a lock too. */
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  name: z.string().min(1),
  color: connectionColor,
  dataUrl: serviceUrl,
  platformUrl: serviceUrl,
  method: z.enum(['api_key', 'login']),
  email: z.string().optional(),
  readOnly: z.boolean(),
  /** Certificates in PEM that are trusted beside the system's. */
  authorities: z.array(z.string()),
  /** Its own proxy; the password is in the keychain. */
  proxy: z.object({ address: proxyAddress, user: z.string().optional() }).optional(),
  /** Where its secret is; `none`: nowhere, or in the memory of a process. */
  secret: z.enum(['keychain', 'none']),
  /** When its key was last seen to be accepted, or its login was given: ISO 8601, UTC. */
  acceptedAt: z.string().optional(),
});
export type Profile = z.infer<typeof profile>;

export type ProfileStore = ReturnType<typeof openProfiles>;

/**
 * Saved connections: `<data>/connections.json`, which several processes may change at the same time.
 * @param warn told of what was damaged, and where it was put
 */
export function openProfiles(dataFolder: string, warn: (sentence: string) => void) {
  const { locked, read, write } = openSharedFile<Profile[]>({
    dataFolder,
    name: 'connections',
    format: 1,
    nothing: [],
    read: listIn('connections', profile),
    what: 'saved connections',
    warn,
  });
  return {
    /** @throws AppError `file_too_new`, `file_unreadable` */
    read,
    /** Reads, edits and writes while no other process does. @throws AppError as `read`, and `file_unwritable` */
    change: (edit: (profiles: readonly Profile[]) => Profile[]): Promise<Profile[]> =>
      locked(async (profiles) => {
        const connections = edit(profiles);
        await write({ connections });
        return connections;
      }),
  };
}
