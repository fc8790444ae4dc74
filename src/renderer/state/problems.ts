import type { AppError, Issue } from '../../shared/errors/errors.ts';

/** Line and column count from 1. */
export interface Problem {
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
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
    const { message, place } = issue;
    const field = place?.field === undefined ? undefined : fieldOf(place.field);
    if (field === undefined) otherIssues.push(issue);
    else problems[field] ??= { message, line: place?.line, column: place?.column };
  }
  return { problems, otherIssues };
}

/** The issues of an error about invalid input; empty for other errors. */
export function issuesOf(error: AppError): readonly Issue[] {
  return error.is('invalid_input') ? error.details.issues : [];
}
