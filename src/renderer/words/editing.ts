import { counted } from './counted.ts';

/** The words of the editor of queries. */
export const editing = {
  findings: 'Problems in this query',
  inOptions: 'Problems in the options',
  write: (value: string) => `Use ${value}`,
  clear: 'Clear',
  error: 'Error',
  warning: 'Warning',
  found: (errors: number, warnings: number) =>
    [
      errors > 0 ? counted(errors, 'error', 'errors') : '',
      warnings > 0 ? counted(warnings, 'warning', 'warnings') : '',
    ]
      .filter(Boolean)
      .join(', '),
};
