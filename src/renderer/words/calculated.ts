export const calculatedWords = {
  add: 'Add calculated column',
  edit: (name: string) => `Edit calculated column ${name}`,
  expression: 'Expression',
  example: 'wob * rpm / rop',
  name: 'Name',
  unnamed: (number: number) => (number === 1 ? 'calculated' : `calculated ${number}`),
  taken: 'This result already contains a column with this name. Enter another name.',
  unit: 'Unit',
  noUnit: 'none, or unknown',
  unitNote: (unit: string | null) =>
    unit === null
      ? 'The unit can’t be derived from the columns. Enter it if you know it.'
      : `${unit}, derived from the columns. Enter another unit to replace it.`,
  place: (before: string, wrong: string, after: string) => `${before}⟦${wrong}⟧${after}`,
  save: 'Save column',
  addColumn: 'Add column',
  remove: 'Remove column',
  partial: 'Rows at the edge of the loaded part have no value until earlier rows are loaded.',
  full: (most: number) => `A result can have up to ${most} calculated columns. Remove one first.`,
};
