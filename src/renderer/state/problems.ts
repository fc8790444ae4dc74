import type { AppError, Issue } from '../../shared/errors/errors.ts';

/** What is wrong with one field of a form; line and column count from 1. */
export interface Problem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** The first problem of each field. */
export type Problems<Field extends string> = Partial<Record<Field, Problem>>;

/** Sorts issues to the fields they name; `left` holds those that belong to none. */
export function problemsByField<Field extends string>(
  issues: readonly Issue[],
  fieldOf: (said: string) => Field | undefined,
): { problems: Problems<Field>; left: Issue[] } {
  const problems: Problems<Field> = {};
  const left: Issue[] = [];
  for (const issue of issues) {
    const field = issue.place?.field === undefined ? undefined : fieldOf(issue.place.field);
    if (field === undefined) left.push(issue);
    else problems[field] ??= problemOf(issue);
  }
  return { problems, left };
}

function problemOf({ message, place }: Issue): Problem {
  return {
    message,
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(place?.column === undefined ? {} : { column: place.column }),
  };
}

/** The issues of an error that is about input; none for every other error. */
export function issuesOf(error: AppError): readonly Issue[] {
  return error.is('invalid_input') ? error.details.issues : [];
}
