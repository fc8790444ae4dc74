/** How fields are named: as engineers say them, as the dataset has them, or both. */
export const nameForms = ['plain', 'fields', 'both'] as const;
export type NameForm = (typeof nameForms)[number];
