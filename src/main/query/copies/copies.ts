import type { CopyLanguage } from '../../../shared/query/query.ts';
import type { Connection } from '../../../shared/connections/connections.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { RecordsOperation, RequestDescription } from '../../services/services.ts';
import { stringifyJson } from '../../../shared/json.ts';

/** What the request is copied as; none holds a secret. */
export function copiesOf(copied: Copied): Record<CopyLanguage, string> {
  return {
    curl: asCurl(copied),
    python: asPython(copied),
    typescript: asTypeScript(copied),
    command: asCommand(copied),
  };
}

/** A request, and who asks what by it. */
interface Copied {
  readonly connection: Pick<
    Connection,
    'name' | 'dataUrl' | 'platformUrl' | 'method' | 'sample' | 'saved' | 'secret'
  >;
  readonly address: DatasetAddress;
  readonly question: RecordsOperation;
  readonly described: RequestDescription;
  readonly timeoutMs: number | undefined;
}

/** How long an answer may take where nothing else is said, in seconds. */
const usualSeconds = 60;

const secondsOf = ({ timeoutMs }: Copied): number =>
  timeoutMs === undefined ? usualSeconds : timeoutMs / 1000;

/** The scheme of the Authorization header (specification, section 5), and the variable that holds what follows it. */
function proofOf({ connection }: Copied): { scheme: string; variable: string; hint: string | null } {
  if (connection.method === 'api_key') return { scheme: 'API', variable: 'WELLBENCH_API_KEY', hint: null };
  const from = `${connection.platformUrl}/v1/user_token`;
  return {
    scheme: 'Bearer',
    variable: 'WELLBENCH_TOKEN',
    hint: `WELLBENCH_TOKEN is the jwt that signing in at ${from} returns.`,
  };
}

/** A word of a POSIX shell that stands for exactly this text. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A literal that Python and JavaScript read as exactly this text; in single quotes where JSON stands in it. */
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

/** The headers that matter to whoever sends the request from elsewhere: compression and names are their own. */
function plainHeaders({ headers }: RequestDescription): [string, string][] {
  return Object.entries(headers).filter(([name]) => name === 'accept' || name === 'content-type');
}

/** The request for curl, in a POSIX shell. */
function asCurl(copied: Copied): string {
  const { method, url, body } = copied.described;
  const { scheme, variable, hint } = proofOf(copied);
  const lines = [
    `curl --fail-with-body --silent --show-error --compressed --globoff --max-time ${secondsOf(copied)}`,
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    ...plainHeaders(copied.described).map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`),
    // In double quotes, so that the shell puts the secret in.
    `--header "authorization: ${scheme} $${variable}"`,
    ...(body === null ? [] : [`--data-binary ${shellWord(body)}`]),
    shellWord(url),
  ];
  return `${hint === null ? '' : `# ${hint}\n`}${lines.join(' \\\n  ')}\n`;
}

/** The request for Python, with nothing but what comes with it. */
function asPython(copied: Copied): string {
  const { method, body } = copied.described;
  const { scheme, variable, hint } = proofOf(copied);
  const { base, parameters } = splitAddress(copied.described);
  const hasParameters = parameters.length > 0;
  const lines = [
    'import json',
    'import os',
    ...(hasParameters ? ['import urllib.parse'] : []),
    'import urllib.request',
    '',
    ...(hint === null ? [] : [`# ${hint}`]),
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
    ...plainHeaders(copied.described).map(([name, value]) => `        ${literal(name)}: ${literal(value)},`),
    `        'authorization': '${scheme} ' + os.environ['${variable}'],`,
    '    },',
    ')',
    `with urllib.request.urlopen(request, timeout=${secondsOf(copied)}) as answer:`,
    '    result = json.load(answer)',
    'print(json.dumps(result))',
  ];
  return `${lines.join('\n')}\n`;
}

/** The request for TypeScript, by `fetch`. */
function asTypeScript(copied: Copied): string {
  const { method, body } = copied.described;
  const { scheme, variable, hint } = proofOf(copied);
  const { base, parameters } = splitAddress(copied.described);
  const lines = [
    ...(hint === null ? [] : [`// ${hint}`]),
    `const address = new URL(${literal(base)});`,
    ...parameters.map(([name, value]) => `address.searchParams.set(${literal(name)}, ${literal(value)});`),
    'const answer = await fetch(address, {',
    `  method: ${literal(method)},`,
    '  headers: {',
    ...plainHeaders(copied.described).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
    `    authorization: \`${scheme} \${process.env['${variable}']}\`,`,
    '  },',
    ...(body === null ? [] : [`  body: ${literal(body)},`]),
    `  signal: AbortSignal.timeout(${Math.round(secondsOf(copied) * 1000)}),`,
    '});',
    'if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);',
    '// As text, for JSON.parse would lose the last digits of integers beyond 2^53.',
    'console.log(await answer.text());',
  ];
  return `${lines.join('\n')}\n`;
}

type Options = [string, string | undefined][];

function optionsOf(question: RecordsOperation): Options {
  switch (question.kind) {
    case 'find': {
      const { query, sort, limit, skip, fields } = question.find;
      return [
        ['query', stringifyJson(query)],
        ['sort', stringifyJson(sort)],
        ['limit', String(limit)],
        ['skip', skip ? String(skip) : undefined],
        ['fields', fields?.length ? fields.join(',') : undefined],
      ];
    }
    case 'count':
      return [['query', stringifyJson(question.query)]];
    case 'aggregate': {
      const { match, sort, limit, skip, group, project } = question.aggregate;
      return [
        ['match', stringifyJson(match)],
        ['sort', stringifyJson(sort)],
        ['limit', String(limit)],
        ['skip', skip ? String(skip) : undefined],
        ['group', group && stringifyJson(group)],
        ['project', project && stringifyJson(project)],
      ];
    }
    case 'pipeline':
      return [['stages', stringifyJson([...question.stages])]];
  }
}

/**
 * The same for Wellbench's own command line, in a POSIX shell: by the saved connection, else with the addresses, and
 * the secret from its variables.
 */
function asCommand({ connection, address, question, timeoutMs }: Copied): string {
  const isSaved = connection.saved === true && connection.secret === 'keychain';
  const { provider, dataset } = address;
  const options: Options = [
    ...optionsOf(question),
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
