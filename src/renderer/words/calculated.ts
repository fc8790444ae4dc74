export const calculatedWords = {
  add: 'Add calculated column',
  edit: (name: string) => `Edit calculated column ${name}`,
  expression: 'Expression',
  example: 'wob * rpm / rop',
  name: 'Name',
  unnamed: (number: number) => (number === 1 ? 'calculated' : `calculated ${number}`),
  taken: 'This result has a column with this name. Enter another one.',
  unit: 'Unit',
  noUnit: 'none, or unknown',
  unitNote: (unit: string | null) =>
    unit === null
      ? 'Its unit doesn’t follow from the columns. Enter one if you know it.'
      : `${unit} follows from the columns. Enter another text to replace it.`,
  place: (before: string, wrong: string, after: string) => `${before}⟦${wrong}⟧${after}`,
  save: 'Save column',
  addColumn: 'Add column',
  remove: 'Remove column',
  partial: 'Rows at the edge of what is loaded have no value until the rows before them are loaded.',
  full: (most: number) => `A result has up to ${most} calculated columns. Remove one first.`,
};
