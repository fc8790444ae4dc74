import * as z from 'zod';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import {
  requiredAnswers,
  bindTexts,
  parametersIn,
  type Instructions,
} from '../../../shared/language/parameters.ts';
import { assetId } from '../../../shared/wells/wells.ts';
import { option } from './command.ts';
import { whole, wholeList } from './options.ts';

/** `name=value`; the value can contain equals signs. */
const pair = z
  .string()
  .regex(/^[^=]*[^=\s][^=]*=.*\S/s, 'Enter name=value, such as depth=1200.')
  .transform((text): [string, string] => {
    const at = text.indexOf('=');
    return [text.slice(0, at).trim(), text.slice(at + 1)];
  });

/** Options for the values of `{{wells}}`, `{{company}}`, and `{{ask:…}}` in a query. */
export const parameterOptions = {
  assetId: option(wholeList(assetId).default([]), '<id>', 'value of {{wells}}: asset IDs, comma-separated'),
  companyId: option(whole.pipe(z.int().min(0)).optional(), '<id>', 'value of {{company}}'),
  param: option(z.array(pair).default([]), '<name=value>', 'value of {{ask:name}}; repeatable'),
};
type ParameterValues = z.infer<z.ZodObject<typeof parameterOptions>>;

const instructions: Instructions = {
  wells: 'Set it with --asset-id, or replace {{wells}} with its asset ID.',
  company: 'Set it with --company-id, or replace {{company}} with its ID.',
  answer: (name) => `Set it with --param ${/^[\w.-]+$/.test(name) ? name : `"${name}"`}=….`,
};

const dayMs = 86_400_000;

type Texts = Readonly<Record<string, string | undefined>>;

/** A value that no parameter uses or that is set again would be ignored, although the user expects it to narrow the query. */
function refuseIgnored({ assetId: ids, companyId, param }: ParameterValues, texts: Texts): void {
  const parameters = parametersIn(texts);
  const asks = (kind: string) => parameters.some(({ parameter }) => parameter?.kind === kind);
  if (ids.length > 0 && !asks('wells'))
    throw invalidInput('The query doesn’t use {{wells}}. Add a condition such as { asset_id: {{wells}} }.', {
      field: 'asset-id',
    });
  if (companyId !== undefined && !asks('company'))
    throw invalidInput(
      'The query doesn’t use {{company}}. Add a condition such as { company_id: {{company}} }.',
      { field: 'company-id' },
    );
  const names = new Set(requiredAnswers(parameters).map(({ name }) => name));
  const issues = param
    .filter(([name]) => !names.has(name))
    .map(([name]) => ({
      message: `The query doesn’t use “${name}”. Write {{ask:${name}}} where its value belongs.`,
      place: { field: 'param' },
    }));
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  const repeated = param.find(([name], at) => param.slice(0, at).some(([earlier]) => earlier === name));
  if (repeated) throw invalidInput(`“${repeated[0]}” is set twice. Set it once.`, { field: 'param' });
}

/**
 * Checks the texts of a command, before anything is sent.
 * @param texts by the name of their option
 * @returns replaces every parameter of them, with one current time: the service's. Days are in the system's time zone
 *   unless they name another.
 * @throws AppError invalid_input with the place of each parameter without a value, and for values that would be ignored
 */
export function bindTyped<T extends Texts>(
  texts: T,
  values: ParameterValues,
): (now: () => Promise<number>) => Promise<T> {
  refuseIgnored(values, texts);
  const localMs = Date.now();
  const checked = bindAt(localMs, texts, values);
  const later = bindAt(localMs + dayMs, texts, values);
  if (Object.entries(checked).every(([field, text]) => later[field] === text)) return async () => checked;
  let bound: Promise<T> | null = null;
  return async (now) =>
    (bound ??= now().then(
      (ms) => bindAt(ms, texts, values),
      (error: unknown) => {
        // `mirror --every` tries again.
        bound = null;
        throw error;
      },
    ));
}

function bindAt<T extends Texts>(now: number, texts: T, values: ParameterValues): T {
  return bindTexts(texts, {
    wells: values.assetId,
    company: values.companyId ?? null,
    answers: new Map(values.param),
    now,
    // Determined only if a time needs it: the first use of Intl takes longer than the rest of this.
    get zone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    instructions,
  });
}
