import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureContextOptions,
  type DetailedPeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { ShownCertificate } from '../../../../shared/contract/connections.ts';

/** Created once, because reading about 300 certificates takes 10 ms. */
let trustedContext: SecureContext | undefined;

/**
 * The trusted authorities, which are those of Node, NODE_EXTRA_CA_CERTS, and the system, which has the company's own, and those of
 * a connection's CA file.
 * @param pem certificates in PEM
 * @param clientCertificate the one that the connection shows; absent: none
 * @throws Error from OpenSSL when a certificate can't be read
 */
export function withExtraAuthorities(
  pem: readonly string[],
  clientCertificate?: SecureContextOptions,
): SecureContext {
  if (pem.length === 0 && !clientCertificate)
    return (trustedContext ??= createSecureContext({ ca: authorities([]) }));
  return createSecureContext({ ...clientCertificate, ca: authorities(pem) });
}

function authorities(extra: readonly string[]): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...extra])];
}

/** The certificates that the server sent and those that complete the chain, the server's own first. */
export function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let current: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (current?.raw && !chain.some((seenCertificate) => current?.raw.equals(seenCertificate.raw))) {
    chain.push(new X509Certificate(current.raw));
    current = current.issuerCertificate;
  }
  return chain;
}

/**
 * The common name of a subject such as `CN=Corp Root\nO=Corp`, else its organization, else the whole subject.
 */
export function subjectName(subject: string | undefined): string {
  const lines = (subject ?? '').split('\n');
  const part = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  return part('CN') ?? part('O') ?? lines.join(', ');
}

/** The facts of a server’s certificate for a report. @param chain server first @returns undefined without a certificate */
export function summarizeCertificate(chain: readonly X509Certificate[]): ShownCertificate | undefined {
  const [serverCertificate] = chain;
  if (!serverCertificate) return undefined;
  return {
    subject: subjectName(serverCertificate.subject),
    issuer: subjectName(serverCertificate.issuer),
    from: new Date(serverCertificate.validFrom).toISOString(),
    until: new Date(serverCertificate.validTo).toISOString(),
    fingerprint: serverCertificate.fingerprint256,
    authority: subjectName((chain.at(-1) ?? serverCertificate).subject),
  };
}
