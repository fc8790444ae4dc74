import { X509Certificate } from 'node:crypto';
import type * as z from 'zod';
import type { authority } from '../../../shared/connections/connections.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { subjectName } from '../wire/http/certificates.ts';

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
