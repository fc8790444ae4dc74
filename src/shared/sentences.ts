import type { ErrorCode, ErrorDetails, Issue, Place, ServiceName, UnreachableReason } from './errors.ts';

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

type Sentences = { [C in ErrorCode]: (details: ErrorDetails<C>) => string };

// One sentence of what happened, one of what to do. The words of every error stand here and nowhere else.
const sentences: Sentences = {
  invalid_input: (d) =>
    d.issues.map(issueInWords).join(' ') || 'The input is not valid. Correct it and try again.',
  not_authenticated: (d) =>
    `The ${serviceWords[d.service]} did not accept the key or login.${said(d.said)} Check the API key, or log in again.`,
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
  unreachable: (d) => unreachableWords[d.reason](d.host),
  timed_out: (d) =>
    `${d.host} gave no answer within ${Math.round(d.afterMs / 1000)} s. Ask for less at once, or raise the timeout.`,
  outcome_unknown: (d) =>
    `Whether ${d.rows} rows were stored is not known (${d.cause}). They were not sent again; look at the dataset before you send them.`,
  cancelled: () => 'Cancelled. Start it again when you want it.',
  connection_unknown: (d) =>
    `There is no connection “${d.connection}”. Choose one that is listed, or add it.`,
  connection_read_only: (d) =>
    `The connection “${d.connection}” is read-only. Switch that off in its settings to insert records.`,
  file_unreadable: (d) =>
    `${d.file} can't be read: ${d.reason}. Check that it is there and that you may read it.`,
  file_unsuitable: (d) => {
    const where = placeInWords(d.place);
    return `${d.file} is not a CSV file that can be read: ${d.reason}${where ? ` (${where})` : ''}. Choose a text file with delimited columns.`;
  },
  file_changed: (d) =>
    `${d.file} has changed since the job began. Start a new job with the file as it is now.`,
  file_exists: (d) => `${d.file} exists already. Choose another name, or remove it first.`,
  disk_full: (d) =>
    `There is no space left to write ${d.file}. Free some space; the job can then be resumed.`,
  file_unwritable: (d) => `${d.file} can't be written: ${d.reason}. Choose another folder.`,
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
