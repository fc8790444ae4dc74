import type {
  ErrorCode,
  ErrorDetails,
  Issue,
  KeychainTrouble,
  Place,
  ProxyResponse,
  RefusalReason,
  ServiceName,
  UnreachableReason,
} from './errors.ts';

const serviceWords: Record<ServiceName, string> = { data: 'data service', platform: 'platform service' };

const planPartNames: Record<ErrorDetails<'upload_changed'>['parts'][number], string> = {
  file: 'content',
  mapping: 'mapping',
  wells: 'wells',
  existing: 'choice for existing rows',
};
/** What to do about a name or a path that a system doesn't take. */
export const shorterAdvice = {
  name: 'Choose a shorter name.',
  path: 'Choose a shorter name, or a folder with a shorter path.',
} as const;

const partList = new Intl.ListFormat('en-US');

const responseText = (text: string | undefined): string => (text ? ` Response: “${text}”.` : '');

/** What the service asks for, if it is longer than a person waits without a word. */
function requestedWait({ retryAfterMs: ms = 0, until }: ErrorDetails<'too_many_requests'>): string | null {
  if (ms < 60_000 || until === undefined) return null;
  const [unitMs, unit] =
    ms >= 2 * 86_400_000 ? [86_400_000, 'days'] : ms >= 7_200_000 ? [3_600_000, 'h'] : [60_000, 'min'];
  return `It asks you to wait ${Math.ceil(ms / unitMs)} ${unit}. Retry, or resume the job, after ${until.slice(0, 16).replace('T', ' ')} UTC.`;
}

const unreachableWords: Record<UnreachableReason, (host: string) => string> = {
  name: (host) => `Couldn’t resolve ${host}. Check the address, your network connection, and the VPN.`,
  refused: (host) =>
    `${host} refused the connection. Check the address and port, or ask whether the service is running.`,
  reset: (host) => `The connection to ${host} was reset. Check your network connection and retry.`,
  timeout: (host) =>
    `Connecting to ${host} timed out. Check your network connection, the VPN, and the proxy.`,
  tls: (host) => `The certificate for ${host} isn’t trusted. Add your company’s CA file to the connection.`,
  proxy: (host) =>
    `The proxy blocked the request to ${host}. Check the proxy settings, or ask your IT department.`,
  other: (host) => `Couldn’t reach ${host}. Check the address and your network connection, then retry.`,
};

const certificateWords: Readonly<Record<string, (host: string) => string>> = {
  CERT_HAS_EXPIRED: (host) =>
    `The certificate for ${host} has expired, or this computer’s clock is wrong. Check the date; if it is right, tell the service’s operator.`,
  CERT_NOT_YET_VALID: (host) =>
    `The certificate for ${host} is not valid yet. Check the date and time of this computer.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) =>
    `The certificate for ${host} is self-signed. Ask the service’s operator for the certificate file, and add it to the connection under CA certificates.`,
  SELF_SIGNED_CERT_IN_CHAIN: (host) =>
    `The certificate for ${host} is signed by an authority that this computer doesn’t trust, most often a company proxy. Ask your IT department for the CA file, and add it to the connection under CA certificates.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `The certificate isn’t valid for ${host}. Check the address, and whether a captive portal intercepts the connection.`,
  CLIENT_CERTIFICATE_REQUIRED: (host) =>
    `${host} refused the connection, because it requires a client certificate. Ask your IT department for the certificate file, and add it to the connection under Client certificate.`,
  CLIENT_CERTIFICATE_REFUSED: (host) =>
    `${host} refused the client certificate of the connection. Ask your IT department for one that it accepts.`,
  ERR_SSL_WRONG_VERSION_NUMBER: (host) =>
    `${host} doesn’t use TLS on this port. Check the port, and whether the address should begin with http://.`,
};

const windowsLogin = ['ntlm', 'negotiate', 'kerberos'];

function describeProxy(host: string, { proxy, kind, status, asks = [], gaveLogin }: ProxyResponse): string {
  if (kind === 'socks')
    return `Wellbench doesn’t support the SOCKS proxy ${proxy} that ${host} needs. Ask your IT department for an HTTP proxy, and enter its address as Proxy address in the connection (on the command line, set HTTPS_PROXY).`;
  if (status === undefined) return `Couldn’t reach the proxy ${proxy}. Check the proxy settings and the VPN.`;
  if (status !== 407)
    return `The proxy ${proxy} blocked the request to ${host} (${status}). Ask your IT department to allow it.`;
  if (asks.includes('basic')) {
    return gaveLogin
      ? `The proxy ${proxy} rejected the user name or password. Correct them in the connection or in HTTPS_PROXY.`
      : `The proxy ${proxy} requires a user name and password. Enter them in the connection, or in HTTPS_PROXY as http://user:password@host:port.`;
  }
  if (asks.some((scheme) => windowsLogin.includes(scheme)))
    return `The proxy ${proxy} requires Windows authentication (NTLM or Kerberos), which Wellbench doesn’t support. Ask your IT department for an exception, or run a local proxy such as Px or Cntlm, and enter its address as Proxy address in the connection (on the command line, set HTTPS_PROXY).`;
  return `The proxy ${proxy} requires an authentication method that Wellbench doesn’t support${asks.length > 0 ? ` (${asks.join(', ')})` : ''}. Ask your IT department for an exception.`;
}

function describeUnreachable({ host, reason, proxy, certificate }: ErrorDetails<'unreachable'>): string {
  if (reason === 'proxy' && proxy) return describeProxy(host, proxy);
  const ofCertificate = certificate === undefined ? undefined : certificateWords[certificate];
  return ofCertificate ? ofCertificate(host) : unreachableWords[reason](host);
}

const refusalWords: Record<RefusalReason, (service: string, responseText: string) => string> = {
  key_expired: (service, responseText) =>
    `The API key for the ${service} has expired.${responseText} Request a new key and replace it in the connection.`,
  key_ended: (service, responseText) =>
    `The ${service} no longer accepts the API key. It has expired or was revoked.${responseText} Replace it in the connection.`,
  key_unknown: (service, responseText) =>
    `The ${service} rejected the API key.${responseText} Check that you copied the full key, and that it belongs to this service.`,
  login_wrong: (service, responseText) =>
    `The ${service} rejected the email or password.${responseText} Check both, and whether your company requires another sign-in step.`,
  login_needed: (service, responseText) =>
    `Your session with the ${service} has expired.${responseText} Sign in again, and resume stopped jobs; waiting jobs then resume automatically.`,
  secret_missing: () => 'This connection has no stored credentials. Enter the API key or sign in again.',
};

function describeRefusal(d: ErrorDetails<'not_authenticated'>): string {
  const service = serviceWords[d.service];
  if (d.why) return refusalWords[d.why](service, responseText(d.said));
  return `The ${service} rejected the credentials.${responseText(d.said)} Check the API key, or sign in again.`;
}

const keychainWords: Record<KeychainTrouble, string> = {
  absent:
    'No keychain is available on this computer (on Linux: a Secret Service such as GNOME Keyring or KWallet). Start one, or use the credentials for this session only.',
  locked: 'The keychain is locked. Unlock it and retry.',
  denied: 'The keychain denied access. Allow access when the system asks, then retry.',
  silent: 'The keychain did not respond. Check whether it is waiting to be unlocked, then retry.',
  damaged:
    'The keychain entry of this connection is damaged and was left unchanged. Remove the entry or the connection, then enter the credentials again.',
  off: 'The keychain is turned off (WELLBENCH_KEYCHAIN=off). Unset the variable, or use the credentials for this session only.',
  other: 'The keychain failed. Retry, or use the credentials for this session only.',
};

/** Why the keychain can't be used, with the next step. */
export function describeKeychain(trouble: KeychainTrouble): string {
  return keychainWords[trouble];
}

/** A place as text: "line 3, column 7", "field query". Empty without a place. */
export function describePlace(at: Place | undefined): string {
  if (!at) return '';
  const table =
    at.table === undefined ? undefined : `${at.row === undefined ? 'table' : 'sheet'} ${at.table}`;
  const numbers = (['row', 'element', 'line', 'column', 'byte'] as const).flatMap((name) =>
    at[name] === undefined ? [] : `${name} ${at[name]}`,
  );
  return [at.file, at.field, table, ...numbers].filter((part) => part !== undefined).join(', ');
}

function issueInWords({ message, place }: Issue): string {
  const placeText = describePlace(place);
  return placeText ? `${placeText}: ${message}` : message;
}

const suitable = {
  rows: { kind: 'a file', choose: 'Choose a table, such as a CSV, Excel, LAS, or DLIS file.' },
  certificates: {
    kind: 'a certificate file',
    choose: 'Choose a CA file in PEM or DER format.',
  },
  client_certificate: {
    kind: 'a client certificate',
    choose:
      'Check the passphrase, or choose a PKCS#12 file (.p12, .pfx) or a PEM file with certificate and key.',
  },
  connections: { kind: 'a connections file', choose: 'Choose a file that Wellbench exported.' },
  channel_names: { kind: 'a file of channel names', choose: 'Choose a file that Wellbench exported.' },
  queries: { kind: 'a saved queries file', choose: 'Choose a file that Wellbench exported.' },
} as const;

type Sentences = { [C in ErrorCode]: (details: ErrorDetails<C>) => string };

// The message of every error: one sentence for what happened, one for what to do.
const sentences: Sentences = {
  invalid_input: (d) => d.issues.map(issueInWords).join(' ') || 'The input is invalid. Correct it and retry.',
  not_authenticated: describeRefusal,
  forbidden: (d) =>
    `You’re signed in to the ${serviceWords[d.service]} but don’t have permission for ${d.what ?? 'this'}.${responseText(d.said)} Ask your administrator for access.`,
  not_found: (d) =>
    `The ${serviceWords[d.service]} can’t find ${d.what ?? 'this'}, or you don’t have access to it.${responseText(d.said)} Check the name.`,
  refused: (d) =>
    `The ${serviceWords[d.service]} refused the request${d.status ? ` (${d.status})` : ''}.${responseText(d.said)} Change the request and retry.`,
  too_many_requests: (d) =>
    `Too many requests to the ${serviceWords[d.service]}. ${requestedWait(d) ?? 'Wait a moment, then retry.'}`,
  too_large: (d) => `The request is too large for the ${serviceWords[d.service]}. Send less at once.`,
  service_failed: (d) =>
    `The ${serviceWords[d.service]} failed${d.status ? ` (${d.status})` : ''}.${responseText(d.said)} ${requestedWait(d) ?? 'Retry later.'}`,
  bad_answer: (d) =>
    `The ${serviceWords[d.service]} sent an invalid response: ${d.problem}. ${d.partial === 'too_large' ? 'Request fewer records or fields.' : 'Check the address, and whether a proxy or captive portal intercepts the connection.'}`,
  unreachable: describeUnreachable,
  timed_out: (d) =>
    `${d.host} didn’t respond within ${Math.round(d.afterMs / 1000)} s. Request less at once, retry, or set a longer timeout for a query (Run options; on the command line, --timeout).`,
  outcome_unknown: (d) =>
    `Wellbench can’t confirm that ${d.rows} ${d.rows === 1 ? 'row was' : 'rows were'} stored (${d.cause}). Wellbench doesn’t resend such rows. Check the dataset before you send them again.`,
  cancelled: (d) =>
    d.resume === undefined
      ? 'Canceled before it was done. Start again when you are ready.'
      : `Canceled. To resume the job: ${d.resume}`,
  addresses_swapped: () => 'The service addresses are swapped. Swap the data and platform service addresses.',
  connection_unknown: (d) => `No connection named “${d.connection}”. Select a listed connection, or add it.`,
  keychain_unavailable: (d) => describeKeychain(d.trouble),
  connection_read_only: (d) =>
    `The connection “${d.connection}” is read-only. Turn off read-only in the connection to insert records.`,
  file_unreadable: (d) => `Can’t read ${d.file}: ${d.reason}. Check the path and your permission to read it.`,
  file_unsuitable: (d) => {
    const placeText = describePlace(d.place);
    const { kind, choose } = suitable[d.wanted ?? 'rows'];
    return `${d.file} isn’t ${kind} that Wellbench can read: ${d.reason}${placeText ? ` (${placeText})` : ''}. ${choose}`;
  },
  file_too_new: (d) =>
    `${d.file} was written by a newer version of Wellbench (format ${d.format}) and was left unchanged. Update Wellbench to open it.`,
  table_unsupported: (d) =>
    `Can’t ${d.use} the table ${d.table}: another program gave it ${partList.format(d.features)}, which Wellbench doesn’t support. Remove ${d.features.length === 1 ? 'it' : 'them'} there, or ${d.use === 'read' ? 'read the table with that program' : 'mirror into another folder'}.`,
  file_changed: (d) => `${d.file} has changed since Wellbench read it. Start again with the current file.`,
  file_exists: (d) =>
    d.finished === undefined
      ? `${d.file} already exists. Choose another name, or remove it first (on the command line, --force replaces files, and folders that Wellbench wrote).`
      : `Another program created ${d.file} while Wellbench was writing it. Your complete file is ${d.finished} in the same folder. Rename one of the two.`,
  disk_full: (d) =>
    `The disk is full, so ${d.file} can’t be written. Free up space, then resume the job or retry.`,
  file_unwritable: (d) =>
    `Can’t write ${d.file}: ${d.reason}. ${
      d.tooLong
        ? shorterAdvice[d.tooLong]
        : d.isBusy
          ? 'Wait until it ends, then retry.'
          : 'Check that the folder exists, or choose another one.'
    }`,
  job_unknown: (d) => `No job ${d.job}. List the jobs to see their IDs.`,
  job_busy: (d) => `Another window or process is running job ${d.job}. Wait for it, or stop it there.`,
  job_too_new: (d) =>
    `Job ${d.job} was written by a newer version of Wellbench (format ${d.format}). Update Wellbench to open it.`,
  job_state: (d) =>
    `Job ${d.job} is ${d.state}, but this requires a job that is ${d.wanted}. Check the job’s state.`,
  upload_repeated: (d) =>
    d.isRunning
      ? `Job ${d.job} is uploading ${d.file} into this dataset. Wait until it ends, or resume it if it is paused.`
      : d.isOther
        ? `Job ${d.job} stored part of ${d.file} in this dataset with other columns or wells, and then stopped. Check which are right, then resume that job, or select Upload again (on the command line, add --again).`
        : d.isUnfinished
          ? `Job ${d.job} stored part of ${d.file} in this dataset and then stopped. Resume that job, or select Upload again (on the command line, add --again).`
          : `Job ${d.job} has uploaded rows of ${d.file} into this dataset since this job stopped. Upload the file again, with existing rows skipped.`,
  upload_changed: (d) =>
    `The ${partList.format(d.parts.map((part) => planPartNames[part]))} changed after ${d.file} was checked. Check the file again before you send it.`,
  sql_unavailable: (d) =>
    d.reason === 'missing'
      ? 'SQL, Parquet files, and mirrors aren’t available, because this installation doesn’t include DuckDB for this computer. Install Wellbench for this system again, or export as CSV.'
      : 'The SQL engine stopped. Your tables and files are unaffected. Run the statement on fewer rows, or resume the job.',
  internal: (d) => `Internal error in Wellbench: ${d.problem}. Retry, and report the error if it persists.`,
};

/** The message of an error without its last sentence, the next step: for what is retried without the user. */
export const withoutAdvice = (message: string): string => message.replace(/(?<=\.) [^.]*\.$/, '');

/** The sentence and next step for an error. */
export function sentenceFor<C extends ErrorCode>(code: C, details: ErrorDetails<C>): string {
  return sentences[code](details);
}
