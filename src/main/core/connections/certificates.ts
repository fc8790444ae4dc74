import { X509Certificate } from 'node:crypto';
import { basename, resolve } from 'node:path';
import * as z from 'zod';
import type {
  authority,
  ConnectionChange,
  ConnectionDraft,
} from '../../../shared/connections/connections.ts';
import { AppError, invalidInput, type KeychainTrouble } from '../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import type { Files } from '../files/files.ts';
import { readRegular } from '../files/regular-file.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { subjectName } from '../wire/http/certificates.ts';
import {
  readCertificateFile,
  readClientCertificate,
  type CertificateContent,
  type ClientCertificate,
} from '../wire/http/client-certificate.ts';
import type { Environment } from '../wire/http/routes.ts';
import { ExtraPasswords } from './secrets.ts';
import { rm } from '../../world/files.ts';
import { randomUUID } from '../../world/random.ts';

const block = /-----BEGIN ([A-Z0-9 ]{1,60})-----[^-]*(?:-(?!----)[^-]*)*-----END \1-----/g;
/** Larger than any bundle of certificates, in bytes. */
const maxBytes = 2_000_000;

/**
 * Parses a CA file.
 * @param bytes one or more certificates in PEM, or one in DER, which Windows calls a `.cer` file
 * @param file its name, for errors
 * @returns each certificate in PEM
 * @throws AppError `file_unsuitable` with the reason
 */
export function parseAuthorities(bytes: Buffer, file: string): string[] {
  const unsuitable = (reason: string) =>
    new AppError('file_unsuitable', { file, reason, wanted: 'certificates' });
  if (bytes.length === 0) throw unsuitable('it is empty');
  if (bytes.length > maxBytes) throw unsuitable('it is too large for certificates');
  const blocks = [...bytes.toString('latin1').matchAll(block)];
  if (blocks.some(([, kind = '']) => kind.includes('PRIVATE KEY')))
    throw unsuitable('it contains a private key, which must stay on the server');
  const texts = blocks
    .filter(([, kind]) => /^(X509 |TRUSTED )?CERTIFICATE$/.test(kind ?? ''))
    .map(([text]) => text);
  const certificates = texts.length > 0 ? texts : [bytes];
  try {
    return [...new Set(certificates.map((certificate) => new X509Certificate(certificate).toString()))];
  } catch {
    throw unsuitable('it contains no readable certificate');
  }
}

/** The fields of certificates that the window shows. */
export function summarizeAuthorities(pem: readonly string[]): z.infer<typeof authority>[] {
  return pem.flatMap((text) => {
    try {
      const certificate = new X509Certificate(text);
      return [{ name: subjectName(certificate.subject), ends: new Date(certificate.validTo).toISOString() }];
    } catch {
      return [];
    }
  });
}

/** The id of the environment's connection, the same in every process, and the account of its client certificate. */
export const environmentId = 'environment';

/** The files of a client certificate, and its passphrase, which a saved connection gets from here too. */
const certificateVariables = {
  file: 'WELLBENCH_CLIENT_CERT',
  key: 'WELLBENCH_CLIENT_KEY',
  passphrase: 'WELLBENCH_CLIENT_PASSPHRASE',
} as const;

/** The passphrase of a client certificate; null: none. */
export const environmentPassphrase = (env: Environment): string | null =>
  env[certificateVariables.passphrase] || null;

/** The client certificate of the environment's connection. */
export function environmentCertificate(env: Environment): StoredClientCertificate {
  const path = env[certificateVariables.file];
  const keyPath = env[certificateVariables.key];
  if (!path) return undefined;
  return { path: resolve(path), ...(keyPath ? { keyPath: resolve(keyPath) } : {}), account: environmentId };
}

/**
 * The client certificate in a profile: its files, and the account of its secret in the keychain. Of a copy there too, as a browser
 * passes files, these are names.
 */
export const storedClientCertificate = z
  .object({
    path: z.string(),
    keyPath: z.string().optional(),
    isCopy: z.literal(true).optional(),
    account: z.string(),
  })
  .optional();
export type StoredClientCertificate = z.infer<typeof storedClientCertificate>;

const base64 = z.base64().transform((text): Buffer => Buffer.from(text, 'base64'));

/** What the keychain has of a certificate: its passphrase, and the content of its files if it is a copy. */
const certificateSecret = z.object({
  passphrase: z.string().nullable(),
  copy: z.object({ certificate: base64, key: base64.nullable() }).nullable(),
});

type CertificateSecret = z.infer<typeof certificateSecret>;

interface CertificatesOptions {
  readonly keychain: Keychain | null;
  readonly files: Pick<Files, 'source'> | undefined;
  readonly env: Environment;
}

/**
 * The certificates of connections: those of private authorities, and client certificates. A profile has the paths of the files, so a renewed file is used from the next start.
 * A file that a browser passed has no path: its content is in the keychain, with the passphrase.
 */
export class Certificates {
  readonly #secrets: ExtraPasswords;
  readonly #options: CertificatesOptions;
  /** The files that a browser passed for a certificate that isn't saved yet, by its account. */
  readonly #spooled = new Map<string, string[]>();

  constructor(options: CertificatesOptions) {
    this.#options = options;
    this.#secrets = new ExtraPasswords(options.keychain, 'certificate');
  }

  /**
   * @param caFile absent: none
   * @throws AppError `file_unreadable`, `file_unsuitable`; `invalid_input` for a file that wasn't granted
   */
  async authorities(caFile: string | undefined): Promise<string[]> {
    const source = this.#sourceOf(caFile);
    return source ? parseAuthorities(await readRegular(source.path, source.name), source.name) : [];
  }

  /**
   * The certificate of a draft or after a change, under an account of its own. Its secret is in memory until `keep`.
   * @param before that of the saved connection
   * @throws AppError `invalid_input` for a file that wasn't granted, or for none; `file_unreadable` for one that can't be copied
   */
  async resolve(
    input: ConnectionDraft['clientCertificate'] | ConnectionChange['clientCertificate'],
    before?: StoredClientCertificate,
  ): Promise<StoredClientCertificate> {
    if (input === undefined) return before;
    if (input === null) return undefined;
    const file = this.#sourceOf(input.file);
    const keyFile = this.#sourceOf(input.keyFile);
    const kept = file ? undefined : before;
    const path = file?.path ?? kept?.path;
    if (path === undefined)
      throw invalidInput('Choose the certificate file.', { field: 'clientCertificate' });
    const keyPath = keyFile?.path ?? kept?.keyPath;
    const stored = { path, keyPath, account: randomUUID() };
    const keptSecret = kept && (await this.#secretOf(kept));
    const passphrase = input.passphrase ?? keptSecret?.passphrase ?? null;
    if (!kept?.isCopy && file?.place !== 'spooled' && keyFile?.place !== 'spooled') {
      await this.#write(stored.account, { passphrase, copy: null });
      return stored;
    }
    const keptContent = kept && (await this.#contentOf(kept));
    const copy = {
      certificate: keptContent?.certificate ?? (await readCertificateFile(path)),
      key: keyFile ? await readCertificateFile(keyFile.path) : (keptContent?.key ?? null),
    };
    await this.#write(stored.account, { passphrase, copy });
    const spooled = [file, keyFile].flatMap((source) => (source?.place === 'spooled' ? [source.path] : []));
    this.#spooled.set(stored.account, spooled);
    return { ...stored, path: basename(path), keyPath: keyPath && basename(keyPath), isCopy: true };
  }

  forNetwork(stored: StoredClientCertificate): ClientCertificate | undefined {
    return stored && { name: basename(stored.path), read: () => this.#contentOf(stored) };
  }

  /** @throws AppError `file_unreadable`, `file_unsuitable`, unless it can be used */
  async check(stored: StoredClientCertificate): Promise<void> {
    const certificate = this.forNetwork(stored);
    if (certificate) await readClientCertificate(certificate);
  }

  /** Stores the secret of a certificate, and removes files that a browser passed. @param remember false: for this session only */
  async keep(stored: StoredClientCertificate, remember: boolean): Promise<void> {
    if (!stored) return;
    await this.#copySecret(stored.account, stored.account, remember);
    for (const path of this.#spooled.get(stored.account) ?? []) await rm(path, { force: true });
    this.#spooled.delete(stored.account);
  }

  /** A copy of a certificate for another connection. Its secret is in memory until `keep`. */
  async duplicate(stored: StoredClientCertificate): Promise<StoredClientCertificate> {
    if (!stored) return undefined;
    const copy = { ...stored, account: randomUUID() };
    await this.#copySecret(stored.account, copy.account, false);
    return copy;
  }

  /** Drops the secret of a certificate that wasn't saved. @param saved the one that is, which keeps its secret */
  forget(stored: StoredClientCertificate, saved?: StoredClientCertificate): void {
    if (!stored || stored.account === saved?.account) return;
    this.#secrets.forget(stored.account);
    this.#spooled.delete(stored.account);
  }

  /** Removes the secret of a certificate. @param next the one that replaces it, which may be the same */
  async remove(stored: StoredClientCertificate, next?: StoredClientCertificate): Promise<void> {
    if (stored && stored.account !== next?.account) await this.#secrets.delete(stored.account);
  }

  /** Why the secret of a certificate isn't in the keychain, although it should be. */
  trouble(stored: StoredClientCertificate): KeychainTrouble | undefined {
    return stored && this.#secrets.trouble(stored.account);
  }

  /** Stores a secret that the keychain didn't take before. */
  async retry(stored: StoredClientCertificate): Promise<void> {
    if (stored) await this.#secrets.retry(stored.account);
  }

  async #copySecret(from: string, to: string, remember: boolean): Promise<void> {
    const text = await this.#secrets.get(from);
    if (text !== null) await this.#secrets.set(to, text, remember);
  }

  /** Texts to redact. */
  secrets(): string[] {
    return this.#secrets.texts().flatMap((text) => {
      const { passphrase } = parseSecret(text);
      return passphrase ? [passphrase, encodeURIComponent(passphrase)] : [];
    });
  }

  #sourceOf(token: string | undefined) {
    if (token === undefined) return null;
    const { files } = this.#options;
    if (!files) throw new AppError('internal', { problem: 'there are no files here' });
    return files.source(token);
  }

  async #secretOf({ account }: NonNullable<StoredClientCertificate>): Promise<CertificateSecret> {
    if (account === environmentId)
      return { passphrase: environmentPassphrase(this.#options.env), copy: null };
    return parseSecret(await this.#secrets.get(account));
  }

  async #contentOf(stored: NonNullable<StoredClientCertificate>): Promise<CertificateContent> {
    const { passphrase, copy } = await this.#secretOf(stored);
    if (copy) return { ...copy, passphrase };
    const { path, keyPath, isCopy } = stored;
    if (isCopy)
      throw new AppError('file_unsuitable', {
        file: path,
        reason: 'its copy isn’t in the keychain',
        wanted: 'client_certificate',
      });
    const certificate = await readCertificateFile(path);
    const key = keyPath === undefined ? null : await readCertificateFile(keyPath);
    return { certificate, key, passphrase };
  }

  /** In memory, until `keep`. */
  async #write(account: string, { passphrase, copy }: CertificateSecret): Promise<void> {
    const encodedCopy = copy && {
      certificate: copy.certificate.toString('base64'),
      key: copy.key?.toString('base64') ?? null,
    };
    if (passphrase !== null || encodedCopy)
      await this.#secrets.set(account, JSON.stringify({ passphrase, copy: encodedCopy }), false);
  }
}

const parseSecret = (text: string | null): CertificateSecret =>
  certificateSecret.safeParse(jsonOrNull(text ?? '')).data ?? { passphrase: null, copy: null };
