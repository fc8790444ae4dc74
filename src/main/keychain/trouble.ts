import type { KeychainTrouble } from '../../shared/errors/errors.ts';

/** Why the keychain could not do what was asked. */
export class KeychainFailure extends Error {
  override readonly name = 'KeychainFailure';
  readonly trouble: KeychainTrouble;
  constructor(trouble: KeychainTrouble, options?: ErrorOptions) {
    super(trouble, options);
    this.trouble = trouble;
  }
}

// The package gives every failure one code, `GenericFailure`, so its words have to tell: those of D-Bus and of the
// Secret Service as they were met, those of Windows and macOS as their documentation has them.
const words: readonly [RegExp, KeychainTrouble][] = [
  [/did not receive a reply|NoReply|timed? ?out/i, 'silent'],
  [/prompt was dismissed|IsLocked|locked|interaction is not allowed/i, 'locked'],
  [
    /DBUS_SESSION_BUS_ADDRESS|not provided by any|failed to connect to socket|ServiceUnknown|NameHasNoOwner|NoServer|not been created|no such secret collection|no default/i,
    'absent',
  ],
  [/AccessDenied|denied|not allowed|not permitted|cancell?ed|not correct|authoriz|logon session/i, 'denied'],
];

/** What an error of the keychain package means. Its text is left behind: nobody promises that it holds no secret. */
export function troubleIn(error: unknown): KeychainTrouble {
  if (error instanceof KeychainFailure) return error.trouble;
  const text = error instanceof Error ? error.message : '';
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}
