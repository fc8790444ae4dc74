import { stringifyJson } from '../../../shared/json.ts';
import type { RecordsQuestion } from '../../services/services.ts';
import type { Copied } from './copied.ts';
import { shellWord } from './pieces.ts';

type Options = [string, string | undefined][];

function optionsOf(question: RecordsQuestion): Options {
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
export function asCommand({ connection, address, question, timeoutMs }: Copied): string {
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
