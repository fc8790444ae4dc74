import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type DetailedPeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { X509Certificate } from 'node:crypto';

let trusted: SecureContext | undefined;

/**
 * What TLS trusts: the authorities that come with Node (and NODE_EXTRA_CA_CERTS), and the system's own,
 * where a company's authority stands. Made once: reading some 300 certificates for each connection would
 * cost 10 ms each.
 */
function trustedAuthorities(): SecureContext {
  trusted ??= createSecureContext({ ca: authorities([]) });
  return trusted;
}

/** The same, and further authorities in PEM: the place for the CA file of a connection. */
export function trustedAuthoritiesAnd(pem: readonly string[]): SecureContext {
  return pem.length === 0 ? trustedAuthorities() : createSecureContext({ ca: authorities(pem) });
}

function authorities(further: readonly string[]): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...further])];
}

/** A certificate as a person is shown it. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly until: string;
  /** SHA-256. */
  readonly fingerprint: string;
  /** The one at the top of the chain. */
  readonly authority: string;
}

/** The certificates that the other side showed, and those found here above them; the server's own comes first. */
export function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let current: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (current?.raw && !chain.some((known) => current?.raw.equals(known.raw))) {
    chain.push(new X509Certificate(current.raw));
    current = current.issuerCertificate;
  }
  return chain;
}

/** The name in a subject such as `CN=Corp Root\nO=Corp`: the common name, else the organisation, else all of it. */
export function nameIn(subject: string | undefined): string {
  const lines = (subject ?? '').split('\n');
  const part = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  return part('CN') ?? part('O') ?? lines.join(', ');
}

export function shownCertificate(chain: readonly X509Certificate[]): ShownCertificate | undefined {
  const [own] = chain;
  if (!own) return undefined;
  return {
    subject: nameIn(own.subject),
    issuer: nameIn(own.issuer),
    from: new Date(own.validFrom).toISOString(),
    until: new Date(own.validTo).toISOString(),
    fingerprint: own.fingerprint256,
    authority: nameIn((chain.at(-1) ?? own).subject),
  };
}
