export interface StoredSecret {
  readonly account: string;
  readonly password: string;
}

/**
 * The system's keychain, with keytar's four calls. The service is the application, the account identifies the
 * secret.
 * @throws AppError `keychain_unavailable` from every call, with the reason. An entry that can't be read is
 *   never overwritten.
 */
export interface Keychain {
  /** The secret; null if there is none. */
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  /**
   * @returns false if there was none
   */
  deletePassword(service: string, account: string): Promise<boolean>;
  findCredentials(service: string): Promise<StoredSecret[]>;
}
