import type {
  ErrorCode,
  ErrorDetails,
  Issue,
  KeychainTrouble,
  Place,
  ProxyAnswer,
  RefusalReason,
  ServiceName,
  UnreachableReason,
} from './errors.ts';

const serviceWords: Record<ServiceName, string> = { data: 'data service', platform: 'platform service' };

const said = (text: string | undefined): string => (text ? ` It said: “${text}”.` : '');

const unreachableWords: Record<UnreachableReason, (host: string) => string> = {
  name: (host) =>
    `The name ${host} could not be resolved. Check the address, and whether you are online or need the VPN.`,
  refused: (host) =>
    `${host} refused the connection. Check the address and the port, or ask whether the service is up.`,
  reset: (host) => `The connection to ${host} was cut. Check the link and try again.`,
  timeout: (host) => `${host} did not answer the connection in time. Check the link, the VPN and the proxy.`,
  tls: (host) =>
    `${host} could not be trusted: its certificate was not accepted. Add your company's CA file to the connection.`,
  proxy: (host) =>
    `The proxy did not let the request to ${host} through. Check the proxy settings or ask the IT desk.`,
  other: (host) => `${host} could not be reached. Check the address and the link, then try again.`,
};

const certificateWords: Readonly<Record<string, (host: string) => string>> = {
  CERT_HAS_EXPIRED: (host) =>
    `The certificate of ${host} has ended, or the clock of this machine is wrong. Check the date here; else tell those who run the service.`,
  CERT_NOT_YET_VALID: (host) =>
    `The certificate of ${host} does not hold yet. Check the date and time of this machine.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) =>
    `The certificate of ${host} is self-signed: no authority vouches for it. Ask who runs the service for its certificate file, and add it to the connection as a company certificate.`,
  SELF_SIGNED_CERT_IN_CHAIN: (host) =>
    `The certificate of ${host} is signed by an authority that this computer does not trust, most often that of a company's proxy. Ask the IT desk for the CA file, and add it to the connection as a company certificate.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `The certificate that came is for another name than ${host}. Check the address, and whether a login page of the network stands between.`,
  ERR_SSL_WRONG_VERSION_NUMBER: (host) =>
    `${host} does not speak TLS there. Check the port, and whether the address should begin with http://.`,
};

const windowsLogin = ['ntlm', 'negotiate', 'kerberos'];

function proxyInWords(host: string, { proxy, kind, status, asks = [], gaveLogin }: ProxyAnswer): string {
  if (kind === 'socks')
    return `The way to ${host} leads through the SOCKS proxy ${proxy}, which Wellbench can't use. Ask the IT desk for an HTTP proxy and set HTTPS_PROXY to its address.`;
  if (status === undefined)
    return `The proxy ${proxy} could not be reached. Check the proxy settings, and whether you need the VPN.`;
  if (status !== 407)
    return `The proxy ${proxy} did not let the request to ${host} through (${status}). Ask the IT desk to allow it.`;
  if (asks.includes('basic')) {
    return gaveLogin
      ? `The proxy ${proxy} did not accept the user and password. Correct them in the connection, or in HTTPS_PROXY.`
      : `The proxy ${proxy} asks for a user and a password. Give them in the connection, or in HTTPS_PROXY as http://user:password@host:port.`;
  }
  if (asks.some((scheme) => windowsLogin.includes(scheme)))
    return `The proxy ${proxy} asks for a Windows login (NTLM or Kerberos), which Wellbench can't give. Ask the IT desk to let it through without one, or start a local helper such as Px or Cntlm and set HTTPS_PROXY to its address.`;
  return `The proxy ${proxy} asks for a login of a kind that Wellbench does not know${asks.length > 0 ? ` (${asks.join(', ')})` : ''}. Ask the IT desk to let it through without one.`;
}

function unreachableInWords({ host, reason, proxy, certificate }: ErrorDetails<'unreachable'>): string {
  if (reason === 'proxy' && proxy) return proxyInWords(host, proxy);
  const ofCertificate = certificate === undefined ? undefined : certificateWords[certificate];
  return ofCertificate ? ofCertificate(host) : unreachableWords[reason](host);
}

const refusalWords: Record<RefusalReason, (service: string, said: string) => string> = {
  key_expired: (service, said) =>
    `The ${service} did not accept the key: it has expired.${said} Ask for a new one and replace it in the connection.`,
  key_ended: (service, said) =>
    `The ${service} did not accept the key, although it did before: it has expired, or was revoked or replaced.${said} Replace it in the connection.`,
  key_unknown: (service, said) =>
    `The ${service} did not accept the key.${said} Check that all of it was copied, and that it belongs to this service.`,
  login_wrong: (service, said) =>
    `The ${service} did not accept the e-mail and password.${said} Check both, and whether your company asks for another step.`,
  login_needed: (service, said) =>
    `The login at the ${service} has ended.${said} Log in again; what waits for it then goes on.`,
  secret_missing: () =>
    'Neither a key nor a login is kept for this connection. Give the API key, or log in again.',
};

function notAuthenticatedInWords(d: ErrorDetails<'not_authenticated'>): string {
  const service = serviceWords[d.service];
  if (d.why) return refusalWords[d.why](service, said(d.said));
  return `The ${service} did not accept the key or login.${said(d.said)} Check the API key, or log in again.`;
}

const keychainWords: Record<KeychainTrouble, string> = {
  absent:
    'This machine has no keychain that Wellbench can reach (on Linux: a Secret Service such as GNOME Keyring or KWallet). Start one, or give the secret for this session only.',
  locked: 'The keychain is locked and was not unlocked. Unlock it and try again.',
  denied: 'The keychain did not let Wellbench in. Allow the access when the system asks, and try again.',
  silent: 'The keychain gave no answer. See whether it waits for you to unlock it, and try again.',
  damaged:
    'What stands in the keychain for this connection can’t be read, and was left as it is. Remove the entry there, or remove the connection, and give the secret again.',
  off: 'Wellbench was told to do without the keychain (WELLBENCH_KEYCHAIN=off). Unset that, or give the secret for this session only.',
  other: 'The keychain failed. Try again, or give the secret for this session only.',
};

/** Why the keychain can't be used, in words and with the next step. */
export function keychainInWords(trouble: KeychainTrouble): string {
  return keychainWords[trouble];
}

/** A place in words: "line 3, column 7", "field query". Empty when nothing is known. */
export function placeInWords(at: Place | undefined): string {
  if (!at) return '';
  const parts: string[] = [];
  if (at.file !== undefined) parts.push(at.file);
  if (at.field !== undefined) parts.push(at.field);
  if (at.line !== undefined) parts.push(`line ${at.line}`);
  if (at.column !== undefined) parts.push(`column ${at.column}`);
  if (at.byte !== undefined) parts.push(`byte ${at.byte}`);
  return parts.join(', ');
}

function issueInWords({ message, place }: Issue): string {
  const where = placeInWords(place);
  return where ? `${where}: ${message}` : message;
}

const suitable = {
  rows: { kind: 'a CSV file', choose: 'Choose a text file with delimited columns.' },
  certificates: {
    kind: 'a file of certificates',
    choose: 'Choose a CA file in PEM or DER, as the IT desk gives it.',
  },
  connections: { kind: 'a file of connections', choose: 'Choose a file that Wellbench exported.' },
  queries: { kind: 'a file of saved queries', choose: 'Choose a file that Wellbench exported.' },
} as const;

type Sentences = { [C in ErrorCode]: (details: ErrorDetails<C>) => string };

// One sentence of what happened, one of what to do. The words of every error stand here and nowhere else.
const sentences: Sentences = {
  invalid_input: (d) =>
    d.issues.map(issueInWords).join(' ') || 'The input is not valid. Correct it and try again.',
  not_authenticated: notAuthenticatedInWords,
  forbidden: (d) =>
    `You are known to the ${serviceWords[d.service]}, but have no permission for ${d.what ?? 'this'}.${said(d.said)} Ask your administrator for access.`,
  not_found: (d) =>
    `The ${serviceWords[d.service]} does not know ${d.what ?? 'this'}, or does not show it to you.${said(d.said)} Check the name.`,
  refused: (d) =>
    `The ${serviceWords[d.service]} refused the request${d.status ? ` (${d.status})` : ''}.${said(d.said)} Change the request and try again.`,
  too_many_requests: (d) =>
    `The ${serviceWords[d.service]} asks for fewer requests. Wait a little and try again.`,
  too_large: (d) => `The ${serviceWords[d.service]} finds the request too large. Send less at once.`,
  service_failed: (d) =>
    `The ${serviceWords[d.service]} failed${d.status ? ` (${d.status})` : ''}.${said(d.said)} Try again later.`,
  bad_answer: (d) =>
    `The ${serviceWords[d.service]} gave an answer that can't be read: ${d.problem}. Check the address, and whether a proxy or a login page stands between.`,
  unreachable: unreachableInWords,
  timed_out: (d) =>
    `${d.host} gave no answer within ${Math.round(d.afterMs / 1000)} s. Ask for less at once, or raise the timeout.`,
  outcome_unknown: (d) =>
    `Whether ${d.rows} rows were stored is not known (${d.cause}). They were not sent again; look at the dataset before you send them.`,
  cancelled: () => 'Cancelled. Start it again when you want it.',
  addresses_swapped: () =>
    'The two addresses are swapped: each leads to the other service. Swap the data and the platform address.',
  connection_unknown: (d) =>
    `There is no connection “${d.connection}”. Choose one that is listed, or add it.`,
  keychain_unavailable: (d) => keychainInWords(d.trouble),
  connection_read_only: (d) =>
    `The connection “${d.connection}” is read-only. Switch that off in its settings to insert records.`,
  file_unreadable: (d) =>
    `${d.file} can't be read: ${d.reason}. Check that it is there and that you may read it.`,
  file_unsuitable: (d) => {
    const where = placeInWords(d.place);
    const { kind, choose } = suitable[d.wanted ?? 'rows'];
    return `${d.file} is not ${kind} that can be read: ${d.reason}${where ? ` (${where})` : ''}. ${choose}`;
  },
  file_too_new: (d) =>
    `${d.file} was written by a newer version of Wellbench (format ${d.format}). It was left as it is. Update to open it.`,
  file_changed: (d) =>
    `${d.file} has changed since the job began. Start a new job with the file as it is now.`,
  file_exists: (d) => `${d.file} exists already. Choose another name, or remove it first.`,
  disk_full: (d) =>
    `There is no space left to write ${d.file}. Free some space; the job can then be resumed.`,
  file_unwritable: (d) =>
    `${d.file} can't be written: ${d.reason}. Check that its folder is there, or choose another one.`,
  job_unknown: (d) => `There is no job ${d.job}. List the jobs to see which there are.`,
  job_busy: (d) =>
    `Job ${d.job} is being worked on by another window or process. Wait for it, or stop it there.`,
  job_too_new: (d) =>
    `Job ${d.job} was written by a newer version of Wellbench (format ${d.format}). Update to open it.`,
  job_state: (d) => `Job ${d.job} is ${d.state}; this needs one that is ${d.wanted}. Look at the job first.`,
  internal: (d) =>
    `Something went wrong in Wellbench itself: ${d.problem}. Try again, and report it if it stays.`,
};

/** The sentence and next step for an error. */
export function sentenceFor<C extends ErrorCode>(code: C, details: ErrorDetails<C>): string {
  return sentences[code](details);
}
