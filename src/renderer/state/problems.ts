import type { AppError, Issue } from '../../shared/errors/errors.ts';

/** Line and column count from 1. */
export interface Problem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export type Problems<Field extends string> = Partial<Record<Field, Problem>>;

/** Assigns issues to the fields that they name; `otherIssues` holds the rest. */
export function problemsByField<Field extends string>(
  issues: readonly Issue[],
  fieldOf: (fieldName: string) => Field | undefined,
): { problems: Problems<Field>; otherIssues: Issue[] } {
  const problems: Problems<Field> = {};
  const otherIssues: Issue[] = [];
  for (const issue of issues) {
    const field = issue.place?.field === undefined ? undefined : fieldOf(issue.place.field);
    if (field === undefined) otherIssues.push(issue);
    else problems[field] ??= problemOf(issue);
  }
  return { problems, otherIssues };
}

function problemOf({ message, place }: Issue): Problem {
  return {
    message,
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(place?.column === undefined ? {} : { column: place.column }),
  };
}

/** The issues of an error about invalid input; empty for other errors. */
export function issuesOf(error: AppError): readonly Issue[] {
  return error.is('invalid_input') ? error.details.issues : [];
}
