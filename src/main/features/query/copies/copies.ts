import type { CopyLanguage, TypedQuery } from '../../../../shared/query/query.ts';
import type { Connection } from '../../../../shared/connections/connections.ts';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import {
  argumentTexts,
  type RecordsOperation,
  type RequestDescription,
} from '../../../core/wire/services/services.ts';
import { dependsOnZone, millisecondsOfMoment } from '../../../../shared/language/moments.ts';
import {
  type Parameter,
  findParameters,
  parametersIn,
  requiredAnswers,
} from '../../../../shared/language/parameters.ts';
import { replaceSpan } from '../../../../shared/language/text/edits.ts';

/** The options of the command line that give the parameters their values. */
export function parameterOptions(typed: TypedQuery | undefined): [string, string][] {
  if (!typed) return [];
  const parameters = parametersIn(typed.texts);
  const option = (name: string, value: string): [string, string] => [name, value];
  const has = (kind: Parameter['kind']) => parameters.some(({ parameter }) => parameter?.kind === kind);
  return [
    ...(has('wells') && typed.wells.length > 0 ? [option('asset-id', typed.wells.join(','))] : []),
    ...(has('company') && typed.company !== null ? [option('company-id', String(typed.company))] : []),
    ...requiredAnswers(parameters).map(({ name }) => option('param', `${name}=${typed.answers[name] ?? ''}`)),
  ];
}

function valueText(parameter: Parameter, { wells, company, answers, now, zone }: TypedQuery): string {
  switch (parameter.kind) {
    case 'wells':
      return wells.join(', ');
    case 'company':
      return String(company);
    case 'ask':
      return answers[parameter.name] ?? '';
    case 'moment': {
      const ms = millisecondsOfMoment(parameter.moment, now, zone);
      return ms === undefined ? '' : new Date(ms).toISOString();
    }
  }
}

const maxValueLength = 200;

/** A line for a comment that states the values in a copy that can't keep the parameters; null: there are none. */
export function parameterComment(typed: TypedQuery | undefined): string | null {
  if (!typed) return null;
  const values = new Map(
    parametersIn(typed.texts).flatMap(({ written, parameter }) =>
      parameter ? [[written, valueText(parameter, typed)] as const] : [],
    ),
  );
  if (values.size === 0) return null;
  const texts = [...values].map(([written, value]) => `{{${written}}} = ${value.slice(0, maxValueLength)}`);
  // A line break would end the comment.
  return `Values when copied: ${texts.join('; ')}`.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** The formats of a copied request; none contains credentials. */
export function formatCopies(request: CopiedRequest): Record<CopyLanguage, string> {
  return {
    curl: formatCurl(request),
    powershell: formatPowerShell(request),
    python: formatPython(request),
    module: formatModule(request),
    typescript: formatTypeScript(request),
    command: formatCommand(request),
  };
}

interface CopiedRequest {
  readonly connection: Pick<
    Connection,
    'name' | 'dataUrl' | 'platformUrl' | 'method' | 'sample' | 'saved' | 'secret'
  >;
  readonly address: DatasetAddress;
  readonly question: RecordsOperation;
  readonly described: RequestDescription;
  readonly timeoutMs: number | undefined;
  /** The query as typed, if it has parameters. */
  readonly typed?: TypedQuery | undefined;
}

/** Default timeout, in seconds. */
const usualSeconds = 60;

const secondsOf = ({ timeoutMs }: CopiedRequest): number =>
  timeoutMs === undefined ? usualSeconds : timeoutMs / 1000;

/** The scheme of the Authorization header (specification, section 5), and the variable with its value. */
function authorizationOf({ connection }: CopiedRequest): {
  scheme: string;
  variable: string;
  hint: string | null;
} {
  if (connection.method === 'api_key') return { scheme: 'API', variable: 'WELLBENCH_API_KEY', hint: null };
  const from = `${connection.platformUrl}/v1/user_token`;
  return {
    scheme: 'Bearer',
    variable: 'WELLBENCH_TOKEN',
    hint: `WELLBENCH_TOKEN is the jwt that signing in at ${from} returns.`,
  };
}

function commentsOf(request: CopiedRequest, mark: '#' | '//'): string[] {
  const { hint } = authorizationOf(request);
  return [hint, parameterComment(request.typed)].flatMap((text) =>
    text === null ? [] : [`${mark} ${text}`],
  );
}

/** Quotes a text for a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A literal for Python and JavaScript; single-quoted if it contains JSON. */
function literal(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** The address without its parameters, and these decoded, in their order. */
function splitAddress({ url }: RequestDescription): {
  base: string;
  parameters: readonly (readonly [string, string])[];
} {
  const { origin, pathname, searchParams } = new URL(url);
  return { base: `${origin}${pathname}`, parameters: [...searchParams] };
}

/** The headers that another client needs: without compression and user agent. */
function plainHeaders({ headers }: RequestDescription): [string, string][] {
  return Object.entries(headers).filter(([name]) => name === 'accept' || name === 'content-type');
}

/** The request for curl, in a POSIX shell. */
function formatCurl(request: CopiedRequest): string {
  const { method, url, body } = request.described;
  const { scheme, variable } = authorizationOf(request);
  const lines = [
    `curl --fail-with-body --silent --show-error --compressed --globoff --max-time ${secondsOf(request)}`,
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...plainHeaders(request.described).map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`),
    // In double quotes, so that the shell puts the secret in.
    `--header "authorization: ${scheme} $${variable}"`,
    ...(body === null ? [] : [`--data-binary ${shellWord(body)}`]),
    shellWord(url),
  ];
  return [...commentsOf(request, '#'), `${lines.join(' \\\n  ')}\n`].join('\n');
}

/** A literal for PowerShell, which also ends texts at typographic single quotes. */
const powerShellLiteral = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`;

/** The request for PowerShell, from Windows PowerShell 5.1 on. */
function formatPowerShell(request: CopiedRequest): string {
  const { method, url, body } = request.described;
  const { scheme, variable } = authorizationOf(request);
  const headers = plainHeaders(request.described);
  const contentType = headers.find(([name]) => name === 'content-type')?.[1];
  const options = [
    `Invoke-WebRequest -UseBasicParsing -Method ${method} -TimeoutSec ${Math.ceil(secondsOf(request))}`,
    '-Headers $headers',
    ...(contentType === undefined ? [] : [`-ContentType ${powerShellLiteral(contentType)}`]),
    ...(body === null ? [] : ['-Body ([Text.Encoding]::UTF8.GetBytes($body))']),
    `-Uri ${powerShellLiteral(url)}`,
  ];
  const lines = [
    ...commentsOf(request, '#'),
    '$headers = @{',
    ...headers
      .filter(([name]) => name !== 'content-type')
      .map(([name, value]) => `  ${powerShellLiteral(name)} = ${powerShellLiteral(value)}`),
    // In double quotes, so that PowerShell puts the secret in.
    `  'authorization' = "${scheme} $env:${variable}"`,
    '}',
    ...(body === null ? [] : [`$body = ${powerShellLiteral(body)}`]),
    `$answer = ${options.join(' `\n  ')}`,
    '# As text: ConvertFrom-Json could lose the last digits of large numbers.',
    '[Text.Encoding]::UTF8.GetString($answer.RawContentStream.ToArray())',
  ];
  return `${lines.join('\n')}\n`;
}

/** The request in Python, with the standard library only. */
function formatPython(request: CopiedRequest): string {
  const { method, body } = request.described;
  const { scheme, variable } = authorizationOf(request);
  const { base, parameters } = splitAddress(request.described);
  const hasParameters = parameters.length > 0;
  const lines = [
    'import json',
    'import os',
    ...(hasParameters ? ['import urllib.parse'] : []),
    'import urllib.request',
    '',
    ...commentsOf(request, '#'),
    `address = ${literal(base)}`,
    ...(hasParameters
      ? [
          'parameters = {',
          ...parameters.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
          '}',
        ]
      : []),
    'request = urllib.request.Request(',
    `    address${hasParameters ? " + '?' + urllib.parse.urlencode(parameters)" : ''},`,
    `    method=${literal(method)},`,
    ...(body === null ? [] : [`    data=${literal(body)}.encode(),`]),
    '    headers={',
    ...plainHeaders(request.described).map(([name, value]) => `        ${literal(name)}: ${literal(value)},`),
    `        'authorization': '${scheme} ' + os.environ['${variable}'],`,
    '    },',
    ')',
    `with urllib.request.urlopen(request, timeout=${secondsOf(request)}) as answer:`,
    '    result = json.load(answer)',
    'print(json.dumps(result))',
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether the command line finds a connection, with its credentials, by its name. */
const isInKeychain = ({ saved, secret }: CopiedRequest['connection']): boolean =>
  saved === true && secret === 'keychain';

/** The request for `wellbench.py`, which runs the command line and makes frames of all matching records. */
function formatModule({ connection, address, question, timeoutMs }: CopiedRequest): string {
  const isSaved = isInKeychain(connection);
  const dataset = `${address.provider}/${address.dataset}`;
  const options = [
    ...optionsOf(question),
    ['timeout', timeoutMs === undefined ? undefined : String(timeoutMs / 1000)] as const,
    ['connection', isSaved ? connection.name : undefined] as const,
  ].flatMap(([name, value]) => (value === undefined ? [] : [`    ${name}=${literal(value)},`]));
  const lines = [
    '# Copy resources/python/wellbench.py of Wellbench beside this script.',
    'import json',
    ...(isSaved ? [] : ['import os']),
    '',
    'import wellbench',
    '',
    ...(isSaved
      ? []
      : [
          `os.environ['WELLBENCH_DATA_URL'] = ${literal(connection.dataUrl)}`,
          `os.environ['WELLBENCH_PLATFORM_URL'] = ${literal(connection.platformUrl)}`,
        ]),
    `# For all matching records as a frame: wellbench.frame(${literal(dataset)}, query=…)`,
    'records = wellbench.records(',
    `    ${literal(question.kind)},`,
    `    ${literal(dataset)},`,
    ...options,
    ')',
    'print(json.dumps(records))',
  ];
  return `${lines.join('\n')}\n`;
}

function formatTypeScript(request: CopiedRequest): string {
  const { method, body } = request.described;
  const { scheme, variable } = authorizationOf(request);
  const { base, parameters } = splitAddress(request.described);
  const lines = [
    ...commentsOf(request, '//'),
    `const address = new URL(${literal(base)});`,
    ...parameters.map(([name, value]) => `address.searchParams.set(${literal(name)}, ${literal(value)});`),
    'const answer = await fetch(address, {',
    `  method: ${literal(method)},`,
    '  headers: {',
    ...plainHeaders(request.described).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
    `    authorization: \`${scheme} \${process.env['${variable}']}\`,`,
    '  },',
    ...(body === null ? [] : [`  body: ${literal(body)},`]),
    `  signal: AbortSignal.timeout(${Math.round(secondsOf(request) * 1000)}),`,
    '});',
    'if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);',
    '// As text: JSON.parse could lose the last digits of large numbers.',
    'console.log(await answer.text());',
  ];
  return `${lines.join('\n')}\n`;
}

type Options = [string, string | undefined][];

/** The options of the command line for the arguments of a read; that for the number of all has no value. */
const optionsOf = (question: RecordsOperation) =>
  argumentTexts(question).filter(([name]) => name !== 'include_count');

/** The text of an option as typed, if it has parameters. Days and longer are those of its zone, wherever it runs. */
function typedText(typed: TypedQuery | undefined, name: string): string | undefined {
  const text = new Map(Object.entries(typed?.texts ?? {})).get(name);
  if (!typed || !text?.includes('{{')) return undefined;
  return findParameters(text, name).reduceRight(
    (zoned, { written, parameter, ...span }) =>
      parameter?.kind === 'moment' && dependsOnZone(parameter.moment)
        ? replaceSpan(zoned, span, `{{${written}@${typed.zone}}}`)
        : zoned,
    text,
  );
}

/**
 * The same for Wellbench's own command line, in a POSIX shell: by the saved connection, else with the addresses, and
 * the secret from its variables. Texts with parameters stay as typed, so that times stay relative.
 */
function formatCommand({ connection, address, question, timeoutMs, typed }: CopiedRequest): string {
  const isSaved = isInKeychain(connection);
  const { provider, dataset } = address;
  const options: Options = [
    ...optionsOf(question).map(([name, value]): Options[number] => [name, typedText(typed, name) ?? value]),
    ...parameterOptions(typed),
    ['timeout', timeoutMs === undefined ? undefined : String(timeoutMs / 1000)],
  ];
  const lines = [
    ...(isSaved
      ? [`wellbench --connection ${shellWord(connection.name)}`]
      : [
          `WELLBENCH_DATA_URL=${shellWord(connection.dataUrl)}`,
          `WELLBENCH_PLATFORM_URL=${shellWord(connection.platformUrl)}`,
          'wellbench',
        ]),
    `${question.kind} ${shellWord(`${provider}/${dataset}`)}`,
    ...(question.kind === 'find' && question.find.includeCount ? ['--total'] : []),
    ...options.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${shellWord(value)}`])),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}
