import { useEffect, useMemo, useRef } from 'react';
import { parseAnswer, type AskType } from '../../../shared/language/answers.ts';
import { millisecondsOfMoment } from '../../../shared/language/moments.ts';
import type { Parameter } from '../../../shared/language/parameter.ts';
import { requiredAnswers, type ParameterValues } from '../../../shared/language/parameters.ts';
import { rangeFieldOf, readRange, type RangeField } from '../../../shared/language/text/range.ts';
import { readScope } from '../../../shared/language/text/scope.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { formatMoment } from '../../format/moments.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useTab, useTabState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { parametersOf } from './bound-query.ts';
import { conditionsOf } from './conditions.ts';
import { OptionsForm } from './question-form.tsx';
import { useTabWells } from '../tabs/use-tab-wells.ts';

/** The parameters that the bar of wells and range shows, as written. */
function barParameters(text: QuestionText, path: string | null, field: RangeField | null): Set<string> {
  const conditions = conditionsOf(text);
  if (conditions === null) return new Set();
  const range = field && readRange(conditions, field);
  const bounds = range?.kind === 'range' ? [range.from, range.to] : [];
  const moments = bounds.flatMap((bound) => (bound?.kind === 'moment' ? [bound.written] : []));
  const isScope = path !== null && readScope(conditions, path).kind === 'chosen';
  return new Set([...moments, ...(isScope ? ['wells'] : [])]);
}

/** A form for `{{ask:…}}` parameters, with the values of those that no other part shows. */
export function ParameterForm() {
  const text = useTabState('query', (state) => state.text);
  const { dataset, scopePath } = useTab('query');
  const parameters = useMemo(() => parametersOf(text), [text]);
  const missing = useTabState('query', (state) => state.missingAnswer);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!missing) return;
    const fields = [...(section.current?.querySelectorAll('input') ?? [])];
    fields.find(({ name }) => name === missing.name)?.focus();
  }, [missing]);
  if (parameters.length === 0) return null;
  const inBar = barParameters(text, scopePath(), rangeFieldOf(dataset.type));
  const otherParameters = new Map(
    parameters.flatMap(({ written, parameter }) =>
      parameter && parameter.kind !== 'ask' && !inBar.has(written) ? [[written, parameter] as const] : [],
    ),
  );
  const answers = requiredAnswers(parameters);
  if (otherParameters.size === 0 && answers.length === 0) return null;
  return (
    <section ref={section} className="query-asks" aria-label={words.query.asks.region}>
      {answers.length > 0 && (
        <OptionsForm>
          {answers.map((answer) => (
            <ParameterField key={answer.name} {...answer} />
          ))}
        </OptionsForm>
      )}
      {otherParameters.size > 0 && (
        <dl className="ask-values">
          {[...otherParameters].map(([written, parameter]) => (
            <ParameterValue key={written} written={written} parameter={parameter} />
          ))}
        </dl>
      )}
    </section>
  );
}

function ParameterField({ name, type }: { name: string; type: AskType | null }) {
  const { actions, values } = useTab('query');
  const text = useTabState('query', (state) => state.text.answers[name] ?? '');
  const answer = text.trim() === '' ? null : parseAnswer(text, type, values());
  return (
    <TextField
      className="ask-field"
      isInline
      label={name}
      name={name}
      value={text}
      onChange={(typed) => actions.answer(name, typed)}
      problem={typeof answer === 'string' ? answer : undefined}
      placeholder={type === null ? words.query.asks.any : words.query.asks.types[type]}
      mono
    />
  );
}

function resolvedText(
  parameter: Parameter,
  { wells, company, now, zone }: Omit<ParameterValues, 'answers'>,
): string {
  const { asks } = words.query;
  if (parameter.kind === 'wells')
    return wells.length === 0
      ? asks.noWells
      : `${asks.wells(wells.length)}: ${wells.slice(0, 5).join(', ')}${wells.length > 5 ? ' …' : ''}`;
  if (parameter.kind === 'company') return company === null ? asks.noCompany : String(company);
  if (parameter.kind === 'ask') return '';
  const ms = millisecondsOfMoment(parameter.moment, now, zone);
  return ms === undefined ? words.unknown : `${formatMoment(ms - (ms % 1000), 'utc')} UTC`;
}

function ParameterValue({ written, parameter }: { written: string; parameter: Parameter }) {
  const { values } = useTab('query');
  useTabWells();
  useTimeOfDay(parameter.kind === 'moment' ? 1000 : minuteMs);
  return (
    <div className="ask-value">
      <dt>{`{{${written}}}`}</dt>
      <dd className="quiet numbers">{resolvedText(parameter, values())}</dd>
    </div>
  );
}
