import { X509Certificate } from 'node:crypto';
import { basename } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { AppError, type ErrorDetails } from '../../../../shared/errors/errors.ts';
import { readRegular } from '../../files/regular-file.ts';
import { wallMs } from '../../../world/time.ts';

/** A certificate that a connection shows to a gateway which requires one. */
export interface ClientCertificate {
  readonly name: string;
  /** @throws AppError `file_unreadable`, `file_unsuitable` */
  readonly read: () => Promise<CertificateContent>;
}

/** PKCS#12, or PEM with its key. */
export interface CertificateContent {
  readonly certificate: Buffer;
  /** The key in PEM; null: it is in the file of the certificate. */
  readonly key: Buffer | null;
  readonly passphrase: string | null;
}

/** Larger than any certificate with its chain, in bytes. */
const maxBytes = 100_000;

/** Reads the file of a certificate or of its key. @throws AppError `file_unreadable` */
export const readCertificateFile = (path: string): Promise<Buffer> =>
  readRegular(path, basename(path), maxBytes);

/**
 * Reads a client certificate, for the options of TLS.
 * @throws AppError `file_unreadable`; `file_unsuitable` for a wrong passphrase, an expired certificate, and other content
 */
export async function readClientCertificate({
  name,
  read,
}: ClientCertificate): Promise<SecureContextOptions> {
  const { certificate: bytes, key: keyBytes, passphrase } = await read();
  const isPem = bytes.includes('-----BEGIN ');
  const key = keyBytes ?? bytes;
  const unsuitable = ({ reason, part }: Objection) =>
    new AppError('file_unsuitable', {
      file: name,
      reason,
      wanted: 'client_certificate',
      ...(part ? { part } : {}),
    });
  if (isPem && !bytes.includes('-----BEGIN CERTIFICATE-----'))
    throw unsuitable({ reason: 'it contains no certificate' });
  if (isPem && !/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key.toString('latin1')))
    throw unsuitable({
      reason: keyBytes
        ? 'its key file contains no private key'
        : 'it contains no private key, and no key file is set',
      part: 'key',
    });
  // With an empty passphrase instead of none, OpenSSL never asks on the terminal.
  const options = { ...(isPem ? { cert: bytes, key } : { pfx: bytes }), passphrase: passphrase ?? '' };
  let certificate: X509Certificate;
  try {
    certificate = certificateOf(options);
  } catch (error) {
    throw unsuitable(
      objectionOf(error, passphrase !== null, isPem && /\bENCRYPTED\b/.test(key.toString('latin1'))),
    );
  }
  if (Date.parse(certificate.validTo) < wallMs())
    throw unsuitable({
      reason: `its certificate expired on ${new Date(certificate.validTo).toISOString().slice(0, 10)}`,
    });
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
  if (Buffer.isBuffer(der)) return new X509Certificate(der);
  throw new Error('no certificate');
}

/** Why a certificate can't be used, and the input to correct if that isn't its file. */
interface Objection {
  readonly reason: string;
  readonly part?: ErrorDetails<'file_unsuitable'>['part'];
}

function objectionOf(error: unknown, hasPassphrase: boolean, isEncryptedKey: boolean): Objection {
  const text = error instanceof Error ? `${'code' in error ? String(error.code) : ''} ${error.message}` : '';
  if (/key.values.mismatch/i.test(text))
    return { reason: 'its key belongs to another certificate', part: 'key' };
  // A few wrong passphrases in a thousand yield bytes with valid padding that aren't a key.
  const isNonsense = isEncryptedKey && /DECODER/.test(text);
  if (isNonsense || /mac verify|bad.decrypt|passphrase|interrupted/i.test(text))
    return {
      reason: hasPassphrase ? 'the passphrase is wrong' : 'it needs a passphrase',
      part: 'passphrase',
    };
  // A damaged key without encryption is “unsupported” by the decoder, too.
  if (/unsupported/i.test(text) && !/DECODER/.test(text))
    return { reason: 'its encryption is outdated, so export it again with AES-256' };
  return { reason: 'it contains no readable certificate with its key' };
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
