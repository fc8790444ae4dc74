/** A secret under its account. */
export interface StoredSecret {
  readonly account: string;
  readonly password: string;
}

/**
 * The system's keychain by keytar's four calls. A service is the application, an account is what the secret belongs to.
 * All throw AppError `keychain_unavailable`, which says why. Nothing is ever written over an entry that can't be read.
 */
export interface Keychain {
  /** The secret, or null when there is none. */
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  /** False: there was none. */
  deletePassword(service: string, account: string): Promise<boolean>;
  findCredentials(service: string): Promise<StoredSecret[]>;
}
