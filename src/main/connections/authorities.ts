import { X509Certificate } from 'node:crypto';
import type * as z from 'zod';
import type { authority } from '../../shared/connections/connections.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { subjectName } from '../http/certificates.ts';

const block = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;
/** More than any bundle of authorities has. */
const mostBytes = 2_000_000;

/**
 * The certificates in a CA file, each in PEM.
 * @param bytes one or more in PEM, or a single one in DER, which is what Windows calls a `.cer` file
 * @throws AppError `file_unsuitable` that says what is wrong with it
 */
export function authoritiesIn(bytes: Buffer, file: string): string[] {
  const unsuitable = (reason: string) =>
    new AppError('file_unsuitable', { file, reason, wanted: 'certificates' });
  if (bytes.length === 0) throw unsuitable('it is empty');
  if (bytes.length > mostBytes) throw unsuitable('it is too large for certificates');
  const blocks = [...bytes.toString('latin1').matchAll(block)];
  if (blocks.some(([, kind = '']) => kind.includes('PRIVATE KEY')))
    throw unsuitable('it contains a private key, which must stay on the server');
  const texts = blocks
    .filter(([, kind]) => /^(X509 |TRUSTED )?CERTIFICATE$/.test(kind ?? ''))
    .map(([text]) => text);
  const found = texts.length > 0 ? texts : [bytes];
  try {
    return [...new Set(found.map((one) => new X509Certificate(one).toString()))];
  } catch {
    throw unsuitable('it contains no readable certificate');
  }
}

/** What a person is shown of authorities. */
export function shownAuthorities(pem: readonly string[]): z.infer<typeof authority>[] {
  return pem.flatMap((text) => {
    try {
      const certificate = new X509Certificate(text);
      return [{ name: subjectName(certificate.subject), ends: new Date(certificate.validTo).toISOString() }];
    } catch {
      return [];
    }
  });
}
