import * as z from 'zod';
import { connectionColor, proxyAddress, serviceUrl } from '../../../shared/connections/connections.ts';
import { listReader, openSharedFile } from '../files/shared-file.ts';

/** A saved connection on disk, without its secret. */
export const storedProfile = z.object({
  /** Also the name of a lock file. */
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  name: z.string().min(1),
  color: connectionColor,
  dataUrl: serviceUrl,
  platformUrl: serviceUrl,
  method: z.enum(['api_key', 'login']),
  email: z.string().optional(),
  readOnly: z.boolean(),
  /** Trusted certificates in PEM, beside the system's. */
  authorities: z.array(z.string()),
  /** The connection's own proxy; its password is in the keychain. */
  proxy: z.object({ address: proxyAddress, user: z.string().optional() }).optional(),
  /**
   * The files of the certificate that it shows; the passphrase is in the keychain, under an account. Of a copy there too, as a
   * browser passes files, these are names.
   */
  clientCertificate: z
    .object({
      path: z.string(),
      keyPath: z.string().optional(),
      isCopy: z.literal(true).optional(),
      account: z.string(),
    })
    .optional(),
  /** Where the secret is; `none`: nowhere, or in the memory of a process. */
  secret: z.enum(['keychain', 'none']),
  /** When its key was last accepted or its sign-in succeeded: ISO 8601, UTC. */
  acceptedAt: z.string().optional(),
  /** When its secret was replaced, which other processes then read: ISO 8601, UTC. */
  replacedAt: z.string().optional(),
});
export type StoredClientCertificate = StoredProfile['clientCertificate'];
export type StoredProfile = z.infer<typeof storedProfile>;

export type ProfileStore = ReturnType<typeof openProfiles>;

/**
 * The saved connections in `<data>/connections.json`, which several processes can change.
 * @param warn called when a damaged file was set aside
 */
export function openProfiles(dataFolder: string, warn: (sentence: string) => void) {
  const { locked, read, write } = openSharedFile<StoredProfile[]>({
    dataFolder,
    name: 'connections',
    format: 1,
    nothing: [],
    read: listReader('connections', storedProfile),
    what: 'saved connections',
    warn,
  });
  return {
    /** @throws AppError `file_too_new`, `file_unreadable` */
    read,
    /**
     * Changes the profiles under a lock.
     * @throws AppError `file_too_new`, `file_unreadable`, `file_unwritable`
     */
    change: (edit: (profiles: readonly StoredProfile[]) => StoredProfile[]): Promise<StoredProfile[]> =>
      locked(async (profiles) => {
        const connections = edit(profiles);
        await write({ connections });
        return connections;
      }),
  };
}
