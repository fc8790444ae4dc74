import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

let trusted: SecureContext | undefined;

/**
 * What TLS trusts: the authorities that come with Node (and NODE_EXTRA_CA_CERTS), and the system's own,
 * where a company's authority stands. Made once: reading some 300 certificates for each connection would
 * cost 10 ms each.
 */
export function trustedAuthorities(): SecureContext {
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
