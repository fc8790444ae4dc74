import { AppError, toAppError, type Issue } from '../errors/errors.ts';
import { bindParameters, type ParameterValues } from './parameters.ts';

/**
 * The texts of a question with every parameter replaced by what it stands for; what is not given stays away.
 * @param texts by the field of the request that each is sent in
 * @throws AppError invalid_input with the place of each parameter that stands for nothing, in all of the texts
 */
export function bindTexts<T extends Readonly<Record<string, string | undefined>>>(
  texts: T,
  values: ParameterValues,
): T {
  const issues: Issue[] = [];
  const bound = { ...texts };
  for (const [field, text] of Object.entries(texts)) {
    if (!text?.includes('{{')) continue;
    try {
      Object.assign(bound, { [field]: bindParameters(text, field, values) });
    } catch (error) {
      const failure = toAppError(error);
      if (!failure.is('invalid_input')) throw failure;
      issues.push(...failure.details.issues);
    }
  }
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return bound;
}
