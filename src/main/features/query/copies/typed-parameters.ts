import { millisecondsOfMoment } from '../../../../shared/language/moments.ts';
import type { Parameter } from '../../../../shared/language/parameter.ts';
import { findParameters, requiredAnswers } from '../../../../shared/language/parameters.ts';
import type { TypedQuery } from '../../../../shared/query/query.ts';

const parametersOf = ({ texts }: TypedQuery) =>
  Object.entries(texts).flatMap(([field, text]) => (text === undefined ? [] : findParameters(text, field)));

/** The options of the command line that give the parameters their values. */
export function parameterOptions(typed: TypedQuery | undefined): [string, string][] {
  if (!typed) return [];
  const parameters = parametersOf(typed);
  const has = (kind: Parameter['kind']) => parameters.some(({ parameter }) => parameter?.kind === kind);
  return [
    ...(has('wells') && typed.wells.length > 0
      ? [['asset-id', typed.wells.join(',')] as [string, string]]
      : []),
    ...(has('company') && typed.company !== null
      ? [['company-id', String(typed.company)] as [string, string]]
      : []),
    ...requiredAnswers(parameters).map(({ name }): [string, string] => [
      'param',
      `${name}=${typed.answers[name] ?? ''}`,
    ]),
  ];
}

/** The value that a parameter had. */
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
    parametersOf(typed).flatMap(({ written, parameter }) =>
      parameter ? [[written, valueText(parameter, typed)] as const] : [],
    ),
  );
  if (values.size === 0) return null;
  const texts = [...values].map(([written, value]) => `{{${written}}} = ${value.slice(0, maxValueLength)}`);
  // A line break would end the comment.
  return `Values when copied: ${texts.join('; ')}`.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
