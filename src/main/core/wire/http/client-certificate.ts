import { X509Certificate } from 'node:crypto';
import { basename } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { AppError } from '../../../../shared/errors/errors.ts';
import { readRegular } from '../../files/regular-file.ts';
import { wallMs } from '../../../world/time.ts';

/** A certificate that a connection shows to a gateway which requires one: PKCS#12, or PEM with its key. */
export interface ClientCertificate {
  readonly path: string;
  /** The key in PEM, if it isn't in the file of the certificate. */
  readonly keyPath?: string | undefined;
  readonly passphrase: () => Promise<string | null>;
}

/** Larger than any certificate with its chain, in bytes. */
const maxBytes = 1_000_000;

/**
 * Reads a client certificate, for the options of TLS.
 * @throws AppError `file_unreadable`; `file_unsuitable` for a wrong passphrase, an expired certificate, and other content
 */
export async function readClientCertificate({
  path,
  keyPath,
  passphrase,
}: ClientCertificate): Promise<SecureContextOptions> {
  const bytes = await readRegular(path, basename(path), maxBytes);
  const secret = await passphrase();
  const isPem = bytes.includes('-----BEGIN ');
  const key = keyPath === undefined ? bytes : await readRegular(keyPath, basename(keyPath), maxBytes);
  const unsuitable = (reason: string) =>
    new AppError('file_unsuitable', { file: basename(path), reason, wanted: 'client_certificate' });
  if (isPem && !bytes.includes('-----BEGIN CERTIFICATE-----')) throw unsuitable('it contains no certificate');
  if (isPem && !/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key.toString('latin1')))
    throw unsuitable('it contains no private key, and no file of the key is given');
  // With an empty passphrase instead of none, OpenSSL never asks on the terminal.
  const options = { ...(isPem ? { cert: bytes, key } : { pfx: bytes }), passphrase: secret ?? '' };
  let certificate: X509Certificate;
  try {
    certificate = certificateOf(options);
  } catch (error) {
    throw unsuitable(reasonOf(error, secret !== null));
  }
  if (Date.parse(certificate.validTo) < wallMs())
    throw unsuitable(
      `its certificate expired on ${new Date(certificate.validTo).toISOString().slice(0, 10)}`,
    );
  return options;
}

/** @throws Error of OpenSSL */
function certificateOf(
  options: SecureContextOptions & { readonly cert?: Buffer | undefined },
): X509Certificate {
  const { context } = createSecureContext(options);
  if (options.cert) return new X509Certificate(options.cert);
  // The typings lack it: the certificate of a context, in DER.
  const der: unknown =
    'getCertificate' in context && typeof context.getCertificate === 'function'
      ? context.getCertificate()
      : null;
  if (der instanceof Uint8Array) return new X509Certificate(der);
  throw new Error('no certificate');
}

function reasonOf(error: unknown, hasPassphrase: boolean): string {
  const text = error instanceof Error ? `${'code' in error ? String(error.code) : ''} ${error.message}` : '';
  if (/mac verify|bad.decrypt|passphrase|interrupted/i.test(text))
    return hasPassphrase ? 'the passphrase is wrong' : 'it needs a passphrase';
  if (/key.values.mismatch/i.test(text)) return 'its key belongs to another certificate';
  if (/unsupported/i.test(text)) return 'its encryption is outdated, so export it again with AES-256';
  return 'it contains no readable certificate with its key';
}

const refusedAlert =
  /_ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN)|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|DECRYPT_ERROR)$/;

/**
 * An error of TLS with the code of its cause, if a service requires another client certificate: servers say so by alerts, before
 * TLS 1.3 by that of any failed handshake.
 */
export function withCauseOfRefusal(error: Error, hasCertificate: boolean): Error {
  const code = 'code' in error ? String(error.code) : '';
  const isRefusal =
    refusedAlert.test(code) || /_ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/.test(code);
  if (!isRefusal) return error;
  return Object.assign(new Error(error.message), {
    code: hasCertificate ? 'CLIENT_CERTIFICATE_REFUSED' : 'CLIENT_CERTIFICATE_REQUIRED',
  });
}
