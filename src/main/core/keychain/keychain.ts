/**
 * The system's keychain. The service is the application, the account identifies the secret.
 * @throws AppError `keychain_unavailable` from every call, with the reason. An entry that can't be read is
 *   never overwritten.
 */
export interface Keychain {
  /** The secret; null if there is none. */
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  /** @returns false if there was none */
  deletePassword(service: string, account: string): Promise<boolean>;
}
